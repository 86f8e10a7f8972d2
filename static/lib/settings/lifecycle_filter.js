// @ts-check
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { isObject } from "./shapes.js";

/** @import { LifecycleRule } from "./lifecycle_rules.js" */
/** @import { Problem } from "./section.js" */

/** A tag that an object must have. @typedef {{ key: string, value: string }} LifecycleTag */

/** The fields that say which objects a rule is about. */
export const filterFields = /** @type {const} */ ([
  "prefix",
  "tags",
  "larger_than_bytes",
  "smaller_than_bytes",
]);

/** Longest prefix in bytes of UTF-8: that of a key. */
const maxPrefixBytes = 1024;

/** Limits of S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html. Lengths are in UTF-16 units. */
const maxTags = 10;
const maxTagKey = 128;
const maxTagValue = 256;

/** Largest bound of a size, in bytes. */
const maxSize = 1e15 - 1;

/**
 * Whether a rule is about fewer objects than its prefix says.
 * @param {{ tags?: unknown, larger_than_bytes?: unknown, smaller_than_bytes?: unknown }} rule
 */
export function isNarrowed({ tags, larger_than_bytes, smaller_than_bytes }) {
  return (Array.isArray(tags) && tags.length > 0) || larger_than_bytes !== undefined ||
    smaller_than_bytes !== undefined;
}

/**
 * What the tags and sizes of a rule ask for, in words: `tag team=red, larger than 1 MiB`; empty for nothing.
 * @param {Pick<LifecycleRule, "tags" | "larger_than_bytes" | "smaller_than_bytes">} rule
 */
export function filterWords({ tags = [], larger_than_bytes: lower, smaller_than_bytes: upper }) {
  return [
    ...tags.map(({ key, value }) => t("settings.lifecycle_tag", { tag: `${key}=${value}` })),
    ...(lower === undefined ? [] : [t("settings.lifecycle_larger", { size: sizeWords(lower) })]),
    ...(upper === undefined ? [] : [t("settings.lifecycle_smaller", { size: sizeWords(upper) })]),
  ].join(", ");
}

/** @param {number | null} size */
function sizeWords(size) {
  return size === null ? "?" : formatBytes(size);
}

/**
 * The tags of a text: one a line, as `key=value`; a line without `=` is a key without a value.
 * @param {string} text
 * @returns {LifecycleTag[]}
 */
export function parseTagLines(text) {
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const at = line.indexOf("=");
    return at < 0 ? { key: line, value: "" } : { key: line.slice(0, at), value: line.slice(at + 1) };
  });
}

/**
 * The text of tags, as {@link parseTagLines} reads it.
 * @param {readonly LifecycleTag[]} tags
 */
export function tagLines(tags) {
  return tags.map(({ key, value }) => `${key}=${value}`).join("\n");
}

/**
 * What the server would find wrong with the fields that say which objects a rule is about.
 * @param {Record<string, unknown>} rule
 * @param {string} path of the rule
 * @returns {Problem[]}
 */
export function filterProblems(rule, path) {
  const { prefix = "", larger_than_bytes: lower, smaller_than_bytes: upper } = rule;
  /** @type {Problem[]} */
  const found = [];
  const add = (/** @type {string} */ field, /** @type {string} */ message) =>
    found.push({ path: `${path}.${field}`, message });
  if (typeof prefix !== "string" || /\p{Cc}/u.test(prefix)) add("prefix", t("settings.lifecycle_bad_prefix"));
  else if (new TextEncoder().encode(prefix).length > maxPrefixBytes) {
    add("prefix", t("settings.lifecycle_long_prefix", { n: maxPrefixBytes }));
  }
  found.push(...tagProblems(rule.tags ?? [], `${path}.tags`));
  if (lower !== undefined && !isSize(lower, 0)) add("larger_than_bytes", sizeMessage(lower));
  if (upper !== undefined && !isSize(upper, 1)) add("smaller_than_bytes", sizeMessage(upper));
  else if (isSize(lower, 0) && Number(upper) <= Number(lower) + 1) {
    add("smaller_than_bytes", t("settings.lifecycle_no_size"));
  }
  return found;
}

/**
 * @param {unknown} tags
 * @param {string} path
 * @returns {Problem[]}
 */
function tagProblems(tags, path) {
  if (!Array.isArray(tags) || !tags.every(isTag)) {
    return [{ path, message: t("settings.lifecycle_bad_tags") }];
  }
  if (tags.length > maxTags) {
    return [{ path, message: t("settings.lifecycle_too_many_tags", { n: maxTags }) }];
  }
  const keys = tags.map(({ key }) => key);
  return tags.flatMap(({ key, value }, place) => {
    const wrong = key === "" || key.length > maxTagKey || value.length > maxTagValue ||
      /\p{Cc}/u.test(key + value);
    if (wrong) {
      return [{
        path: `${path}.${place}`,
        message: t("settings.lifecycle_bad_tag", { tag: `${key}=${value}` }),
      }];
    }
    return keys.indexOf(key) < place
      ? [{ path: `${path}.${place}.key`, message: t("settings.lifecycle_tag_twice", { name: key }) }]
      : [];
  });
}

/**
 * Whether something is a tag, be it a right one or not.
 * @param {unknown} tag
 * @returns {tag is LifecycleTag}
 */
export function isTag(tag) {
  return isObject(tag) && typeof tag.key === "string" && typeof tag.value === "string" &&
    Object.keys(tag).length === 2;
}

/**
 * Says what a size must be.
 * @param {unknown} wrong
 */
function sizeMessage(wrong) {
  return wrong === null ? t("settings.problem_number") : t("settings.lifecycle_bad_size");
}

/**
 * @param {unknown} size
 * @param {number} least
 */
function isSize(size, least) {
  return Number.isInteger(size) && Number(size) >= least && Number(size) <= maxSize;
}
