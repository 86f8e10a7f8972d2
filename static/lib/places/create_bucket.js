// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { bucketNameProblem, bucketNameRules } from "../browse/bucket_list.js";
import { bucketUrl } from "../browse/object_urls.js";
import { shellWord, ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { rich, t } from "../i18n.js";
import { loadStyles } from "../styles.js";
import { Button, html, Icon, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { bytesOf, noSize, SizeField } from "./size_field.js";

/** @import { DialogControls } from "../dialog.js" */

/**
 * @typedef {object} BucketBackend
 * @property {string} id
 * @property {string} name
 * @property {string} region
 * @property {string} [endpoint] for who may know it
 * @property {Record<string, boolean | "unknown">} capabilities
 */

/**
 * @typedef {{ name: string, region: string, versioning: boolean, lock: boolean, softBytes: number, hardBytes: number }} Wishes
 */

/**
 * Asks what a new bucket is to be like and makes it. Resolves with its name, or `undefined`.
 *
 * @param {BucketBackend} backend
 * @param {() => readonly string[]} namesTaken as far as they are known by then
 */
export async function askNewBucket(backend, namesTaken) {
  await loadStyles("lazy.css");
  return await openDialog(
    /** @param {DialogControls<string>} controls */
    (controls) => html`<${BucketForm} ...${controls} backend=${backend} namesTaken=${namesTaken} />`,
  );
}

/** @param {DialogControls<string> & { backend: BucketBackend, namesTaken: () => readonly string[] }} props */
function BucketForm({ close, block, titleId, backend, namesTaken }) {
  const [name, setName] = useState("");
  const [region, setRegion] = useState("");
  const [versioning, setVersioning] = useState(false);
  const [lock, setLock] = useState(false);
  const [soft, setSoft] = useState(noSize);
  const [hard, setHard] = useState(noSize);
  const [touched, setTouched] = useState(false);
  const [made, setMade] = useState(false);
  const wishes = {
    name,
    region,
    versioning: versioning || lock,
    lock,
    softBytes: bytesOf(soft),
    hardBytes: bytesOf(hard),
  };
  const taken = namesTaken();
  const problem = problemOf(name, made ? [] : taken);
  const sizes = sizeProblems(wishes);
  const { busy, error, submit } = useSubmission({
    block,
    check: () => {
      setTouched(true);
      return problem === "" && !sizes.soft && !sizes.hard ? {} : { problem };
    },
    send: async () => {
      if (!made) await make(backend.id, wishes);
      setMade(true);
      await furnish(backend.id, wishes);
      close(name);
    },
  });
  const footer = html`
    <${Button} disabled=${busy} onClick=${() => close(made ? name : undefined)}>${made
      ? t("buckets.leave_so")
      : t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" busy=${busy}>${made ? t("common.retry") : t("buckets.create")}<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${t("buckets.create")} titleId=${titleId} onClose=${() =>
        close(made ? name : undefined)} footer=${footer}>
        <div class="stack">
          <${NameField} name=${name} error=${touched || isWrongAlready(name, taken) ? problem : ""}
            disabled=${made} onChange=${setName} onLeave=${() => setTouched(name !== "")} />
          <${RegionField} backend=${backend} value=${region} disabled=${made} onChange=${setRegion} />
          <${VersioningCheck} backend=${backend} checked=${wishes.versioning} implied=${lock}
            onChange=${setVersioning} />
          ${backend.capabilities.versioning !== false &&
            html`<${LockCheck} checked=${lock} disabled=${made} onChange=${setLock} />`}
          <fieldset class="field">
            <legend class="legend">${t("buckets.quota")} <span class="optional">${t(
              "common.optional",
            )}</span></legend>
            <div class="field-row">
              <${SizeField} label=${t("buckets.soft_cap")} hint=${t("buckets.soft_cap_hint")} value=${soft}
                error=${touched ? sizes.soft : ""} onChange=${setSoft} />
              <${SizeField} label=${t("buckets.hard_cap")} hint=${t("buckets.hard_cap_hint")} value=${hard}
                error=${touched ? sizes.hard : ""} onChange=${setHard} />
            </div>
          </fieldset>
          ${error && html`
            <${Notice} kind="bad" role="alert">${made ? rich("buckets.made_but", { error }) : error}<//>
          `}
          <${ShowCommand} lines=${commandsOf(backend, wishes)} />
        </div>
        <//>
        </form>
  `;
}

/**
 * @param {{ name: string, error: string, disabled: boolean, onChange: (name: string) => void, onLeave: () => void }} props
 */
function NameField({ name, error, disabled, onChange, onLeave }) {
  const hint = html`
    <span class="rule-list">
      ${bucketNameRules.map(({ text, holds }) =>
        html`
          <span key=${text} class=${holds(name) ? "rule-kept" : ""}>
            <${Icon} name=${holds(name) ? "check" : "minus"} /><span>${t(
              text,
            )}<span class="visually-hidden">${holds(
                name,
              )
              ? ` (${t("buckets.rule_kept")})`
              : ""}</span></span>
          </span>
        `
      )}
    </span>
  `;
  const control = (/** @type {any} */ attributes) =>
    html`
      <input class="input mono" ...${attributes} data-autofocus="" name="bucket" autocomplete="off"
        autocapitalize="off" spellcheck=${false} disabled=${disabled} value=${name}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value)} onBlur=${onLeave} />
    `;
  return html`
    <${Field} label=${t("common.name")} error=${error} hint=${hint} control=${control} />
    ${name.includes(".") && error === "" && html`<${Notice} kind="warn">${t("buckets.dots_warning")}<//>`}
  `;
}

/** @param {{ backend: BucketBackend, value: string, disabled: boolean, onChange: (region: string) => void }} props */
function RegionField({ backend, value, disabled, onChange }) {
  const control = (/** @type {any} */ attributes) =>
    html`
      <input class="input mono" ...${attributes} name="region" autocomplete="off" autocapitalize="off"
        spellcheck=${false} maxlength="64" disabled=${disabled} placeholder=${backend.region} value=${value}
        onInput=${(/** @type {any} */ event) => onChange(event.target.value.trim())} />
    `;
  return html`
    <${Field} label=${t("buckets.region")} optional=${true} hint=${t(
      "buckets.region_hint",
    )} control=${control} />
  `;
}

/**
 * @param {{ backend: BucketBackend, checked: boolean, implied: boolean, onChange: (checked: boolean) => void }} props
 *   `implied`: whether something else needs it
 */
function VersioningCheck({ backend, checked, implied, onChange }) {
  const lacking = backend.capabilities.versioning === false;
  return html`
    <label class="check">
      <input type="checkbox" checked=${checked} disabled=${lacking || implied}
        onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} />
      <span>${t("buckets.keep_versions")}<small>${lacking
        ? t("buckets.no_versions")
        : t("buckets.keep_versions_hint")}</small></span>
    </label>
  `;
}

/**
 * Locking can only be asked for when a bucket is made.
 * @param {{ checked: boolean, disabled: boolean, onChange: (checked: boolean) => void }} props
 */
function LockCheck({ checked, disabled, onChange }) {
  return html`
    <label class="check">
      <input type="checkbox" checked=${checked} disabled=${disabled} onChange=${(/** @type {any} */ event) =>
        onChange(event.target.checked)} />
      <span>${t("buckets.object_lock")}<small>${t("buckets.object_lock_hint")}</small></span>
    </label>
  `;
}

/**
 * @param {string} name
 * @param {readonly string[]} taken
 */
function problemOf(name, taken) {
  if (taken.includes(name)) return t("buckets.name_taken");
  const problem = bucketNameProblem(name);
  return problem === "" ? "" : t(problem);
}

/**
 * Whether no more typing can make the name right.
 *
 * @param {string} name
 * @param {readonly string[]} taken
 */
function isWrongAlready(name, taken) {
  return taken.includes(name) || name.length > 63 || /[^a-z0-9.-]|\.\.|^[.-]/.test(name);
}

/** @param {Wishes} wishes */
function sizeProblems({ softBytes, hardBytes }) {
  const wrong = (/** @type {number} */ bytes) => Number.isSafeInteger(bytes) ? "" : t("buckets.size_wrong");
  const soft = wrong(softBytes) ||
    (hardBytes > 0 && softBytes > hardBytes ? t("buckets.soft_above_hard") : "");
  return { soft, hard: wrong(hardBytes) };
}

/**
 * @param {string} backend id
 * @param {Wishes} wishes
 */
async function make(backend, { name, region, lock }) {
  await request("POST", `/api/backends/${encodeURIComponent(backend)}/buckets`, {
    json: { name, region: region || undefined, object_lock: lock || undefined },
  });
}

/**
 * Gives a new bucket what was asked for; again after a failure, since all of it may be done twice.
 *
 * @param {string} backend id
 * @param {Wishes} wishes
 */
async function furnish(backend, { name, versioning, lock, softBytes, hardBytes }) {
  const bucket = bucketUrl(backend, name);
  // A bucket with locks keeps versions from the first moment on.
  if (versioning && !lock) await request("PUT", `${bucket}/versioning`, { json: { enabled: true } });
  if (softBytes > 0 || hardBytes > 0) {
    await request("PUT", `${bucket}/quota`, { json: { soft_bytes: softBytes, hard_bytes: hardBytes } });
  }
}

/**
 * @param {BucketBackend} backend
 * @param {Wishes} wishes
 */
function commandsOf({ endpoint, region: ownRegion }, wishes) {
  const { name, region, versioning, lock, softBytes, hardBytes } = wishes;
  const bucket = shellWord(name || "my-bucket");
  const at = endpoint ? ` --endpoint-url ${shellWord(endpoint)}` : "";
  const wanted = region || ownRegion;
  const place = wanted && wanted !== "us-east-1"
    ? ` --create-bucket-configuration LocationConstraint=${shellWord(wanted)}`
    : "";
  return [
    `aws s3api create-bucket --bucket ${bucket}${
      lock ? " --object-lock-enabled-for-bucket" : ""
    }${place}${at}`,
    ...versioning && !lock
      ? [`aws s3api put-bucket-versioning --bucket ${bucket} --versioning-configuration Status=Enabled${at}`]
      : [],
    ...softBytes > 0 || hardBytes > 0 ? [`# ${t("buckets.quota_is_ours")}`] : [],
  ];
}
