// @ts-check
import { bucketPage } from "../lib/browse/object_urls.js";
import { t } from "../lib/i18n.js";
import { BucketComposition } from "../lib/insights/composition.js";
import { UnfinishedUploads } from "../lib/insights/uploads.js";
import { UsageCharts } from "../lib/insights/usage_charts.js";
import { PageHead } from "../lib/page_head.js";
import { settingsPage } from "../lib/settings/section.js";
import { html, Icon } from "../lib/ui.js";

/** @import { Failure } from "../lib/settings/section.js" */
/** @import { FirstScan } from "../lib/insights/scan.js" */
/** @import { UploadPage } from "../lib/insights/upload_list.js" */
/** @import { UsageView } from "../lib/insights/usage_charts.js" */

/**
 * What came with the page, nothing of what was not there in time.
 * @template T
 * @typedef {{ data: T | null, error: Failure | null }} First
 */

/**
 * What a bucket holds: how it grew, what it is made of, and what hides in it.
 * @param {{
 *   backend: { id: string, name: string }, bucket: string, days: number, usage: First<UsageView>, scan: First<FirstScan>,
 *   uploads: First<UploadPage>, again: string, me: import("../lib/boot_data.js").Me, now: number
 * }} props `again`: where the page waits longer for what was not there in time
 */
export function Island({ backend: { id, name }, bucket, days, usage, scan, uploads, again, me, now }) {
  const isLate = [usage, scan, uploads].some(({ data, error }) => data === null && error === null);
  const ways = html`
    <a class="button"
      href=${bucketPage(id, bucket)}><${Icon} name="folder" /><span class="action-label">${t(
        "settings.open_objects",
      )}</span></a>
    <a class="button"
      href=${settingsPage(id, bucket, "general")}><${Icon} name="settings" /><span class="action-label">${t(
        "settings.title",
      )}</span></a>
  `;
  return html`
    <${PageHead} title=${t("insights.title")} actions=${ways}>${t("settings.of_bucket", {
      bucket,
      backend: name,
    })}<//>
    <p class="notice notice-info without-script">${t("insights.needs_script")}${isLate &&
      html`${" "}<a href=${again}>${t("settings.load_again")}</a>`}</p>
    <div class="insights">
      <${UsageCharts} key=${days} backend=${id} bucket=${bucket} days=${days} first=${usage} now=${now} />
      <${BucketComposition} backend=${id} bucket=${bucket} first=${scan} now=${now} />
      <${UnfinishedUploads} backend=${id} bucket=${bucket} canAbort=${me.can.write_objects} first=${uploads}
        now=${now} />
    </div>
  `;
}
