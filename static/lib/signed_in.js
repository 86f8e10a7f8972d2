// @ts-check
/// <reference lib="dom" />
import { onSessionEnd } from "./api.js";
import { startFrame } from "./frame.js";
import { listenForShortcuts } from "./keys.js";
import { onRestart } from "./restart.js";
import { askToSignInAgain, warnBeforeSessionEnd } from "./session_end.js";
import { dismissToast, toast } from "./toast.js";

/**
 * What only pages with a session need: the shell's buttons, shortcuts, and a way to sign in again in place.
 * @param {import("./boot_data.js").Me} me
 */
export function startSignedIn(me) {
  startFrame();
  listenForShortcuts();
  onSessionEnd(() => askToSignInAgain(me));
  let restartToast = 0;
  onRestart((restarting) => {
    dismissToast(restartToast);
    if (!restarting) return;
    restartToast = toast("The service is restarting. What you asked for goes on as soon as it is back.", {
      kind: "info",
      sticky: true,
    });
  });
  warnBeforeSessionEnd(me, me.session.expires_at);
}
