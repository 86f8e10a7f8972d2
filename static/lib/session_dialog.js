// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { ApiError } from "./api.js";
import { DialogFrame, openDialog } from "./dialog.js";
import { Field, PasswordInput } from "./fields.js";
import { signIn } from "./sign_in.js";
import { Button, html, Notice } from "./ui.js";

/**
 * Asks the user to sign in again without leaving the page, so that nothing they typed is lost. Resolves when the same
 * user is back; loads the page anew for a different one; rejects when they dismiss it.
 * @param {import("./boot_data.js").Me} me
 * @param {{ ended?: boolean }} [options] whether the session has ended already, as it has unless told
 */
export async function askToSignInAgain(me, { ended = true } = {}) {
  const signedIn = await openDialog(
    /** @param {import("./dialog.js").DialogControls<boolean>} controls */
    (controls) => html`<${SignInForm} ...${controls} me=${me} ended=${ended} />`,
    { size: "small" },
  );
  if (!signedIn) throw new ApiError({ status: 401, code: "unauthorized", message: "Sign in to go on." });
  dispatchEvent(new Event("session-renewed"));
}

/** @param {import("./dialog.js").DialogControls<boolean> & { me: import("./boot_data.js").Me, ended: boolean }} props */
function SignInForm({ close, titleId, me, ended }) {
  const title = ended ? "Your session has ended" : "Your session ends soon";
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    setBusy(true);
    setError("");
    try {
      await signIn(me.username, password);
      close(true);
    } catch (failure) {
      setBusy(false);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  if (me.identity_source === "oidc") {
    const next = encodeURIComponent(location.pathname + location.search);
    return html`
      <${DialogFrame} title=${title} titleId=${titleId} onClose=${() => close(false)}
        footer=${html`<a class="button button-primary" href="/auth/login/oidc?next=${next}">Sign in again</a>`}>
        <p>Sign in with your identity provider to go on. You come back to this page.</p>
        <//>
    `;
  }
  const footer = html`
    <${Button} onClick=${() => close(false)}>Not now</${Button}>
    <${Button} kind="primary" type="submit" busy=${busy}>Sign in</${Button}>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${title} titleId=${titleId} footer=${footer}>
        <div class="stack">
          <p>Sign in as <strong>${me.username}</strong> to go on. What you were doing is kept.</p>
          ${error && html`<${Notice} kind="bad" role="alert">${error}</${Notice}>`}
          <input type="hidden" name="username" autocomplete="username" value=${me.username} />
          <${Field} label="Password" control=${(/** @type {any} */ attributes) =>
            html`
              <${PasswordInput} attributes=${attributes} name="password" autocomplete="current-password" required
                data-autofocus="" value=${password} onInput=${(/** @type {any} */ event) =>
                  setPassword(event.target.value)} />
            `} />
        </div>
        <//>
        </form>
  `;
}
