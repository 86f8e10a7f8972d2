// @ts-check
import { isPatient, patience } from "../../patience.js";
import { queryValue } from "../../query_value.js";
import { placeOf, searchOf } from "../address.js";

/** @import { Place } from "../address.js" */

/** Rows that a page of the plain table may have, the usual number first. @type {readonly number[]} */
export const pageSizes = [100, 1000];

/** Letters of tokens that an address carries at most: browsers and proxies take some thousands. */
const maxTrail = 4000;

/**
 * Which page of a folder the plain table shows.
 *
 * @typedef {object} TablePage
 * @property {number} rows of a full page
 * @property {number} number of the page, from 1
 * @property {string} token where the listing goes on; empty for its beginning
 * @property {readonly string[]} trail the tokens of the pages before it, the nearest last; those further away may be missing
 * @property {boolean} asked whether the address asks for the plain table, as for readers without script
 * @property {boolean} patient whether it asks to wait for its rows, which they need on every page
 */

/**
 * The page that an address asks for.
 *
 * @param {string} search its query, with or without `?`
 * @returns {TablePage}
 */
export function tablePageOf(search) {
  const query = new URLSearchParams(search);
  const rows = Number(query.get("rows"));
  return {
    rows: pageSizes.includes(rows) ? rows : pageSizes[0],
    number: Math.max(1, Math.trunc(Number(query.get("page"))) || 1),
    token: query.get("token") ?? "",
    trail: query.getAll("back"),
    asked: asksForTable(search),
    patient: isPatient(search),
  };
}

/**
 * Whether an address asks for the plain table, whatever is set for the browser.
 *
 * @param {string} search its query
 */
export function asksForTable(search) {
  return new URLSearchParams(search).get("list") === "table";
}

/**
 * The query of a page of a folder, with `?`.
 *
 * @param {Partial<Place>} place
 * @param {TablePage} page
 */
export function tableSearch(place, { rows, number, token, trail, asked, patient }) {
  const parts = [searchOf({ ...place, sort: undefined }).slice(1)];
  if (asked) parts.push("list=table");
  if (patient) parts.push(`${patience}=1`);
  if (rows !== pageSizes[0]) parts.push(`rows=${rows}`);
  if (number > 1) parts.push(`page=${number}`);
  if (token !== "") parts.push(`token=${queryValue(token)}`);
  parts.push(...trail.map((step) => `back=${queryValue(step)}`));
  const query = parts.filter(Boolean).join("&");
  return query === "" ? "" : `?${query}`;
}

/**
 * The first page of a folder.
 *
 * @param {TablePage} page
 * @returns {TablePage}
 */
export function firstPage({ rows, asked, patient }) {
  return { rows, asked, patient, number: 1, token: "", trail: [] };
}

/**
 * The page after one.
 *
 * @param {TablePage} page
 * @param {string} token where it begins
 * @returns {TablePage}
 */
export function nextPage(page, token) {
  const trail = [...page.trail, page.token];
  while (trail.join("").length > maxTrail) trail.shift();
  return { ...page, number: page.number + 1, token, trail };
}

/**
 * The page before one; `null` for the first one, and where the way back is not known.
 *
 * @param {TablePage} page
 * @returns {TablePage | null}
 */
export function previousPage(page) {
  const token = page.trail.at(-1);
  if (token === undefined) return null;
  return { ...page, number: Math.max(1, page.number - 1), token, trail: page.trail.slice(0, -1) };
}

/**
 * What the plain table shows of an address: names in the order of the storage alone.
 *
 * @param {string} search
 * @returns {Place}
 */
export function tablePlaceOf(search) {
  return { ...placeOf(search), sort: { field: "name", descending: false }, kinds: "" };
}
