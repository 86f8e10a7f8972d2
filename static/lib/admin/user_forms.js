// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { apiCommand, secretWord } from "../api_command.js";
import { ShowCommand } from "../commands.js";
import { CopyButton } from "../copy_button.js";
import { DialogFrame } from "../dialog.js";
import { Field, PasswordInput } from "../fields.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { roles } from "./user_roles.js";

/** @typedef {import("../../islands/users.js").User} User */

/** @type {Readonly<Record<string, import("../i18n.js").MessageKey>>} */
const roleHints = {
  readonly: "users.role_readonly_hint",
  user: "users.role_user_hint",
  admin: "users.role_admin_hint",
};

/** Where the API keeps users. */
const usersPath = "/api/admin/users";

/** Characters of generated passwords: none that look alike. Their number divides 256, so that each is as likely. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** Characters of a generated password: 100 bits. */
const generatedLength = 20;

/**
 * A random password of this many characters.
 * @param {number} length
 */
function generatePassword(length) {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}

/**
 * A new user; closes with it.
 * @param {import("../dialog.js").DialogControls<User> & { minPasswordLength: number }} props
 */
export function CreateForm({ close, block, titleId, minPasswordLength }) {
  const [role, setRole] = useState("user");
  const [generated, setGenerated] = useState("");
  const [created, setCreated] = useState(/** @type {User | null} */ (null));
  const [typed, setTyped] = useState(/** @type {Record<string, unknown>} */ ({}));
  const form = useRef(/** @type {any} */ (null));
  const generate = () => {
    const fresh = generatePassword(Math.max(generatedLength, minPasswordLength));
    form.current.elements.password.value = fresh;
    setGenerated(fresh);
  };
  const { busy, problems, error, submit } = useSubmission({
    block,
    send: async (form) => {
      const json = { ...readUser(form), role };
      const user = await request("POST", usersPath, { json });
      // What was typed is known to who typed it; what was made here has been seen by nobody.
      if (json.password === generated) setCreated(user);
      else close(user);
    },
    explain: fieldsOf,
  });
  if (created !== null) {
    return html`
      <${OneTimePassword} user=${created} password=${generated} titleId=${titleId} block=${block}
        close=${() => close(created)} />
    `;
  }
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}</${Button}>
    <${Button} kind="primary" type="submit" busy=${busy}>${t("users.create")}</${Button}>
  `;
  return html`
    <form ref=${form} onSubmit=${submit} onInput=${() => setTyped(readUser(form.current))}>
      <${DialogFrame} title=${t("users.create")} titleId=${titleId} onClose=${close} footer=${footer}>
        <div class="form">
          <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
          <div class="field-row">
            <${Field} label=${t("users.username")} error=${problems.username} control=${(
              /** @type {any} */ attributes,
            ) =>
              html`
                <input class="input" ...${attributes} name="username" autocomplete="off" autocapitalize="off"
                  spellcheck=${false} required data-autofocus="" />
              `} />
            <${Field} label=${t("users.email")} optional=${true} error=${problems.email} control=${(
              /** @type {any} */ attributes,
            ) =>
              html`
                <input class="input" type="email" ...${attributes} name="email" autocomplete="off" />
              `} />
          </div>
          <${Field} label=${t("users.password")} error=${problems.password}
            hint=${t("users.password_hint", { n: minPasswordLength })}
            control=${(/** @type {any} */ attributes) =>
              html`
                <${PasswordInput} attributes=${attributes} name="password" autocomplete="new-password" required
                  minlength=${minPasswordLength} />
              `} />
          <div>
            <${Button} small=${true} icon="key" onClick=${generate}>${t("users.generate")}</${Button}></div>
          <${RoleChoice} value=${role} onChange=${setRole} />
          <label class="check"><input type="checkbox" name="must_change_pw" defaultChecked=${true} />
            <span>${t("users.must_choose")}</span></label>
          <${ShowCommand} lines=${[
            apiCommand("POST", usersPath, { ...typed, password: secretWord, role }),
          ]} />
        </div>
        <//>
        </form>
  `;
}

/**
 * A new user as the form says it, but for the role.
 * @param {HTMLFormElement} form
 */
function readUser(form) {
  const { username, email, password, must_change_pw: mustChange } = Object.fromEntries(new FormData(form));
  return { username, email, password, must_change_pw: mustChange === "on" };
}

/** @param {{ value: string, autofocus?: boolean, onChange: (role: string) => void }} props */
function RoleChoice({ value, autofocus = false, onChange }) {
  return html`<fieldset class="field"><legend class="legend">${t("users.role")}</legend>
    ${
    roles.map(([role, label]) =>
      html`
        <label class="check" key=${role}><input type="radio" name="role" value=${role}
          checked=${role === value}
          data-autofocus=${autofocus && role === value ? "" : undefined}
          onChange=${() => onChange(role)} /><span>${t(label)}<small>${t(
            roleHints[role],
          )}</small></span></label>
      `
    )
  }
  </fieldset>`;
}

/**
 * Another role for a user; closes with whether it was changed.
 * @param {import("../dialog.js").DialogControls<boolean> & { user: User, path: string }} props
 */
export function RoleForm({ close, block, titleId, user, path }) {
  const [role, setRole] = useState(user.role);
  const { busy, error, submit } = useSubmission({
    block,
    send: async () => {
      await request("PATCH", path, { json: { role } });
      close(true);
    },
  });
  const footer = html`
    <${Button} onClick=${() => close(false)}>${t("common.cancel")}</${Button}>
    <${Button} kind="primary" type="submit" busy=${busy}
      disabled=${role === user.role}>${t("users.change_role_action")}</${Button}>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${t("users.role_of", { name: user.username })} titleId=${titleId} onClose=${() =>
        close(false)} footer=${footer}>
        <div class="stack">
          <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
          <${RoleChoice} value=${role} autofocus=${true} onChange=${setRole} />
          ${user.identity_source === "oidc" &&
            html`<p class="muted" id="${titleId}-text">${t("users.role_by_groups")}</p>`}
          <${ShowCommand} lines=${[apiCommand("PATCH", path, { role })]} />
        </div>
        <//>
        </form>
  `;
}

/**
 * A random password for a user, shown once.
 * @param {import("../dialog.js").DialogControls<unknown> & { user: User, path: string }} props
 */
export function ResetForm({ close, block, titleId, user, path }) {
  const [password, setPassword] = useState("");
  const { busy, error, submit } = useSubmission({
    block,
    send: async () => setPassword((await request("POST", `${path}/reset-password`, { json: {} })).password),
  });
  if (password) {
    return html`<${OneTimePassword} user=${{
      ...user,
      must_change_pw: true,
    }} password=${password} titleId=${titleId} block=${block} close=${() => close()} />`;
  }
  const footer = html`
    <${Button} onClick=${() => close()} data-autofocus="">${t("common.cancel")}</${Button}>
    <${Button} kind="danger" type="submit" busy=${busy}>${t("users.reset_action")}</${Button}>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${t("users.reset_title", {
        name: user.username,
      })} titleId=${titleId} footer=${footer}>
        <div class="stack">
          <p id="${titleId}-text">${t("users.reset_text")}</p>
          <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
          <${ShowCommand} lines=${[apiCommand("POST", `${path}/reset-password`, {})]} />
        </div>
        <//>
        </form>
  `;
}

/**
 * A password that is shown this once: Esc, pressed once too often, does not take it away.
 * @param {{ user: User, password: string, titleId: string, block: (blocked: boolean) => void, close: () => void }} props
 */
function OneTimePassword({ user, password, titleId, block, close }) {
  const done = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => {
    block(true);
    // The button that had the focus is gone once there is a password.
    done.current?.focus();
  }, []);
  return html`
    <${DialogFrame} title=${t("users.new_password_of", { name: user.username })} titleId=${titleId}
      footer=${html`<button type="button" class="button button-primary" ref=${done} onClick=${close}>${
        t("users.done")
      }</button>`}>
      <div class="stack">
        <p>${t(user.must_change_pw ? "users.copy_now_must_change" : "users.copy_now", {
          name: user.username,
        })}</p>
        <div
          class="secret"><code class="select-all break" data-secret>${password}</code><${CopyButton} text=${password}
          label=${t("users.copy_password")} /></div>
      </div>
      <//>
  `;
}

/**
 * The field that the API finds fault with.
 * @param {unknown} failure
 * @returns {{ username?: string, email?: string, password?: string } | null}
 */
function fieldsOf(failure) {
  if (!(failure instanceof ApiError)) return null;
  const { code, detail, message } = failure;
  /** @type {Readonly<Record<string, string>>} */
  const fields = { username_taken: "username", email_taken: "email", weak_password: "password" };
  const field = fields[code] ?? detail?.field;
  return ["username", "email", "password"].includes(field) ? { [field]: message } : null;
}
