// @ts-check
/// <reference lib="dom" />
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { html, Notice, Time } from "../ui.js";

/** @import { Browser } from "./browser.js" */

/**
 * That the bucket is over its soft limit, or full; nothing otherwise.
 * @param {{ browser: Browser, now: number }} props
 */
export function QuotaBanner({ browser, now }) {
  const quota = browser.quota.value;
  if (quota === null) return null;
  const { soft_bytes: soft, hard_bytes: hard, usage_bytes: usage, computed_at: at } = quota;
  const isFull = hard > 0 && usage >= hard;
  const params = { used: formatBytes(usage), soft: formatBytes(soft), hard: formatBytes(hard) };
  const text = isFull
    ? t("browse.quota_full", params)
    : hard > 0
    ? t("browse.quota_soft", params)
    : t("browse.quota_soft_only", params);
  const settings = html`
    <a class="button button-small" href="${browser.page}/settings/quota">${t("browse.quota")}</a>
  `;
  return html`
    <div class="quota-banner">
      <${Notice} kind=${isFull ? "bad" : "warn"} action=${settings}>${text}${at &&
        html`
          <span class="faint"><${Time} at=${at} now=${now} /></span>
        `}<//>
    </div>
  `;
}
