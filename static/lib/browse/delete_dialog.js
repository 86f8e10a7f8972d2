// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { shellWord, ShowCommand } from "../commands.js";
import { DialogFrame } from "../dialog.js";
import { formatBytes } from "../format.js";
import { rich, t } from "../i18n.js";
import { TypedName } from "../typed_name.js";
import { Button, html, Icon, Notice } from "../ui.js";
import { measure } from "./deletion.js";
import { iconOf, KeyLabel } from "./key_label.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Browser } from "./browser.js" */
/** @import { Extent } from "./deletion.js" */
/** @import { Entry } from "./entries.js" */

/** Names shown before "and so many more". */
const maxNames = 5;

/** Above so many objects the name of what they are in must be typed. */
const typedAbove = 100;

/** Milliseconds for which the button waits once it is known how much goes: time to read it. */
const readingTime = 2000;

/**
 * @typedef {DialogControls<{ versions: boolean }> & {
 *   browser: Browser, prefix: string, entries: readonly Entry[], versioned: boolean | null, allVersions?: boolean
 * }} DeleteProps `prefix`: the folder of the rows; `allVersions`: they go with all their versions in any case
 */

/**
 * Names what is to be deleted and how much it is, and closes once that is confirmed.
 * @param {DeleteProps} props
 */
export function DeleteForm({ close, titleId, browser, prefix, entries, versioned, allVersions = false }) {
  const [versions, setVersions] = useState(allVersions);
  const { extent, error } = useExtent(browser.api, entries, prefix, versions);
  const [typed, setTyped] = useState("");
  const folders = entries.some(({ folder }) => folder);
  const isLarge = extent !== null &&
    (versions || extent.objects > typedAbove || (folders && !isEmpty(extent)));
  const wanted = isLarge ? textToType(browser, entries) : "";
  const [read, setRead] = useState(false);
  useEffect(() => {
    setRead(false);
    if (!isLarge) return;
    const timer = setTimeout(() => setRead(true), readingTime);
    return () => clearTimeout(timer);
  }, [isLarge, extent]);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.focus(), [wanted]);
  const ready = extent !== null && typed === wanted && (read || !isLarge);
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (ready) close({ versions });
  };
  const footer = html`
    <${Button} data-autofocus=${wanted === "" ? "" : undefined} onClick=${() => close()}>
        ${t("common.cancel")}<//>
    <${Button} kind="danger" type="submit" disabled=${!ready}>${actionText(extent, versions)}<//>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${allVersions
        ? t("browse.delete_all_versions_title")
        : titleOf(browser, entries)} titleId=${titleId} footer=${footer}>
        <div class="stack">
            <div class="stack" id="${titleId}-text">
              ${!browser.matching.value && html`<${Names} entries=${entries} />`}
              <p aria-live="polite">${extent === null
                ? t("browse.counting")
                : extentText(extent, versions)} ${consequence(versioned, versions)}</p>
            </div>
            ${isLarge && extent.first !== extent.last && html`<${Range} extent=${extent} />`}
            ${versioned === true && !allVersions && html`
              <label class="check">
                <input type="checkbox" checked=${versions}
                  onChange=${(/** @type {any} */ event) => setVersions(event.target.checked)} />
                <span>${t("browse.delete_versions")}</span>
              </label>
            `}
            ${versions && html`<${LockNote} browser=${browser} />`}
            ${wanted !== "" && html`
              <${TypedName} id="${titleId}-typed" name=${wanted} value=${typed} input=${field}
                onChange=${setTyped} />
            `}
            ${error !== "" && html`<${Notice} kind="bad" role="alert">${error}<//>`}
            ${!versions && html`<${ShowCommand} lines=${commandsFor(browser.bucket, entries)} />`}
          </div>
        <//>
        </form>
  `;
}

/**
 * How much a deletion takes away; `null` while that is being counted.
 * @param {string} api
 * @param {readonly Entry[]} entries
 * @param {string} prefix
 * @param {boolean} versions
 */
function useExtent(api, entries, prefix, versions) {
  const [extent, setExtent] = useState(/** @type {Extent | null} */ (null));
  const [error, setError] = useState("");
  useEffect(() => {
    const abort = new AbortController();
    setExtent(null);
    setError("");
    measure(api, entries, { prefix, versions, signal: abort.signal }).then(setExtent, (failure) => {
      if (!abort.signal.aborted) setError(t("browse.not_counted", { message: failure.message }));
    });
    return () => abort.abort();
  }, [versions]);
  return { extent, error };
}

/**
 * Whether what goes is no more than the object that stands for an empty folder.
 * @param {Extent} extent
 */
function isEmpty({ objects, bytes, first }) {
  return objects === 0 || (objects === 1 && bytes === 0 && first !== null && first.endsWith("/"));
}

/**
 * Says that locked versions stay, in a bucket that has such.
 * @param {{ browser: Browser }} props
 */
function LockNote({ browser: { backend, bucket } }) {
  const [hasLocks, setHasLocks] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    const path = `/api/backends/${encodeURIComponent(backend.id)}/bucket-properties`;
    request("GET", path, { query: { buckets: bucket }, signal: abort.signal }).then(
      ({ buckets }) => setHasLocks(buckets[0]?.object_lock === true),
      () => {},
    );
    return () => abort.abort();
  }, []);
  return hasLocks ? html`<${Notice}>${t("browse.delete_locked_stay")}<//>` : null;
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
    ${more > 0 && html`<li class="muted">${t("browse.and_more", { n: more })}</li>`}
  </ul>`;
}

/**
 * The first and the last key of what goes.
 * @param {{ extent: Extent }} props
 */
function Range({ extent }) {
  return html`<p class="muted">${
    rich("browse.extent_range", {
      first: html`<bdi dir="ltr" class="mono">${extent.first}</bdi>`,
      last: html`<bdi dir="ltr" class="mono">${extent.last}</bdi>`,
    })
  }</p>`;
}

/**
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
function titleOf(browser, entries) {
  if (browser.matching.value) {
    const { filter, prefix } = browser.place.value;
    return filter === ""
      ? t("browse.delete_everything_title", { place: prefix || browser.bucket })
      : t("browse.delete_matching_title", { filter });
  }
  if (entries.length > 1) return t("browse.delete_items_title", { n: entries.length });
  return entries[0].folder ? t("browse.delete_folder_title") : t("browse.delete_object_title");
}

/**
 * @param {boolean | null} versioned
 * @param {boolean} versions
 */
function consequence(versioned, versions) {
  if (versions) return t("browse.delete_versions_final");
  if (versioned === true) return t("browse.delete_kept");
  return versioned === false ? t("browse.delete_final") : t("browse.delete_maybe_final");
}

/**
 * @param {Extent} extent
 * @param {boolean} versions
 */
function extentText({ objects: n, bytes }, versions) {
  const facts = { n, size: formatBytes(bytes) };
  return versions ? t("browse.extent_versions", facts) : t("browse.extent", facts);
}

/**
 * @param {Extent | null} extent
 * @param {boolean} versions
 */
function actionText(extent, versions) {
  if (extent === null) return t("common.delete");
  const { objects: n } = extent;
  return versions ? t("browse.delete_n_versions", { n }) : t("browse.delete_objects", { n });
}

/**
 * What must be typed: the name of the folder or the object when one goes, else the bucket's.
 * @param {Browser} browser
 * @param {readonly Entry[]} entries
 */
function textToType(browser, entries) {
  const isOne = entries.length === 1 && !browser.matching.value;
  const name = isOne ? entries[0].name.trim() : "";
  return name || browser.bucket;
}

/**
 * @param {string} bucket
 * @param {readonly Entry[]} entries
 */
function commandsFor(bucket, entries) {
  return entries.slice(0, maxNames).map(({ key, folder }) =>
    `aws s3 rm ${folder ? "--recursive " : ""}${shellWord(`s3://${bucket}/${key}`)}`
  );
}
