// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { Field } from "../fields.js";
import { rich, t } from "../i18n.js";
import { Button, html } from "../ui.js";
import { policyTemplates, withStatements } from "./policy_templates.js";

/** @import { PolicyTemplate } from "./policy_templates.js" */
/** @import { PolicyValue } from "./policy_form.js" */
/** @import { FormProps } from "./section.js" */

/**
 * Templates that add to a policy, or take its place.
 * @param {Pick<FormProps<PolicyValue>, "value" | "onChange" | "disabled" | "place">} props
 */
export function TemplateForm({ value, onChange, disabled, place: { bucket } }) {
  const [chosen, setChosen] = useState(policyTemplates[1].id);
  const [prefix, setPrefix] = useState("");
  const [principal, setPrincipal] = useState("");
  const template = /** @type {PolicyTemplate} */ (policyTemplates.find(({ id }) => id === chosen));
  const missing = (template.asks.includes("principal") && principal.trim() === "") ||
    (template.asks.length === 1 && template.asks[0] === "prefix" && prefix === "");
  const statements = () => template.statements({ bucket, prefix, principal: principal.trim() });
  if (disabled) return null;
  const replace = () => {
    const added = statements();
    onChange(added.length === 0 ? null : withStatements(null, added));
  };
  return html`
    <section class="card card-body stack" aria-labelledby="policy-templates">
      <h3 id="policy-templates">${t("settings.templates")}</h3>
      <${Field} label=${t("settings.template")} hint=${t(template.about)} control=${(
        /** @type {any} */ attributes,
      ) =>
        html`<select class="select" value=${chosen} onChange=${(/** @type {any} */ event) =>
          setChosen(event.target.value)} ...${attributes}>${
          policyTemplates.map(({ id, title }) => html`<option key=${id} value=${id}>${t(title)}</option>`)
        }</select>`} />
      ${template.asks.includes("principal") && html`
        <${Field} label=${t("settings.principal")} hint=${t("settings.principal_hint")} control=${(
          /** @type {any} */ attributes,
        ) =>
          html`
            <input class="input mono" spellcheck=${false} autocapitalize="off" value=${principal}
              placeholder="arn:aws:iam::123456789012:user/anna" onInput=${(/** @type {any} */ event) =>
                setPrincipal(event.target.value)} ...${attributes} />
          `} />
      `}
      ${template.asks.includes("prefix") && html`
        <${Field} label=${t("settings.prefix")} optional=${template.asks.length > 1} hint=${rich(
          "settings.template_prefix_hint",
          { example: html`<code>public/</code>` },
        )} control=${(/** @type {any} */ attributes) =>
          html`
            <input class="input mono" spellcheck=${false} autocapitalize="off" value=${prefix} placeholder="public/"
              onInput=${(/** @type {any} */ event) => setPrefix(event.target.value)} ...${attributes} />
          `} />
      `}
      <div class="row">
        ${template.id !== "private" && html`
          <${Button} icon="plus" disabled=${missing} onClick=${() =>
            onChange(withStatements(value, statements()))}>${t("settings.template_add")}<//>
        `}
        <${Button} kind=${template.id === "private" ? "plain" : "quiet"} disabled=${missing}
          onClick=${replace}>${t("settings.template_replace")}<//>
      </div>
    </section>
  `;
}
