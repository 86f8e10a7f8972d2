// @ts-check
/// <reference lib="dom" />
import { hydrate, render } from "preact";
import { html } from "./html.js";

/** @import { Me } from "./boot_data.js" */

/**
 * An island's module. One that follows the history by itself shows what the address says as long as its path stays.
 * @typedef {{ Island: import("preact").ComponentType<any>, prepare?: (props: any) => unknown, followsHistory?: boolean }}
 * IslandModule
 */

/** @typedef {{ island: string, props: Record<string, any>, me: Me | null, now: number }} PageContent */

/**
 * Loads an island, and what its first view needs besides.
 * @param {string} name
 * @param {Record<string, any>} props
 * @returns {Promise<IslandModule>}
 */
export async function loadIsland(name, props) {
  const module = await import(`../islands/${name}.js`);
  await module.prepare?.(props);
  return module;
}

/**
 * Takes the page over from the server.
 * @param {PageContent} content
 */
export async function hydratePage({ island, props, me, now }) {
  const root = document.querySelector("[data-island]");
  const module = await loadIsland(island, props);
  if (root !== null) hydrate(html`<${module.Island} ...${props} me=${me} now=${now} />`, root);
  return module;
}

/**
 * Puts a page in the place of the one that is shown, whose effects end.
 * @param {IslandModule} module
 * @param {PageContent & { layout: "fill" | null }} content
 */
export function swapPage({ Island }, { island, layout, props, me, now }) {
  const old = document.querySelector("[data-island]");
  if (old === null) return;
  const root = document.createElement("div");
  root.className = layout === "fill" ? "page-fill" : "page";
  root.dataset.island = island;
  render(null, old);
  old.replaceWith(root);
  render(html`<${Island} ...${props} me=${me} now=${now} />`, root);
}

/**
 * Says that the page is alive: not before its effects have run, with which its parts begin to listen.
 * @param {() => boolean} [isStill] whether the page has not been left by then
 */
export function markReady(isStill = () => true) {
  const mark = () => {
    if (isStill()) document.documentElement.dataset.ready = "";
  };
  // Effects wait for the next frame.
  requestAnimationFrame(() => setTimeout(mark));
}
