// @ts-check
import { formatDateTime, splitBytes } from "../format.js";
import { t } from "../i18n.js";
import { html } from "../ui.js";
import { SizeShare } from "./size_share.js";

/** @import { Browser } from "./browser.js" */

/**
 * What was counted in a folder, and when, if it was.
 * @param {{ browser: Browser, folder: string }} props
 */
export function FolderSize({ browser, folder }) {
  const counted = browser.folderSizes.value.get(folder);
  if (counted === undefined) return null;
  const { bytes, count, computed_at, truncated } = counted;
  const { value, unit } = splitBytes(bytes);
  const when = t("browse.folder_counted", { n: count, time: formatDateTime(Date.parse(computed_at)) });
  return html`
    <span class="number bytes"
      title=${truncated ? `${t("browse.more_than_counted")}. ${when}` : when}>${truncated &&
        html`<span class="faint">≥ </span>`}${value}<span class="unit"> ${unit}</span></span>
    <${SizeShare} browser=${browser} bytes=${bytes} />
  `;
}
