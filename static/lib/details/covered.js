// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";

/** @import { Browser } from "../browse/browser.js" */

/** Where the details are a sheet over the list, as in their styles. */
const narrow = "(max-width: 1199px)";

/** What a sheet may cover. */
const below = ".browser-main, .bottom-bar";

/** Whether the details cover the list now. */
export function isSheet() {
  return matchMedia(narrow).matches;
}

/**
 * Keeps keyboard and screen reader from what is beneath the details where these are a sheet, which a click beside it closes.
 * To be used after the sheet has taken the focus.
 * @param {Browser} browser
 * @param {{ current: HTMLElement | null }} panel
 * @param {boolean} isOpen
 * @param {() => void} close
 */
export function useCovered(browser, panel, isOpen, close) {
  useEffect(() => {
    const around = panel.current?.parentElement;
    if (!isOpen || !around) return;
    const covered = [...document.querySelectorAll(below)].filter((part) => part instanceof HTMLElement);
    const sheet = matchMedia(narrow);
    const cover = () => {
      const isCovered = sheet.matches && browser.place.peek().open !== "";
      for (const part of covered) part.inert = isCovered;
    };
    const onClick = (/** @type {MouseEvent} */ { target }) => {
      if (sheet.matches && target === around) close();
    };
    // At once, not with the next drawing: what closes the details gives the list the focus.
    const stop = browser.place.subscribe(cover);
    sheet.addEventListener("change", cover);
    around.addEventListener("click", onClick);
    return () => {
      stop();
      sheet.removeEventListener("change", cover);
      around.removeEventListener("click", onClick);
      for (const part of covered) part.inert = false;
    };
  }, [isOpen]);
}
