// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n.js";
import { Menu } from "../menu.js";
import { commitTyped } from "../typed_address.js";
import { Button, html, Icon, IconButton } from "../ui.js";
import { kindsBar, selectionBar, viewMenu } from "./lazy_parts.js";

/** @import { BrowserActions } from "./actions.js" */
/** @import { Browser } from "./browser.js" */

/**
 * What can be done with the folder, or with what is selected in it.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function Toolbar({ browser, actions }) {
  const selected = browser.hasSelection;
  const { kinds } = browser.place.value;
  useEffect(() => {
    if (selected) selectionBar.load();
  }, [selected]);
  useEffect(() => {
    if (kinds) kindsBar.load();
  }, [kinds]);
  return html`
    <div class="browser-toolbar" role="toolbar" aria-label=${t("common.actions")}>${selected
      ? html`<${selectionBar.View} browser=${browser} actions=${actions} />`
      : html`<${Filter} browser=${browser} />
        <${Views} browser=${browser} />
        ${actions.canChange && html`<${Additions} browser=${browser} actions=${actions} />`}`}</div>
    ${browser.choosingKinds.value && html`<${kindsBar.View} browser=${browser} />`}
  `;
}

/** @param {{ browser: Browser }} props */
function Filter({ browser }) {
  const { filter } = browser.place.value;
  const leave = (/** @type {any} */ event) => {
    if (event.key !== "Escape" && event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    if (event.key === "Escape" && filter !== "") {
      browser.setFilter("");
      return commitTyped();
    }
    document.getElementById("objects")?.focus();
    if (browser.activeIndex.value < 0) browser.moveTo(0);
  };
  return html`
    <div class="filter-box">
      <${Icon} name="search" />
      <input id="filter" class="input" type="search" aria-label=${t("browse.filter_folder")}
        placeholder=${t("browse.filter_folder")}
        autocomplete="off" autocapitalize="off" spellcheck=${false} value=${filter}
        onInput=${(/** @type {any} */ event) => browser.setFilter(event.target.value)}
        onChange=${commitTyped} onKeyDown=${leave} />
      <kbd aria-hidden="true">/</kbd>
    </div>
  `;
}

/**
 * How the folder is shown: which kinds of rows, as a list or as pictures, with which columns.
 * @param {{ browser: Browser }} props
 */
function Views({ browser }) {
  const { view, kinds } = browser.place.value;
  const choose = async () => {
    await kindsBar.load();
    browser.choosingKinds.value = !browser.choosingKinds.value;
    if (!browser.choosingKinds.value && kinds) browser.alter({ kinds: "" });
  };
  const isGrid = view === "grid";
  return html`
    <div class="toolbar-views">
      <${IconButton} icon="filter" label=${t("browse.filter_by_type")}
        aria-pressed=${browser.choosingKinds.value ? "true" : "false"} onClick=${choose} />
      <${IconButton} icon=${isGrid ? "list" : "grid"} label=${isGrid
        ? t("browse.as_list")
        : t("browse.as_grid")}
        onClick=${() => browser.alter({ view: isGrid ? "" : "grid" })} />
      <${ViewOptions} browser=${browser} />
    </div>
  `;
}

/**
 * The button with the menu of the list's columns and the like.
 * @param {{ browser: Browser }} props
 */
export function ViewOptions({ browser }) {
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  const openMenu = async () => {
    await viewMenu.load();
    browser.viewMenuOpen.value = true;
  };
  return html`
    <span class="menu-anchor" ref=${button}><${IconButton} icon="columns" label=${t("browse.view_options")}
      aria-haspopup="menu" onClick=${openMenu} /></span>
    <${viewMenu.View} browser=${browser} anchor=${button} />
  `;
}

/**
 * What puts something into the folder.
 * @param {{ browser: Browser, actions: BrowserActions }} props
 */
export function Additions({ browser, actions }) {
  const files = useRef(/** @type {HTMLInputElement | null} */ (null));
  const folder = useRef(/** @type {HTMLInputElement | null} */ (null));
  const asking = useRef(false);
  const [takesFolders, setTakesFolders] = useState(true);
  // What the server has drawn is taken over first.
  useEffect(() => setTakesFolders(actions.takesFolders), []);
  const open = (/** @type {HTMLInputElement | null} */ input, ask = false) => {
    asking.current = ask;
    input?.click();
  };
  const pick = async ({ ask = false } = {}) => {
    if (!hasPicker()) return open(files.current, ask);
    const { prefix } = browser.place.value;
    const { pickFiles } = await import("../upload/pick.js");
    const found = await pickFiles();
    if (found !== null) actions.upload(found, prefix, { ask });
  };
  actions.choosers = { files: pick, folder: () => open(folder.current) };
  const take = async (/** @type {any} */ { target }) => {
    const chosen = [...target.files];
    target.value = "";
    const { prefix } = browser.place.value;
    const { pickedFiles } = await import("../upload/walk.js");
    actions.upload(pickedFiles(chosen), prefix, { ask: asking.current });
  };
  return html`
    <div class="toolbar-end">
      <${Button} icon="folder-plus" class="label-wide" onClick=${() => actions.newFolder()}><span>${t(
        "browse.new_folder",
      )}</span><//>
      <div class="split-button">
        <${Button} kind="primary" icon="upload" onClick=${() => actions.pickFiles()}>${t("browse.upload")}<//>
        <${Menu} label=${t("browse.more_uploads")} icon="chevron-down" items=${[
          { label: t("browse.upload_files"), icon: "file", run: () => actions.pickFiles() },
          ...takesFolders
            ? [{ label: t("browse.upload_folder"), icon: "folder", run: () => actions.pickFolder() }]
            : [],
          { label: t("browse.paste"), icon: "copy", run: () => actions.paste() },
          ...browser.canShare
            ? [{ label: t("browse.request_files"), icon: "share", run: () => actions.requestFiles() }]
            : [],
          {
            label: t("browse.upload_options"),
            icon: "settings",
            run: () => actions.pickFiles({ ask: true }),
          },
        ]} />
      </div>
      <input ref=${files} type="file" multiple hidden aria-label=${t("browse.files_to_upload")}
        onChange=${take} />
      <input ref=${folder} type="file" webkitdirectory hidden aria-label=${t("browse.folder_to_upload")}
        onChange=${take} />
    </div>
  `;
}

/** Programs that drive a browser, by WebDriver, can set the files of an input and answer no other dialog. */
function hasPicker() {
  return "showOpenFilePicker" in globalThis && !navigator.webdriver;
}
