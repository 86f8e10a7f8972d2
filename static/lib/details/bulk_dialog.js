// @ts-check
/// <reference lib="dom" />
import { useMemo, useState } from "preact/hooks";
import { request } from "../api.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { t } from "../i18n.js";
import { Segmented } from "../segmented.js";
import { loadStyles } from "../styles.js";
import { toast } from "../toast.js";
import { Button, html, Notice } from "../ui.js";
import { announceChange } from "../versions/restore.js";
import { bulkCommands } from "./bulk_commands.js";
import { BulkProgress } from "./bulk_progress.js";
import { BulkRun } from "./bulk_run.js";
import { contentTypeOf } from "./content_types.js";
import { PairEditor } from "./pair_editor.js";
import { maxTags, recordOf, tagFaults } from "./pairs.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { Entry } from "../browse/entries.js" */
/** @import { DialogControls } from "../dialog.js" */
/** @import { Pair } from "./pairs.js" */

/** Changes of content types that are listed before they are made. */
const maxListed = 100;

/** @typedef {"add" | "replace" | "remove" | "types"} BulkMode */

/**
 * Asks what is to be changed about several objects, and changes it: tags, or content types by extension. Folders are left
 * out, which is said.
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {{ mode?: BulkMode }} [options] what is offered first
 */
export async function askBulkChange(browser, entries, { mode = "add" } = {}) {
  const objects = entries.filter(({ folder }) => !folder);
  if (objects.length === 0) {
    toast(t("details.bulk_only_folders"), { kind: "info" });
    return;
  }
  await loadStyles("lazy.css");
  const props = { browser, objects, folders: entries.length - objects.length, first: mode };
  await openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) => html`<${BulkDialog} ...${controls} ...${props} />`,
  );
}

/** @param {DialogControls<void> & { browser: Browser, objects: readonly Entry[], folders: number, first: BulkMode }} props */
function BulkDialog({ close, block, titleId, browser, objects, folders, first }) {
  const [mode, setMode] = useState(first);
  const [pairs, setPairs] = useState(/** @type {Pair[]} */ ([{ name: "", value: "" }]));
  const wanted = recordOf(pairs);
  const typed = useMemo(
    () => objects.flatMap((entry) => contentTypeOf(entry.key) === null ? [] : [entry]),
    [objects],
  );
  const [run, setRun] = useState(/** @type {BulkRun<Entry> | null} */ (null));
  const faults = tagFaults(pairs);
  const names = Object.keys(wanted);
  const running = run?.state.value === "running";
  const ended = run !== null && !running;
  const ready = mode === "types"
    ? typed.length > 0
    : faults.size === 0 && (names.length > 0 || mode === "replace");
  const start = async () => {
    const next = new BulkRun((/** @type {Entry} */ { key }) => applyTo(browser, key, mode, wanted));
    setRun(next);
    block(true);
    await next.start(mode === "types" ? typed : objects);
    block(false);
    if (mode === "types") announceChange(browser, browser.place.value.prefix);
  };
  const footer = html`
    <${Button} disabled=${running} onClick=${() => close()}>${ended
      ? t("common.close")
      : t("common.cancel")}<//>
    ${!ended &&
      html`<${Button} kind="primary" busy=${running} disabled=${!ready} onClick=${start}>${
        mode === "types"
          ? t("details.bulk_set_types", { n: typed.length })
          : mode === "add"
          ? t("details.bulk_add", { n: objects.length })
          : mode === "replace"
          ? t("details.bulk_replace", { n: objects.length })
          : t("details.bulk_remove", { n: objects.length })
      }<//>`}
  `;
  return html`
    <${DialogFrame} title=${t("details.bulk_title", { n: objects.length })} titleId=${titleId}
      onClose=${running ? undefined : close} footer=${footer}>
      <div class="stack bulk">
        ${run === null && html`
          <div class="bulk-modes">
            <${Segmented} label=${t("details.bulk_what")} value=${mode} onChange=${setMode} options=${[
              ["add", t("details.bulk_mode_add")],
              ["replace", t("details.bulk_mode_replace")],
              ["remove", t("details.bulk_mode_remove")],
              ["types", t("details.bulk_mode_types")],
            ]} />
          </div>
          <p class="muted">${explanation(mode)}</p>
          ${folders > 0 && html`<${Notice}>${t("details.bulk_folders_left_out", { n: folders })}<//>`}
          ${mode === "types"
            ? html`<${TypeList} objects=${typed} others=${objects.length - typed.length} />`
            : html`
              <${PairEditor} id="bulk-tags" pairs=${pairs} faults=${faults} nameLabel=${t("details.tag")}
                addLabel=${t("details.add_tag")} max=${maxTags} onChange=${setPairs} />
            `}
          ${ready && html`
            <${ShowCommand} lines=${bulkCommands(
              browser,
              (mode === "types" ? typed : objects).map(({ key }) => key),
              mode,
              wanted,
            )} />
          `}
        `}
        ${run !== null &&
          html`<${BulkProgress} run=${run} nameOf=${(/** @type {Entry} */ { key }) => key} />`}
      </div>
      <//>
  `;
}

/** @param {BulkMode} mode */
function explanation(mode) {
  if (mode === "types") return t("details.bulk_types_hint");
  if (mode === "replace") return t("details.bulk_replace_hint");
  return mode === "remove" ? t("details.bulk_remove_hint") : t("details.bulk_add_hint");
}

/** @param {{ objects: readonly Entry[], others: number }} props */
function TypeList({ objects, others }) {
  return html`
    ${objects.length > 0 && html`
      <div class="preview preview-table bulk-list" tabindex="0" role="region" aria-label=${t(
        "details.bulk_types_list",
      )}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("common.object")}</th>
              <th scope="col">${t("details.type")}</th>
            </tr>
          </thead>
          <tbody>${objects.slice(0, maxListed).map(({ key, name }) =>
            html`
              <tr key=${key}>
                <td><bdi>${name || key}</bdi></td>
                <td class="mono">${contentTypeOf(key)}</td>
              </tr>
            `
          )}</tbody>
        </table>
      </div>
    `}
    ${objects.length > maxListed &&
      html`<p class="muted">${t("details.bulk_and_more", { n: objects.length - maxListed })}</p>`}
    ${others > 0 && html`<p class="muted">${t("details.bulk_no_type", { n: others })}</p>`}
  `;
}

/**
 * Changes one object. Tags that it has already are read first where they stay.
 *
 * @param {Browser} browser
 * @param {string} key
 * @param {BulkMode} mode
 * @param {Record<string, string>} wanted
 */
async function applyTo(browser, key, mode, wanted) {
  const query = { key };
  const path = `${browser.api}/object`;
  if (mode === "types") {
    const content_type = contentTypeOf(key);
    const info = await request("GET", `${path}/info`, { query });
    // A type that is right already is not written again: that would be a copy, and a version, for nothing.
    if (info.content_type !== content_type) {
      await request("PUT", `${path}/metadata`, { query, json: { content_type } });
    }
    return;
  }
  const { tags: had } = mode === "replace" ? { tags: {} } : await request("GET", `${path}/tags`, { query });
  const tags = mode === "remove"
    ? Object.fromEntries(Object.entries(had).filter(([name, value]) => !isRemoved(wanted, name, value)))
    : { ...had, ...wanted };
  await request("PUT", `${path}/tags`, { query, json: { tags } });
}

/**
 * @param {Record<string, string>} removed a name without a value stands for any value
 * @param {string} name
 * @param {unknown} value
 */
function isRemoved(removed, name, value) {
  return Object.hasOwn(removed, name) && (removed[name] === "" || removed[name] === value);
}
