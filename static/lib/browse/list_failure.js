// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { FailureWords } from "../failure_words.js";
import { formatDateTime, formatDuration, formatTime } from "../format.js";
import { rich, t } from "../i18n.js";
import { Button, EmptyState, html, Notice } from "../ui.js";
import { backendPage } from "./object_urls.js";

/** @import { Browser } from "./browser.js" */
/** @import { MessageKey } from "../i18n.js" */

/** What to say about errors of a listing, by code. */
const errors = /** @type {Record<string, { icon: string, title: MessageKey, text: MessageKey }>} */ ({
  forbidden: { icon: "lock", title: "browse.forbidden_title", text: "browse.forbidden_text" },
  not_found: { icon: "bucket", title: "browse.no_bucket_title", text: "browse.no_bucket_text" },
  backend_timeout: { icon: "clock", title: "browse.timeout_title", text: "browse.timeout_text" },
});

/**
 * Why the list is not there, or does not go on.
 * @param {{ browser: Browser }} props
 */
export function ListFailure({ browser }) {
  const part = browser.loader.waitingUntil.value > 0 ? Waiting : Failure;
  return html`<${part} browser=${browser} />`;
}

/**
 * That the server wants no requests for a while, and for how long.
 * @param {{ browser: Browser }} props
 */
function Waiting({ browser }) {
  const until = browser.loader.waitingUntil.value;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const time = formatDuration(Math.max(1, (until - now) / 1000));
  return html`
    <div class="list-notice">
      <${Notice} kind="warn">${t("browse.rate_limited", { time })}<//></div>
  `;
}

/**
 * When something was, as short as the reader can tell it: the time of today, else with its date.
 * @param {number} at milliseconds since the epoch
 */
function clockTime(at) {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTime(at) : formatDateTime(at);
}

/** @param {{ browser: Browser }} props */
function Failure({ browser }) {
  const { loader, rows } = browser;
  const failure = loader.failure.value ?? { code: "", message: "" };
  const stale = loader.stale.value;
  const partial = rows.value.length > 0 || stale;
  const retry = () => {
    if (!partial || stale) return browser.reload();
    loader.failure.value = null;
    loader.more();
  };
  const again = html`
    <${Button} small=${partial} icon="refresh" onClick=${retry}>${t("common.retry")}<//>
  `;
  if (partial) {
    const message = html`<${FailureWords} error=${failure} />`;
    return html`
      <div class="list-notice">
        <${Notice} kind="bad" role="alert" action=${again}>
            ${stale
              ? rich("browse.stale", { time: clockTime(loader.listing.value.listedAt), message })
              : rich("browse.rest_failed", { message })}<//></div>
    `;
  }
  const known = errors[failure.code];
  const { backend, canManage } = browser;
  const ways = html`
    <div class="row">${again}<a class="button" href=${backendPage(backend.id)}>${t("browse.buckets_of", {
      backend: backend.name,
    })}</a>
      ${canManage && loader.unreachable && failure.code !== "not_found" && html`
        <a class="button" href="/admin/backends">${t("browse.backends")}</a>
      `}</div>
  `;
  return html`
    <div class="list-state list-state-whole">
      <${EmptyState} icon=${known?.icon ?? "alert"} title=${t(known?.title ?? "browse.list_failed")}
        action=${ways}>
        <${FailureWords} error=${failure}
          text=${known && t(known.text)} />
        <//>
        </div>
  `;
}
