// @ts-check
import { compareKeys } from "./entries.js";

/** @import { MessageKey } from "../i18n.js" */

/**
 * A bucket as `GET …/buckets` lists it.
 *
 * @typedef {object} BucketSummary
 * @property {string} name
 * @property {string} [created_at]
 * @property {boolean} [size_tracked]
 * @property {number} [size_bytes]
 * @property {number} [object_count]
 * @property {string} [computed_at] when size and count were taken
 * @property {{ soft_bytes: number, hard_bytes: number }} [quota] in bytes, 0 for none
 * @property {boolean} [anonymous_read] whether anyone may read it at the S3 endpoint
 */

/** @typedef {"name" | "objects" | "size" | "quota" | "created"} BucketField */

/** @type {readonly BucketField[]} */
export const bucketFields = ["name", "objects", "size", "quota", "created"];

/** @type {Record<BucketField, (a: BucketSummary, b: BucketSummary) => number>} */
const comparisons = {
  name: (a, b) => compareKeys(a.name, b.name),
  created: (a, b) => Date.parse(a.created_at ?? "") - Date.parse(b.created_at ?? "") || 0,
  objects: (a, b) => (a.object_count ?? -1) - (b.object_count ?? -1),
  size: (a, b) => (a.size_bytes ?? -1) - (b.size_bytes ?? -1),
  quota: (a, b) => fullness(a) - fullness(b),
};

/**
 * How much of its quota a bucket has used, as a part of it; -1 without one.
 *
 * @param {BucketSummary} bucket
 */
function fullness({ quota, size_bytes: used = 0 }) {
  const cap = quota?.hard_bytes || quota?.soft_bytes;
  return cap ? used / cap : -1;
}

/**
 * The buckets whose name holds `text`, in order; equal ones stand by name.
 *
 * @param {readonly BucketSummary[]} buckets
 * @param {string} text
 * @param {BucketField} field
 * @param {boolean} descending
 */
export function arranged(buckets, text, field, descending) {
  const compare = comparisons[field];
  const sign = descending ? -1 : 1;
  return buckets.filter(({ name }) => name.includes(text.trim().toLowerCase()))
    .sort((a, b) => sign * compare(a, b) || compareKeys(a.name, b.name));
}

/**
 * The rules of a bucket's name that are shown while it is typed: the text of each, what it asks, and the sentence for a
 * name that breaks it.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 *
 * @type {ReadonlyArray<{ text: MessageKey, problem: MessageKey, holds: (name: string) => boolean }>}
 */
export const bucketNameRules = [
  {
    text: "buckets.rule_length",
    problem: "buckets.wrong_length",
    holds: (name) => name.length >= 3 && name.length <= 63,
  },
  {
    text: "buckets.rule_letters",
    problem: "buckets.wrong_letters",
    holds: (name) => /^[a-z0-9.-]+$/.test(name),
  },
  {
    text: "buckets.rule_ends",
    problem: "buckets.wrong_ends",
    holds: (name) => /^[a-z0-9](?:.*[a-z0-9])?$/.test(name),
  },
];

/**
 * Rules that few names break: they are told only then.
 *
 * @type {ReadonlyArray<{ problem: MessageKey, holds: (name: string) => boolean }>}
 */
const rareRules = [
  { problem: "buckets.rule_dots", holds: (name) => !name.includes("..") },
  { problem: "buckets.rule_address", holds: (name) => !/^\d+\.\d+\.\d+\.\d+$/.test(name) },
  { problem: "buckets.rule_beginning", holds: (name) => !/^(?:xn--|sthree-|amzn-s3-demo-)/.test(name) },
  {
    problem: "buckets.rule_ending",
    holds: (name) => !/(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/.test(name),
  },
];

/**
 * The sentence for the first rule that a new bucket's name breaks, or nothing.
 *
 * @param {string} name
 * @returns {MessageKey | ""}
 */
export function bucketNameProblem(name) {
  return [...bucketNameRules, ...rareRules].find(({ holds }) => !holds(name))?.problem ?? "";
}
