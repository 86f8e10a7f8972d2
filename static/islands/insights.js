// @ts-check
import { useState } from "preact/hooks";
import { bucketPage } from "../lib/browse/object_urls.js";
import { t } from "../lib/i18n.js";
import { BucketComposition } from "../lib/insights/composition.js";
import { UnfinishedUploads } from "../lib/insights/uploads.js";
import { UsageCharts } from "../lib/insights/usage_charts.js";
import { PageHead } from "../lib/page_head.js";
import { LoadFailure, loadStates, useStatesSoon } from "../lib/settings/lazy_states.js";
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

/** @typedef {"usage" | "scan" | "uploads"} Part */

/** Nothing yet: it is asked for. */
const none = { data: null, error: null };

/**
 * Loads what says that a part is not there; to be awaited before the page is rendered.
 * @param {Record<Part, First<unknown>>} props
 */
export async function prepare({ usage, scan, uploads }) {
  if ([usage, scan, uploads].some(({ error }) => error !== null)) await loadStates();
}

/**
 * What a bucket holds: how it grew, what it is made of, and what hides in it.
 * @param {{
 *   backend: { id: string, name: string }, bucket: string, days: number, usage: First<UsageView>, scan: First<FirstScan>,
 *   uploads: First<UploadPage>, again: string, me: import("../lib/boot_data.js").Me, now: number
 * }} props `again`: where the page waits longer for what was not there in time
 */
export function Island(
  { backend: { id, name }, bucket, days, usage, scan, uploads, again: patientPage, me, now },
) {
  const isLate = [usage, scan, uploads].some(({ data, error }) => data === null && error === null);
  useStatesSoon();
  const [again, setAgain] = useState(false);
  const [failures, setFailures] = useState({
    usage: usage.error,
    scan: scan.error,
    uploads: uploads.error,
  });
  // What keeps the bucket from being listed is mostly why the rest is not there either: once is enough.
  const { scan: whole } = failures;
  const isShown = (/** @type {Part} */ part) => whole === null || failures[part]?.code !== whole.code;
  const retry = () => {
    setAgain(true);
    setFailures((failed) => ({
      usage: isShown("usage") ? failed.usage : null,
      scan: null,
      uploads: isShown("uploads") ? failed.uploads : null,
    }));
  };
  const part = (/** @type {Part} */ name, /** @type {First<any>} */ first) => ({
    backend: id,
    bucket,
    now,
    first: again ? none : first,
    onFailure: (/** @type {Failure | null} */ error) =>
      setFailures((failed) => failed[name] === error ? failed : { ...failed, [name]: error }),
  });
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
      html`${" "}<a href=${patientPage}>${t("settings.load_again")}</a>`}</p>
    <div class="insights">
      ${isShown("usage") && html`<${UsageCharts} key=${days} days=${days} ...${part("usage", usage)} />`}
      ${whole === null
        ? html`<${BucketComposition} ...${part("scan", scan)} />`
        : html`<${LoadFailure} error=${whole} load=${retry} />`}
      ${isShown("uploads") &&
        html`<${UnfinishedUploads} canAbort=${me.can.write_objects} ...${part("uploads", uploads)} />`}
    </div>
  `;
}
