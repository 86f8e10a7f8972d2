// @ts-check
import { FailureWords } from "../failure_words.js";
import { formatUtc } from "../format.js";
import { rich, t } from "../i18n.js";
import { Button, EmptyState, html, Notice, Time } from "../ui.js";
import { settingsPage } from "./section.js";

/** @import { Failure, SectionName, SettingsPlace } from "./section.js" */

/**
 * Says that the backend does not have this, and how that is known.
 * @param {{
 *   place: SettingsPlace, section: SectionName, error: Failure | null, load: () => Promise<void>, now: number
 * }} props
 */
export function Unsupported({ place, section, error, load, now }) {
  const { backend, bucket } = place;
  const elsewhere = section === "cors" && html`${" "}${t("settings.cors_elsewhere")}`;
  const actions = html`
    <span class="row notice-actions">
      <${Button} small=${true} onClick=${load}>${t("settings.ask_again")}<//>
      ${place.canReadHealth && html`
        <a class="button button-small" href="/admin/health">${t("settings.probe_link")}</a>
      `}
      ${section === "cors" && html`
        <a class="button button-small" href=${settingsPage(backend.id, bucket, "proxy-cors")}>${t(
          "settings.proxy_cors",
        )}</a>
      `}
    </span>
  `;
  const code = String(error?.detail?.upstream_code ?? "NotImplemented");
  const at = error === null ? backend.last_probe_at : undefined;
  return html`<${Notice} kind="warn">
    <strong>${t("settings.unsupported", { name: backend.name })}</strong>${" "}
    ${
    error !== null
      ? t("settings.unsupported_answer", { name: backend.name, code })
      : at === undefined
      ? t("settings.unsupported_probe")
      : rich("settings.unsupported_probe_at", {
        time: html`<span title=${formatUtc(Date.parse(at))}><${Time} at=${at} now=${now} /></span>`,
      })
  }
  ${elsewhere}${actions}
  <//>`;
}

/**
 * Says that a setting could not be read, and what to do.
 * @param {{ error: Failure, load: () => Promise<void> }} props
 */
export function LoadFailure({ error, load }) {
  const forbidden = error.code === "forbidden";
  const missing = error.status === 404;
  const title = forbidden
    ? t("settings.forbidden_title")
    : missing
    ? t("settings.missing_title")
    : t("settings.failed_title");
  return html`
    <div class="card">
      <${EmptyState} icon=${forbidden ? "lock" : "alert"} title=${title}
        action=${html`<${Button} icon="refresh" onClick=${load}>${t("common.retry")}<//>`}>${forbidden
          ? t("settings.forbidden_text")
          : missing
          ? t("settings.missing_text")
          : html`<${FailureWords} error=${error} />`}<//>
    </div>
  `;
}
