// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, toError } from "../lib/api.js";
import { withBase } from "../lib/base.js";
import { BrandMark } from "../lib/brand_mark.js";
import { Field, PasswordInput } from "../lib/fields.js";
import { formatDuration } from "../lib/format.js";
import { errorText } from "../lib/error_texts.js";
import { currentLanguage, rich, t } from "../lib/i18n.js";
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
 * @property {boolean} signedOut whether that was just done
 * @property {boolean} registering
 */

/** @param {LoginProps} props */
export function Island(props) {
  return html`
    <div class="login">
      <div class="login-brand"><${BrandMark} /><span>${t("sign_in.product")}</span></div>
      <div class="card login-card">
        ${props.registering ? html`<${RegisterForm} ...${props} />` : html`<${SignIn} ...${props} />`}
      </div>
      <${LanguageSwitch} ...${props} />
    </div>
  `;
}

/** The languages by their own names, as the cookie has them. */
const languages = /** @type {const} */ ([["en", "English"], ["de", "Deutsch"]]);

/**
 * Links to this page in each language: they work without script.
 * @param {LoginProps} props
 */
function LanguageSwitch({ next, registering }) {
  const current = currentLanguage();
  const rest = `${next === "/" ? "" : `&next=${encodeURIComponent(next)}`}${
    registering ? "&register=1" : ""
  }`;
  return html`
    <nav class="login-languages" aria-label=${t("sign_in.language")}>
      ${languages.map(([language, name]) =>
        html`
          <a key=${language} href="/login?language=${language}${rest}" lang=${language} hreflang=${language}
            aria-current=${language === current ? "true" : undefined}>${name}</a>
        `
      )}
    </nav>
  `;
}

/** @param {LoginProps} props */
function SignIn(props) {
  const { modes, allowSelfRegistration, next, error } = props;
  const withPassword = modes.includes("local") || modes.includes("static");
  const ofSingleSignOn = error === "oidc_failed";
  return html`
    <h1>${t("sign_in.title")}</h1>
    ${props.signedOut && !error && html`
      <div role="status">
        <${Notice} kind="info">${t("sign_in.signed_out")}<//></div>
    `}
    ${next !== "/" && !error && html`
      <p class="muted login-next">${rich("sign_in.go_on", {
        page: html`<code class="break">${next.split("?")[0]}</code>`,
      })}</p>
    `}
    ${ofSingleSignOn
      ? html`
        <div role="alert">
          <${SingleSignOnFailure} ...${props} />
        </div>
      `
      : !withPassword && error && html`
        <div role="alert">
          <${EarlierFailure} ...${props} />
        </div>
      `}
    ${modes.includes("oidc") && html`
      <a class="button button-wide ${withPassword ? "" : "button-primary"}"
        href="/auth/login/oidc?next=${encodeURIComponent(
          next,
        )}"><${Icon} name="key" />${t("sign_in.single_sign_on")}</a>
    `}
    ${modes.includes("oidc") && withPassword && html`<p class="divider"><span>${t("sign_in.or")}</span></p>`}
    ${withPassword && html`<${PasswordForm} ...${props} error=${ofSingleSignOn ? "" : error} />`}
    ${allowSelfRegistration &&
      html`<p class="login-foot">${t("sign_in.no_account")} <a href="/login?register=1">${
        t("sign_in.create_one")
      }</a></p>`}
  `;
}

/**
 * What went wrong with single sign-on, by the reason that the server gives.
 * @type {Readonly<Record<string, import("../lib/i18n.js").MessageKey>>}
 */
const singleSignOnFailures = {
  access_denied: "sign_in.access_denied",
  provider_error: "sign_in.provider_error",
  provider_unavailable: "sign_in.provider_unavailable",
  state_invalid: "sign_in.state_invalid",
  token_invalid: "sign_in.token_invalid",
  user_disabled: "sign_in.user_disabled",
};

/** @param {LoginProps} props */
function SingleSignOnFailure({ reason, requestId }) {
  const text = Object.hasOwn(singleSignOnFailures, reason)
    ? t(singleSignOnFailures[reason])
    : t("sign_in.single_sign_on_failed");
  return html`
    <${Notice} kind="bad">
      <p>${text}</p>
      <p class="mono break">${reason || "oidc_failed"}${requestId &&
        html`<br />${t("common.request_id", { id: requestId })}`}</p>
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
      await signIn(String(username), String(password));
      location.assign(withBase(next));
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
      <${Field} label=${t("sign_in.user_name")} control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} name="username" autocomplete="username" autocapitalize="off"
            spellcheck=${false}
            required autofocus />
        `} />
      <${Field} label=${t("sign_in.password")} control=${(/** @type {any} */ attributes) =>
        html`
          <${PasswordInput} attributes=${attributes} name="password" autocomplete="current-password" required />
        `} />
      <${Button} kind="primary" type="submit" class="button-wide" busy=${busy}
        disabled=${limited}>${t("sign_in.title")}</${Button}>
    </form>
  `;
}

/**
 * What went wrong before, where there is no form that could say it.
 * @param {LoginProps} props
 */
function EarlierFailure({ error, retryAfter }) {
  const wait = useCountdown(retryAfter);
  return html`<${SignInFailure} failure=${{ code: error, message: "", wait: retryAfter }} wait=${wait} />`;
}

/** @param {{ failure: { code: string, message: string, wait: number }, wait: number }} props */
function SignInFailure({ failure: { code, message, wait: limited }, wait }) {
  if (code === "unauthorized") {
    return html`<${Notice} kind="info">${t("sign_in.session_ended")}</${Notice}>`;
  }
  if (code === "account_locked" || code === "rate_limited") {
    const what = code === "account_locked" ? t("sign_in.locked") : t("sign_in.limited");
    const then = limited === 0 ? t("sign_in.try_later") : wait > 0
      ? rich("sign_in.try_in", {
        time: html`<strong class="number nowrap" data-countdown>${formatDuration(wait)}</strong>`,
      })
      : t("sign_in.try_now");
    return html`<${Notice} kind="warn">${what} <span aria-live="off">${then}</span></${Notice}>`;
  }
  const text = errorText({ code, message: message || t("sign_in.failed") });
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
      location.assign(withBase("/"));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  if (created) {
    return html`
      <h1>${t("sign_in.created")}</h1>
      <p>${rich("sign_in.must_enable", { name: html`<strong class="break">${created}</strong>` })}</p>
      <a class="button button-wide" href="/login">${t("sign_in.back")}</a>
    `;
  }
  return html`
    <h1>${t("sign_in.create_title")}</h1>
    <p class="without-script">${t("sign_in.create_needs_script")}</p>
    <form class="stack needs-script" method="post" onSubmit=${submit}>
      <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
      <${Field} label=${t("sign_in.user_name")} control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} name="username" autocomplete="username" autocapitalize="off"
            spellcheck=${false}
            required autofocus />
        `} />
      <${Field} label=${t("sign_in.email")} optional=${true} control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" type="email" ...${attributes} name="email" autocomplete="email" />
        `} />
      <${Field} label=${t("sign_in.password")} hint=${t("sign_in.min_length", {
        n: minPasswordLength,
      })} control=${(
        /** @type {any} */ attributes,
      ) =>
        html`
          <${PasswordInput} attributes=${attributes} name="password" autocomplete="new-password" required
            minlength=${minPasswordLength} />
        `} />
      <${Button} kind="primary" type="submit" class="button-wide" busy=${busy}>${t(
        "sign_in.create",
      )}</${Button}>
    </form>
    <p class="login-foot">${t("sign_in.have_account")} <a href="/login">${t("sign_in.title")}</a></p>
  `;
}

/** @param {Record<string, unknown>} account */
async function register(account) {
  const response = await fetch(withBase("/auth/register"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw await toError(response);
  return await response.json();
}
