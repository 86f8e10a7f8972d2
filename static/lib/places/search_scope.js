// @ts-check
import { queryValue } from "../query_value.js";

/**
 * Where is searched: everything, one backend, one bucket of it, or a prefix in that.
 *
 * @typedef {{ backend: string, bucket: string, prefix: string }} SearchScope
 */

/**
 * Reads a scope as addresses have it: `backend`, `backend/bucket` or `backend/bucket/prefix`; neither ids of backends nor
 * names of buckets have a slash.
 *
 * @param {string} text
 * @returns {SearchScope}
 */
export function parseScope(text) {
  const [backend = "", bucket = "", ...rest] = text.split("/");
  return backend === "" || bucket === ""
    ? { backend, bucket: "", prefix: "" }
    : { backend, bucket, prefix: rest.join("/") };
}

/**
 * A scope as addresses have it; empty for everything.
 *
 * @param {SearchScope} scope
 */
export function scopeText({ backend, bucket, prefix }) {
  if (bucket === "") return backend;
  return prefix === "" ? `${backend}/${bucket}` : `${backend}/${bucket}/${prefix}`;
}

/**
 * The search page for a text.
 *
 * @param {string} query
 * @param {SearchScope} scope
 */
export function searchPage(query, scope) {
  const text = scopeText(scope);
  const parts = [query && `q=${queryValue(query)}`, text && `scope=${queryValue(text)}`].filter(Boolean);
  return parts.length === 0 ? "/search" : `/search?${parts.join("&")}`;
}
