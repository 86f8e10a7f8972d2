// @ts-check
import { formatNumber, formatUtc } from "../format.js";
import { perLanguage, t } from "../i18n.js";
import { html, minute } from "../ui.js";

/** @typedef {import("../../../src/activity/schema.ts").Dashboard} Dashboard */
/** @typedef {Dashboard["traffic"]["dashboard"]} Traffic */
/** @typedef {Traffic["points"][number]} Point */

const clockTime = perLanguage((language) =>
  new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
);
const oneDigit = perLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }));
const percent = perLanguage((language) =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 })
);
const smallPercent = perLanguage((language) =>
  new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 1 })
);

/**
 * A number of requests a minute: a small one with a decimal.
 * @param {number} value
 */
export function formatRate(value) {
  return value < 10 ? oneDigit().format(value) : formatNumber(Math.round(value));
}

/**
 * A share from 0 to 1; a small one does not look like none.
 * @param {number} share
 */
export function formatShare(share) {
  return (share > 0 && share < 0.0005 ? smallPercent : percent)().format(share);
}

/**
 * A latency; those of less than a millisecond are measured as 0.
 * @param {number} milliseconds
 */
export function formatMilliseconds(milliseconds) {
  if (milliseconds < 1) return t("traffic.under_a_millisecond");
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${oneDigit().format(milliseconds / 1000)} s`;
}

/**
 * A moment of today as hours and minutes: in UTC on the server, in the reader's zone once the page is alive.
 * @param {string} at
 */
export function clockText(at) {
  const milliseconds = Date.parse(at);
  return minute.value === 0
    ? `${formatUtc(milliseconds).slice(11, 16)} UTC`
    : clockTime().format(milliseconds);
}

/**
 * A figure of the page's head and what it is.
 * @param {{ label: string, children?: any }} props
 */
export function Figure({ label, children }) {
  return html`
    <div>
      <dt>${label}</dt>
      <dd class="number">${children}</dd>
    </div>
  `;
}
