// @ts-check
/// <reference lib="dom" />
import { writeTyped } from "./typed_address.js";

/**
 * The page's query parameters, as the server read them.
 * @returns {Record<string, string>}
 */
export function readUrlState() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/**
 * Changes query parameters of the page's address; empty values are removed. While the user is typing the address is
 * replaced, on a commit it becomes a step of the history.
 * @param {Record<string, string | undefined>} changes
 * @param {{ commit?: boolean }} [options]
 */
export function writeUrlState(changes, { commit = false } = {}) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  if (url.href === location.href) return;
  if (commit) history.pushState(history.state, "", url);
  else writeTyped(url.href);
}
