// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { toast } from "../toast.js";
import { Button, html, Notice } from "../ui.js";
import { announceChange } from "../versions/restore.js";
import { contentTypes } from "./content_types.js";
import { useDraft } from "./drafts.js";
import { PairEditor } from "./pair_editor.js";
import {
  maxMetadataBytes,
  metadataBytes,
  metadataFaults,
  pairsFrom,
  recordOf,
  sameRecords,
} from "./pairs.js";

/** @import { MessageKey } from "../i18n.js" */
/** @import { TabProps } from "./details.js" */
/** @import { ObjectInfo } from "./object_info.js" */
/** @import { Pair } from "./pairs.js" */

/** @typedef {"content_type" | "cache_control" | "content_disposition" | "content_encoding" | "content_language"} HeaderName */

/** @typedef {Record<HeaderName, string> & { pairs: Pair[] }} MetadataDraft */

/** The headers that are kept with an object: their labels, and an example of each. @type {ReadonlyArray<readonly [HeaderName, string, string]>} */
const headers = [
  ["content_type", "Content-Type", "text/html; charset=utf-8"],
  ["cache_control", "Cache-Control", "public, max-age=3600"],
  ["content_disposition", "Content-Disposition", 'attachment; filename="report.pdf"'],
  ["content_encoding", "Content-Encoding", "gzip"],
  ["content_language", "Content-Language", "de"],
];

/** @type {Readonly<Record<HeaderName, MessageKey>>} */
const hints = {
  content_type: "details.hint_content_type",
  cache_control: "details.hint_cache_control",
  content_disposition: "details.hint_content_disposition",
  content_encoding: "details.hint_content_encoding",
  content_language: "details.hint_content_language",
};

/**
 * The headers and the user metadata of an object, and their editor.
 * @param {TabProps} props
 */
export function MetadataTab({ browser, info, objectKey, version, reload }) {
  const stored = draftOf(info);
  const [kept, setDraft, settleDraft] = useDraft(browser, `metadata ${objectKey}`);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [conflict, setConflict] = useState(false);
  const draft = /** @type {MetadataDraft} */ (kept ?? stored);
  if (!browser.canWrite || version !== "") {
    return html`<${MetadataList} info=${info} old=${version !== ""} />`;
  }
  const faults = metadataFaults(draft.pairs);
  const metadata = recordOf(draft.pairs);
  const bytes = metadataBytes(metadata);
  const change = changeOf(stored, draft);
  const save = async () => {
    setBusy(true);
    setError("");
    try {
      await request("PUT", `${browser.api}/object/metadata`, {
        query: { key: objectKey },
        json: change,
        headers: info.etag ? { "if-match": `"${info.etag}"` } : {},
      });
      setConflict(false);
      toast(t("details.metadata_saved"));
      announceChange(browser, objectKey);
      // What is typed meanwhile goes on from what was saved, not from what was there before.
      await reload();
      settleDraft(kept);
    } catch (problem) {
      if (problem instanceof ApiError && problem.status === 412) setConflict(true);
      else setError(problem instanceof Error ? problem.message : String(problem));
    } finally {
      setBusy(false);
    }
  };
  const lookAgain = async () => {
    setConflict(false);
    setBusy(true);
    await reload();
    setBusy(false);
  };
  const discard = () => {
    setDraft(null);
    setError("");
    if (conflict) lookAgain();
  };
  return html`
    <div class="form">
      ${headers.map(([name, label, example]) =>
        html`<${Field} key=${name} label=${label} hint=${t(hints[name])} control=${(
          /** @type {any} */ attributes,
        ) =>
          html`
            <input class="input mono" ...${attributes} value=${draft[
              name
            ]} placeholder=${example} autocomplete="off"
              autocapitalize="off" spellcheck=${false} list=${name === "content_type"
                ? "content-types"
                : undefined}
              onInput=${(/** @type {any} */ event) => setDraft({ ...draft, [name]: event.target.value })} />
          `} />`
      )}
      <datalist id="content-types">${contentTypes.map((type) =>
        html`<option key=${type} value=${type} />`
      )}</datalist>
      <div class="field">
        <p class="limit-line"><span class="legend">${t("details.user_metadata")}</span>
          <span class=${bytes > maxMetadataBytes ? "field-error" : "faint"}>${t("details.metadata_bytes", {
            n: bytes,
            max: maxMetadataBytes,
          })}</span></p>
        <${PairEditor} id="metadata" pairs=${draft.pairs} faults=${faults} nameLabel=${t("common.name")}
          addLabel=${t("details.add_metadata")} onChange=${(/** @type {Pair[]} */ pairs) =>
            setDraft({ ...draft, pairs })} />
      </div>
      ${conflict && html`
        <${Notice} kind="warn" role="alert" action=${html`<${Button} small=${true} onClick=${lookAgain}>${
          t("details.look_again")
        }<//>`}>${t("details.metadata_conflict")}<//>
      `}
      ${error && html`<${Notice} kind="bad" role="alert">${error}<//>`}
      <p class="field-hint">${t("details.metadata_effect")}</p>
      ${Object.keys(change).length > 0 && html`
        <div class="form-foot">
          <${Button} kind="primary" busy=${busy} disabled=${faults.size > 0 || bytes > maxMetadataBytes}
            onClick=${save}>${t("details.save_metadata")}<//>
          <${Button} onClick=${discard}>${t("details.discard")}<//>
        </div>
      `}
    </div>
  `;
}

/**
 * @param {ObjectInfo} info
 * @returns {MetadataDraft}
 */
function draftOf(info) {
  const { content_type = "", cache_control = "", content_disposition = "" } = info;
  const { content_encoding = "", content_language = "", metadata = {} } = info;
  return {
    content_type,
    cache_control,
    content_disposition,
    content_encoding,
    content_language,
    pairs: pairsFrom(metadata),
  };
}

/**
 * What of a draft is to be sent: what differs from what is stored.
 *
 * @param {MetadataDraft} stored
 * @param {MetadataDraft} draft
 * @returns {Record<string, unknown>}
 */
function changeOf(stored, draft) {
  /** @type {Record<string, unknown>} */
  const change = {};
  for (const [name] of headers) if (draft[name] !== stored[name]) change[name] = draft[name].trim();
  const metadata = recordOf(draft.pairs);
  if (!sameRecords(metadata, recordOf(stored.pairs))) change.metadata = metadata;
  return change;
}

/** @param {{ info: ObjectInfo, old: boolean }} props */
function MetadataList({ info, old }) {
  const draft = draftOf(info);
  const rows = [
    ...headers.filter(([name]) => draft[name] !== "").map(([name, label]) => [label, draft[name]]),
    ...draft.pairs.map(({ name, value }) => [name, value]),
  ];
  return html`
    <dl class="facts">${rows.map(([name, value]) =>
      html`
        <dt key=${name} class="mono break">${name}</dt>
        <dd key=${`${name} value`} class="break">${value}</dd>
      `
    )}</dl>
    ${old && html`<p class="field-hint">${t("details.metadata_of_version")}</p>`}
  `;
}
