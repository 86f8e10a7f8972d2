// @ts-check
import { t } from "../i18n.js";
import { corsMethods } from "./cors_rules.js";
import { isObject, isTextList, unknownFields } from "./shapes.js";

/** @import { Problem } from "./section.js" */

/** Most rules of a bucket, as at S3. */
const maxRules = 100;

/** Most entries of each list of a rule. */
const maxEntries = 100;

/** Longest time that a browser may keep an answer, in seconds. */
const maxAge = 2 ** 31 - 1;

/** Characters of header names: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const lists =
  /** @type {const} */ (["allowed_origins", "allowed_methods", "allowed_headers", "expose_headers"]);

/**
 * What the server would find wrong with the rules of a bucket, in its order.
 * @param {unknown} value
 * @param {{ ids?: boolean }} [options] whether rules may have ids and parts that are not shown
 * @returns {Problem[]}
 */
export function corsProblems(value, { ids = true } = {}) {
  if (!isObject(value) || !Array.isArray(value.rules)) {
    return [{ path: "rules", message: t("settings.problem_rules_list") }];
  }
  if (value.rules.length > maxRules) {
    return [{ path: "rules", message: t("settings.problem_too_many_rules", { n: maxRules }) }];
  }
  return [
    ...unknownFields(value, ["rules"], ""),
    ...value.rules.flatMap((rule, place) => ruleProblems(rule, `rules.${place}`, ids)),
  ];
}

/**
 * @param {unknown} rule
 * @param {string} path
 * @param {boolean} ids
 * @returns {Problem[]}
 */
function ruleProblems(rule, path, ids) {
  if (!isObject(rule)) return [{ path, message: t("settings.problem_rule_object") }];
  const known = [...lists, "max_age_seconds", ...(ids ? ["id", "unmodeled"] : [])];
  /** @type {Problem[]} */
  const found = unknownFields(rule, known, path);
  for (const field of lists) {
    const entries = rule[field] ?? [];
    if (!isTextList(entries)) {
      found.push({ path: `${path}.${field}`, message: t("settings.problem_text_list") });
    } else if (entries.length > maxEntries) {
      found.push({
        path: `${path}.${field}`,
        message: t("settings.problem_too_many_entries", { n: maxEntries }),
      });
    } else {
      for (const [index, entry] of entries.entries()) {
        const message = entryProblem(field, entry);
        if (message !== null) found.push({ path: `${path}.${field}.${index}`, message });
      }
    }
  }
  for (const field of /** @type {const} */ (["allowed_origins", "allowed_methods"])) {
    if (!Array.isArray(rule[field]) || rule[field].length === 0) {
      found.push({
        path: `${path}.${field}`,
        message: field === "allowed_origins"
          ? t("settings.cors_needs_origin")
          : t("settings.cors_needs_method"),
      });
    }
  }
  const age = rule.max_age_seconds;
  if (age !== undefined && (!Number.isInteger(age) || Number(age) < 0 || Number(age) > maxAge)) {
    found.push({ path: `${path}.max_age_seconds`, message: t("settings.problem_seconds") });
  }
  if (
    ids && rule.id !== undefined && (typeof rule.id !== "string" || rule.id === "" || rule.id.length > 255)
  ) {
    found.push({ path: `${path}.id`, message: t("settings.problem_id") });
  }
  return found;
}

/**
 * @param {typeof lists[number]} field
 * @param {string} entry
 */
function entryProblem(field, entry) {
  const stars = entry.split("*").length - 1;
  switch (field) {
    case "allowed_methods":
      return corsMethods.includes(entry)
        ? null
        : t("settings.cors_bad_method", { name: entry, methods: corsMethods.join(", ") });
    case "allowed_origins":
      if (!/^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(entry)) return t("settings.cors_bad_origin", { name: entry });
      if (entry.replace(/^[^/]*:\/\//, "").includes("/")) {
        return t("settings.cors_origin_path", { name: entry });
      }
      return stars > 1 ? t("settings.cors_stars", { name: entry }) : null;
    default:
      if (entry.length > 128 || !token.test(entry)) return t("settings.cors_bad_header", { name: entry });
      if (field === "expose_headers" && stars > 0) return t("settings.cors_no_star", { name: entry });
      return stars > 1 ? t("settings.cors_stars", { name: entry }) : null;
  }
}
