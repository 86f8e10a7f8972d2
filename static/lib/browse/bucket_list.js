// @ts-check
import { compareKeys } from "./entries.js";

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
 */

/** @typedef {"name" | "created" | "size"} BucketField */

/** @type {readonly BucketField[]} */
export const bucketFields = ["name", "created", "size"];

/** @type {Record<BucketField, (a: BucketSummary, b: BucketSummary) => number>} */
const comparisons = {
  name: (a, b) => compareKeys(a.name, b.name),
  created: (a, b) => Date.parse(a.created_at ?? "") - Date.parse(b.created_at ?? "") || 0,
  size: (a, b) => (a.size_bytes ?? -1) - (b.size_bytes ?? -1),
};

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
 * What is wrong with a new bucket's name, or nothing.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 *
 * @param {string} name
 */
export function bucketNameProblem(name) {
  if (name.length < 3 || name.length > 63) return "A name has 3 to 63 characters.";
  if (/[^a-z0-9.-]/.test(name)) return "A name has lower case letters, digits, dots and hyphens only.";
  if (!/^[a-z0-9].*[a-z0-9]$/.test(name)) return "A name begins and ends with a letter or a digit.";
  if (name.includes("..")) return "Two dots cannot stand side by side.";
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return "A name cannot look like an IP address.";
  if (/^(?:xn--|sthree-|amzn-s3-demo-)/.test(name)) return "This beginning is reserved.";
  if (/(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/.test(name)) return "This ending is reserved.";
  return "";
}
