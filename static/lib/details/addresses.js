// @ts-check
import { queryValue } from "../query_value.js";

/**
 * Where the API serves an object's bytes, or those of one of its versions.
 *
 * @param {string} base a bucket's address
 * @param {string} key
 * @param {"inline" | "attachment"} disposition
 * @param {string} [version] its latest one when empty
 */
export function contentUrl(base, key, disposition, version = "") {
  const wanted = version === "" ? "" : `&version_id=${queryValue(version)}`;
  return `${base}/object?key=${queryValue(key)}&disposition=${disposition}${wanted}`;
}

/**
 * An object as S3 tools name it.
 *
 * @param {string} bucket
 * @param {string} key
 */
export function s3Uri(bucket, key) {
  return `s3://${bucket}/${key}`;
}

/**
 * An object as policies name it.
 *
 * @param {string} bucket
 * @param {string} key
 */
export function arnOf(bucket, key) {
  return `arn:aws:s3:::${bucket}/${key}`;
}

/**
 * The last part of a key; all of it where that is empty.
 *
 * @param {string} key
 */
export function nameOf(key) {
  return key.slice(key.lastIndexOf("/") + 1) || key;
}
