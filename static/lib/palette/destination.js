// @ts-check
/// <reference lib="dom" />
import { isBelowBase, withBase, withoutBase } from "../base.js";
import { destinationOf, searchOf } from "../browse/address.js";

/**
 * Where a typed or pasted path leads: to a page as it is, or to a bucket whose backend may have to be found.
 * @typedef {{ page: string } | { bucket: string, backend: string | null, search: string }} Destination
 */

/**
 * Reads `s3://bucket/key`, an ARN, the address of one of our pages, that of a bucket in the AWS console, or a plain path:
 * `bucket/key` on a backend's page, `backend/bucket/key` anywhere.
 * @param {string} typed
 * @param {{ origin: string, backends: readonly string[], current: string | null }} context the service's origin, the ids of
 *   the backends, and the id of the one whose page is shown
 * @returns {Destination | null} `null` when the text names no bucket
 */
export function readDestination(typed, { origin, backends, current }) {
  const text = typed.trim();
  if (text === "") return null;
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? ofAddress(new URL(text), origin) : null;
  if (text.startsWith("/")) {
    const path = withBase(text);
    return URL.canParse(path, origin) ? ofAddress(new URL(path, origin), origin) : null;
  }
  if (/^(?:s3:\/\/|arn:)/.test(text)) return ofPath(text, null);
  const [first, ...rest] = text.split("/");
  if (backends.includes(first)) {
    return rest.join("") === ""
      ? { page: `/b/${encodeURIComponent(first)}` }
      : ofPath(`s3://${rest.join("/")}`, first);
  }
  return ofPath(`s3://${text}`, current);
}

/**
 * The page of a bucket, at the place that was asked for.
 * @param {string} backend its id
 * @param {{ bucket: string, search: string }} destination
 */
export function destinationPage(backend, { bucket, search }) {
  return `/b/${encodeURIComponent(backend)}/${encodeURIComponent(bucket)}${search}`;
}

/**
 * @param {string} path `s3://bucket/key` or an ARN
 * @param {string | null} backend
 * @returns {Destination | null}
 */
function ofPath(path, backend) {
  const found = destinationOf(path, "");
  return found === null ? null : { bucket: found.bucket, backend, search: searchOf(found) };
}

/**
 * @param {URL} url
 * @param {string} origin
 * @returns {Destination | null}
 */
function ofAddress(url, origin) {
  if (url.origin === origin) {
    const page = withoutBase(url.pathname) + url.search + url.hash;
    // A path that begins with two slashes would be another host's address.
    return page.startsWith("//") || !isBelowBase(url.pathname) ? null : { page };
  }
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide: …console.aws.amazon.com/s3/buckets/{bucket}?prefix={folder}/
  const bucket = /^\/s3\/(?:buckets|object)\/([^/]+)/.exec(url.pathname)?.[1];
  if (!/(?:^|\.)console\.aws\.amazon\.com$/.test(url.hostname) || bucket === undefined) return null;
  return ofPath(`s3://${bucket}/${url.searchParams.get("prefix") ?? ""}`, null);
}
