// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { confirm, DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { Button, html, Notice } from "../ui.js";
import { bucketNameProblem } from "./bucket_list.js";
import { bucketPage, bucketUrl } from "./object_urls.js";

/** @import { DialogControls } from "../dialog.js" */

/**
 * Asks for a name and makes a bucket. Resolves with the name, or `undefined`.
 * @param {{ id: string, name: string }} backend
 * @param {readonly string[]} taken
 */
export function askNewBucket(backend, taken) {
  return openDialog(
    /** @param {DialogControls<string>} controls */
    (controls) => html`<${BucketForm} ...${controls} backend=${backend} taken=${taken} />`,
    { size: "small" },
  );
}

/** @param {DialogControls<string> & { backend: { id: string, name: string }, taken: readonly string[] }} props */
function BucketForm({ close, titleId, backend, taken }) {
  const [name, setName] = useState("");
  const [touched, setTouched] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const problem = taken.includes(name) ? "There is a bucket of this name." : bucketNameProblem(name);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    setTouched(true);
    if (problem !== "" || busy) return;
    setBusy(true);
    setError("");
    try {
      await request("POST", `/api/backends/${encodeURIComponent(backend.id)}/buckets`, { json: { name } });
      close(name);
    } catch (failure) {
      setBusy(false);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const type = (/** @type {any} */ event) => setName(event.target.value);
  const footer = html`
    <${Button} onClick=${() => close()}>Cancel<//>
    <${Button} kind="primary" type="submit" busy=${busy}>Create bucket<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title="Create bucket" titleId=${titleId} footer=${footer}>
        <div class="stack">
            <${Field} label="Name" error=${touched
              ? problem
              : ""} hint="3 to 63 lower case letters, digits, dots and hyphens. It cannot be changed later."
              control=${(/** @type {any} */ attributes) =>
                html`
                  <input class="input mono" ...${attributes} data-autofocus="" name="bucket"
                    autocomplete="off" autocapitalize="off" spellcheck=${false} value=${name} onInput=${type}
                    onBlur=${() => setTouched(name !== "")} />
                `} />
            ${name.includes(".") && problem === "" &&
              html`<${Notice} kind="warn">Names with dots do not work with TLS where
          buckets are addressed in the host name.<//>`}
            ${error && html`<${Notice} kind="bad" role="alert">${error}<//>`}
          </div>
        <//>
        </form>
  `;
}

/**
 * Asks for the bucket's name as a confirmation and deletes it; one that holds objects is shown the way into instead.
 * Resolves with whether it is gone.
 * @param {string} backend id
 * @param {string} bucket
 */
export async function askDeleteBucket(backend, bucket) {
  if (await holdsObjects(backend, bucket)) {
    await openDialog(
      /** @param {DialogControls<void>} controls */
      (controls) => html`<${NotEmpty} ...${controls} backend=${backend} bucket=${bucket} />`,
      { size: "small" },
    );
    return false;
  }
  return await confirm({
    title: "Delete this bucket?",
    body:
      html`The bucket <strong>${bucket}</strong> and its settings are deleted. It must be empty. This cannot be undone.`,
    action: "Delete bucket",
    danger: true,
    typed: bucket,
    run: () => request("DELETE", bucketUrl(backend, bucket)),
  });
}

/**
 * @param {string} backend id
 * @param {string} bucket
 */
async function holdsObjects(backend, bucket) {
  try {
    const { objects } = await request("GET", `${bucketUrl(backend, bucket)}/objects?delimiter=&max_keys=1`);
    return objects.length > 0;
  } catch {
    // Who may not list a bucket may still delete it; the server says so if it is not empty.
    return false;
  }
}

/** @param {DialogControls<void> & { backend: string, bucket: string }} props */
function NotEmpty({ close, titleId, backend, bucket }) {
  const footer = html`
    <${Button} onClick=${() => close()}>Close<//>
    <a class="button button-primary" data-autofocus="" href=${bucketPage(backend, bucket)}>Open bucket</a>
  `;
  return html`
    <${DialogFrame} title="This bucket is not empty" titleId=${titleId} footer=${footer}>
      <p><strong class="break">${bucket}</strong> still holds objects. Only an empty bucket can be deleted: open it and
        delete what is in it first.</p>
      <//>
  `;
}
