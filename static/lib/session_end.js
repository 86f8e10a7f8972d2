// @ts-check
/// <reference lib="dom" />
import { request } from "./api.js";
import { dismissToast, toast } from "./toast.js";

/**
 * Asks the user to sign in again in place, as `askToSignInAgain` of the dialog does, which is loaded only then.
 * @param {import("./boot_data.js").Me} me
 * @param {{ ended?: boolean }} [options] whether the session has ended already, as it has unless told
 */
export async function askToSignInAgain(me, options) {
  const dialog = await import("./session_dialog.js");
  await dialog.askToSignInAgain(me, options);
}

/** How long before its end a session is said to end, in milliseconds. */
const warningTime = 5 * 60_000;

/** The longest delay that a browser's timer takes, in milliseconds. */
const maxDelay = 2 ** 31 - 1;

/**
 * Says that the session is about to end, which no activity can put off, and offers to sign in again right there.
 * @param {import("./boot_data.js").Me} me
 * @param {string} expiresAt
 */
export function warnBeforeSessionEnd(me, expiresAt) {
  const delay = Date.parse(expiresAt) - warningTime - Date.now();
  if (delay > maxDelay) return;
  setTimeout(() => {
    const time = new Date(expiresAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    const run = async () => {
      await askToSignInAgain(me, { ended: Date.now() >= Date.parse(expiresAt) });
      dismissToast(id);
      const { session } = await request("GET", "/api/me");
      warnBeforeSessionEnd(me, session.expires_at);
    };
    const id = toast(`Your session ends at ${time}.`, {
      kind: "info",
      sticky: true,
      action: { label: "Sign in again", run },
    });
  }, Math.max(0, delay));
}
