// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { Choice } from "../choice.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { formatDateTime } from "../format.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { BucketPicker } from "./bucket_picker.js";
import { changeCommand, createCommand } from "./create_command.js";
import { adminPath } from "./credential.js";
import { apiFields, draftOf, expiries, newDraft, problemsOf } from "./draft.js";
import { findUser, OwnerField } from "./owner_field.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Backend, Credential, MintedCredential } from "./credential.js" */
/** @import { Draft, Problems } from "./draft.js" */

/**
 * @typedef {object} FormOptions
 * @property {readonly Backend[]} backends
 * @property {string} path where the API keeps the credentials
 * @property {import("../boot_data.js").Me} me
 */

/**
 * Asks what a new credential is for and makes it. Resolves with it and its secret, `undefined` when nothing was made.
 * @param {FormOptions} options
 * @returns {Promise<MintedCredential | undefined>}
 */
export function openCreateDialog(options) {
  return openDialog(
    /** @param {DialogControls<MintedCredential>} controls */
    (controls) => html`<${CredentialForm} ...${controls} ...${options} stored=${null} />`,
  );
}

/**
 * Changes a credential. Resolves with it as it is then, `undefined` when nothing was changed.
 * @param {Credential} stored
 * @param {FormOptions} options
 * @returns {Promise<Credential | undefined>}
 */
export function openEditDialog(stored, options) {
  return openDialog(
    /** @param {DialogControls<Credential>} controls */
    (controls) => html`<${CredentialForm} ...${controls} ...${options} stored=${stored} />`,
  );
}

/** @param {DialogControls<any> & FormOptions & { stored: Credential | null }} props */
function CredentialForm({ close, block, titleId, backends, path, me, stored }) {
  const admin = path === adminPath;
  const readOnlyUser = !me.can.write_objects;
  const [draft, setDraft] = useState(() =>
    stored === null
      ? newDraft(backends[0]?.id ?? "", { readOnly: readOnlyUser, owner: admin ? me.username : "" })
      : draftOf(stored)
  );
  const change = (/** @type {Partial<Draft>} */ changes) => setDraft((draft) => ({ ...draft, ...changes }));
  const { busy, problems, error, submit } = useSubmission({
    block,
    check: () => problemsOf(draft, Date.now()),
    send: async () => close(stored === null ? await create(path, draft) : await update(path, stored, draft)),
    explain: fieldsOf,
  });
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" busy=${busy}>${stored === null
      ? t("credentials.create")
      : t("common.save")}<//>
  `;
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${stored === null ? t("credentials.create_title") : t("credentials.edit_title")}
        titleId=${titleId} footer=${footer} onClose=${close}>
        <div class="form">
          <${Field} label=${t("credentials.description")} optional=${true} hint=${t(
            "credentials.description_hint",
          )}
            control=${(/** @type {any} */ attributes) =>
              html`
                <input class="input" ...${attributes} maxlength="500" autocomplete="off" data-autofocus=""
                  value=${draft.description} onInput=${(/** @type {any} */ event) =>
                    change({ description: event.target.value })} />
              `} />
          ${admin && stored === null && html`
            <${OwnerField} value=${draft.owner} error=${problems.owner}
              onChange=${(/** @type {string} */ owner) => change({ owner })} />
          `}
          ${stored === null && backends.length > 1 && html`
            <${Field} label=${t("common.backend")} control=${(/** @type {any} */ attributes) =>
              html`
                <select class="select" ...${attributes} value=${draft.backend}
                  onChange=${(/** @type {any} */ event) =>
                    change({ backend: event.target.value, buckets: [] })}>
                  ${backends.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
                </select>
              `} />
          `}
          <${BucketPicker} backend=${draft.backend} chosen=${draft.buckets} error=${problems.buckets}
            onChange=${(/** @type {string[]} */ buckets) => change({ buckets })} />
          <${Limits} draft=${draft} change=${change} problems=${problems} readOnlyUser=${readOnlyUser} stored=${stored} />
          <${ShowCommand} lines=${stored === null
            ? createCommand(draft)
            : changeCommand(draft, `${path}/${stored.access_key}`)} />
          <div role="alert">${error !== "" && html`<${Notice} kind="bad">${error}<//>`}</div>
        </div>
        <//>
        </form>
  `;
}

/**
 * The fields that the API finds fault with.
 * @param {unknown} failure
 * @returns {Problems | null}
 */
function fieldsOf(failure) {
  if (!(failure instanceof ApiError)) return null;
  if (failure.detail?.field === "buckets") return { buckets: failure.message };
  return failure.detail?.field === "user_id" ? { owner: t("credentials.no_such_user") } : null;
}

/**
 * What a credential may do in its buckets, and for how long.
 * @param {{
 *   draft: Draft, change: (changes: Partial<Draft>) => void, problems: Problems, readOnlyUser: boolean,
 *   stored: Credential | null
 * }} props
 */
function Limits({ draft, change, problems, readOnlyUser, stored }) {
  const options = expiries.map(([expiry, key]) => /** @type {const} */ ([expiry, t(key)]));
  const kept = stored?.expires_at;
  return html`
    <${Field} label=${t("credentials.prefix")} optional=${true} hint=${t("credentials.prefix_field_hint")}
      control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input mono" ...${attributes} autocomplete="off" autocapitalize="off" spellcheck=${false}
            placeholder=${"team-a/"} value=${draft.prefix} onInput=${(/** @type {any} */ event) =>
              change({ prefix: event.target.value })} />
        `} />
    <${Choice} legend=${t("credentials.column_access")} value=${draft.access} disabled=${readOnlyUser}
      hint=${readOnlyUser ? t("credentials.read_only_role") : undefined} options=${[
        ["write", t("credentials.read_write")],
        ["read", t("common.read_only")],
      ]} onChange=${(/** @type {Draft["access"]} */ access) => change({ access })} />
    <${Choice} legend=${t("common.expires")} value=${draft.expiry}
      options=${kept === undefined ? options : [["keep", formatDateTime(Date.parse(kept))], ...options]}
      onChange=${(/** @type {string} */ expiry) => change({ expiry })} />
    ${draft.expiry === "custom" && html`
      <${Field} label=${t("credentials.expires_at")} error=${problems.custom}
        control=${(/** @type {any} */ attributes) =>
          html`
            <input class="input" type="datetime-local" ...${attributes} value=${draft.custom}
              onInput=${(/** @type {any} */ event) => change({ custom: event.target.value })} />
          `} />
    `}
  `;
}

/**
 * @param {string} path
 * @param {Draft} draft
 */
async function create(path, draft) {
  const json = { backend_id: draft.backend, ...apiFields(draft, Date.now()) };
  if (path !== adminPath) return await request("POST", path, { json });
  return await request("POST", path, { json: { ...json, user_id: await findUser(draft.owner) } });
}

/**
 * @param {string} path
 * @param {Credential} stored
 * @param {Draft} draft
 */
async function update(path, stored, draft) {
  const json = apiFields(draft, Date.now());
  return await request("PATCH", `${path}/${stored.access_key}`, { json });
}
