// @ts-check
/// <reference lib="dom" />
import { render } from "preact";
import { withoutBase } from "./base.js";
import { revealCurrent } from "./frame.js";
import { BackendLinks, Crumbs, currentAt } from "./frame_parts.js";
import { html } from "./html.js";

/**
 * What the frame shows of a page. Without `backends` the rail keeps those that it has.
 * @typedef {{ title: string, crumbs: readonly import("./frame_parts.js").Crumb[],
 *   backends?: readonly import("./frame_parts.js").BackendLink[] }} FrameContent
 */

/** Milliseconds after which a visit that is still under way is shown to be. */
const progressDelay = 150;

/**
 * Brings the frame up to the page at `path`.
 * @param {string} path
 * @param {FrameContent} content
 */
export function drawFrame(path, { crumbs, backends }) {
  const crumbsRoot = document.getElementById("crumbs");
  if (crumbsRoot !== null) render(html`<${Crumbs} crumbs=${crumbs} />`, crumbsRoot);
  if (backends) drawBackends(path, backends);
  for (const link of document.querySelectorAll(".rail a.rail-link, .bottom-bar a")) {
    const current = currentAt(
      withoutBase(link.getAttribute("href") ?? ""),
      path,
      link.getAttribute("data-below") ?? undefined,
    );
    if (current) link.setAttribute("aria-current", current);
    else link.removeAttribute("aria-current");
  }
  revealCurrent();
}

/**
 * Draws the rail's backends anew.
 * @param {string} path of the page that is shown
 * @param {readonly import("./frame_parts.js").BackendLink[]} backends
 */
export function drawBackends(path, backends) {
  const group = document.getElementById("rail-backends");
  const list = group?.querySelector("div");
  if (!group || !list) return;
  group.hidden = backends.length === 0;
  render(html`<${BackendLinks} backends=${backends} path=${path} />`, list);
}

/** Closes what stood above the page that is left. */
export function closeOverlays() {
  for (const dialog of document.querySelectorAll("dialog[open]")) {
    /** @type {HTMLDialogElement} */ (dialog).close();
  }
  for (const popover of document.querySelectorAll(":popover-open")) {
    /** @type {HTMLElement} */ (popover).hidePopover();
  }
}

/**
 * Says something to assistive technology, when it has nothing more urgent.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById("announcement");
  if (region === null) return;
  region.textContent = "";
  region.textContent = text;
}

/** Shows after a while that a page is on its way. Returns what ends that. */
export function showProgress() {
  const main = document.getElementById("main");
  const timer = setTimeout(() => {
    document.documentElement.dataset.visiting = "";
    main?.setAttribute("aria-busy", "true");
  }, progressDelay);
  return () => {
    clearTimeout(timer);
    delete document.documentElement.dataset.visiting;
    main?.removeAttribute("aria-busy");
  };
}
