// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, request } from "../lib/api.js";
import { confirm, rescueFocus } from "../lib/dialog.js";
import { Field, PasswordInput } from "../lib/fields.js";
import { preference, setPreference, signOut } from "../lib/frame.js";
import { Deadline } from "../lib/moments.js";
import { PageHead } from "../lib/page_head.js";
import { Segmented } from "../lib/segmented.js";
import { SessionRow } from "../lib/session_row.js";
import { toast, toastError } from "../lib/toast.js";
import { Button, html, Notice } from "../lib/ui.js";
import { describeAgent } from "../lib/user_agent.js";

/**
 * @typedef {import("../lib/boot_data.js").Me} Me
 * @typedef {import("../lib/session_row.js").Session} Session
 */

/** @param {{ sessions: Session[], minPasswordLength: number, me: Me, now: number }} props */
export function Island({ sessions, minPasswordLength, me, now }) {
  if (me.must_change_pw) {
    return html`
      <${PageHead} title="Choose a new password">
        Your password was set by someone else. Choose your own before you go on.
      <//>
      <div class="card card-body form-narrow"><${PasswordForm} me=${me} minPasswordLength=${minPasswordLength} /></div>
    `;
  }
  return html`
    <${PageHead} title="Your account" />
    <div class="settings">
      <${Section} title="Profile">
        <${Profile} me=${me} now=${now} />
        <//>
        <${Section} title="Appearance" text="Kept in this browser." class="needs-script">
          <${Appearance} />
          <//>
          <${Section} title="Password" text="Changing it ends your other sessions." class="needs-script">
        ${me.identity_source === "local"
          ? html`<${PasswordForm} me=${me} minPasswordLength=${minPasswordLength} />`
          : html`<p class="muted">${
            me.identity_source === "oidc"
              ? "Your password is kept by your identity provider. Change it there."
              : "This account is defined in the server's configuration. Its password can only be changed there."
          }</p>`}
      <//>
      <${Section} title="Sessions" text="Browsers that are signed in as you."><${Sessions} first=${sessions} now=${now} /><//>
    </div>
  `;
}

/** @param {{ title: string, text?: string, class?: string, children?: any }} props */
function Section({ title, text, class: extra = "", children }) {
  return html`
    <section class="settings-section ${extra}">
      <div><h2>${title}</h2>${text && html`<p class="muted">${text}</p>`}</div>
      <div class="card card-body">${children}</div>
    </section>
  `;
}

/** @param {{ me: Me, now: number }} props */
function Profile({ me, now }) {
  const sources = { local: "Password", oidc: "Single sign-on", static: "Server configuration" };
  const roles = { admin: "Administrator", user: "User", readonly: "Read only" };
  return html`
    <dl class="facts">
      <dt>User name</dt>
      <dd class="break">${me.username}</dd>
      <dt>E-mail</dt>
      <dd class="break">${me.email || html`<span class="faint">none</span>`}</dd>
      <dt>Role</dt>
      <dd>${roles[me.role]}</dd>
      <dt>Signed in with</dt>
      <dd>${sources[me.identity_source]}</dd>
      <dt>Session ends</dt>
      <dd>
        <${Deadline} at=${me.session.expires_at} now=${now} />
      </dd>
    </dl>
  `;
}

function Appearance() {
  // What the cookies say is on <html>, which the server's copy of this component cannot see.
  const [theme, setTheme] = useState("");
  const [density, setDensity] = useState("");
  useEffect(() => {
    const read = () => {
      setTheme(preference("theme"));
      setDensity(preference("density"));
    };
    read();
    addEventListener("preference", read);
    return () => removeEventListener("preference", read);
  }, []);
  const themes = /** @type {const} */ ([["", "System"], ["light", "Light"], ["dark", "Dark"]]);
  const densities = /** @type {const} */ ([["", "Default"], ["compact", "Compact"], ["regular", "Regular"], [
    "roomy",
    "Roomy",
  ]]);
  return html`
    <div class="stack">
      <div class="field"><span class="legend">Theme</span>
          <div><${Segmented} label="Theme" value=${theme} options=${themes}
            onChange=${(/** @type {string} */ value) => setPreference("theme", value)} /></div></div>
      <div class="field"><span class="legend">Row height</span>
          <div><${Segmented} label="Row height" value=${density} options=${densities}
            onChange=${(/** @type {string} */ value) => setPreference("density", value)} /></div></div>
    </div>
  `;
}

/** @param {{ me: Me, minPasswordLength: number }} props */
function PasswordForm({ me, minPasswordLength }) {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState(
    /** @type {{ current?: string, next?: string, form?: string }} */ ({}),
  );
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { current, next } = Object.fromEntries(new FormData(form));
    setBusy(true);
    setErrors({});
    try {
      await request("POST", "/api/me/password", { json: { current_password: current, new_password: next } });
      if (me.must_change_pw) return location.assign("/");
      form.reset();
      toast("Your password is changed. Your other sessions have ended.");
    } catch (error) {
      setErrors(fieldErrors(error));
    }
    setBusy(false);
  };
  return html`
    <form class="form form-narrow" method="post" onSubmit=${submit}>
      <div role="alert">${errors.form && html`<${Notice} kind="bad">${errors.form}</${Notice}>`}</div>
      <input type="hidden" name="username" autocomplete="username" value=${me.username} />
      <${Field} label="Current password" error=${errors.current} control=${(/** @type {any} */ attributes) =>
        html`
          <${PasswordInput} attributes=${attributes} name="current" autocomplete="current-password" required />
        `} />
      <${Field} label="New password" error=${errors.next} hint="At least ${minPasswordLength} characters."
        control=${(/** @type {any} */ attributes) =>
          html`
            <${PasswordInput} attributes=${attributes} name="next" autocomplete="new-password" required
              minlength=${minPasswordLength} />
          `} />
      <div class="form-foot">
        <${Button} kind="primary" type="submit" busy=${busy}>Change password</${Button}>
        ${me.must_change_pw && html`<${Button} kind="quiet" onClick=${signOut}>Sign out</${Button}>`}
      </div>
    </form>
  `;
}

/** @param {unknown} error */
function fieldErrors(error) {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiError && error.code === "password_mismatch") return { current: message };
  if (error instanceof ApiError && error.code === "weak_password") return { next: message };
  return { form: message };
}

/** @param {{ first: Session[], now: number }} props */
function Sessions({ first, now }) {
  const [sessions, setSessions] = useState(first);
  const end = async (/** @type {Session} */ session) => {
    const sure = await confirm({
      title: "End this session?",
      body: html`<p>${describeAgent(session.user_agent)} at ${session.ip} will have to sign in again.</p>`,
      action: "End session",
      danger: true,
    });
    if (!sure) return;
    try {
      await request("DELETE", `/api/me/sessions/${encodeURIComponent(session.id)}`);
      setSessions((all) => all.filter(({ id }) => id !== session.id));
      toast("The session has ended.");
      rescueFocus();
    } catch (error) {
      toastError("The session was not ended", error);
    }
  };
  return html`<ul class="session-list">${
    sessions.map((session) =>
      html`
        <${SessionRow} key=${session.id} session=${session} now=${now} action=${session.current
          ? html`<${Button} small=${true} onClick=${signOut}>Sign out</${Button}>`
          : html`
            <${Button} small=${true} onClick=${() => end(session)}
              aria-label="End session of ${describeAgent(session.user_agent)} at ${session
                .ip}">End</${Button}>
          `} />
      `
    )
  }</ul>`;
}
