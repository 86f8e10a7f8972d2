// @ts-check
/// <reference lib="dom" />
import { useRef } from "preact/hooks";
import { formatBytes } from "../format.js";
import { plural } from "../i18n.js";
import { Button, html, Icon, IconButton, Menu } from "../ui.js";
import { pickedFiles } from "../upload/walk.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * What can be done with the folder, or with what is selected in it.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function Toolbar({ browser, actions }) {
  const selected = browser.selection.value.keys.size;
  return html`<div class="browser-toolbar" role="toolbar" aria-label="Actions">${
    selected > 0
      ? html`<${SelectionBar} browser=${browser} actions=${actions} />`
      : html`<${Filter} browser=${browser} />
        ${browser.canWrite && html`<${Additions} browser=${browser} actions=${actions} />`}`
  }</div>`;
}

/** @param {{ browser: Browser }} props */
function Filter({ browser }) {
  const { filter } = browser.place.value;
  const leave = (/** @type {any} */ event) => {
    if (event.key !== "Escape" && event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    if (event.key === "Escape" && filter !== "") return browser.setFilter("");
    document.getElementById("objects")?.focus();
    if (browser.activeIndex.value < 0) browser.moveTo(0);
  };
  return html`
    <div class="filter-box">
      <${Icon} name="search" />
      <input id="filter" class="input" type="search" aria-label="Filter this folder"
        placeholder="Filter this folder"
        autocomplete="off" autocapitalize="off" spellcheck=${false} value=${filter}
        onInput=${(/** @type {any} */ event) => browser.setFilter(event.target.value)} onKeyDown=${leave} />
      <kbd aria-hidden="true">/</kbd>
    </div>
  `;
}

/** @param {{ browser: Browser, actions: BrowserActions }} props */
function Additions({ browser, actions }) {
  const files = useRef(/** @type {HTMLInputElement | null} */ (null));
  const folder = useRef(/** @type {HTMLInputElement | null} */ (null));
  actions.pickFiles = () => files.current?.click();
  actions.pickFolder = () => folder.current?.click();
  const take = (/** @type {any} */ event) => {
    actions.upload(pickedFiles(event.target.files), browser.place.value.prefix);
    event.target.value = "";
  };
  return html`
    <div class="toolbar-end">
      <${Button} icon="folder-plus" class="label-wide" onClick=${() =>
        actions.newFolder()}><span>New folder</span><//>
      <div class="split-button">
        <${Button} kind="primary" icon="upload" onClick=${() => actions.pickFiles()}>Upload<//>
        <${Menu} label="More ways to upload" icon="chevron-down" items=${[
          { label: "Upload files", icon: "file", run: () => actions.pickFiles() },
          { label: "Upload a folder", icon: "folder", run: () => actions.pickFolder() },
        ]} />
      </div>
      <input ref=${files} type="file" multiple hidden aria-label="Files to upload" onChange=${take} />
      <input ref=${folder} type="file" webkitdirectory hidden aria-label="Folder to upload" onChange=${take} />
    </div>
  `;
}

/** @param {{ browser: Browser, actions: BrowserActions }} props */
function SelectionBar({ browser, actions }) {
  const selected = browser.selected.value;
  const folders = selected.filter(({ folder }) => folder).length;
  const bytes = selected.reduce((sum, { size }) => sum + size, 0);
  const shown = new Set(browser.rows.value.map(({ key }) => key));
  const hidden = selected.filter(({ key }) => !shown.has(key)).length;
  const size = folders === selected.length
    ? ""
    : folders > 0
    ? `, ${formatBytes(bytes)} and ${plural(folders, "folder", "folders")}`
    : `, ${formatBytes(bytes)}`;
  return html`
    <p class="selection-text" role="status"><strong>${plural(
      selected.length,
      "item",
      "items",
    )} selected</strong>${size}${hidden > 0 && ` (${hidden} not shown)`}</p>
    <div class="toolbar-end">
      <${Button} icon="download" class="label-wide" disabled=${folders === selected.length}
        onClick=${() => actions.download(selected)}><span>Download</span><//>
      ${browser.canShare && selected.length === 1 && html`
        <${Button} icon="share" class="label-wide" onClick=${() =>
          actions.share(selected)}><span>Share</span><//>
      `}
      ${browser.canWrite && html`
        <${Button} icon="trash" class="label-wide button-bad-text"
          onClick=${() => actions.remove(selected)}><span>Delete</span><//>
      `}
      <${IconButton} icon="close" label="Clear selection" onClick=${() => browser.clearSelection()} />
    </div>
  `;
}
