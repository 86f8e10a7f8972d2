// @ts-check
/// <reference lib="dom" />
import { onSessionEnd } from "./api.js";
import { startFrame } from "./frame.js";
import { listenForShortcuts } from "./keys.js";
import { startNavigation } from "./navigation.js";
import { transfers } from "./transfers/center.js";
import { whenIdle } from "./when_idle.js";

/** @import { Me } from "./boot_data.js" */

/**
 * What only pages with a session need: the shell's buttons, shortcuts, and a way to sign in again in place.
 * @param {Me} me
 */
export function startSignedIn(me) {
  startFrame();
  listenForShortcuts();
  onSessionEnd(async (need) => {
    const { askToSignInAgain, cover } = await import("./session_end.js");
    await (need === "replaced" ? cover(me, need) : askToSignInAgain(me));
  });
  transfers.restore();
}

/**
 * Swaps pages from now on, and says what holds for all of them.
 * @param {Me} me
 * @param {import("./page.js").IslandModule} module of the island that is shown
 */
export function startPages(me, module) {
  startNavigation(me, module);
  watchSoon(me);
}

/** Milliseconds until what could not be loaded is asked for again. */
const retryDelay = 30_000;

/**
 * Begins to notice what becomes of the session and the connection, once nothing else is to be done.
 * @param {Me} me
 */
function watchSoon(me) {
  whenIdle(() =>
    import("./watch.js").then(({ watchState }) => watchState(me), () => setTimeout(watchSoon, retryDelay, me))
  );
}
