// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { shellWord, ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { FailureWords } from "../failure_words.js";
import { rich, t } from "../i18n.js";
import { toast } from "../toast.js";
import { Button, html, Notice } from "../ui.js";
import { focusFirstInvalid } from "../use_submission.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Browser } from "./browser.js" */

/** S3's limit for a key, in bytes of UTF-8. */
const maxKeyBytes = 1024;

/**
 * What is wrong with a new folder's name, or nothing.
 * @param {string} prefix the folder that it is made in
 * @param {string} name may hold `/`, which makes folders in folders
 */
export function folderNameProblem(prefix, name) {
  if (name.replace(/\/+$/, "") === "") return t("browse.folder_name_missing");
  if (name.includes("\0")) return t("browse.name_nul");
  const bytes = new TextEncoder().encode(`${prefix}${name}/`).length;
  if (bytes > maxKeyBytes) return t("browse.path_too_long", { max: maxKeyBytes, bytes });
  return "";
}

/**
 * Asks for a name and makes the folder.
 * @param {Browser} browser
 */
export async function askNewFolder(browser) {
  const key = await openDialog(
    /** @param {DialogControls<string>} controls */
    (controls) => html`<${FolderForm} ...${controls} browser=${browser} />`,
    { size: "small" },
  );
  if (key === undefined) return;
  const { prefix } = browser.place.value;
  const name = key.slice(prefix.length, -1);
  // A name with "/" makes folders in folders; the outermost is the row here.
  const row = prefix + name.split("/", 1)[0] + "/";
  const index = browser.rows.value.findIndex((entry) => entry.key === row);
  if (index >= 0) browser.moveTo(index);
  document.getElementById("objects")?.focus();
  toast(t("browse.folder_created", { name }), {
    action: { label: t("common.open"), run: () => browser.go(key) },
  });
}

/** @param {DialogControls<string> & { browser: Browser }} props */
function FolderForm({ close, titleId, browser }) {
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState({ field: "", form: /** @type {unknown} */ (null) });
  const { prefix } = browser.place.value;
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const problem = folderNameProblem(prefix, name);
    setError({ field: problem, form: null });
    if (problem !== "") focusFirstInvalid(/** @type {HTMLFormElement} */ (event.currentTarget));
    if (problem !== "" || busy) return;
    const key = folderKey(prefix, name);
    setBusy(true);
    try {
      await request("POST", `${browser.api}/objects/folder`, { json: { key } });
    } catch (failure) {
      setBusy(false);
      setError({ field: "", form: failure });
      return;
    }
    browser.noteStored({ key, size: 0, modified: Date.now() });
    close(key);
  };
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" busy=${busy}>${t("browse.create_folder")}<//>
  `;
  const where = prefix === "" ? `${browser.bucket}/` : prefix;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${t("browse.new_folder")} titleId=${titleId} footer=${footer}>
        <div class="stack">
            <${Field} label=${t("common.name")} error=${error
              .field} hint=${rich("browse.in_place", {
                place: html`<bdi dir="ltr">${where}</bdi>`,
              })}
              control=${(/** @type {any} */ attributes) =>
                html`
                  <input class="input" ...${attributes} data-autofocus="" name="folder"
                    autocomplete="off" spellcheck=${false} value=${name}
                    onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
                `} />
            <${ShowCommand} lines=${[folderCommand(browser.bucket, folderKey(prefix, name || "folder"))]} />
            ${error.form !== null && html`
              <${Notice} kind="bad" role="alert">
                <${FailureWords} error=${error.form} />
                <//>
            `}
          </div>
        <//>
        </form>
  `;
}

/**
 * @param {string} prefix
 * @param {string} name
 */
function folderKey(prefix, name) {
  return `${prefix}${name.replace(/\/+$/, "")}/`;
}

/**
 * @param {string} bucket
 * @param {string} key
 */
function folderCommand(bucket, key) {
  return `aws s3api put-object --bucket ${shellWord(bucket)} --key ${shellWord(key)}`;
}
