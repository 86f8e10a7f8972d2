// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { Menu } from "../menu.js";
import { Button, html, IconButton } from "../ui.js";
import { countFolder } from "./folder_sizes.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Entry } from "./entries.js" */

/** Selected folders that are counted: each takes the server a listing. */
const maxCounted = 20;

/** Milliseconds for which a selection stays before that. */
const restTime = 400;

/**
 * How much is selected, and what can be done with it.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function SelectionBar({ browser, actions }) {
  const selected = browser.selected.value;
  const objects = selected.some(({ folder }) => !folder);
  const counting = useSelectedSizes(browser, selected);
  const more = [
    ...browser.canShare && !browser.matching.value
      ? [{ label: t("browse.share_dots"), icon: "share", run: () => actions.share(selected) }]
      : [],
    ...browser.canWrite && objects
      ? [{ label: t("browse.tags_dots"), icon: "edit", run: () => actions.tag(selected) }]
      : [],
    { label: t("browse.copy_uri"), icon: "copy", run: () => actions.copyUris(selected) },
    { label: t("browse.copy_link"), icon: "link", run: () => actions.copyLinks(selected) },
  ];
  const clear = () => {
    browser.clearSelection();
    document.getElementById("objects")?.focus();
  };
  return html`
    <p class="selection-text" role="status"><strong>${countText(browser)}</strong>${detailText(
      browser,
      counting,
    )}</p>
    ${browser.canSelectMatching && !browser.matching.value && html`
      <${Button} kind="quiet" small onClick=${() => browser.matching.value = true}>
          ${t("browse.select_matching")}<//>
    `}
    <div class="toolbar-end">
      <${Button} icon="download" class="label-wide"
        onClick=${() => actions.download(selected)}><span>${t("common.download")}</span><//>
      ${browser.canWrite && html`
        <${Button} icon="copy" class="label-wide" onClick=${() => actions.copy(selected)}><span>${t(
          "common.copy",
        )}</span><//>
        <${Button} icon="move" class="label-wide" onClick=${() => actions.move(selected)}><span>${t(
          "browse.move",
        )}</span><//>
        <${Button} icon="trash" class="label-wide button-bad-text"
          onClick=${() => actions.remove(selected)}><span>${t("common.delete")}</span><//>
      `}
      <${Menu} label=${t("browse.more_actions")} items=${more} />
      <${IconButton} icon="close" label=${t("common.clear_selection")} onClick=${clear} />
    </div>
  `;
}

/**
 * Has the server count what is in the selected folders, once the selection rests. Returns whether that is under way.
 * @param {Browser} browser
 * @param {readonly Entry[]} selected
 */
function useSelectedSizes(browser, selected) {
  const folders = browser.matching.value ? [] : selected.filter(({ folder }) => folder);
  const uncounted = folders.map(({ key }) => key).filter((key) => !browser.folderSizes.value.has(key));
  const [next] = folders.length <= maxCounted ? uncounted : [];
  const [failed, setFailed] = useState("");
  useEffect(() => {
    if (next === undefined) return;
    const abort = new AbortController();
    const count = () => countFolder(browser, next, abort.signal).catch(() => setFailed(next));
    const timer = setTimeout(count, restTime);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [next]);
  return next !== undefined && next !== failed;
}

/** @param {Browser} browser */
function countText(browser) {
  if (!browser.matching.value) return t("browse.selected", { n: browser.selected.value.length });
  const { filter } = browser.place.value;
  return filter === "" ? t("browse.selected_folder") : t("browse.selected_matching", { filter });
}

/**
 * @param {Browser} browser
 * @param {boolean} counting whether it is being counted what is in folders
 */
function detailText(browser, counting) {
  if (browser.matching.value) return `, ${t("browse.more_than_loaded", { n: browser.rows.value.length })}`;
  const selected = browser.selected.value;
  const folders = selected.filter(({ folder }) => folder);
  const sizes = browser.folderSizes.value;
  const uncounted = folders.filter(({ key }) => !sizes.has(key));
  const more = folders.some(({ key }) => sizes.get(key)?.truncated);
  const bytes = selected.reduce((sum, { key, size }) => sum + (sizes.get(key)?.bytes ?? size), 0);
  const shown = new Set(browser.rows.value.map(({ key }) => key));
  const hidden = selected.filter(({ key }) => !shown.has(key)).length;
  const parts = [];
  if (hidden > 0) parts.push(` (${t("browse.not_shown", { n: hidden })})`);
  if (uncounted.length < selected.length) parts.push(`, ${more ? "≥ " : ""}${formatBytes(bytes)}`);
  if (uncounted.length > 0 && uncounted.length < selected.length) {
    parts.push(` ${t("browse.and_folders", { n: uncounted.length })}`);
  }
  if (counting) parts.push(` (${t("browse.counting")})`);
  return parts.join("");
}
