// @ts-check
/// <reference lib="dom" />
import { withBase } from "./base.js";

/**
 * What tabs of this browser tell each other about its session: that it was ended by hand, or that there is one, of whom.
 * @typedef {{ type: "signed-out" } | { type: "signed-in", user: string }} SessionNews
 */

/** @type {BroadcastChannel | null} */
let channel = null;

function open() {
  return channel ??= new BroadcastChannel(withBase("/session"));
}

/**
 * Tells the user's other tabs.
 * @param {SessionNews} news
 */
export function tellTabs(news) {
  open().postMessage(news);
}

/**
 * Calls `onNews` with what other tabs tell. Returns a function that ends it.
 * @param {(news: SessionNews) => void} onNews
 */
export function listenToTabs(onNews) {
  const listener = (/** @type {MessageEvent<SessionNews>} */ { data }) => onNews(data);
  open().addEventListener("message", listener);
  return () => open().removeEventListener("message", listener);
}
