// @ts-check
import { t } from "../i18n.js";
import { filterFields, filterProblems, isNarrowed } from "./lifecycle_filter.js";
import { isObject, isTextList, unknownFields } from "./shapes.js";

/** @import { Problem } from "./section.js" */
/** @import { LifecycleTag } from "./lifecycle_filter.js" */

/**
 * A lifecycle rule as the API has it. A number is `null` for what was typed and is none, until that is mended.
 * @typedef {object} LifecycleRule
 * @property {string} [id]
 * @property {string} [prefix] empty or missing for the whole bucket
 * @property {LifecycleTag[]} [tags] that an object must have, all of them
 * @property {number | null} [larger_than_bytes]
 * @property {number | null} [smaller_than_bytes]
 * @property {boolean} enabled
 * @property {number | null} [expiration_days]
 * @property {number | null} [noncurrent_expire_days]
 * @property {number | null} [noncurrent_keep_versions] of the old versions, those that are not deleted: the newest
 * @property {number | null} [abort_incomplete_days]
 * @property {number | null} [transition_days]
 * @property {string} [transition_storage_class]
 * @property {string[]} [unmodeled] what the stored rule says besides, which is kept
 */

/** Most rules of a bucket: https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html */
const maxRules = 1000;

/** The fields that are a number of days. */
export const dayFields = /** @type {const} */ ([
  "expiration_days",
  "noncurrent_expire_days",
  "abort_incomplete_days",
  "transition_days",
]);

/**
 * What the server would find wrong with the lifecycle rules of a bucket.
 * @param {unknown} value
 * @returns {Problem[]}
 */
export function lifecycleProblems(value) {
  if (!isObject(value) || !Array.isArray(value.rules)) {
    return [{ path: "rules", message: t("settings.problem_rules_list") }];
  }
  if (value.rules.length > maxRules) {
    return [{ path: "rules", message: t("settings.problem_too_many_rules", { n: maxRules }) }];
  }
  const seen = new Set();
  return [
    ...unknownFields(value, ["rules"], ""),
    ...value.rules.flatMap((rule, place) => {
      const problems = ruleProblems(rule, `rules.${place}`);
      const id = isObject(rule) ? rule.id : undefined;
      if (typeof id === "string" && seen.has(id)) {
        problems.push({ path: `rules.${place}.id`, message: t("settings.lifecycle_id_twice", { name: id }) });
      }
      seen.add(id);
      return problems;
    }),
  ];
}

/**
 * @param {unknown} rule
 * @param {string} path
 * @returns {Problem[]}
 */
function ruleProblems(rule, path) {
  if (!isObject(rule)) return [{ path, message: t("settings.problem_rule_object") }];
  const known = [
    "id",
    ...filterFields,
    "enabled",
    ...dayFields,
    "noncurrent_keep_versions",
    "transition_storage_class",
    "unmodeled",
  ];
  const found = unknownFields(rule, known, path);
  const add = (/** @type {string} */ field, /** @type {string} */ message) =>
    found.push({ path: `${path}.${field}`, message });
  const { id, transition_days: days, transition_storage_class: storageClass } = rule;
  if (typeof rule.enabled !== "boolean") add("enabled", t("settings.problem_flag"));
  if (id !== undefined && (typeof id !== "string" || id === "" || id.length > 255)) {
    add("id", t("settings.problem_id"));
  }
  found.push(...filterProblems(rule, path));
  if (isNarrowed(rule) && rule.abort_incomplete_days !== undefined) {
    add("abort_incomplete_days", t("settings.lifecycle_abort_narrowed"));
  }
  for (const field of dayFields) {
    const value = rule[field];
    if (value !== undefined && !isCount(value)) add(field, t("settings.lifecycle_bad_days"));
  }
  const { noncurrent_keep_versions: keep } = rule;
  if (keep !== undefined && !isCount(keep)) {
    add("noncurrent_keep_versions", t("settings.lifecycle_bad_count"));
  }
  if (storageClass !== undefined && (typeof storageClass !== "string" || storageClass === "")) {
    add("transition_storage_class", t("settings.lifecycle_needs_class"));
  } else if (days !== undefined && storageClass === undefined) {
    add("transition_storage_class", t("settings.lifecycle_needs_class"));
  } else if (days === undefined && storageClass !== undefined) {
    add("transition_days", t("settings.lifecycle_needs_days"));
  }
  const acts = dayFields.some((field) => rule[field] !== undefined) || keep !== undefined ||
    storageClass !== undefined ||
    (isTextList(rule.unmodeled) && rule.unmodeled.length > 0);
  if (!acts) found.push({ path, message: t("settings.lifecycle_does_nothing") });
  return found;
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2 ** 31 - 1;
}
