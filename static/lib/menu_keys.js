// @ts-check
/// <reference lib="dom" />

/**
 * Moves the focus among the entries of an open menu: arrows, Home and End, and the first letter of an entry; Tab closes it.
 * Such keys are the menu's alone: a shortcut of the page behind it would act on something else.
 * @param {any} event a key pressed on an element with the role `menu`
 */
export function menuKeys(event) {
  const { key, currentTarget: menu } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.stopPropagation();
  if (key === "Tab") return menu.hidePopover();
  const entries = [...menu.querySelectorAll("button:not(:disabled)")];
  const to = entries[entryAt(entries, key)];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}

/**
 * The number of the entry that a key leads to; -1 for a key that leads to none.
 * @param {Element[]} entries
 * @param {string} key
 */
function entryAt(entries, key) {
  const from = entries.findIndex((entry) => entry === document.activeElement);
  const { length } = entries;
  if (key === "ArrowDown") return (from + 1) % length;
  if (key === "ArrowUp") return (Math.max(from, 0) + length - 1) % length;
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  if (key.length > 1 || key === " ") return -1;
  const after = [...entries.keys()].map((step) => (from + 1 + step) % length);
  const letter = key.toLowerCase();
  return after.find((index) => entries[index].textContent?.trim().toLowerCase().startsWith(letter)) ?? -1;
}
