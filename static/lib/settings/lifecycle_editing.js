// @ts-check
import { html } from "../html.js";
import { t } from "../i18n.js";
import { awsCommand } from "./commands.js";
import { ExpiryEstimate } from "./expiry_estimate.js";
import { isTag } from "./lifecycle_filter.js";
import { lifecycleProblems } from "./lifecycle_rules.js";
import { isObject, isTextList } from "./shapes.js";

/** @import { LifecycleRule } from "./lifecycle_rules.js" */
/** @import { LifecycleValue } from "./lifecycle_form.js" */
/** @import { SectionEditing } from "./section.js" */

/** Changing what is deleted and moved. @type {SectionEditing<LifecycleValue>} */
export const lifecycleEditing = {
  fromJson: readRules,
  problems: lifecycleProblems,
  toRequest: ({ rules }) => ({ method: "PUT", json: { rules: rules.map(spelledOut) } }),
  refusals: [
    [/storage\s?class/i, "transition_storage_class"],
    [/transition/i, "transition_days"],
    [/newer/i, "noncurrent_keep_versions"],
    [/noncurrent/i, "noncurrent_expire_days"],
    [/abort|incomplete/i, "abort_incomplete_days"],
    [/expir|days/i, "expiration_days"],
    [/greater|minimum/i, "larger_than_bytes"],
    [/less|maximum/i, "smaller_than_bytes"],
    [/\btag/i, "tags"],
    [/prefix|filter/i, "prefix"],
    [/\bid\b/i, "id"],
  ],
  refusalWords: ({ rules }, { detail }, { backend: { name } }) =>
    detail?.upstream_code && rules.some(onlyAborts)
      ? t("settings.lifecycle_abort_refused", { name, code: detail.upstream_code })
      : null,
  warning: (before, after) => deletesMore(before.rules, after.rules) ? t("settings.lifecycle_warning") : null,
  commands: ({ rules }, { bucket }) => [
    ...(rules.some(({ unmodeled = [] }) => unmodeled.length > 0)
      ? [`# ${t("settings.command_partial")}`]
      : []),
    rules.length === 0 ? awsCommand("delete-bucket-lifecycle", bucket) : awsCommand(
      "put-bucket-lifecycle-configuration",
      bucket,
      "--lifecycle-configuration",
      awsLifecycleRules(rules),
    ),
  ],
  Tools: ({ value: { rules }, place: { backend, bucket } }) =>
    html`<${ExpiryEstimate} backend=${backend.id} bucket=${bucket} rules=${rules} />`,
};

/**
 * A rule with all that narrows it said: the server keeps what is left out.
 * @param {LifecycleRule} rule
 */
function spelledOut(rule) {
  const { tags = [], larger_than_bytes = null, smaller_than_bytes = null, noncurrent_keep_versions = null } =
    rule;
  return { ...rule, tags, larger_than_bytes, smaller_than_bytes, noncurrent_keep_versions };
}

/**
 * Whether something is deleted that was not before, or sooner.
 * @param {readonly LifecycleRule[]} before
 * @param {readonly LifecycleRule[]} after
 */
function deletesMore(before, after) {
  const known = new Set(before.flatMap(deletions));
  return after.flatMap(deletions).some((deletion) => !known.has(deletion));
}

/**
 * Whether a rule aborts uploads and does nothing to objects: a server that aborts them by itself may know no such rule.
 * @param {LifecycleRule} rule
 */
function onlyAborts({ abort_incomplete_days: aborts, ...rule }) {
  const others = [
    rule.expiration_days,
    rule.noncurrent_expire_days,
    rule.noncurrent_keep_versions,
    rule.transition_days,
  ];
  return typeof aborts === "number" && !others.some((other) => typeof other === "number");
}

/**
 * What a rule deletes, as texts that are equal for the same.
 * @param {LifecycleRule} rule
 */
function deletions(rule) {
  const { prefix = "", tags = [], larger_than_bytes: lower, smaller_than_bytes: upper } = rule;
  const { expiration_days: days, noncurrent_expire_days: oldDays, noncurrent_keep_versions: keep } = rule;
  if (!rule.enabled) return [];
  return [
    ...(days === undefined ? [] : [["now", days]]),
    ...(oldDays === undefined && keep === undefined ? [] : [["old", oldDays, keep]]),
  ].map((deletion) => JSON.stringify([prefix, tags, lower, upper, ...deletion]));
}

/**
 * @param {unknown} parsed
 * @returns {LifecycleValue | undefined}
 */
function readRules(parsed) {
  if (!isObject(parsed) || !Array.isArray(parsed.rules)) return undefined;
  const shown = parsed.rules.every((rule) =>
    isObject(rule) && (rule.prefix === undefined || typeof rule.prefix === "string") &&
    (rule.tags === undefined || Array.isArray(rule.tags) && rule.tags.every(isTag)) &&
    [rule.larger_than_bytes, rule.smaller_than_bytes].every((size) =>
      size === undefined || size === null || typeof size === "number"
    ) &&
    (rule.unmodeled === undefined || isTextList(rule.unmodeled))
  );
  return shown ? { rules: parsed.rules } : undefined;
}

/**
 * Lifecycle rules as S3 writes them in JSON.
 * @param {readonly LifecycleRule[]} rules
 */
function awsLifecycleRules(rules) {
  return {
    Rules: rules.map((rule) => ({
      ...(rule.id === undefined ? {} : { ID: rule.id }),
      Status: rule.enabled ? "Enabled" : "Disabled",
      Filter: awsFilter(rule),
      ...(rule.expiration_days === undefined ? {} : { Expiration: { Days: rule.expiration_days } }),
      ...awsNoncurrent(rule),
      ...(rule.abort_incomplete_days === undefined
        ? {}
        : { AbortIncompleteMultipartUpload: { DaysAfterInitiation: rule.abort_incomplete_days } }),
      ...(rule.transition_days === undefined
        ? {}
        : { Transitions: [{ Days: rule.transition_days, StorageClass: rule.transition_storage_class }] }),
    })),
  };
}

/** @param {LifecycleRule} rule */
function awsNoncurrent({ noncurrent_expire_days: days, noncurrent_keep_versions: keep }) {
  const limits = {
    ...(days === undefined ? {} : { NoncurrentDays: days }),
    ...(keep === undefined ? {} : { NewerNoncurrentVersions: keep }),
  };
  return Object.keys(limits).length === 0 ? {} : { NoncurrentVersionExpiration: limits };
}

/** @param {LifecycleRule} rule */
function awsFilter({ prefix = "", tags = [], larger_than_bytes: lower, smaller_than_bytes: upper }) {
  const Tags = tags.map(({ key, value }) => ({ Key: key, Value: value }));
  const parts = {
    ...(prefix === "" ? {} : { Prefix: prefix }),
    ...(Tags.length === 0 ? {} : { Tags }),
    ...(lower === undefined ? {} : { ObjectSizeGreaterThan: lower }),
    ...(upper === undefined ? {} : { ObjectSizeLessThan: upper }),
  };
  if (Object.keys(parts).length + Math.max(0, Tags.length - 1) > 1) return { And: parts };
  if (Tags.length === 1) return { Tag: Tags[0] };
  return Tags.length === 0 && Object.keys(parts).length === 0 ? { Prefix: "" } : parts;
}
