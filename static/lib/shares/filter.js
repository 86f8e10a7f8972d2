// @ts-check

/**
 * Which shares the page shows, as its address says it.
 *
 * @typedef {object} ShareFilter
 * @property {"own" | "all"} scope everyone's is for administrators
 * @property {string} state one of {@link shareStates}, or empty for any
 * @property {string} kind one of {@link shareKinds}, or empty for any
 * @property {string} by id of the user who made them, or empty for anyone in the scope
 * @property {string} backend id, or empty for any
 * @property {string} bucket or empty for any
 */

/** Shares that end within so many milliseconds expire soon. */
export const soon = 48 * 3_600_000;

/** Shares in one answer of the API. */
const pageSize = 100;

/**
 * What shares can be narrowed to, with the keys of the words of its link.
 * @type {ReadonlyArray<readonly [string, import("../i18n.js").MessageKey]>}
 */
export const shareStates = [
  ["active", "shares.state_active"],
  ["expiring", "shares.filter_expiring"],
  ["protected", "shares.filter_protected"],
  ["exhausted", "shares.state_exhausted"],
  ["expired", "shares.state_expired"],
  ["revoked", "shares.state_revoked"],
  ["suspended", "shares.state_suspended"],
];

/**
 * What links can be to, with the keys of the words for several of them.
 * @type {ReadonlyArray<readonly [string, import("../i18n.js").MessageKey]>}
 */
export const shareKinds = [
  ["object", "shares.kind_object"],
  ["folder", "shares.kind_folder"],
  ["selection", "shares.kind_selection"],
  ["upload", "shares.kind_upload"],
];

/** A filter that lets every share of one's own through. @type {ShareFilter} */
export const anyShare = { scope: "own", state: "", kind: "", by: "", backend: "", bucket: "" };

/**
 * The filter of an address; what it does not know is passed over.
 *
 * @param {string} search the query of an address, with or without `?`
 * @returns {ShareFilter}
 */
export function filterOf(search) {
  const query = new URLSearchParams(search);
  const known = (/** @type {typeof shareKinds} */ values, /** @type {string} */ name) =>
    values.find(([value]) => value === query.get(name))?.[0] ?? "";
  const by = query.get("by") ?? "";
  return {
    scope: by !== "" || query.get("scope") === "all" ? "all" : "own",
    state: known(shareStates, "state"),
    kind: known(shareKinds, "kind"),
    by,
    backend: query.get("backend") ?? "",
    bucket: query.get("bucket") ?? "",
  };
}

/**
 * The address of the page with a filter.
 *
 * @param {ShareFilter} filter
 */
export function sharesPage({ scope, ...filter }) {
  const named = Object.entries({ scope: scope === "all" && filter.by === "" ? scope : "", ...filter });
  const query = new URLSearchParams(named.filter(([, value]) => value !== ""));
  return query.size === 0 ? "/shares" : `/shares?${query}`;
}

/**
 * A filter as the API's list of shares takes it.
 *
 * @param {ShareFilter} filter
 * @param {number} now milliseconds since the epoch
 * @returns {Record<string, string>}
 */
export function apiQuery({ scope, state, kind, by, backend, bucket }, now) {
  /** @type {Record<string, string>} */
  const query = { scope, limit: String(pageSize) };
  if (kind !== "") query.kind = kind;
  if (by !== "") query.created_by = by;
  if (backend !== "") query.backend_id = backend;
  if (bucket !== "") query.bucket = bucket;
  if (state === "expiring") {
    query.state = "active";
    query.expires_before = new Date(now + soon).toISOString();
  } else if (state === "protected") query.has_password = "true";
  else if (state !== "") query.state = state;
  return query;
}
