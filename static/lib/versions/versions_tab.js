// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { withBase } from "../base.js";
import { shellWord, ShowCommand } from "../commands.js";
import { contentUrl } from "../details/addresses.js";
import { confirm } from "../dialog.js";
import { formatBytes, formatDateTime } from "../format.js";
import { t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { Menu } from "../menu.js";
import { Badge, Button, Bytes, EmptyState, html, Icon, Notice, Skeleton, Time } from "../ui.js";
import { announceChange, restoreVersion } from "./restore.js";
import { knownVersions } from "./version_list.js";

/** @import { TabProps } from "../details/details.js" */
/** @import { Version } from "./version_list.js" */

/** Versions of one object that are listed. */
const maxVersions = 5000;

/**
 * The versions of an object, newest first, and what is done with them.
 * @param {Omit<TabProps, "info">} props
 */
export function VersionsTab({ browser, objectKey, version: shown, now, reload }) {
  const [page, setPage] = useState(/** @type {{ versions: Version[], complete: boolean } | null} */ (null));
  const [failure, setFailure] = useState(/** @type {any} */ (null));
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const options = { limit: maxVersions, signal: abort.signal };
    knownVersions(browser, { key: objectKey }, options).then(setPage, (problem) => {
      if (!abort.signal.aborted) setFailure(problem);
    });
    return () => abort.abort();
  }, [round]);
  if (failure?.code === "not_supported") {
    return html`<${EmptyState} icon="clock" title=${t("versions.none_here")}>${
      t("versions.none_here_hint")
    }<//>`;
  }
  if (failure) return html`<${Notice} kind="bad" role="alert">${failure.message}<//>`;
  if (page === null) return html`<${Skeleton} rows=${4} />`;
  const { versions } = page;
  if (versions.length === 0) return html`<${EmptyState} icon="clock" title=${t("versions.no_versions")} />`;
  const changed = () => {
    setRound(round + 1);
    reload();
    announceChange(browser, objectKey);
  };
  const bytes = versions.reduce((sum, { size }) => sum + size, 0);
  const older = versions.filter(({ is_latest }) => !is_latest).reduce((sum, { size }) => sum + size, 0);
  const deleteAll = async () => {
    const { removeAllVersions } = await import("../browse/delete.js");
    const entry = {
      key: objectKey,
      name: objectKey.slice(objectKey.lastIndexOf("/", objectKey.length - 2) + 1),
    };
    await removeAllVersions(browser, {
      ...entry,
      folder: false,
      size: bytes,
      modified: 0,
      storageClass: "",
    });
    setRound(round + 1);
  };
  const unversioned = versions.length === 1 && versions[0].version_id === "null";
  return html`
    <p class="limit-line"><strong>${t("versions.count", { n: versions.length })}</strong>
      <span class="faint">${t("versions.cost", {
        size: formatBytes(bytes),
        older: formatBytes(older),
      })}</span></p>
    ${unversioned && html`<${Notice}>${t("versions.unversioned")}<//>`}
    <ol class="timeline">${versions.map((version, index) =>
      html`
        <${VersionItem} key=${version
          .version_id} browser=${browser} version=${version} below=${versions[index + 1]}
          latest=${versions.find(({ is_latest }) =>
            is_latest
          )} shown=${version.version_id === shown} now=${now}
          changed=${changed} />
      `
    )}</ol>
    ${!page.complete && html`<p class="field-hint">${t("versions.first", { n: versions.length })}</p>`}
    ${browser.canWrite && versions.length > 1 && html`
      <div class="preview-bar">
        <${Button} small=${true} icon="trash" onClick=${deleteAll}>${t(
          "versions.delete_all",
        )}<//>
      </div>
    `}
    <${ShowCommand} lines=${[
      `aws s3api list-object-versions --bucket ${shellWord(browser.bucket)} --prefix ${shellWord(objectKey)}`,
    ]} />
  `;
}

/**
 * @typedef {object} ItemProps
 * @property {TabProps["browser"]} browser
 * @property {Version} version
 * @property {Version | undefined} below the one before it
 * @property {Version | undefined} latest
 * @property {boolean} shown whether the details show it now
 * @property {number} now
 * @property {() => void} changed
 */

/** @param {ItemProps} props */
function VersionItem(props) {
  const { browser, version, shown, now } = props;
  const { is_delete_marker: marker, is_latest: latest, last_modified, size, version_id } = version;
  const preview = () => browser.alter({ version: latest ? "" : version_id, tab: "" });
  return html`
    <li class="timeline-item ${marker ? "timeline-marker" : ""}" aria-current=${shown ? "true" : undefined}>
      <span class="timeline-dot"><${Icon} name=${marker ? "trash" : "file"} /></span>
      <div class="timeline-text">
        <p>${marker
          ? html`<s>${t("versions.delete_marker")}</s>`
          : html`<button type="button" class="link-button" onClick=${preview}>${
            formatDateTime(Date.parse(last_modified))
          }</button>`} ${latest && html`<${Badge} kind="ok">${t("versions.latest")}<//>`}</p>
        <p
          class="muted"><${Time} at=${last_modified} now=${now} />${!marker && html`
            · <span title=${t("versions.costs")}><${Bytes} value=${size} /></span>
          `} · <code class="version-id" title=${version_id}>${version_id}</code></p>
      </div>
      <${Menu} label=${t("versions.actions", { time: formatDateTime(Date.parse(last_modified)) })}
        items=${menuOf(props, preview)} />
    </li>
  `;
}

/**
 * @param {ItemProps} props
 * @param {() => void} preview
 */
function menuOf({ browser, version, below, latest, changed }, preview) {
  const { key, version_id, is_delete_marker: marker, is_latest } = version;
  const compare = async (/** @type {Version} */ older, /** @type {Version} */ newer) => {
    const { openComparison } = await import("./compare_dialog.js");
    await openComparison(browser, older, newer);
  };
  const share = async () => {
    const { askShare } = await import("../shares/share_dialog.js");
    await askShare(
      browser,
      [{ key, name: key, folder: false, size: 0, modified: 0, storageClass: "" }],
      version_id,
    );
  };
  const items = [];
  if (!marker) {
    items.push({ label: t("versions.preview"), icon: "eye", run: preview });
    items.push({ label: t("common.download"), icon: "download", run: () => download(browser.api, version) });
    if (below && !below.is_delete_marker) {
      items.push({ label: t("versions.compare_before"), icon: "list", run: () => compare(below, version) });
    }
    if (latest && latest !== version && !latest.is_delete_marker) {
      items.push({ label: t("versions.compare_latest"), icon: "list", run: () => compare(version, latest) });
    }
    if (browser.canShare) items.push({ label: t("versions.share"), icon: "share", run: share });
  }
  if (!browser.canWrite) return items;
  if (!marker && !is_latest) {
    const undelete = latest?.is_delete_marker === true;
    items.push({
      label: t("versions.restore"),
      icon: "refresh",
      run: () => restore(browser.api, version, undelete, changed),
    });
  }
  items.push({
    label: marker ? t("versions.remove_marker") : t("versions.delete"),
    icon: "trash",
    danger: true,
    run: () => askDelete(browser, version, changed),
  });
  return items;
}

/**
 * @param {string} api
 * @param {Version} version
 */
function download(api, { key, version_id }) {
  const link = document.createElement("a");
  link.href = withBase(contentUrl(api, key, "attachment", version_id));
  link.download = "";
  link.click();
}

/**
 * @param {string} api
 * @param {Version} version
 * @param {boolean} undelete whether the object is deleted now
 * @param {() => void} changed
 */
async function restore(api, version, undelete, changed) {
  try {
    await restoreVersion(api, version, null);
    toast(undelete ? t("versions.undeleted") : t("versions.restored"));
    changed();
  } catch (error) {
    toastError(t("versions.not_restored"), error);
  }
}

/**
 * @param {TabProps["browser"]} browser
 * @param {Version} version
 * @param {() => void} changed
 */
async function askDelete(browser, version, changed) {
  const { key, version_id, is_delete_marker: marker, is_latest, last_modified, size } = version;
  const facts = { time: formatDateTime(Date.parse(last_modified)), size: formatBytes(size) };
  const done = await confirm({
    title: marker ? t("versions.remove_marker_title") : t("versions.delete_title"),
    body: html`
      <div class="stack">
        <p>${marker ? t("versions.remove_marker_text") : t("versions.delete_text", facts)}</p>
        ${is_latest && !marker && html`<p>${t("versions.delete_latest_text")}</p>`}
        <${ShowCommand} lines=${[
          `aws s3api delete-object --bucket ${shellWord(browser.bucket)} --key ${
            shellWord(key)
          } --version-id ${shellWord(version_id)}`,
        ]} />
      </div>
    `,
    action: marker ? t("versions.remove_marker") : t("versions.delete"),
    danger: !marker,
    run: () => deleteVersion(browser.api, key, version_id),
  });
  if (!done) return;
  toast(marker ? t("versions.undeleted") : t("versions.deleted"));
  if (browser.place.value.version === version_id) browser.alter({ version: "" }, { replace: true });
  changed();
}

/**
 * Deletes a version. Throws an error that says so where a lock may be what keeps it.
 *
 * @param {string} api
 * @param {string} key
 * @param {string} version_id
 */
async function deleteVersion(api, key, version_id) {
  try {
    await request("DELETE", `${api}/object`, { query: { key, version_id } });
  } catch (error) {
    const refused = /** @type {any} */ (error).detail?.upstream_code;
    if (refused === "AccessDenied" || refused === "ObjectLocked" || refused === "InvalidRequest") {
      throw new Error(t("versions.locked"));
    }
    throw error;
  }
}
