// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { html, Notice } from "../ui.js";
import { prettyJson } from "./section.js";

/** @import { FormProps, Section } from "./section.js" */
/** @typedef {{ enabled: boolean }} VersioningValue */

/** Whether a bucket keeps what is overwritten and deleted. @type {Section<VersioningValue>} */
export const versioningSection = {
  name: "versioning",
  capability: "versioning",
  title: "settings.versioning",
  about: "settings.versioning_about",
  empty: { enabled: false },
  read: ({ enabled }) => ({ enabled }),
  toText: prettyJson,
  stateWords: (_, { status }) =>
    status === "enabled"
      ? t("settings.versioning_on")
      : status === "suspended"
      ? t("settings.versioning_suspended")
      : t("settings.versioning_off"),
  Form: VersioningForm,
  loadEditing: async () => (await import("./versioning_editing.js")).versioningEditing,
};

/** @param {FormProps<VersioningValue>} props */
function VersioningForm({ value: { enabled }, onChange, answer: { status, mfa_delete: mfaDelete } }) {
  const choice = (/** @type {boolean} */ on, /** @type {string} */ title, /** @type {string} */ about) =>
    html`
      <label class="check"><input type="radio" name="versioning" checked=${enabled === on}
        onChange=${() => onChange({ enabled: on })} /><span>${title}<small>${about}</small></span></label>
    `;
  return html`
    <div class="card card-body stack">
      ${choice(true, t("settings.versioning_enable"), t("settings.versioning_enable_about"))}
      ${status === "enabled" || status === "suspended"
        ? choice(false, t("settings.versioning_suspend"), t("settings.versioning_suspend_about"))
        : choice(false, t("settings.versioning_leave"), t("settings.versioning_leave_about"))}
      <${Notice}>${t("settings.versioning_cost")}<//>
      ${mfaDelete === true && html`<${Notice} kind="warn">${t("settings.versioning_mfa")}<//>`}
    </div>
  `;
}
