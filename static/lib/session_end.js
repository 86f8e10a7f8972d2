// @ts-check
/// <reference lib="dom" />
import { request } from "./api.js";
import { setBar } from "./bars.js";
import { formatTime } from "./format.js";
import { t } from "./i18n.js";
import { listenToTabs, tellTabs } from "./session_channel.js";
import { hasTypedWork, losesWorkByLeaving } from "./unsaved_work.js";

/** @import { Me } from "./boot_data.js" */
/** @import { SignInReason } from "./session_dialog.js" */

/** How long before its end a session is said to end, in milliseconds. */
const warningTime = 5 * 60_000;

/** The longest delay that a browser's timer takes, in milliseconds. */
const maxDelay = 2 ** 31 - 1;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let warning;

/** @type {Promise<void> | null} */
let covering = null;

/**
 * Asks the user to sign in again in place, so that nothing they typed is lost. Resolves when the same user is back; loads
 * the page anew for a different one; rejects when they dismiss it or it cannot be had, and says then that the session has
 * ended.
 * @param {Me} me
 * @param {SignInReason} [reason]
 */
export async function askToSignInAgain(me, reason = "ended") {
  try {
    const dialog = await import("./session_dialog.js");
    await dialog.askToSignInAgain(me, reason);
  } catch (error) {
    if (reason !== "soon") sayEnded(me);
    throw error;
  }
  setBar("session", null);
  tellTabs({ type: "signed-in", user: me.id });
  const { session } = await request("GET", "/api/me");
  warnBeforeEnd(me, session.expires_at);
}

/**
 * Says when the session is about to end or has ended, whoever ended it, and offers to sign in again right there.
 * @param {Me} me
 */
export function watchSession(me) {
  warnBeforeEnd(me, me.session.expires_at);
  addEventListener("session-lost", () => sayEnded(me));
  listenToTabs((news) => {
    if (news.type === "signed-in" && news.user === me.id) return setBar("session", null);
    // Of somebody else's page nothing stays that the browser would not ask about; it must not go on under their name.
    const keepsPage = losesWorkByLeaving() || (news.type === "signed-out" && hasTypedWork());
    // What fails is in the bar.
    if (keepsPage) cover(me, news.type === "signed-out" ? news.type : "replaced").catch(() => {});
    else location.reload();
  });
  tellTabs({ type: "signed-in", user: me.id });
}

/**
 * Covers the page until its user is back, and resolves then; several tabs and requests may tell that they are not. Rejects
 * when it cannot be covered: a request that waits must not ask again and again.
 * @param {Me} me
 * @param {"signed-out" | "replaced"} reason
 * @returns {Promise<void>}
 */
export function cover(me, reason) {
  return covering ??= askToSignInAgain(me, reason).finally(() => covering = null);
}

/**
 * No activity puts the end of a session off that long.
 * @param {Me} me
 * @param {string} expiresAt
 */
function warnBeforeEnd(me, expiresAt) {
  clearTimeout(warning);
  const end = Date.parse(expiresAt);
  const delay = end - warningTime - Date.now();
  if (delay > maxDelay) return;
  warning = setTimeout(() => {
    setBar("session", {
      kind: "info",
      icon: "clock",
      text: t("frame.session_ends", { time: formatTime(end) }),
      action: again(me, "soon"),
    });
    warning = setTimeout(() => sayEnded(me), Math.max(0, end - Date.now()));
  }, Math.max(0, delay));
}

/** @param {Me} me */
function sayEnded(me) {
  setBar("session", {
    kind: "warn",
    icon: "lock",
    text: t("frame.session_ended"),
    action: again(me, "ended"),
  });
}

/**
 * @param {Me} me
 * @param {SignInReason} reason
 */
function again(me, reason) {
  return {
    label: t("frame.sign_in_again"),
    // Who dismisses the dialog still has the bar.
    run: () => askToSignInAgain(me, reason).catch(() => {}),
  };
}
