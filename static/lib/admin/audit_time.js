// @ts-check
import { formatDateTime, formatUtc } from "../format.js";
import { html, minute } from "../ui.js";

/** A moment to the second in the reader's zone, as wide as any other. Sweden writes dates as ISO 8601 does. */
const localStamp = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });

/**
 * The moment of a row, to the millisecond when it is pointed at; in UTC until the page is alive.
 * @param {{ at: string, isUtc: boolean }} props
 */
export function AuditTime({ at, isUtc }) {
  const milliseconds = Date.parse(at);
  const utc = formatUtc(milliseconds);
  const isLocal = minute.value !== 0 && !isUtc;
  return html`<time datetime=${at} title=${isLocal ? `${formatDateTime(milliseconds)} · ${at}` : at}>${
    isLocal ? localStamp.format(milliseconds) : utc.slice(0, -4)
  }</time>`;
}
