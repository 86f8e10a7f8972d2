// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { iconOf, KeyLabel } from "../browse/key_label.js";
import { objectUrl } from "../browse/object_urls.js";
import { announce } from "../frame_updates.js";
import { t } from "../i18n.js";
import { patience } from "../patience.js";
import { preview } from "../preview/lazy_preview.js";
import { loadStyles } from "../styles.js";
import { Button, EmptyState, html, Icon, IconButton, Notice, Skeleton } from "../ui.js";
import { nameOf } from "./addresses.js";
import { isSheet, useCovered } from "./covered.js";
import { useObjectInfo } from "./object_info.js";
import { PaneEdge, usePaneWidth } from "./pane_width.js";
import { TabList } from "./tab_list.js";

/** @import { BrowserActions } from "../browse/actions.js" */
/** @import { Browser } from "../browse/browser.js" */
/** @import { ObjectInfo } from "./object_info.js" */

/**
 * What every tab is given. `version` is empty for the latest one; `reload` reads what is known of the object anew.
 * @typedef {object} TabProps
 * @property {Browser} browser
 * @property {BrowserActions} actions
 * @property {ObjectInfo} info
 * @property {string} objectKey
 * @property {string} version
 * @property {number} now milliseconds since the epoch
 * @property {() => Promise<void>} reload
 */

/** The tabs by the names that they have in the address, each loaded when it is opened. */
const loaders = {
  preview: async () => {
    const [{ PreviewTab }] = await Promise.all([import("./preview_tab.js"), preview.load()]);
    return PreviewTab;
  },
  info: async () => (await import("./info_tab.js")).InfoTab,
  versions: styled(async () => (await import("../versions/versions_tab.js")).VersionsTab),
  tags: styled(async () => (await import("./tags_tab.js")).TagsTab),
  metadata: styled(async () => (await import("./metadata_tab.js")).MetadataTab),
  access: styled(async () => (await import("./access_tab.js")).AccessTab),
  activity: async () => (await import("./activity_tab.js")).ActivityTab,
};

/**
 * A tab that needs more styles than the details.
 * @template View
 * @param {() => Promise<View>} load
 */
function styled(load) {
  return async () => (await Promise.all([load(), loadStyles("lazy.css")]))[0];
}

/** @typedef {keyof typeof loaders} TabName */

/**
 * What keeps the keys that step to another object: fields, and what scrolls or plays by itself.
 */
const ownKeys =
  "input, textarea, select, pre, video, audio, .preview[tabindex], [role=tablist], [role=separator]";

/**
 * The details of the open object: its head, and one of several tabs.
 * @param {{ browser: Browser, actions: BrowserActions, now: number }} props
 */
export function Details({ browser, actions, now }) {
  const { open: key, version = "" } = browser.place.value;
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = usePaneWidth();
  useEffect(() => {
    if (key === "" || panel.current === null) return;
    // Where it covers the list it takes the focus; beside the list, the list keeps it and the arrow keys go on.
    if (isSheet()) panel.current.focus();
    else announce(`${t("details.title")}: ${nameOf(key)}`);
  }, [key !== ""]);
  useEffect(() => {
    // In the server's markup a `style` attribute is not allowed.
    panel.current?.style.setProperty("--details-width", `${width}px`);
  }, [width, key !== ""]);
  const close = () => {
    browser.closeDetails();
    document.getElementById("objects")?.focus();
  };
  useCovered(browser, panel, key !== "", close);
  if (key === "") return null;
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[event.key];
    const kept = event.target instanceof Element && event.target.closest(ownKeys);
    if (event.key === "Escape" && browser.hasSelection && !isSheet()) browser.clearSelection();
    else if (event.key === "Escape") close();
    else if (step && !kept && !event.ctrlKey && !event.metaKey && !event.altKey) {
      browser.stepDetails(/** @type {1 | -1} */ (step));
    } else return;
    event.preventDefault();
  };
  return html`
    <aside class="details" aria-label=${t("details.title")} tabindex="-1" ref=${panel} onKeyDown=${keys}>
      <${PaneEdge} width=${width} onChange=${setWidth} />
      <header class="details-head">
        <${Icon} name=${iconOf({ folder: false, name: nameOf(key) })} />
        <h2 title=${key}>
          <${KeyLabel} name=${nameOf(key)} />
        </h2>
        ${!browser.isPast && html`
          <${IconButton} icon="chevron-up" label=${t("preview.previous")} onClick=${() =>
            browser.stepDetails(-1)} />
          <${IconButton} icon="chevron-down" label=${t("preview.next")} onClick=${() =>
            browser.stepDetails(1)} />
        `}
        <${IconButton} icon="close" label=${t("details.close")} onClick=${close} />
      </header>
      <${ObjectDetails} key=${`${version} ${key}`} browser=${browser} actions=${actions} objectKey=${key}
        version=${version} now=${now} />
    </aside>
  `;
}

/** @param {Omit<TabProps, "info" | "reload">} props */
function ObjectDetails({ browser, actions, objectKey, version, now }) {
  const { info, failure, reload } = useObjectInfo(browser, objectKey, version);
  const tabs = tabsFor(browser);
  const tab = tabs.find(([name]) => name === browser.place.value.tab)?.[0] ?? "preview";
  const View = useTab(tab);
  const showTab = (/** @type {TabName} */ name) => browser.alter({ tab: name === "preview" ? "" : name });
  const body = failure
    // A deleted object still has its versions.
    ? tab === "versions" && View && failure.code === "not_found"
      ? html`
        <${View} browser=${browser} actions=${actions} objectKey=${objectKey} version=${version} now=${now}
          reload=${reload} />
      `
      : html`<${Failure} failure=${failure} reload=${reload} onVersions=${() => showTab("versions")} />`
    : info && View
    ? html`
      <${View} browser=${browser} actions=${actions} info=${info} objectKey=${objectKey}
        version=${version}
        now=${now} reload=${reload} />
    `
    : html`
      <div class="preview preview-wait">
        <${Skeleton} rows=${4} />
      </div>
      <p class="without-script"><span class="row">
        <a class="button" href=${objectUrl(browser.api, objectKey, "attachment")} download>${t(
          "common.download",
        )}</a>
        <a class="button" href="${browser.href({
          ...browser.place.value,
          tab: "versions",
        })}&list=table&${patience}=1">${t(
          "browse.versions_link",
        )}</a>
      </span></p>
    `;
  return html`
    <${TabList} id="details" label=${t("details.tabs")} value=${tab} tabs=${tabs} onChange=${showTab} />
    <div class="details-body" id="details-panel" role="tabpanel" aria-labelledby="details-${tab}"
      tabindex="-1">
      ${version !== "" && html`
        <${Notice} action=${html`<${Button} small=${true} onClick=${() => browser.alter({ version: "" })}>${
          t("details.show_latest")
        }<//>`}>${t("details.old_version")}<//>
      `}
      ${body}
    </div>
  `;
}

/**
 * @param {Browser} browser
 * @returns {[TabName, string][]}
 */
function tabsFor(browser) {
  /** @type {[TabName, string][]} */
  const tabs = [
    ["preview", t("details.tab_preview")],
    ["info", t("details.tab_info")],
    ["versions", t("details.tab_versions")],
    ["tags", t("details.tab_tags")],
    ["metadata", t("details.tab_metadata")],
    ["access", t("details.tab_access")],
  ];
  if (browser.canAudit) tabs.push(["activity", t("details.tab_activity")]);
  return tabs;
}

/**
 * The view of a tab, `null` until it is loaded.
 * @param {TabName} tab
 */
function useTab(tab) {
  const [loaded, setLoaded] = useState(
    /** @type {{ tab: TabName, View: import("preact").ComponentType<any> } | null} */ (null),
  );
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  useEffect(() => {
    // On a page that begins with it, after what makes the page usable.
    const timer = setTimeout(() => loaders[tab]().then((View) => setLoaded({ tab, View }), setError));
    return () => clearTimeout(timer);
  }, [tab]);
  if (error !== null) throw error;
  return loaded?.tab === tab ? loaded.View : null;
}

/** @param {{ failure: { code: string, message: string }, reload: () => Promise<void>, onVersions: () => void }} props */
function Failure({ failure, reload, onVersions }) {
  if (failure.code === "not_found") {
    return html`<${EmptyState} icon="file" title=${
      t("details.gone")
    } action=${html`<${Button} onClick=${onVersions}>${t("details.look_at_versions")}<//>`}>${
      t("details.gone_hint")
    }<//>`;
  }
  return html`<${Notice} kind="bad" role="alert" action=${html`<${Button} small=${true} onClick=${reload}>${
    t("common.retry")
  }<//>`}>${failure.message}<//>`;
}
