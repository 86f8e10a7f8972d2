// @ts-check
import { queryValue } from "../query_value.js";

/**
 * Where the API keeps a bucket.
 *
 * @param {string} backend id
 * @param {string} bucket
 */
export function bucketUrl(backend, bucket) {
  return `/api/backends/${encodeURIComponent(backend)}/buckets/${encodeURIComponent(bucket)}`;
}

/**
 * Where the API serves an object's bytes.
 *
 * @param {string} base a bucket's address
 * @param {string} key
 * @param {"inline" | "attachment"} disposition
 */
export function objectUrl(base, key, disposition) {
  return `${base}/object?key=${queryValue(key)}&disposition=${disposition}`;
}

/**
 * The page of a backend: its buckets.
 *
 * @param {string} backend id
 */
export function backendPage(backend) {
  return `/b/${encodeURIComponent(backend)}`;
}

/**
 * The page of a bucket.
 *
 * @param {string} backend id
 * @param {string} bucket
 */
export function bucketPage(backend, bucket) {
  return `${backendPage(backend)}/${encodeURIComponent(bucket)}`;
}
