// @ts-check
/// <reference lib="dom" />
import { formatDateTime, formatDuration, formatRelative, formatTime, formatUtc } from "./format.js";
import { t } from "./i18n.js";
import { html, minute } from "./ui.js";

/** A moment to the second in the reader's zone, as wide as any other: `2026-11-21 15:02:09`. Sweden writes dates as ISO 8601 does. */
const stamp = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });

/**
 * A moment to the second, in UTC on the server and in the reader's zone once the page is alive.
 * @param {{ at: string }} props
 */
export function Timestamp({ at }) {
  const milliseconds = Date.parse(at);
  const alive = minute.value !== 0;
  return html`<time datetime=${at} title=${
    alive
      ? `${formatDateTime(milliseconds)}, ${formatRelative(milliseconds, minute.value)}`
      : formatUtc(milliseconds)
  }>${alive ? stamp.format(milliseconds) : formatUtc(milliseconds).slice(0, -4)}</time>`;
}

/**
 * A moment to come, and how long that is: `at 17:02 (in 8 h)`; with its date when it is more than a day away.
 * @param {{ at: string, now: number }} props
 */
export function Deadline({ at, now }) {
  const milliseconds = Date.parse(at);
  const alive = minute.value !== 0;
  const left = Math.max(0, milliseconds - (alive ? Math.max(minute.value, now) : now));
  const utc = formatUtc(milliseconds);
  const hour = alive ? formatTime(milliseconds) : `${utc.slice(11, 16)} UTC`;
  const time = left < 86_400_000
    ? t("frame.at_time", { time: hour })
    : alive
    ? formatDateTime(milliseconds)
    : utc;
  // Seconds would only be out of date.
  const wait = formatDuration(Math.round(left / 60_000) * 60);
  return html`<time datetime=${at} title=${alive ? formatDateTime(milliseconds) : utc}>${
    t("frame.time_in", { time, wait })
  }</time>`;
}
