// @ts-check
/// <reference lib="dom" />
import { mountBars, setBar } from "./bars.js";
import { watchConnection } from "./connection.js";
import { showTitlesOnHover } from "./hover_titles.js";
import { t } from "./i18n.js";
import { watchLostFocus } from "./lost_focus.js";
import { onRestart } from "./restart.js";
import { watchSession } from "./session_end.js";

/**
 * Says from now on what holds for the whole page: that the service restarts, is out of reach, or has ended the session. Keeps
 * the focus from getting lost.
 * @param {import("./boot_data.js").Me} me
 */
export function watchState(me) {
  mountBars();
  watchConnection();
  onRestart((restarting) => {
    setBar("restart", restarting ? { kind: "info", icon: "refresh", text: t("frame.restarting") } : null);
  });
  watchSession(me);
  watchLostFocus();
  showTitlesOnHover();
  document.documentElement.dataset.watched = "";
}
