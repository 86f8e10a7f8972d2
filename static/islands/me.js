// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, request } from "../lib/api.js";
import { withBase } from "../lib/base.js";
import { Field, PasswordInput } from "../lib/fields.js";
import { ErrorWords } from "../lib/error_texts.js";
import { FailureWords } from "../lib/failure_words.js";
import { formatBytes, setDecimalSizes } from "../lib/format.js";
import { t } from "../lib/i18n.js";
import { setShortcutsOff, shortcutsOff } from "../lib/keys.js";
import { preference, setPreference, signOut } from "../lib/frame.js";
import { Deadline } from "../lib/moments.js";
import { OwnSessions } from "../lib/own_sessions.js";
import { PageHead } from "../lib/page_head.js";
import { Segmented } from "../lib/segmented.js";
import { toast } from "../lib/toast.js";
import { Button, html, Notice } from "../lib/ui.js";

/** @import { ComponentChild } from "preact" */
/** @import { MessageKey } from "../lib/i18n.js" */

/**
 * @typedef {import("../lib/boot_data.js").Me} Me
 * @typedef {import("../lib/session_row.js").Session} Session
 */

/**
 * One's own account, which is one's settings.
 * @param {{ sessions: Session[], minPasswordLength: number, language: string, next: string, me: Me, now: number }} props
 *   `language`: the one that was chosen in this browser, empty for none; `next`: a path of this site, for whoever has to
 *   choose a password before they see it
 */
export function Island({ sessions: first, minPasswordLength, language, next, me, now }) {
  const [sessions, setSessions] = useState(first);
  if (me.must_change_pw) {
    const goOn = () => location.assign(withBase(next));
    return html`
      <${PageHead} title=${t("account.choose_password")}>${t("account.choose_password_text")}<//>
      <div class="card card-body form-narrow needs-script">
        <${PasswordForm} me=${me} minPasswordLength=${minPasswordLength} onChanged=${goOn} />
      </div>
    `;
  }
  const noteChange = () => {
    // The server ends the others with the old password.
    setSessions((all) => all.filter(({ current }) => current));
    toast(t("account.password_changed"));
  };
  return html`
    <${PageHead} title=${t("account.title")} />
    <div class="account">
      <${Section} title=${t("account.profile")}>
        <${Profile} me=${me} now=${now} />
        <//>
        <${Section} title=${t("account.appearance")} text=${t("account.kept_here")} class="needs-script">
          <${Appearance} language=${language} />
          <//>
          <${Section} title=${t("account.keyboard")} text=${t("account.kept_here")} class="needs-script">
            <${Keyboard} />
            <//>
            <${Section} title=${t("account.password")} text=${t(
              "account.password_text",
            )} class="needs-script">
        ${me.identity_source === "local"
          ? html`<${PasswordForm} me=${me} minPasswordLength=${minPasswordLength} onChanged=${noteChange} />`
          : html`<p class="muted">${
            me.identity_source === "oidc" ? t("account.password_oidc") : t("account.password_static")
          }</p>`}
      <//>
      <${Section} title=${t("account.sessions")} text=${t(
        "account.sessions_text",
      )}><${OwnSessions} sessions=${sessions} setSessions=${setSessions} now=${now} /><//>
    </div>
  `;
}

/** @param {{ title: string, text?: string, class?: string, children?: any }} props */
function Section({ title, text, class: extra = "", children }) {
  return html`
    <section class="account-section ${extra}">
      <div><h2>${title}</h2>${text && html`<p class="muted">${text}</p>`}</div>
      <div class="card card-body">${children}</div>
    </section>
  `;
}

/** @type {Record<Me["identity_source"], MessageKey>} */
const sources = {
  local: "account.source_local",
  oidc: "account.source_oidc",
  static: "account.source_static",
};

/** @type {Record<Me["role"], MessageKey>} */
const roles = { admin: "account.role_admin", user: "account.role_user", readonly: "account.role_readonly" };

/** @param {{ me: Me, now: number }} props */
function Profile({ me, now }) {
  return html`
    <dl class="facts">
      <dt>${t("account.user_name")}</dt>
      <dd class="break">${me.username}</dd>
      <dt>${t("account.email")}</dt>
      <dd class="break">${me.email || html`<span class="faint">${t("account.no_email")}</span>`}</dd>
      <dt>${t("account.role")}</dt>
      <dd>${t(roles[me.role])}</dd>
      <dt>${t("account.source")}</dt>
      <dd>${t(sources[me.identity_source])}</dd>
      <dt>${t("account.session_ends")}</dt>
      <dd>
        <${Deadline} at=${me.session.expires_at} now=${now} />
      </dd>
    </dl>
  `;
}

/** The languages by their own names, as the cookie has them. */
const languages = /** @type {const} */ ([["en", "English"], ["de", "Deutsch"]]);

/** @param {readonly [string, string]} language */
function named([tag, name]) {
  return [tag, html`<span lang=${tag}>${name}</span>`];
}

/** A size that shows what the units of sizes make of it, in bytes. */
const sample = 1_500_000;

/** @param {{ language: string }} props the one that was chosen in this browser, empty for none */
function Appearance({ language }) {
  // What the cookies say is on <html>, which the server's copy of this component cannot see.
  const [theme, setTheme] = useState("");
  const [density, setDensity] = useState("");
  const [units, setUnits] = useState("");
  const [list, setList] = useState("");
  useEffect(() => {
    const read = () => {
      setTheme(preference("theme"));
      setDensity(preference("density"));
      setUnits(preference("units"));
      setList(preference("list"));
    };
    read();
    addEventListener("preference", read);
    return () => removeEventListener("preference", read);
  }, []);
  const themes = [["", t("account.theme_system")], ["light", t("account.theme_light")], [
    "dark",
    t("account.theme_dark"),
  ]];
  const densities = [["", t("account.density_default")], ["compact", t("account.density_compact")], [
    "regular",
    t("account.density_regular"),
  ], ["roomy", t("account.density_roomy")]];
  const lists = [["", t("account.list_default")], ["table", t("account.list_table")]];
  const unitSystems = [["", "KiB, MiB, GiB"], ["si", "kB, MB, GB"]];
  const measure = (/** @type {string} */ value) => {
    setDecimalSizes(value === "si");
    setPreference("units", value);
  };
  const speak = (/** @type {string} */ value) => {
    if (value === language) return;
    setPreference("language", value);
    location.reload();
  };
  return html`
    <div class="stack">
      <div class="field"><span class="legend">${t("account.language")}</span>
          <div><${Segmented} label=${t("account.language")} value=${language}
            options=${[
              ["", t("account.language_browser")],
              ...languages.map(named),
            ]} onChange=${speak} /></div></div>
      <div class="field"><span class="legend">${t("account.theme")}</span>
          <div><${Segmented} label=${t("account.theme")} value=${theme} options=${themes}
            onChange=${(/** @type {string} */ value) => setPreference("theme", value)} /></div></div>
      <div class="field"><span class="legend">${t("account.density")}</span>
          <div><${Segmented} label=${t("account.density")} value=${density} options=${densities}
            onChange=${(/** @type {string} */ value) => setPreference("density", value)} /></div></div>
      <div class="field"><span class="legend">${t("account.list")}</span>
          <div><${Segmented} label=${t("account.list")} value=${list} options=${lists}
            onChange=${(/** @type {string} */ value) => setPreference("list", value)} /></div>
          <p class="field-hint">${t("account.list_text")}</p></div>
      <div class="field"><span class="legend">${t("account.units")}</span>
          <div><${Segmented} label=${t(
            "account.units",
          )} value=${units} options=${unitSystems} onChange=${measure} /></div>
          <p class="field-hint" role="status">${t("account.units_example", {
            n: sample,
            size: formatBytes(sample),
          })}</p></div>
    </div>
  `;
}

function Keyboard() {
  const [off, setOff] = useState(false);
  // What this browser keeps, the server's copy of this component cannot see.
  useEffect(() => setOff(shortcutsOff()), []);
  const change = (/** @type {any} */ event) => {
    setShortcutsOff(!event.target.checked);
    setOff(!event.target.checked);
  };
  return html`
    <label class="check">
      <input type="checkbox" checked=${!off} onChange=${change} />
      <span>${t("account.single_keys")}<small>${t("account.single_keys_text")}</small></span>
    </label>
  `;
}

/** @param {{ me: Me, minPasswordLength: number, onChanged: () => void }} props */
function PasswordForm({ me, minPasswordLength, onChanged }) {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState(
    /** @type {{ current?: ComponentChild, next?: ComponentChild, form?: ComponentChild }} */ ({}),
  );
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { current, next } = Object.fromEntries(new FormData(form));
    setBusy(true);
    setErrors({});
    try {
      await request("POST", "/api/me/password", { json: { current_password: current, new_password: next } });
      // What is left for another page stays busy until that is there.
      if (me.must_change_pw) return onChanged();
      form.reset();
      onChanged();
    } catch (error) {
      setErrors(fieldErrors(error));
    }
    setBusy(false);
  };
  return html`
    <form class="form form-narrow" method="post" onSubmit=${submit}>
      <div role="alert">${errors.form && html`<${Notice} kind="bad">${errors.form}</${Notice}>`}</div>
      <input type="hidden" name="username" autocomplete="username" value=${me.username} />
      <${Field} label=${t("account.current_password")} error=${errors.current} control=${(
        /** @type {any} */ attributes,
      ) =>
        html`
          <${PasswordInput} attributes=${attributes} name="current" autocomplete="current-password" required />
        `} />
      <${Field} label=${t("account.new_password")} error=${errors.next} hint=${t("account.min_length", {
        n: minPasswordLength,
      })}
        control=${(/** @type {any} */ attributes) =>
          html`
            <${PasswordInput} attributes=${attributes} name="next" autocomplete="new-password" required
              minlength=${minPasswordLength} />
          `} />
      <div class="form-foot">
        <${Button} kind="primary" type="submit" busy=${busy}>${t("account.change_password")}</${Button}>
        ${me.must_change_pw &&
          html`<${Button} kind="quiet" onClick=${signOut}>${t("account.sign_out")}</${Button}>`}
      </div>
    </form>
  `;
}

/** @param {unknown} error */
function fieldErrors(error) {
  if (!(error instanceof ApiError)) return { form: error instanceof Error ? error.message : String(error) };
  const words = html`<${ErrorWords} error=${error} />`;
  if (error.code === "password_mismatch") return { current: words };
  if (error.code === "weak_password") return { next: words };
  return { form: html`<${FailureWords} error=${error} />` };
}
