// @ts-check
/// <reference lib="dom" />
import { setBar } from "./bars.js";
import { withBase } from "./base.js";
import { t } from "./i18n.js";

/** Milliseconds until the server is asked again, which become twice as many each time. */
const firstDelay = 2000;
const maxDelay = 30_000;

/** Whether a request has had no answer since the server was last reached. */
let lost = false;
let delay = firstDelay;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Notes that a request got no answer. Whether that is more than an accident is found out. */
function noteNoAnswer() {
  if (lost) return;
  lost = true;
  delay = firstDelay;
  probe();
}

/** Begins to say when the connection is lost, until it is back. */
export function watchConnection() {
  addEventListener("no-answer", noteNoAnswer);
  addEventListener("offline", () => {
    lost = true;
    say();
  });
  addEventListener("online", () => probe());
  document.addEventListener("visibilitychange", () => {
    if (lost && !document.hidden) probe();
  });
}

/** Asks the server whether it is there; a tab that nobody sees waits until it is looked at. */
async function probe() {
  clearTimeout(timer);
  if (document.hidden) return;
  if (navigator.onLine && await isReachable()) {
    lost = false;
    setBar("connection", null);
    return;
  }
  say();
  clearTimeout(timer);
  timer = setTimeout(probe, delay);
  delay = Math.min(maxDelay, 2 * delay);
}

async function isReachable() {
  try {
    // Whatever answers with a status is there, but a proxy may answer for a server that is not.
    return (await fetch(withBase("/healthz"), { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

function say() {
  setBar("connection", {
    kind: "warn",
    icon: "offline",
    text: navigator.onLine ? t("frame.unreachable") : t("frame.offline"),
    action: { label: t("frame.try_now"), run: probe },
  });
}
