// @ts-check

/**
 * Which shares the page shows, as its address says it.
 *
 * @typedef {object} ShareFilter
 * @property {"own" | "all"} scope everyone's is for administrators
 * @property {string} state one of {@link shareStates}, or empty for any
 * @property {string} backend id, or empty for any
 * @property {string} bucket or empty for any
 */

/** Shares that end within so many milliseconds expire soon. */
export const soon = 48 * 3_600_000;

/** Shares in one answer of the API. */
const pageSize = 100;

/** What shares can be narrowed to, with the words of its link. */
export const shareStates = /** @type {const} */ ([
  ["active", "Active"],
  ["expiring", "Expiring within 48 h"],
  ["protected", "With password"],
  ["exhausted", "Used up"],
  ["expired", "Expired"],
  ["revoked", "Revoked"],
  ["suspended", "Suspended"],
]);

/**
 * The filter of an address; what it does not know is passed over.
 *
 * @param {string} search the query of an address, with or without `?`
 * @returns {ShareFilter}
 */
export function filterOf(search) {
  const query = new URLSearchParams(search);
  const state = shareStates.find(([state]) => state === query.get("state"))?.[0] ?? "";
  return {
    scope: query.get("scope") === "all" ? "all" : "own",
    state,
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
  const named = Object.entries({ scope: scope === "all" ? scope : "", ...filter });
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
export function apiQuery({ scope, state, backend, bucket }, now) {
  /** @type {Record<string, string>} */
  const query = { scope, limit: String(pageSize) };
  if (backend !== "") query.backend_id = backend;
  if (bucket !== "") query.bucket = bucket;
  if (state === "expiring") {
    query.state = "active";
    query.expires_before = new Date(now + soon).toISOString();
  } else if (state === "protected") query.has_password = "true";
  else if (state !== "") query.state = state;
  return query;
}
