// @ts-check
import { t } from "../i18n.js";
import { html, Icon, Skeleton } from "../ui.js";

/**
 * Why there is nothing to look at.
 * @param {{ reason: string, url?: string }} props `url` where a browser can show it on its own
 */
export function Unshown({ reason, url }) {
  return html`<div class="preview preview-none"><p>${reason}</p>${
    url && html`
      <a class="button" href=${url} target="_blank"
        rel="noopener"><${Icon} name="external" />${t("preview.new_tab")}</a>
    `
  }</div>`;
}

/** What stands in place of a preview that is on its way. */
export function PreviewWait() {
  return html`
    <div class="preview preview-wait">
      <${Skeleton} rows=${4} />
    </div>
  `;
}
