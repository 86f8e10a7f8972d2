// @ts-check
import { request } from "../api.js";
import { bucketUrl } from "../browse/object_urls.js";
import { fetchFlatPage } from "../insights/listing_page.js";

/** @import { LifecycleRule } from "./lifecycle_rules.js" */

/**
 * What the expiry rules would delete now, as far as it was counted.
 * @typedef {object} Estimate
 * @property {number} objects
 * @property {number} bytes
 * @property {number} scanned objects that were looked at
 * @property {number} unknown objects that rules with tags may mean, and whose tags could not be read
 * @property {string} firstKey of what would be deleted, empty for none
 */

/** An object as it is listed. @typedef {{ key: string, size: number, last_modified: string }} ListedObject */

/** The work of one count. @typedef {{ backend: string, bucket: string, rules: readonly LifecycleRule[], now: number, signal: AbortSignal }} Work */

/** Objects whose tags are asked for by one request: the most that the API takes. */
const tagsAtOnce = 100;

/** Milliseconds of a day. */
const day = 86_400_000;

/**
 * The rules that would delete an object at `now` by its name, size and age. S3 counts from the midnight (UTC) after the
 * object was stored (https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html).
 * @param {readonly LifecycleRule[]} rules
 * @param {ListedObject} object
 * @param {number} now milliseconds since the epoch
 */
export function dueRules(rules, { key, size, last_modified }, now) {
  const storedAt = Math.ceil(Date.parse(last_modified) / day) * day;
  return rules.filter((rule) => {
    const { prefix = "", larger_than_bytes: lower = -1, smaller_than_bytes: upper = Infinity } = rule;
    const { expiration_days: days = null } = rule;
    if (days === null || lower === null || upper === null) return false;
    return key.startsWith(prefix) && size > lower && size < upper && storedAt + days * day <= now;
  });
}

/**
 * Whether an object with these tags is meant by one of the rules.
 * @param {readonly LifecycleRule[]} rules
 * @param {Readonly<Record<string, string>>} tags
 */
export function matchTags(rules, tags) {
  return rules.some((rule) =>
    (rule.tags ?? []).every(({ key, value }) => Object.hasOwn(tags, key) && tags[key] === value)
  );
}

/**
 * The rules of which an expiry can be counted: those that are on, and say all that they do.
 * @param {readonly LifecycleRule[]} rules
 */
export function countableRules(rules) {
  return rules.filter(({ enabled, expiration_days: days = null, unmodeled = [], ...rule }) =>
    enabled && days !== null && rule.larger_than_bytes !== null && rule.smaller_than_bytes !== null &&
    !unmodeled.some((name) => name.startsWith("Filter."))
  );
}

/**
 * Counts by listing what rules would delete at `now`, page by page until the end or until `signal` stops it. Throws what the
 * listing does.
 * @param {Work} work
 * @param {(estimate: Estimate) => void} onProgress called after each page
 */
export async function estimateExpiry({ backend, bucket, rules, now, signal }, onProgress) {
  /** @type {Estimate} */
  let estimate = { objects: 0, bytes: 0, scanned: 0, unknown: 0, firstKey: "" };
  for (const prefix of outermostPrefixes(rules.map(({ prefix = "" }) => prefix))) {
    /** @type {string | undefined} */
    let token;
    do {
      const page = await fetchFlatPage({ backend, bucket, prefix, token }, { priority: "prefetch", signal });
      const { due, unknown } = await expiring({ backend, bucket, rules, now, signal }, page.objects);
      estimate = {
        objects: estimate.objects + due.length,
        bytes: due.reduce((sum, { size }) => sum + size, estimate.bytes),
        scanned: estimate.scanned + page.objects.length,
        unknown: estimate.unknown + unknown,
        firstKey: estimate.firstKey || (due[0]?.key ?? ""),
      };
      onProgress(estimate);
      token = page.next;
    } while (token !== undefined);
  }
}

/**
 * Those of some objects that the rules would delete. Tags are read of none but those that depend on them.
 * @param {Work} work
 * @param {readonly ListedObject[]} objects
 */
async function expiring({ backend, bucket, rules, now, signal }, objects) {
  const candidates = objects.map((object) => ({ object, rules: dueRules(rules, object, now) }))
    .filter(({ rules }) => rules.length > 0);
  const asked = candidates.filter(({ rules }) => !matchTags(rules, {})).map(({ object: { key } }) => key);
  /** @type {Map<string, Record<string, string> | undefined>} */
  const tags = new Map();
  for (let start = 0; start < asked.length; start += tagsAtOnce) {
    const json = { keys: asked.slice(start, start + tagsAtOnce) };
    const answer = await request("POST", `${bucketUrl(backend, bucket)}/objects/tags`, {
      json,
      priority: "prefetch",
      signal,
    });
    for (const object of answer.objects) tags.set(object.key, object.tags);
  }
  return {
    due: candidates.filter(({ object, rules }) => matchTags(rules, tags.get(object.key) ?? {})).map((
      { object },
    ) => object),
    unknown: asked.filter((key) => tags.get(key) === undefined).length,
  };
}

/**
 * The prefixes that are under no other one of them: nothing is then listed twice.
 * @param {readonly string[]} prefixes
 */
export function outermostPrefixes(prefixes) {
  const unique = [...new Set(prefixes)];
  return unique.filter((prefix) => !unique.some((other) => other !== prefix && prefix.startsWith(other)));
}
