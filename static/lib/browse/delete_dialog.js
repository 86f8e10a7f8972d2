// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatBytes, formatNumber } from "../format.js";
import { plural } from "../i18n.js";
import { toast } from "../toast.js";
import { Button, html, Icon, Notice } from "../ui.js";
import { deleteEntries, measure } from "./deletion.js";
import { iconOf, KeyLabel } from "./key_label.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Extent } from "./deletion.js" */
/** @import { Entry } from "./entries.js" */

/** Names shown before "and so many more". */
const maxNames = 5;

/** Above so many objects the name of what they are in must be typed. */
const typedAbove = 100;

/**
 * Names what is to be deleted and how much it is, and deletes it once that is confirmed.
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
export function askDelete(browser, entries) {
  return openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) => html`<${DeleteForm} ...${controls} browser=${browser} entries=${entries} />`,
    { size: "small" },
  );
}

/** @param {DialogControls<void> & { browser: Browser, entries: readonly Entry[] }} props */
function DeleteForm({ close, block, titleId, browser, entries }) {
  const [extent, setExtent] = useState(/** @type {Extent | null} */ (null));
  const [keepsVersions, setKeepsVersions] = useState(true);
  const [typed, setTyped] = useState("");
  const [deleted, setDeleted] = useState(/** @type {number | null} */ (null));
  const [error, setError] = useState("");
  const [abort] = useState(() => new AbortController());
  useEffect(() => {
    measure(browser.api, entries, abort.signal).then(setExtent, (failure) => {
      if (!abort.signal.aborted) setError(`What is to be deleted could not be counted: ${failure.message}`);
    });
    const backend = `/api/backends/${encodeURIComponent(browser.backend.id)}`;
    // Unless it is known that the backend cannot, the bucket may keep versions.
    request("GET", backend, { signal: abort.signal }).then(
      ({ capabilities }) => setKeepsVersions(capabilities.versioning !== false),
      () => {},
    );
    return () => abort.abort();
  }, []);
  const wanted = extent !== null && (extent.more || extent.objects > typedAbove)
    ? textToType(browser, entries, extent)
    : "";
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.focus(), [wanted]);
  const ready = extent !== null && typed === wanted;
  const run = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (!ready || deleted !== null) return;
    setDeleted(0);
    setError("");
    block(true);
    try {
      const result = await deleteEntries(browser.api, entries, abort.signal, setDeleted);
      browser.noteDeleted(result.gone);
      if (result.errors.length > 0) throw new Error(failureText(result.errors));
      toast(
        `${plural(result.deleted, "object", "objects")} deleted${abort.signal.aborted ? "; stopped" : ""}`,
      );
      close();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setDeleted(null);
      block(false);
    }
  };
  const footer = html`
    ${deleted === null
      ? html`<${Button} data-autofocus=${wanted === "" ? "" : undefined} onClick=${() => close()}>Cancel<//>`
      : html`<${Button} onClick=${() => abort.abort()}>Stop<//>`}
    <${Button} kind="danger" type="submit" disabled=${!ready} busy=${deleted !== null}>${actionText(
      extent,
    )}<//>
  `;
  return html`
    <form onSubmit=${run}>
      <${DialogFrame} title=${titleOf(entries)} titleId=${titleId} footer=${footer}>
        <div class="stack">
            <${Names} entries=${entries} />
            <p>${extentText(extent)} This cannot be undone${keepsVersions &&
              ", unless the bucket keeps versions"}.</p>
            ${wanted !== "" && html`
              <div class="field">
                <label for="${titleId}-typed">Type <code class="select-all">${wanted}</code> to go on</label>
                <input id="${titleId}-typed" ref=${field} class="input mono" autocomplete="off" autocapitalize="off"
                  spellcheck=${false}
                  value=${typed} onInput=${(/** @type {any} */ event) => setTyped(event.target.value)} />
              </div>
            `}
            ${deleted !== null && html`<p role="status">${formatNumber(deleted)} deleted…</p>`}
            ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
          </div>
        <//>
        </form>
  `;
}

/** @param {{ entries: readonly Entry[] }} props */
function Names({ entries }) {
  const more = entries.length - maxNames;
  return html`<ul class="delete-names">
    ${
    entries.slice(0, maxNames).map(({ key, name, folder }) =>
      html`
        <li key=${key}>
          <${Icon} name=${iconOf({ folder, name })} />
          <${KeyLabel} name=${name} />
        </li>
      `
    )
  }
    ${more > 0 && html`<li class="muted">and ${formatNumber(more)} more</li>`}
  </ul>`;
}

/** @param {readonly Entry[]} entries */
function titleOf(entries) {
  if (entries.length > 1) return `Delete ${plural(entries.length, "item", "items")}?`;
  return entries[0].folder ? "Delete this folder and everything in it?" : "Delete this object?";
}

/** @param {Extent | null} extent */
function extentText(extent) {
  if (extent === null) return "Counting…";
  const { objects, bytes, more } = extent;
  return more
    ? `More than ${plural(objects, "object", "objects")}, more than ${formatBytes(bytes)}.`
    : `${plural(objects, "object", "objects")}, ${formatBytes(bytes)}.`;
}

/** @param {Extent | null} extent */
function actionText(extent) {
  if (extent === null) return "Delete";
  return extent.more ? "Delete all" : `Delete ${plural(extent.objects, "object", "objects")}`;
}

/**
 * What must be typed: the folder's name when one folder goes, else how many objects; where they are too many to be
 * counted, the bucket's name.
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 * @param {Extent} extent
 */
function textToType(browser, entries, { objects, more }) {
  const name = entries.length === 1 && entries[0].folder ? entries[0].name.trim() : "";
  if (name !== "") return name;
  return more ? browser.bucket : String(objects);
}

/** @param {readonly { key: string, message: string }[]} errors */
function failureText(errors) {
  const [{ key, message }] = errors;
  const others = errors.length > 1 ? ` and ${plural(errors.length - 1, "other", "others")}` : "";
  return `“${key}”${others} could not be deleted: ${message}`;
}
