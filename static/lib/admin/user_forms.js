// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { CopyButton } from "../copy_button.js";
import { DialogFrame } from "../dialog.js";
import { Field, PasswordInput } from "../fields.js";
import { Button, html, Notice } from "../ui.js";

/** @typedef {import("../../islands/users.js").User} User */

/** The roles of the service, weakest first, with the names they are shown by. */
export const roles =
  /** @type {const} */ ([["readonly", "Read only"], ["user", "User"], ["admin", "Administrator"]]);

/** @type {Readonly<Record<string, string>>} */
const roleHints = {
  readonly: "Sees buckets and objects, changes nothing.",
  user: "Uploads, deletes and shares objects, changes bucket settings.",
  admin: "Everything, including users, backends and the audit log.",
};

/**
 * A new user; closes with it.
 * @param {import("../dialog.js").DialogControls<User> & { minPasswordLength: number }} props
 */
export function CreateForm({ close, titleId, minPasswordLength }) {
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [busy, setBusy] = useState(false);
  const [role, setRole] = useState("user");
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const { username, email, password, must_change_pw: mustChange } = Object.fromEntries(
      new FormData(event.currentTarget),
    );
    setBusy(true);
    setErrors({});
    try {
      const json = { username, email, password, role, must_change_pw: mustChange === "on" };
      close(await request("POST", "/api/admin/users", { json }));
    } catch (error) {
      setBusy(false);
      setErrors(errorsByField(error));
    }
  };
  const footer = html`
    <${Button} onClick=${() => close()}>Cancel</${Button}>
    <${Button} kind="primary" type="submit" busy=${busy}>Create user</${Button}>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title="Create user" titleId=${titleId} onClose=${close} footer=${footer}>
        <div class="form">
          <div role="alert">${errors.form && html`<${Notice} kind="bad">${errors.form}</${Notice}>`}</div>
          <div class="field-row">
            <${Field} label="User name" error=${errors.username} control=${(/** @type {any} */ attributes) =>
              html`
                <input class="input" ...${attributes} name="username" autocomplete="off" autocapitalize="off"
                  spellcheck=${false} required data-autofocus="" />
              `} />
            <${Field} label="E-mail address" optional=${true} error=${errors.email} control=${(
              /** @type {any} */ attributes,
            ) =>
              html`
                <input class="input" type="email" ...${attributes} name="email" autocomplete="off" />
              `} />
          </div>
          <${Field} label="Password" error=${errors.password}
            hint="At least ${minPasswordLength} characters. Tell it to the user yourself."
            control=${(/** @type {any} */ attributes) =>
              html`
                <${PasswordInput} attributes=${attributes} name="password" autocomplete="new-password" required
                  minlength=${minPasswordLength} />
              `} />
          <${RoleChoice} value=${role} onChange=${setRole} />
          <label class="check"><input type="checkbox" name="must_change_pw" defaultChecked=${true} />
            <span>Must choose a new password at the first sign-in</span></label>
        </div>
        <//>
        </form>
  `;
}

/** @param {{ value: string, onChange: (role: string) => void }} props */
function RoleChoice({ value, onChange }) {
  return html`<fieldset class="field"><legend class="legend">Role</legend>
    ${
    roles.map(([role, label]) =>
      html`
        <label class="check" key=${role}><input type="radio" name="role" value=${role}
          checked=${role === value}
          onChange=${() => onChange(role)} /><span>${label}<small>${roleHints[role]}</small></span></label>
      `
    )
  }
  </fieldset>`;
}

/**
 * Another role for a user; closes with whether it was changed.
 * @param {import("../dialog.js").DialogControls<boolean> & { user: User, path: string }} props
 */
export function RoleForm({ close, titleId, user, path }) {
  const [role, setRole] = useState(user.role);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    setBusy(true);
    setError("");
    try {
      await request("PATCH", path, { json: { role } });
      close(true);
    } catch (failure) {
      setBusy(false);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const footer = html`
    <${Button} onClick=${() => close(false)}>Cancel</${Button}>
    <${Button} kind="primary" type="submit" busy=${busy}
      disabled=${role === user.role}>Change role</${Button}>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title="Role of ${user.username}" titleId=${titleId} onClose=${() =>
        close(false)} footer=${footer}>
        <div class="stack">
          <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
          <${RoleChoice} value=${role} onChange=${setRole} />
          ${user.identity_source === "oidc" &&
            html`<p class="muted">Where the configuration gives groups of the identity provider a role, that counts again
              from the next sign-in on.</p>`}
        </div>
        <//>
        </form>
  `;
}

/**
 * A random password for a user, shown once.
 * @param {import("../dialog.js").DialogControls<unknown> & { user: User, path: string }} props
 */
export function ResetForm({ close, titleId, user, path }) {
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const done = useRef(/** @type {HTMLButtonElement | null} */ (null));
  // The button that had the focus is gone once there is a password.
  useEffect(() => done.current?.focus(), [password]);
  const reset = async (/** @type {any} */ event) => {
    event.preventDefault();
    setBusy(true);
    setError("");
    try {
      const answer = await request("POST", `${path}/reset-password`, { json: {} });
      setPassword(answer.password);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
  };
  if (password) {
    return html`
      <${DialogFrame} title="New password of ${user.username}" titleId=${titleId}
        footer=${html`<button type="button" class="button button-primary" ref=${done} onClick=${() =>
          close()}>Done</button>`}>
        <div class="stack">
          <p>Copy it now: it is shown only this once. ${user
            .username} must choose a new one after signing in.</p>
          <div
            class="secret"><code class="select-all break" data-secret>${password}</code><${CopyButton} text=${password}
            label="Copy password" /></div>
        </div>
        <//>
    `;
  }
  const footer = html`
    <${Button} onClick=${() => close()} data-autofocus="">Cancel</${Button}>
    <${Button} kind="danger" type="submit" busy=${busy}>Reset password</${Button}>
  `;
  return html`
    <form onSubmit=${reset}>
      <${DialogFrame} title="Reset the password of ${user.username}?" titleId=${titleId} footer=${footer}>
        <div class="stack">
          <p>They get a random password, which you will see once. Their open sessions end and a lockout is lifted.</p>
          <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
        </div>
        <//>
        </form>
  `;
}

/**
 * The form's field that an error is about, or `form`.
 * @param {unknown} error
 * @returns {Record<string, string>}
 */
function errorsByField(error) {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return { form: message };
  /** @type {Readonly<Record<string, string>>} */
  const fields = { username_taken: "username", email_taken: "email", weak_password: "password" };
  const field = fields[error.code] ?? error.detail?.field;
  return { [["username", "email", "password"].includes(field) ? field : "form"]: message };
}
