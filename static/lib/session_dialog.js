// @ts-check
/// <reference lib="dom" />
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { sessionEnded } from "./api.js";
import { currentPath, withBase } from "./base.js";
import { DialogFrame, openDialog } from "./dialog.js";
import { Field, PasswordInput } from "./fields.js";
import { rich, t } from "./i18n.js";
import { listenToTabs } from "./session_channel.js";
import { signIn } from "./sign_in.js";
import { Button, html, Notice } from "./ui.js";

/** @import { Me } from "./boot_data.js" */
/** @import { DialogControls } from "./dialog.js" */

/**
 * Why someone is asked: the session ends soon, has ended, was ended by hand in another tab, or is that of somebody else who
 * has signed in there.
 * @typedef {"soon" | "ended" | "signed-out" | "replaced"} SignInReason
 */

const titles = /** @type {const} */ ({
  "soon": "frame.session_soon_title",
  "ended": "frame.session_ended_title",
  "signed-out": "frame.signed_out_title",
  "replaced": "frame.replaced_title",
});

/** Reasons for which nobody may read on. @type {readonly SignInReason[]} */
const covering = ["signed-out", "replaced"];

/**
 * Asks the user to sign in again without leaving the page, so that nothing they typed is lost. Resolves when the same
 * user is back; loads the page anew for a different one; rejects when they dismiss it.
 * @param {Me} me
 * @param {SignInReason} reason
 */
export async function askToSignInAgain(me, reason) {
  const signedIn = await openDialog(
    /** @param {DialogControls<boolean>} controls */
    (controls) => html`<${SignInForm} ...${controls} me=${me} reason=${reason} />`,
    // Who signed out wants nobody to read on.
    { size: "small", covering: covering.includes(reason) },
  );
  if (!signedIn) throw sessionEnded();
  dispatchEvent(new Event("session-renewed"));
}

/** @param {DialogControls<boolean> & { me: Me, reason: SignInReason }} props */
function SignInForm({ close, block, titleId, me, reason }) {
  // Before it is shown: an effect would wait for a frame, which a tab in the background does not draw.
  useLayoutEffect(() => block(covering.includes(reason)), []);
  useEffect(() => watchForSession(me, reason, () => close(true)), []);
  const title = t(titles[reason]);
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
  const later = !covering.includes(reason) &&
    html`<${Button} onClick=${() => close(false)}>${t("frame.not_now")}</${Button}>`;
  const next = encodeURIComponent(currentPath() + location.search);
  if (me.identity_source === "oidc") {
    return html`
      <${DialogFrame} title=${title} titleId=${titleId} footer=${html`
        ${later}
                <a class="button button-primary" target="_blank" data-autofocus=""
          href="/auth/login/oidc?next=/me">${t("frame.sign_in_again")}</a>
      `}>
        <p>${t("frame.sign_in_elsewhere")}</p>
        ${reason === "replaced" && html`
          <p>
            <${OtherAccount} />
          </p>
        `}
        <//>
    `;
  }
  const footer = html`
    ${later}<${Button} kind="primary" type="submit" busy=${busy}>${t("frame.sign_in")}</${Button}>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${title} titleId=${titleId} footer=${footer}>
        <div class="stack">
          <p>${rich("frame.sign_in_as", { name: html`<strong>${me.username}</strong>` })}</p>
          ${error && html`<${Notice} kind="bad" role="alert">${error}</${Notice}>`}
          <input type="hidden" name="username" autocomplete="username" value=${me.username} />
          <${Field} label=${t("frame.password")} control=${(/** @type {any} */ attributes) =>
            html`
              <${PasswordInput} attributes=${attributes} name="password" autocomplete="current-password" required
                data-autofocus="" value=${password} onInput=${(/** @type {any} */ event) =>
                  setPassword(event.target.value)} />
            `} />
          <p>${reason === "replaced" ? html`<${OtherAccount} />` : html`
            <a href="/login?next=${next}" data-document>${t("frame.someone_else")}</a>
          `}</p>
        </div>
        <//>
        </form>
  `;
}

/** Gives the page up to whoever is signed in now. */
function OtherAccount() {
  // With its origin: a path that begins with two slashes would be another host's.
  const [address] = location.href.split("#");
  return html`<a href=${address} data-document>${t("frame.use_other_account")}</a>`;
}

/**
 * Notices that the user has signed in elsewhere in this browser: another tab says so, or the server when this one is looked
 * at again. Returns what ends it.
 * @param {Me} me
 * @param {SignInReason} reason
 * @param {() => void} onSession
 */
function watchForSession(me, reason, onSession) {
  const check = async () => {
    if (document.hidden || reason === "soon") return;
    const response = await fetch(withBase("/api/me"), { headers: { "x-background": "1" } }).catch(() => null);
    if (!response?.ok) return;
    const { id } = await response.json();
    if (id === me.id) onSession();
    else if (reason !== "replaced") location.reload();
  };
  document.addEventListener("visibilitychange", check);
  const stop = listenToTabs((news) => {
    if (news.type === "signed-in" && news.user === me.id) onSession();
  });
  return () => {
    stop();
    document.removeEventListener("visibilitychange", check);
  };
}
