// @ts-check
/// <reference lib="dom" />

/** Milliseconds in which whoever took away what had the focus may give it a place. */
const patience = 100;

/** What can take the focus without bringing up a keyboard on the screen. */
const takers =
  ":is(button, a[href], summary, [type=checkbox], [type=radio], [tabindex='0']):not(:disabled, [tabindex='-1'])";

/**
 * What has the focus or is around it, and what stood beside that.
 * @typedef {{ element: Element, beside: Array<Element | null> }} Spot
 */

/**
 * Gives the focus a place near by from now on when what had it is taken away, such as a button that its own click replaces,
 * or the row of what was just deleted. Otherwise the next press of the tab key would begin at the top of the page.
 */
export function watchLostFocus() {
  /** From the inside. @type {Spot[]} */
  let spots = [];
  const isLost = () => document.activeElement === document.body && spots[0]?.element.isConnected === false;
  const rescue = () => {
    if (isLost()) placeNear(spots);
  };
  document.addEventListener("focusin", ({ target }) => {
    spots = [];
    for (let element = target; element instanceof Element; element = element.parentElement) {
      spots.push({ element, beside: [element.nextElementSibling, element.previousElementSibling] });
    }
  });
  document.addEventListener("focusout", ({ target }) => {
    // Some browsers tell of it before they take the element away.
    setTimeout(() => {
      if (document.activeElement === document.body && target instanceof Element && target.isConnected) {
        spots = [];
      }
    });
  });
  new MutationObserver(() => {
    if (isLost()) setTimeout(rescue, patience);
  }).observe(document.body, { childList: true, subtree: true });
}

/** @param {readonly Spot[]} spots from the inside */
function placeNear(spots) {
  const [{ element: lost }] = spots;
  const places = spots.flatMap(({ element, beside }) => element.isConnected ? [element] : beside);
  for (const place of places) {
    if (place?.matches("main, dialog, body")) break;
    if (!place?.isConnected) continue;
    const near = place.matches(takers) ? place : takerIn(place, lost);
    if (near instanceof HTMLElement) return near.focus();
  }
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const rest = dialog
    ? takerIn(dialog, lost)
    : document.getElementById("objects") ?? document.querySelector("main");
  if (rest instanceof HTMLElement) rest.focus();
}

/**
 * What of a part of the page takes the focus best: what looks like the one that is gone, as in the next row.
 * @param {Element} place
 * @param {Element} lost
 */
function takerIn(place, lost) {
  const shown = [...place.querySelectorAll(takers)].filter((taker) => taker.checkVisibility());
  return shown.find(({ className }) => className !== "" && className === lost.className) ?? shown[0];
}
