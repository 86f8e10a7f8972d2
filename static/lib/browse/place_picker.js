// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { html, Icon } from "../ui.js";
import { folderOf, parentOf } from "./address.js";
import { KeyLabel } from "./key_label.js";
import { bucketUrl } from "./object_urls.js";
import { recentTargets } from "./recent_targets.js";

/** @import { Target } from "./transfer.js" */

/** Folders that are offered at once. */
const maxFolders = 200;

/** Milliseconds of silence after which a typed folder is looked up. */
const typingPause = 150;

/**
 * Where something goes: backend, bucket and folder, by choosing or by typing. A folder that is not there yet is made.
 * @param {{ target: Target, onChange: (target: Target) => void }} props
 */
export function PlacePicker({ target, onChange }) {
  const { list: backends } = useList("/api/backends", "backends");
  const { list: buckets, error } = useList(
    `/api/backends/${encodeURIComponent(target.backend)}/buckets`,
    "buckets",
  );
  const [recent] = useState(recentTargets);
  const choose = (/** @type {Partial<Target>} */ change) => onChange({ ...target, prefix: "", ...change });
  const names = buckets.map(({ name }) => name);
  const nameOf = (/** @type {string} */ id) => backends.find((backend) => backend.id === id)?.name ?? id;
  return html`
    <div class="place-picker">
      <div class="place-roots">
        <${Field} label=${t("common.backend")} control=${(/** @type {any} */ attributes) =>
          html`
            <select class="select" ...${attributes} value=${target.backend}
              onChange=${(/** @type {any} */ event) => choose({ backend: event.target.value, bucket: "" })}>
              ${withOne(backends.map(({ id }) => id), target.backend).map((id) =>
                html`
                  <option key=${id} value=${id}>${nameOf(id)}</option>
                `
              )}
            </select>
          `} />
        <${Field} label=${t("common.bucket")} error=${error} control=${(/** @type {any} */ attributes) =>
          html`
            <select class="select" ...${attributes} value=${target.bucket}
              onChange=${(/** @type {any} */ event) => choose({ bucket: event.target.value })}>
              ${target.bucket === "" && html`<option value="">${t("browse.choose_bucket")}</option>`}
              ${withOne(names, target.bucket).map((name) =>
                html`<option key=${name} value=${name}>${name}</option>`
              )}
            </select>
          `} />
      </div>
      ${target.bucket !== "" && html`<${Folders} target=${target} onChange=${onChange} />`}
      ${recent.length > 0 && html`
        <div class="place-recent"><span class="faint">${t("browse.recent_targets")}</span>${recent.map((
          place,
        ) =>
          html`
            <button type="button" key=${JSON.stringify(place)} class="kind-chip" onClick=${() =>
              onChange(place)}>
              ${backends.length > 1 && html`<span class="faint">${nameOf(place.backend)}</span>`}
              <bdi dir="ltr">${place.bucket}/${place.prefix}</bdi></button>
          `
        )}</div>
      `}
    </div>
  `;
}

/** @param {{ target: Target, onChange: (target: Target) => void }} props */
function Folders({ target, onChange }) {
  const { prefix } = target;
  const open = folderOf(prefix);
  const { shown, complete, loading, error } = useFolders(target, open);
  const go = (/** @type {string} */ to) => onChange({ ...target, prefix: to });
  const isNone = !loading && error === "" && complete && shown.length === 0;
  const isNew = isNone && prefix !== open;
  return html`
    <${Field} label=${t("common.folder")} error=${error}
      hint=${isNew ? t("browse.target_new_folder") : t("browse.target_hint")}
      control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input mono" ...${attributes} data-autofocus="" name="target" autocomplete="off"
            autocapitalize="off" spellcheck=${false} placeholder=${t("browse.target_root")} value=${prefix}
            onInput=${(/** @type {any} */ event) => go(event.target.value)} />
        `} />
    <ul class="place-folders" aria-label=${t("browse.folders")} aria-busy=${loading ? "true" : "false"}>
      ${open !== "" && html`
        <li><button type="button" class="menu-item" onClick=${() => go(parentOf(open))}>
          <${Icon} name="arrow-up" /><span>${t("browse.up")}</span></button></li>
      `}
      ${shown.slice(0, maxFolders).map((folder) =>
        html`
          <li key=${folder}>
            <button type="button" class="menu-item" onClick=${() => go(folder)}>
              <${Icon} name="folder" class="icon-folder" /><${KeyLabel} name=${folder.slice(
                open.length,
                -1,
              )} /></button>
          </li>
        `
      )}
      ${isNone && html`<li class="place-none faint">${t("browse.no_folders")}</li>`}
      ${!loading && error === "" && (!complete || shown.length > maxFolders) &&
        html`<li class="place-none faint">${t("browse.more_folders")}</li>`}
    </ul>
  `;
}

/**
 * The folders in a folder that begin with what is typed. Where there is too much in it to be looked through, those are asked
 * for that are spelt like it.
 * @param {Target} target
 * @param {string} open the folder
 */
function useFolders(target, open) {
  const { prefix } = target;
  const typed = prefix.slice(open.length).toLowerCase();
  const here = useListing(target, open);
  const narrow = useListing(target, here.loading || here.complete || typed === "" ? null : prefix);
  const isNarrow = !here.complete && typed !== "";
  const matching = here.folders.filter((folder) => folder.slice(open.length).toLowerCase().startsWith(typed));
  return {
    shown: isNarrow ? [...new Set([...narrow.folders, ...matching])] : matching,
    complete: isNarrow ? narrow.complete : here.complete,
    loading: here.loading || (isNarrow && here.error === "" && narrow.loading),
    error: here.error || narrow.error,
  };
}

/** @typedef {{ of: string, folders: string[], complete: boolean, loading: boolean, error: string }} FolderListing */

/**
 * The folders whose paths begin with a text.
 * @param {Target} target
 * @param {string | null} prefix `null` for none yet
 * @returns {FolderListing}
 */
function useListing({ backend, bucket }, prefix) {
  const of = `${backend}/${bucket}/${prefix}`;
  const unknown = { of, folders: [], complete: false, loading: true, error: "" };
  const [state, setState] = useState(/** @type {FolderListing} */ (unknown));
  useEffect(() => {
    if (prefix === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      request("GET", `${bucketUrl(backend, bucket)}/objects`, {
        query: { prefix, delimiter: "/", max_keys: 1000 },
        signal: abort.signal,
      }).then(
        ({ common_prefixes: folders, is_truncated: isCut }) =>
          setState({ of, folders, complete: !isCut, loading: false, error: "" }),
        ({ message }) => !abort.signal.aborted && setState({ ...unknown, loading: false, error: message }),
      );
    }, typingPause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [of]);
  // What was found for another text tells nothing of this one.
  return state.of === of ? state : unknown;
}

/**
 * A list of the API, empty until it is there; or why it cannot be had.
 * @param {string} path
 * @param {string} name of the list in the answer
 */
function useList(path, name) {
  const [state, setState] = useState({ list: /** @type {any[]} */ ([]), error: "" });
  useEffect(() => {
    const abort = new AbortController();
    setState({ list: [], error: "" });
    request("GET", path, { signal: abort.signal }).then(
      (answer) => setState({ list: answer[name], error: "" }),
      ({ message }) => !abort.signal.aborted && setState({ list: [], error: message }),
    );
    return () => abort.abort();
  }, [path]);
  return state;
}

/**
 * @param {string[]} names
 * @param {string} one that is chosen, and may be missing as long as the list is not there
 */
function withOne(names, one) {
  return one === "" || names.includes(one) ? names : [one, ...names];
}
