// @ts-check
import { t } from "../i18n.js";
import { statementElements } from "./policy_statements.js";
import { isObject, isTextList, unknownFields } from "./shapes.js";

/** @import { Problem } from "./section.js" */

/** Largest policy in bytes of UTF-8, as at S3. */
const maxBytes = 20 * 1024;

/** Elements of which a statement has exactly one. */
const alternatives = /** @type {const} */ ([
  ["Principal", "NotPrincipal"],
  ["Action", "NotAction"],
  ["Resource", "NotResource"],
]);

const principalKinds = ["AWS", "Service", "Federated", "CanonicalUser"];

/**
 * What the server would find wrong with a bucket's policy: its size, its shape, and resources of other buckets. `null` is
 * no policy.
 * @param {unknown} policy
 * @param {string} bucket
 * @returns {Problem[]}
 */
export function policyProblems(policy, bucket) {
  if (policy === null) return [];
  if (!isObject(policy)) return [{ path: "", message: t("settings.policy_object") }];
  const found = unknownFields(policy, ["Version", "Id", "Statement"], "");
  if (new TextEncoder().encode(JSON.stringify(policy)).length > maxBytes) {
    found.push({ path: "", message: t("settings.policy_too_large", { n: maxBytes }) });
  }
  const { Version: version, Statement: statement } = policy;
  if (version !== undefined && version !== "2012-10-17" && version !== "2008-10-17") {
    found.push({ path: "Version", message: t("settings.policy_version") });
  }
  if (isObject(statement)) return [...found, ...statementProblems(statement, "Statement", bucket)];
  if (!Array.isArray(statement) || statement.length === 0) {
    return [...found, { path: "Statement", message: t("settings.policy_statements") }];
  }
  return [
    ...found,
    ...statement.flatMap((one, place) => statementProblems(one, `Statement.${place}`, bucket)),
  ];
}

/**
 * @param {unknown} one
 * @param {string} path
 * @param {string} bucket
 * @returns {Problem[]}
 */
function statementProblems(one, path, bucket) {
  if (!isObject(one)) return [{ path, message: t("settings.policy_statement_object") }];
  const found = unknownFields(one, statementElements, path);
  const add = (/** @type {string} */ field, /** @type {string} */ message) =>
    found.push({ path: `${path}.${field}`, message });
  if (one.Effect !== "Allow" && one.Effect !== "Deny") add("Effect", t("settings.policy_effect"));
  if (one.Sid !== undefined && typeof one.Sid !== "string") add("Sid", t("settings.policy_text"));
  for (const [name, opposite] of alternatives) {
    if ((one[name] === undefined) === (one[opposite] === undefined)) {
      found.push({ path, message: t("settings.policy_either", { name, opposite }) });
    }
  }
  for (const field of ["Action", "NotAction", "Resource", "NotResource"]) {
    if (one[field] !== undefined && !isTexts(one[field])) add(field, t("settings.policy_texts"));
  }
  for (const field of ["Principal", "NotPrincipal"]) {
    if (one[field] !== undefined && !isPrincipal(one[field])) add(field, t("settings.policy_principal"));
  }
  for (const field of ["Resource", "NotResource"]) {
    for (const resource of textsOf(one[field])) {
      if (!isWithin(resource, bucket)) {
        add(field, t("settings.policy_resource", { name: resource, example: `arn:aws:s3:::${bucket}/*` }));
      }
    }
  }
  if (
    one.Condition !== undefined && !(isObject(one.Condition) && Object.values(one.Condition).every(isObject))
  ) {
    add("Condition", t("settings.policy_condition"));
  }
  return found;
}

/** @param {unknown} value */
function isTexts(value) {
  const list = typeof value === "string" ? [value] : value;
  return isTextList(list) && list.length > 0 && list.every((text) => text !== "");
}

/** @param {unknown} value */
function isPrincipal(value) {
  if (value === "*") return true;
  return isObject(value) && Object.keys(value).length > 0 &&
    Object.entries(value).every(([kind, names]) => principalKinds.includes(kind) && isTexts(names));
}

/**
 * @param {unknown} value
 * @returns {string[]}
 */
function textsOf(value) {
  return typeof value === "string" ? [value] : isTextList(value) ? value : [];
}

/**
 * Whether a resource is the bucket or objects in it.
 * @param {string} resource
 * @param {string} bucket
 */
function isWithin(resource, bucket) {
  const name = /^arn:aws(?:-[a-z-]+)?:s3:::(.*)$/s.exec(resource)?.[1];
  return name !== undefined && (name === bucket || name.startsWith(`${bucket}/`));
}
