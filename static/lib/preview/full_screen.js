// @ts-check
/// <reference lib="dom" />
import { useRef, useState } from "preact/hooks";
import { contentUrl, nameOf } from "../details/addresses.js";
import { useObjectInfo } from "../details/object_info.js";
import { openDialog } from "../dialog.js";
import { t } from "../i18n.js";
import { loadStyles } from "../styles.js";
import { html, Icon, IconButton, Notice } from "../ui.js";
import { preview } from "./lazy_preview.js";
import { useNextObject } from "./next_object.js";
import { PreviewWait } from "./unshown.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { DialogControls } from "../dialog.js" */

/** What keeps its own arrow keys: fields, and what plays. */
const ownKeys = "input, textarea, select, video, audio";

/**
 * Shows an object over the whole page, from which the arrow keys, `j` and `k` go to the ones beside it in the list.
 * @param {Browser} browser
 * @param {{ key: string, version?: string }} object
 */
export async function openFullScreen(browser, { key, version = "" }) {
  await Promise.all([loadStyles("lazy.css"), preview.load()]);
  await openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) => html`<${FullScreen} ...${controls} browser=${browser} first=${{ key, version }} />`,
  );
}

/** @param {DialogControls<void> & { browser: Browser, first: { key: string, version: string } }} props */
function FullScreen({ close, titleId, browser, first }) {
  const [shown, setShown] = useState(first);
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  const rows = browser.rows.value.filter(({ folder }) => !folder);
  const index = rows.findIndex(({ key }) => key === shown.key);
  const step = (/** @type {1 | -1} */ by) => {
    const next = rows[index + by];
    if (index < 0 || next === undefined) return;
    setShown({ key: next.key, version: "" });
    browser.activeKey.value = next.key;
    if (browser.place.value.open !== "") browser.showDetails(next.key);
    frame.current?.focus();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "p") return close();
    const by = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(ownKeys)) return;
    event.preventDefault();
    step(/** @type {1 | -1} */ (by));
  };
  return html`
    <div class="full-preview" tabindex="-1" data-autofocus ref=${frame} onKeyDown=${keys}>
      <header class="full-preview-head">
        <h2 id=${titleId} class="truncate" title=${shown.key}><bdi>${nameOf(shown.key)}</bdi></h2>
        ${index >= 0 && rows.length > 1 && html`
          <span class="muted nowrap">${t("preview.position", { n: index + 1, all: rows.length })}</span>
          <${IconButton} icon="chevron-left" label=${t(
            "preview.previous",
          )} disabled=${index === 0} onClick=${() => step(-1)} />
          <${IconButton} icon="chevron-right" label=${t("preview.next")} disabled=${index === rows.length - 1}
            onClick=${() => step(1)} />
        `}
        <a class="icon-button" download href=${contentUrl(
          browser.api,
          shown.key,
          "attachment",
          shown.version,
        )}
          aria-label=${t("common.download")} title=${t("common.download")}><${Icon} name="download" /></a>
        <${IconButton} icon="close" label=${t("common.close")} onClick=${() => close()} />
      </header>
      <div class="full-preview-body">
        <${FullContent} key=${`${shown.version} ${shown.key}`} browser=${browser} objectKey=${shown.key}
          version=${shown.version} />
      </div>
    </div>
  `;
}

/** @param {{ browser: Browser, objectKey: string, version: string }} props */
function FullContent({ browser, objectKey, version }) {
  const { info, failure } = useObjectInfo(browser, objectKey, version);
  useNextObject(browser, objectKey);
  if (failure) return html`<${Notice} kind="bad" role="alert">${failure.message}<//>`;
  if (info === null) return html`<${PreviewWait} />`;
  return html`
    <${preview.View} url=${contentUrl(browser.api, objectKey, "inline", version)} name=${objectKey}
      contentType=${info.content_type ?? ""} size=${info.size} etag=${info.etag} />
  `;
}
