// @ts-check
/// <reference lib="dom" />
import { defaultClass, storageClassName } from "../browse/entries.js";
import { t } from "../i18n.js";
import { preview } from "../preview/lazy_preview.js";
import { useNextObject } from "../preview/next_object.js";
import { Button, Bytes, html, Icon, IconButton, Time } from "../ui.js";
import { contentUrl } from "./addresses.js";
import { entryOf } from "./object_info.js";

/** @import { TabProps } from "./details.js" */

/**
 * An object to look at, and what is done with it most.
 * @param {TabProps} props
 */
export function PreviewTab({ browser, actions, info, objectKey, version, now }) {
  useNextObject(browser, objectKey);
  const url = contentUrl(browser.api, objectKey, "inline", version);
  const entry = entryOf(info, browser.place.value.prefix);
  const latest = version === "";
  const fullScreen = async () => {
    const { openFullScreen } = await import("../preview/full_screen.js");
    await openFullScreen(browser, { key: objectKey, version });
  };
  return html`
    <${preview.View} url=${url} name=${objectKey} contentType=${info.content_type ?? ""}
      size=${info.size} etag=${info.etag} />
    <div class="details-actions">
      <a class="button button-small" href=${contentUrl(
        browser.api,
        objectKey,
        "attachment",
        version,
      )} download><${Icon} name="download" />${t("common.download")}</a>
      ${browser.canShare && latest && html`
        <${Button} small=${true} icon="share" onClick=${() => actions.share([entry])}>${t(
          "details.share",
        )}<//>
      `}
      ${actions.canChange && latest && html`
        <button type="button" class="button button-small button-bad-text"
          onClick=${() => actions.remove([entry])}><${Icon} name="trash" />${t("common.delete")}</button>
      `}
      <a class="icon-button icon-button-small details-open" href=${url} target="_blank" rel="noopener"
        aria-label=${t("preview.new_tab")} title=${t("preview.new_tab")}><${Icon} name="external" /></a>
      <${IconButton} class="icon-button-small" icon="eye" label=${t(
        "preview.full_screen",
      )} onClick=${fullScreen} />
    </div>
    <dl class="facts">
      <dt>${t("common.size")}</dt>
      <dd>
        <${Bytes} value=${info.size} />
      </dd>
      <dt>${t("common.modified")}</dt>
      <dd>${info.last_modified
        ? html`<${Time} at=${info.last_modified} now=${now} />`
        : t("common.unknown")}</dd>
      <dt>${t("details.type")}</dt>
      <dd class="break">${info.content_type || t("details.not_set")}</dd>
      <dt>${t("details.class")}</dt>
      <dd>${storageClassName(info.storage_class || defaultClass)}</dd>
    </dl>
  `;
}
