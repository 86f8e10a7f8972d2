// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { Badge, EmptyState, html, IconButton, Notice } from "../ui.js";

/** @import { PolicyWords, PublicAccess, StatementWords } from "./policy_words.js" */
/** @import { FormProps } from "./section.js" */
/** @typedef {Record<string, unknown> | null} PolicyValue */

/**
 * What a policy says, statement by statement, and templates that add to it.
 * @param {FormProps<PolicyValue>} props
 */
export function PolicyForm({ value, onChange, disabled, place: { bucket }, answer, editing }) {
  // Until it can be changed it is what came with the page, and so are the words for it.
  /** @type {PolicyWords | undefined} */
  const words = editing?.words?.(value) ?? answer.words;
  const statements = words?.statements ?? [];
  return html`
    ${words?.isPublic && html`<${PublicBanner} words=${words} saved=${answer.words} bucket=${bucket} />`}
    <div class="rules">
      ${statements.length === 0
        ? html`<${EmptyState} icon="lock" title=${t("settings.policy_none")}>${
          t("settings.policy_none_text")
        } ${!disabled && t("settings.policy_begin")}<//>`
        : statements.map((statement, place) =>
          html`
            <${StatementCard} key=${place} statement=${statement} place=${place} disabled=${disabled}
              onRemove=${() => value !== null && onChange(withoutStatement(value, place))} />
          `
        )}
    </div>
  `;
}

/**
 * Says that everyone may do something, or will once what is shown is saved.
 * @param {{ words: PolicyWords, saved?: PolicyWords, bucket: string }} props
 */
function PublicBanner({ words: { access }, saved, bucket }) {
  const deeds = [
    access.read !== "no" && t("settings.public_read"),
    access.list !== "no" && t("settings.public_list"),
    access.write !== "no" && t("settings.public_write"),
    access.remove !== "no" && t("settings.public_remove"),
  ].filter(Boolean);
  const sure = isOpen(access);
  const already = sure ? saved !== undefined && isOpen(saved.access) : saved?.isPublic;
  const title = already
    ? sure ? t("settings.public_title", { bucket }) : t("settings.public_some_title", { bucket })
    : sure
    ? t("settings.public_soon_title", { bucket })
    : t("settings.public_some_soon_title", { bucket });
  return html`<${Notice} kind="bad"><strong>${title}</strong> ${
    deeds.length > 0 ? t("settings.public_text", { deeds: deeds.join(", ") }) : t("settings.public_other")
  }<//>`;
}

/** @param {PublicAccess} access */
function isOpen(access) {
  return Object.values(access).includes("yes");
}

/** @param {{ statement: StatementWords, place: number, disabled: boolean, onRemove: () => void }} props */
function StatementCard({ statement, place, disabled, onRemove }) {
  const { sid, effect, who, what, where, when, unknown } = statement;
  const title = sid === "" ? t("settings.statement_number", { n: place + 1 }) : sid;
  const badge = {
    allow: /** @type {const} */ ("info"),
    deny: /** @type {const} */ ("warn"),
    unknown: /** @type {const} */ ("bad"),
  }[
    effect
  ];
  const word = effect === "allow"
    ? t("settings.effect_allow")
    : effect === "deny"
    ? t("settings.effect_deny")
    : t("settings.effect_unknown");
  return html`
    <section class="card rule-card" aria-label=${title}>
      <header class="rule-head">
        <h3 class="truncate">${title}</h3>
        <${Badge} kind=${badge}>${word}<//>
        ${!disabled && html`
          <${IconButton} icon="trash" label=${t("settings.rule_remove", { name: title })}
            onClick=${onRemove} />
        `}
      </header>
      <dl class="facts statement-facts">
        <dt>${t("settings.who")}</dt><dd class="break">${who}</dd>
        <dt>${t("settings.what")}</dt><dd class="break">${what.join(", ")}</dd>
        <dt>${t("settings.where")}</dt><dd class="break">${where.join(", ")}</dd>
        ${when.length > 0 && html`
          <dt>${t("settings.when")}</dt>
          <dd class="break">${when.join(t("settings.policy_and"))}</dd>
        `}
        ${unknown.length > 0 && html`
          <dt>${t("settings.not_understood")}</dt>
          <dd class="mono break">${unknown.join(", ")}</dd>
        `}
      </dl>
    </section>
  `;
}

/**
 * A policy without one of its statements; `null` when none is left.
 * @param {Record<string, unknown>} policy
 * @param {number} place
 * @returns {Record<string, unknown> | null}
 */
export function withoutStatement(policy, place) {
  const list = Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement];
  const left = list.filter((_, index) => index !== place);
  return left.length === 0 ? null : { ...policy, Statement: left };
}
