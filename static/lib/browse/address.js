// @ts-check
import { queryValue } from "../query_value.js";

/** @import { Sort, SortField } from "./entries.js" */

/**
 * What the browser shows, as its address says it. Prefix and key are query values since a path would lose `//`, `..`
 * and a leading slash to URL normalising.
 *
 * @typedef {object} Place
 * @property {string} prefix
 * @property {string} open key of the object whose details are open, or empty
 * @property {string} filter
 * @property {Sort} sort
 * @property {string} [tab] which part of the details is open; the preview when absent
 * @property {string} [version] the version of the open object that is shown; its latest one when absent
 * @property {"" | "versions" | "grid"} [view] how the folder is shown; its objects as a list when absent
 * @property {string} [kinds] the kinds of rows that are shown, as their names with commas; all when absent
 * @property {string} [at] an RFC 3339 time: the folder is shown as it was then
 */

/** @type {Sort} */
export const nameOrder = { field: "name", descending: false };

/** @type {readonly SortField[]} */
export const sortFields = ["name", "size", "modified", "class"];

const views = /** @type {const} */ (["versions", "grid"]);

/**
 * @param {string} search the query of an address, with or without `?`
 * @returns {Place}
 */
export function placeOf(search) {
  const query = new Map(
    search.replace(/^\?/, "").split("&").filter((part) => part !== "").map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [part, ""] : [part.slice(0, at), decoded(part.slice(at + 1))];
    }),
  );
  const field = sortFields.find((name) => name === query.get("sort")) ?? "name";
  return {
    prefix: query.get("p") ?? "",
    open: query.get("o") ?? "",
    filter: query.get("q") ?? "",
    sort: { field, descending: query.get("dir") === "desc" },
    tab: query.get("tab") ?? "",
    version: query.get("v") ?? "",
    kinds: query.get("type") ?? "",
    view: views.find((name) => name === query.get("view")) ?? "",
    at: momentOf(query.get("at") ?? ""),
  };
}

/** @param {string} text an RFC 3339 time; anything else is none */
function momentOf(text) {
  return Number.isNaN(Date.parse(text)) ? "" : text;
}

/**
 * A query value as text: `+` is a space, as forms send it. What is not valid percent-encoding is taken as it stands.
 *
 * @param {string} value
 */
function decoded(value) {
  const text = value.replaceAll("+", " ");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The query of a place, with `?`, or empty for the bucket's root in its plain order.
 *
 * @param {Partial<Place>} place
 */
export function searchOf(
  {
    prefix = "",
    open = "",
    filter = "",
    sort = nameOrder,
    tab = "",
    version = "",
    view = "",
    kinds = "",
    at = "",
  },
) {
  const parts = [];
  if (prefix !== "") parts.push(`p=${queryValue(prefix)}`);
  if (filter !== "") parts.push(`q=${queryValue(filter)}`);
  if (sort.field !== "name") parts.push(`sort=${sort.field}`);
  if (sort.descending) parts.push("dir=desc");
  if (kinds !== "") parts.push(`type=${queryValue(kinds)}`);
  if (view !== "") parts.push(`view=${view}`);
  if (at !== "") parts.push(`at=${queryValue(at)}`);
  if (open !== "") {
    parts.push(`o=${queryValue(open)}`);
    if (version !== "") parts.push(`v=${queryValue(version)}`);
    if (tab !== "") parts.push(`tab=${queryValue(tab)}`);
  }
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/**
 * The folders above and at a prefix, outermost first. `a//b/` gives `a/`, `a//` and `a//b/`.
 *
 * @param {string} prefix
 * @returns {{ name: string, prefix: string }[]}
 */
export function crumbs(prefix) {
  const result = [];
  let from = 0;
  for (let at = prefix.indexOf("/"); at >= 0; at = prefix.indexOf("/", from)) {
    result.push({ name: prefix.slice(from, at), prefix: prefix.slice(0, at + 1) });
    from = at + 1;
  }
  if (from < prefix.length) result.push({ name: prefix.slice(from), prefix });
  return result;
}

/**
 * The folder above a prefix; the root's is the root.
 *
 * @param {string} prefix
 */
export function parentOf(prefix) {
  const at = prefix.replace(/\/$/, "").lastIndexOf("/");
  return prefix.slice(0, at + 1);
}

/**
 * The folder that a key lies in.
 *
 * @param {string} key
 */
export function folderOf(key) {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

/**
 * Where a typed or pasted address leads: `s3://bucket/key`, an ARN (`arn:aws:s3:::bucket/key`), or a path in the open
 * bucket. A path that ends in `/`, or is empty, is a folder; any other is an object in its folder.
 *
 * @param {string} text
 * @param {string} bucket the open bucket
 * @returns {{ bucket: string, prefix: string, open: string } | null} `null` when the text names no bucket
 */
export function destinationOf(text, bucket) {
  const found = /^(?:s3:\/\/|arn:[^:]*:s3:::)([^/]*)(?:\/([^]*))?$/.exec(text);
  const into = found ? found[1] : bucket;
  const path = found ? found[2] ?? "" : text;
  if (into === "") return null;
  if (path === "" || path.endsWith("/")) return { bucket: into, prefix: path, open: "" };
  return { bucket: into, prefix: folderOf(path), open: path };
}

/**
 * The title of the page that shows a folder, the most specific part first.
 *
 * @param {string} prefix
 * @param {string} bucket
 * @param {string} backend its name
 */
export function titleOf(prefix, bucket, backend) {
  return [crumbs(prefix).at(-1)?.name, bucket, backend].filter(Boolean).join(" · ");
}
