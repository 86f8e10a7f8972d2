// @ts-check
/// <reference lib="dom" />
import { onSessionEnd } from "./api.js";
import { startFrame } from "./frame.js";
import { listenForShortcuts } from "./keys.js";
import { askToSignInAgain, warnBeforeSessionEnd } from "./session_dialog.js";

/**
 * What only pages with a session need: the shell's buttons, shortcuts, and a way to sign in again in place.
 * @param {import("./boot_data.js").Me} me
 */
export function startSignedIn(me) {
  startFrame();
  listenForShortcuts();
  onSessionEnd(() => askToSignInAgain(me));
  warnBeforeSessionEnd(me, me.session.expires_at);
}
