// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { KeyLabel } from "../browse/key_label.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { backendOffers } from "./backend_offers.js";
import { bytesOf, roomIn } from "./intake.js";
import { BucketUploads } from "./storage_api.js";
import { StoreFields, useStoreChoice } from "./store_fields.js";
import { parseTags } from "./tag_lines.js";
import { findTaken } from "./taken_names.js";
import { placeOf } from "./upload.js";
import { uploadCommands } from "./upload_commands.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { MessageKey } from "../i18n.js" */
/** @import { ConflictChoice } from "./conflict.js" */
/** @import { BatchOptions, Intake } from "./intake.js" */
/** @import { BackendOffers } from "./backend_offers.js" */

/** @typedef {{ taken: ReadonlySet<string>, complete: boolean }} Taken */

/** Under which the browser keeps what was last done about taken names. */
const choiceKey = "taken-names";

/** @type {ReadonlyArray<readonly [ConflictChoice | "ask", MessageKey, MessageKey]>} */
const choices = [
  ["ask", "upload.choice_ask", "upload.choice_ask_hint"],
  ["skip", "upload.choice_skip", "upload.choice_skip_hint"],
  ["replace", "upload.choice_replace", "upload.choice_replace_hint"],
  ["keep_both", "upload.choice_keep_both", "upload.choice_keep_both_hint"],
];

/**
 * Shows what is about to be uploaded, and asks how.
 * @param {Intake} intake
 * @returns {Promise<BatchOptions | null>} `null` when the user does not want it after all
 */
export async function askBeforeUpload(intake) {
  const options = await openDialog(
    /** @param {DialogControls<BatchOptions>} controls */
    (controls) => html`<${PreflightForm} ...${controls} intake=${intake} />`,
  );
  return options ?? null;
}

/** @param {DialogControls<BatchOptions> & { intake: Intake }} props */
function PreflightForm({ close, titleId, intake }) {
  const { found, ask = false } = intake;
  const files = found.filter(({ file }) => file !== null).length;
  const bytes = bytesOf(found);
  const { taken, room, offers } = useLook(intake);
  const [choice, setChoice] = useState(rememberedChoice);
  const [stored, setStored] = useStoreChoice();
  const conflicts = taken?.taken.size ?? 0;
  const tooMuch = room !== null && bytes > room;
  const { tags } = parseTags(stored.tagText);
  const kept = { storageClass: stored.storageClass, contentType: stored.contentType?.trim() ?? "" };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (tags === null) return;
    if (conflicts > 0) rememberChoice(choice);
    close({
      choice: choice === "ask" || conflicts === 0 ? null : choice,
      ...kept,
      tags,
      taken: taken?.taken ?? new Set(),
    });
  };
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" data-autofocus="">${t("upload.start", {
      n: files || found.length,
    })}<//>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${t("upload.preflight_title", { n: files })} titleId=${titleId} footer=${footer}>
        <div class="stack">
          <dl class="facts">
            <dt>${t("upload.into")}</dt>
            <dd><${KeyLabel} name=${placeOf(intake)} /></dd>
            <dt>${t("common.size")}</dt>
            <dd>${formatBytes(bytes)}</dd>
            ${room !== null && html`
              <dt>${t("upload.quota")}</dt>
              <dd>${t("upload.room", { size: formatBytes(room) })}</dd>
            `}
            <dt>${t("upload.taken_names")}</dt>
            <dd><span role="status">${takenText(taken)}</span></dd>
          </dl>
          ${tooMuch &&
            html`<${Notice} kind="warn">${
              t("upload.will_not_fit", { size: formatBytes(bytes - (room ?? 0)) })
            }<//>`}
          ${conflicts > 0 && html`<${Choices} choice=${choice} onChange=${setChoice} />`}
          <${StoreFields} choice=${stored} onChange=${setStored} offers=${offers} open=${ask} />
          ${files > 0 &&
            html`<${ShowCommand} lines=${uploadCommands(intake, { ...kept, tags: tags ?? {} })} />`}
        </div>
        <//>
        </form>
  `;
}

/** @param {{ choice: string, onChange: (choice: any) => void }} props */
function Choices({ choice, onChange }) {
  return html`
    <fieldset class="choices">
      <legend class="legend">${t("upload.choices")}</legend>
      ${choices.map(([value, label, hint]) =>
        html`
          <label class="check" key=${value}>
            <input type="radio" name="choice" value=${value} checked=${choice === value}
              onChange=${() => onChange(value)} />
            <span>${t(label)}<small>${t(hint)}</small></span>
          </label>
        `
      )}
    </fieldset>
  `;
}

/**
 * Looks which names are taken, how much room there is, and what the backend offers.
 * @param {Intake} intake
 * @returns {{ taken: Taken | null, room: number | null, offers: BackendOffers | null }} `null` until that is known, `room`
 *   also without a limit
 */
function useLook({ backend, bucket, prefix, found }) {
  const [taken, setTaken] = useState(/** @type {Taken | null} */ (null));
  const [room, setRoom] = useState(/** @type {number | null} */ (null));
  const [offers, setOffers] = useState(/** @type {BackendOffers | null} */ (null));
  useEffect(() => {
    const abort = new AbortController();
    const api = new BucketUploads(backend, bucket);
    const keys = found.filter(({ file }) => file !== null).map(({ path }) => prefix + path);
    // Names can be asked about one by one as well, and the server keeps to the quota.
    findTaken(api, keys, abort.signal).then(setTaken, () => setTaken({ taken: new Set(), complete: false }));
    roomIn(api, abort.signal).then(setRoom, () => {});
    backendOffers(backend, abort.signal).then(setOffers, () => {});
    return () => abort.abort();
  }, []);
  return { taken, room, offers };
}

/** @param {Taken | null} taken */
function takenText(taken) {
  if (taken === null) return t("upload.looking");
  const { taken: { size: n }, complete } = taken;
  if (!complete) return t("upload.taken_at_least", { n });
  return n === 0 ? t("upload.taken_none") : t("upload.taken_some", { n });
}

/**
 * What was last done about taken names in this browser. Replacing is chosen anew each time.
 * @returns {ConflictChoice | "ask"}
 */
function rememberedChoice() {
  const kept = localStorage.getItem(choiceKey);
  return kept === "skip" || kept === "keep_both" ? kept : "ask";
}

/** @param {ConflictChoice | "ask"} choice */
function rememberChoice(choice) {
  if (choice !== "replace") localStorage.setItem(choiceKey, choice);
}
