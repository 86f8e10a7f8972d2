// @ts-check

/**
 * What is selected, by key and not by position, so that sorting and filtering never change it. `anchor` is where a
 * range begins: it moves with every click and toggle, and stays when its own row is deselected.
 *
 * @typedef {{ readonly keys: ReadonlySet<string>, readonly anchor: string | null }} Selection
 */

/** @type {Selection} */
export const nothing = { keys: new Set(), anchor: null };

/**
 * One row, as a plain click selects it.
 *
 * @param {string} key
 * @returns {Selection}
 */
export function only(key) {
  return { keys: new Set([key]), anchor: key };
}

/**
 * The selection with one row added, or taken out when it was in.
 *
 * @param {Selection} selection
 * @param {string} key
 * @returns {Selection}
 */
export function toggled(selection, key) {
  const keys = new Set(selection.keys);
  if (!keys.delete(key)) keys.add(key);
  return { keys, anchor: key };
}

/**
 * The rows from the anchor to `key`, in place of the selection or, with `add`, besides it.
 *
 * @param {Selection} selection
 * @param {readonly string[]} order every row's key, as shown
 * @param {string} key
 * @param {{ add?: boolean }} [options]
 * @returns {Selection}
 */
export function extended(selection, order, key, { add = false } = {}) {
  const to = order.indexOf(key);
  const from = selection.anchor === null ? to : order.indexOf(selection.anchor);
  if (to < 0) return selection;
  if (from < 0) return only(key);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { keys: new Set(add ? [...selection.keys, ...range] : range), anchor: selection.anchor ?? key };
}

/**
 * Every row that is shown.
 *
 * @param {Selection} selection
 * @param {readonly string[]} order
 * @returns {Selection}
 */
export function everything(selection, order) {
  return { keys: new Set(order), anchor: selection.anchor ?? order[0] ?? null };
}

/**
 * The selection without rows that are gone.
 *
 * @param {Selection} selection
 * @param {Iterable<string>} gone
 * @returns {Selection}
 */
export function without(selection, gone) {
  const keys = new Set(selection.keys);
  for (const key of gone) keys.delete(key);
  return { keys, anchor: selection.anchor };
}
