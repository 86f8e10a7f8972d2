// @ts-check
/// <reference lib="dom" />
import { CopyButton } from "../copy_button.js";
import { t } from "../i18n.js";
import { Menu } from "../menu.js";
import { Badge, html, Icon, minute, Time } from "../ui.js";
import { labelOf, stateBadge } from "./credential.js";

/** @import { Backend, Row } from "./credential.js" */

/**
 * What can be done with a row.
 *
 * @typedef {object} RowActions
 * @property {(row: Row) => void} connect
 * @property {(row: Row) => void} edit
 * @property {(row: Row, enabled: boolean) => void} setEnabled
 * @property {(row: Row) => void} rotate
 * @property {(row: Row) => void} remove
 */

/**
 * Credentials, a row each.
 * @param {{
 *   rows: readonly Row[], all: boolean, backends: readonly Backend[], now: number, actions: RowActions
 * }} props `all` whether they are everyone's
 */
export function CredentialTable({ rows, all, backends, now, actions }) {
  return html`
    <table class="table table-cards credentials-table">
      <thead>
        <tr>
          <th scope="col">${t("credentials.column_credential")}</th>
          ${all && html`<th scope="col">${t("credentials.column_owner")}</th>`}
          <th scope="col">${t("credentials.column_scope")}</th>
          <th scope="col">${t("credentials.column_access")}</th>
          <th scope="col">${t("common.state")}</th>
          <th scope="col">${t("common.expires")}</th>
          <th scope="col">${t("credentials.column_last_used")}</th>
          <th scope="col" class="actions"><span class="visually-hidden">${t("common.actions")}</span></th>
        </tr>
      </thead>
      <tbody>${rows.map((row) =>
        html`
          <${CredentialRow} key=${row.accessKey} row=${row} all=${all} backends=${backends} now=${now}
            actions=${actions} />
        `
      )}</tbody>
    </table>
  `;
}

/** @param {{ row: Row, all: boolean, backends: readonly Backend[], now: number, actions: RowActions }} props */
function CredentialRow({ row, all, backends, now, actions }) {
  const { accessKey, description, owner, readOnly, expiresAt, lastUsedAt, source } = row;
  const { kind, word } = stateBadge(row, Math.max(minute.value, now));
  return html`
    <tr>
      <td class="cell-head">
        ${description !== "" && html`<span class="cell-main credentials-name">${description}</span>`}
        <span class="credentials-key">
          <code>${accessKey}</code>
          <${CopyButton} text=${accessKey} label=${t("credentials.copy_access_key", { key: accessKey })} />
        </span>
        ${source === "kubernetes" && html`<span class="cell-sub">${t("credentials.from_kubernetes")}</span>`}
      </td>
      ${all && html`
        <td data-label=${t("credentials.column_owner")} class="credentials-owner">${owner ||
          html`<span class="faint">${t("credentials.nobody")}</span>`}</td>
      `}
      <td data-label=${t("credentials.column_scope")}><${Scope} row=${row} backends=${backends} /></td>
      <td data-label=${t("credentials.column_access")} class="nowrap">${readOnly
        ? t("common.read_only")
        : t("credentials.read_write")}</td>
      <td data-label=${t("common.state")}><${Badge} kind=${kind}>${word}<//></td>
      <td data-label=${t("common.expires")} class="nowrap"><${Moment} at=${expiresAt} now=${now} /></td>
      <td data-label=${t("credentials.column_last_used")} class="nowrap">
        <${Moment} at=${lastUsedAt} now=${now} />
      </td>
      <td class="actions">
        <${Menu} label=${t("credentials.actions_for", { name: labelOf(row) })} items=${menuItems(
          row,
          actions,
        )} />
      </td>
    </tr>
  `;
}

/** @param {{ at: string | undefined, now: number }} props */
function Moment({ at, now }) {
  return at === undefined
    ? html`<span class="faint">${t("common.never")}</span>`
    : html`<${Time} at=${at} now=${now} />`;
}

/** Buckets that a row names before it only counts them. */
const namedBuckets = 3;

/** @param {{ row: Row, backends: readonly Backend[] }} props */
function Scope({ row: { scopes, prefix }, backends }) {
  return html`<span class="credentials-scope">${
    scopes.map(({ backend, buckets }) => {
      const named = buckets.slice(0, namedBuckets).join(", ");
      const more = buckets.length - namedBuckets;
      return html`
        <span key=${backend} title=${buckets.join(", ")}>
          <span class="credentials-buckets">${named}${more > 0 &&
            ` ${t("credentials.more_buckets", { n: more })}`}</span>
          <span class="cell-sub">${backends.find(({ id }) => id === backend)?.name ?? backend}</span>
        </span>
      `;
    })
  }${
    prefix !== "" && html`
      <span
        class="cell-sub credentials-prefix"><${Icon} name="folder" /><bdi class="mono">${prefix}</bdi></span>
    `
  }</span>`;
}

/**
 * @param {Row} row
 * @param {RowActions} actions
 */
function menuItems(row, actions) {
  const { stored } = row;
  const connect = { label: t("credentials.connect"), icon: "plug", run: () => actions.connect(row) };
  if (stored === null) return [connect];
  return [
    connect,
    { label: t("credentials.edit"), icon: "edit", run: () => actions.edit(row) },
    stored.enabled
      ? { label: t("credentials.disable"), icon: "lock", run: () => actions.setEnabled(row, false) }
      : { label: t("credentials.enable"), icon: "check", run: () => actions.setEnabled(row, true) },
    { label: t("credentials.rotate"), icon: "refresh", run: () => actions.rotate(row) },
    { label: t("credentials.delete"), icon: "trash", danger: true, run: () => actions.remove(row) },
  ];
}
