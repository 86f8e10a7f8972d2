// @ts-check
/// <reference lib="dom" />

/**
 * An element that the server has drawn.
 * @param {Element} box
 * @param {string} selector
 */
export function part(box, selector) {
  return /** @type {HTMLElement} */ (box.querySelector(selector));
}
