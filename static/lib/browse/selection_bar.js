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

/** Where buttons have no labels, as in their styles. */
const narrow = "(max-width: 599px)";

/**
 * How much is selected, and what can be done with it.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function SelectionBar({ browser, actions }) {
  const selected = browser.selected.value;
  const objects = selected.some(({ folder }) => !folder);
  const counting = useSelectedSizes(browser, selected);
  const isNarrow = useNarrow();
  const share = () => actions.share(selected);
  const tag = () => actions.tag(selected);
  const canShare = browser.canShare && !browser.matching.value;
  const canTag = browser.canWrite && objects;
  const more = [
    ...canShare && isNarrow ? [{ label: t("browse.share_dots"), icon: "share", run: share }] : [],
    ...canTag && isNarrow ? [{ label: t("browse.tags_dots"), icon: "edit", run: tag }] : [],
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
      <${Action} icon="download" label=${t("common.download")} run=${() => actions.download(selected)} />
      ${browser.canWrite && html`
        <${Action} icon="copy" label=${t("common.copy")} run=${() => actions.copy(selected)} />
        <${Action} icon="move" label=${t("browse.move")} run=${() => actions.move(selected)} />
      `}
      ${canShare && !isNarrow &&
        html`
          <${Action} icon="share" label=${t("details.share")} class="label-roomy" run=${share} />
        `}
      ${canTag && !isNarrow &&
        html`
          <${Action} icon="edit" label=${t("details.tab_tags")} class="label-roomy" run=${tag} />
        `}
      ${browser.canWrite &&
        html`
          <${Action} icon="trash" label=${t("common.delete")} class="button-bad-text" run=${() =>
            actions.remove(selected)} />
        `}
      <${Menu} label=${t("browse.more_actions")} items=${more} />
      <${IconButton} icon="close" label=${t("common.clear_selection")} onClick=${clear} />
    </div>
  `;
}

/**
 * A button that keeps its label where there is room for it.
 * @param {{ icon: string, label: string, class?: string, run: () => unknown }} props
 */
function Action({ icon, label, class: extra = "", run }) {
  return html`
    <${Button} icon=${icon} class=${`label-wide ${extra}`} aria-label=${label}
      onClick=${run}><span>${label}</span><//>
  `;
}

/** Whether there is no room for what is done more seldom, which the menu has then. */
function useNarrow() {
  const [media] = useState(() => matchMedia(narrow));
  const [isNarrow, setNarrow] = useState(media.matches);
  useEffect(() => {
    const note = () => setNarrow(media.matches);
    media.addEventListener("change", note);
    return () => media.removeEventListener("change", note);
  }, []);
  return isNarrow;
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
