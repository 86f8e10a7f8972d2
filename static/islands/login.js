// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, toError } from "../lib/api.js";
import { BrandMark } from "../lib/brand_mark.js";
import { Field, PasswordInput } from "../lib/fields.js";
import { formatDuration } from "../lib/format.js";
import { errorText } from "../lib/i18n.js";
import { signIn } from "../lib/sign_in.js";
import { Button, html, Icon, Notice } from "../lib/ui.js";

/**
 * @typedef {object} LoginProps
 * @property {string[]} modes
 * @property {boolean} allowSelfRegistration
 * @property {number} minPasswordLength
 * @property {string} next a path of this site
 * @property {string} error code of what went wrong before, empty for nothing
 * @property {string} reason why single sign-on failed, empty for nothing
 * @property {string} requestId id of the request that failed, empty for none
 * @property {number} retryAfter seconds
 * @property {boolean} registering
 */

/** @param {LoginProps} props */
export function Island(props) {
  return html`
    <div class="login">
      <div class="login-brand"><${BrandMark} /><span>Storage dashboard</span></div>
      <div class="card login-card">
        ${props.registering ? html`<${RegisterForm} ...${props} />` : html`<${SignIn} ...${props} />`}
      </div>
    </div>
  `;
}

/** @param {LoginProps} props */
function SignIn(props) {
  const { modes, allowSelfRegistration, next, error } = props;
  const withPassword = modes.includes("local") || modes.includes("static");
  const ofSingleSignOn = error === "oidc_failed";
  return html`
    <h1>Sign in</h1>
    ${next !== "/" && !props.error && html`
      <p class="muted login-next">Sign in to go on to <code class="break">${next.split("?")[0]}</code>.</p>
    `}
    ${ofSingleSignOn
      ? html`
        <div role="alert">
          <${SingleSignOnFailure} ...${props} />
        </div>
      `
      : !withPassword && error && html`
        <div role="alert">
          <${SignInFailure} failure=${{ code: error, message: "", wait: 0 }} wait=${0} />
        </div>
      `}
    ${modes.includes("oidc") && html`
      <a class="button button-wide ${withPassword ? "" : "button-primary"}"
        href="/auth/login/oidc?next=${encodeURIComponent(
          next,
        )}"><${Icon} name="key" />Sign in with single sign-on</a>
    `}
    ${modes.includes("oidc") && withPassword && html`<p class="divider"><span>or</span></p>`}
    ${withPassword && html`<${PasswordForm} ...${props} error=${ofSingleSignOn ? "" : error} />`}
    ${allowSelfRegistration &&
      html`<p class="login-foot">No account yet? <a href="/login?register=1">Create one</a></p>`}
  `;
}

/**
 * What went wrong with single sign-on, by the reason that the server gives.
 * @type {Readonly<Record<string, string>>}
 */
const singleSignOnFailures = {
  access_denied: "You were not let in by the identity provider, or you cancelled.",
  provider_error:
    "The identity provider answered with an error. Try again; if it stays, tell an administrator.",
  provider_unavailable: "The identity provider cannot be reached. Try again in a moment.",
  state_invalid: "Signing in took too long, or was begun in another browser. Try again.",
  token_invalid:
    "The identity provider's answer cannot be trusted. Try again; if it stays, tell an administrator.",
  user_disabled: "Your account is disabled. An administrator can enable it.",
};

/** @param {LoginProps} props */
function SingleSignOnFailure({ reason, requestId }) {
  const text = Object.hasOwn(singleSignOnFailures, reason)
    ? singleSignOnFailures[reason]
    : "Single sign-on did not work. Try again.";
  return html`
    <${Notice} kind="bad">
      <p>${text}</p>
      <p class="mono break">${reason || "oidc_failed"}${requestId && html`<br />Request ${requestId}`}</p>
      <//>
  `;
}

/**
 * The form works without script too: it then posts itself, and a failure comes back in the address.
 * @param {LoginProps} props
 */
function PasswordForm({ next, error: firstError, retryAfter: firstWait }) {
  const [failure, setFailure] = useState({ code: firstError, message: "", wait: firstWait });
  const [busy, setBusy] = useState(false);
  const wait = useCountdown(failure.wait);
  const limited = failure.wait > 0 && wait > 0;

  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { username, password } = Object.fromEntries(new FormData(form));
    setBusy(true);
    try {
      const { must_change_pw: mustChange } = await signIn(String(username), String(password));
      location.assign(mustChange ? "/me" : next);
    } catch (error) {
      setBusy(false);
      const { code, message, retryAfter } = error instanceof ApiError
        ? error
        : { code: "internal", message: String(error), retryAfter: 0 };
      setFailure({ code, message, wait: retryAfter });
      form.elements.password.select();
    }
  };

  return html`
    <form class="stack" method="post" action="/auth/login/local" onSubmit=${submit}>
      <div role="alert">${failure.code && html`<${SignInFailure} failure=${failure} wait=${wait} />`}</div>
      <input type="hidden" name="next" value=${next} />
      <${Field} label="User name" control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} name="username" autocomplete="username" autocapitalize="off"
            spellcheck=${false}
            required autofocus />
        `} />
      <${Field} label="Password" control=${(/** @type {any} */ attributes) =>
        html`
          <${PasswordInput} attributes=${attributes} name="password" autocomplete="current-password" required />
        `} />
      <${Button} kind="primary" type="submit" class="button-wide" busy=${busy}
        disabled=${limited}>Sign in</${Button}>
    </form>
  `;
}

/** @param {{ failure: { code: string, message: string, wait: number }, wait: number }} props */
function SignInFailure({ failure: { code, message, wait: limited }, wait }) {
  if (code === "unauthorized") {
    return html`<${Notice} kind="info">Your session ended. Sign in to go on.</${Notice}>`;
  }
  if (code === "account_locked" || code === "rate_limited") {
    const what = code === "account_locked"
      ? "This account is locked after too many wrong passwords."
      : "Too many attempts to sign in from this address.";
    const then = limited === 0
      ? "Try again in a few minutes."
      : wait > 0
      ? html`Try again in <strong class="number" data-countdown>${formatDuration(wait)}</strong>.`
      : "You can try again now.";
    return html`<${Notice} kind="warn">${what} <span aria-live="off">${then}</span></${Notice}>`;
  }
  const text = errorText({ code, message: message || "Signing in did not work. Try again." });
  return html`<${Notice} kind="bad">${text}</${Notice}>`;
}

/**
 * Seconds left of a wait, counted down.
 * @param {number} seconds
 */
function useCountdown(seconds) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (seconds <= 0) return;
    const end = Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}

/** @param {LoginProps} props */
function RegisterForm({ minPasswordLength }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [created, setCreated] = useState("");
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const { username, password, email } = Object.fromEntries(new FormData(event.currentTarget));
    setBusy(true);
    setError("");
    try {
      const user = await register({ username, password, email });
      if (!user.enabled) return setCreated(user.username);
      await signIn(String(username), String(password));
      location.assign("/");
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  if (created) {
    return html`
      <h1>Account created</h1>
      <p>An administrator must enable <strong>${created}</strong> before you can sign in.</p>
      <a class="button button-wide" href="/login">Back to sign in</a>
    `;
  }
  return html`
    <h1>Create an account</h1>
    <p class="without-script">Creating an account needs JavaScript.</p>
    <form class="stack needs-script" method="post" onSubmit=${submit}>
      <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
      <${Field} label="User name" control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} name="username" autocomplete="username" autocapitalize="off"
            spellcheck=${false}
            required autofocus />
        `} />
      <${Field} label="E-mail address" optional=${true} control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" type="email" ...${attributes} name="email" autocomplete="email" />
        `} />
      <${Field} label="Password" hint="At least ${minPasswordLength} characters." control=${(
        /** @type {any} */ attributes,
      ) =>
        html`
          <${PasswordInput} attributes=${attributes} name="password" autocomplete="new-password" required
            minlength=${minPasswordLength} />
        `} />
      <${Button} kind="primary" type="submit" class="button-wide" busy=${busy}>Create account</${Button}>
    </form>
    <p class="login-foot">Have an account? <a href="/login">Sign in</a></p>
  `;
}

/** @param {Record<string, unknown>} account */
async function register(account) {
  const response = await fetch("/auth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw await toError(response);
  return await response.json();
}
