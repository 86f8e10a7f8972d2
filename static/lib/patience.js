// @ts-check

/** The parameter of a page's address that has the server wait longer for the page's first data. */
export const patience = "wait";

/**
 * Whether an address asks for a patient answer, as for readers without script: to them, nothing comes later.
 * @param {string} search its query
 */
export function isPatient(search) {
  return new URLSearchParams(search).has(patience);
}
