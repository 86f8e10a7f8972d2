// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../lib/api.js";
import { CopyButton } from "../lib/copy_button.js";
import { adminPath, matches, ownPath, rowsOf } from "../lib/credentials/credential.js";
import { CredentialTable } from "../lib/credentials/credential_table.js";
import { PublicBuckets } from "../lib/credentials/public_buckets.js";
import { SwitchedOff } from "../lib/credentials/switched_off.js";
import { useFilterKey } from "../lib/filter_key.js";
import { t } from "../lib/i18n.js";
import { addShortcuts } from "../lib/keys.js";
import { PageHead } from "../lib/page_head.js";
import { toast, toastError } from "../lib/toast.js";
import { Button, EmptyState, html, Icon, Notice } from "../lib/ui.js";
import { commitTyped } from "../lib/typed_address.js";
import { readUrlState, writeUrlState } from "../lib/url_state.js";

/** @import { Me } from "../lib/boot_data.js" */
/** @import { Backend, Binding, Credential, EffectiveCredential, MintedCredential, Row } from "../lib/credentials/credential.js" */

/**
 * @typedef {object} CredentialsProps
 * @property {boolean} all whether they are everyone's
 * @property {boolean} enabled whether the S3 endpoint is switched on; without it there is nothing else
 * @property {readonly Credential[]} credentials
 * @property {readonly EffectiveCredential[]} effective those of other sources
 * @property {readonly Binding[]} bindings
 * @property {readonly Binding[]} effectiveBindings those of other sources
 * @property {string} endpointUrl
 * @property {boolean} canStoreSecrets
 * @property {number} requestsPerSecond of one credential; 0 for no limit
 * @property {{ enabled: boolean, requestsPerSecond: number }} anonymous
 * @property {readonly Backend[]} backends
 * @property {Me} me
 * @property {number} now milliseconds since the epoch
 */

/** @type {ReadonlyArray<readonly [string, import("../lib/i18n.js").MessageKey]>} */
const states = [
  ["", "credentials.every_state"],
  ["active", "credentials.state_active"],
  ["disabled", "credentials.state_disabled"],
  ["expired", "credentials.state_expired"],
  ["unusable", "credentials.state_unusable"],
];

/**
 * The credentials by which programs reach the S3 endpoint: one's own or, for an administrator, everyone's.
 * @param {CredentialsProps} props
 */
export function Island(props) {
  return props.enabled
    ? html`<${Credentials} ...${props} />`
    : html`<${SwitchedOff} all=${props.all} me=${props.me} />`;
}

/** @param {CredentialsProps} props */
function Credentials(props) {
  const { all, effective, endpointUrl, canStoreSecrets, requestsPerSecond, backends, me, now } = props;
  const [credentials, setCredentials] = useState(props.credentials);
  const [filter, setFilter] = useFilter();
  const path = all ? adminPath : ownPath;
  const rows = rowsOf(credentials, effective);
  const shown = rows.filter((row) => matches(row, filter));
  const replace = (/** @type {Credential} */ changed) =>
    setCredentials((known) =>
      known.map((credential) => credential.access_key === changed.access_key ? changed : credential)
    );
  // What a dialog tries with a credential is a use of it.
  const refresh = () =>
    request("GET", path, { priority: "visible" }).then(
      (list) => setCredentials(list.credentials),
      () => {},
    );
  const showSecret = async (/** @type {MintedCredential} */ minted) => {
    const { openSecretDialog } = await import("../lib/credentials/secret_dialog.js");
    await openSecretDialog({ minted, path });
    await refresh();
  };
  const create = async () => {
    const { openCreateDialog } = await import("../lib/credentials/form_dialog.js");
    const minted = await openCreateDialog({ backends, path, me });
    if (minted === undefined) return;
    const { secret_key: _secret, endpoint_url: _endpoint, ...stored } = minted;
    setCredentials((known) => [...known, stored]);
    await showSecret(minted);
  };
  const canCreate = canStoreSecrets && backends.length > 0;
  useFilterKey(t("credentials.title"));
  useEffect(
    () =>
      canCreate
        ? addShortcuts([{
          keys: "n",
          label: t("credentials.create"),
          group: t("credentials.title"),
          run: create,
        }])
        : undefined,
    [],
  );
  const actions = rowActions({
    path,
    endpointUrl,
    backends,
    me,
    replace,
    showSecret,
    refresh,
    setCredentials,
  });
  return html`
    <${PageHead} title=${all ? t("credentials.title_all") : t("credentials.title")} actions=${canCreate &&
      html`
        <${Button} kind="primary" icon="plus" onClick=${create}>${t("credentials.create")}<//>
      `}>
      ${all ? t("credentials.intro_all") : t("credentials.intro")}
    <//>
    <p class="credentials-endpoint">
      <span class="muted">${t("credentials.endpoint")}</span><code>${endpointUrl}</code>
      <${CopyButton} text=${endpointUrl} label=${t("credentials.copy_endpoint")} />
      ${requestsPerSecond > 0 &&
        html`<span class="muted">${t("credentials.rate", { n: requestsPerSecond })}</span>`}
    </p>
    ${!canStoreSecrets && html`
      <div class="credentials-notice">
        <${Notice} kind="warn">${t("error.secret_key_unset")}<//></div>
    `}
    ${rows.length > 0 && html`<${Toolbar} filter=${filter} onFilter=${setFilter} shown=${shown.length} />`}
    <div class="table-box">
      ${rows.length === 0 && html`<${NoCredentials} canCreate=${canCreate} create=${create} />`}
      ${rows.length > 0 && shown.length === 0 && html`
        <${EmptyState} icon="key" title=${t("credentials.no_match")} action=${html`
          <${Button} onClick=${() => setFilter({ query: "", state: "" })}>${t("credentials.show_all")}<//>
        `}>${t("credentials.no_match_text")}<//>
      `}
      ${shown.length > 0 && html`
        <${CredentialTable} rows=${shown} all=${all} backends=${backends} now=${now} actions=${actions} />
      `}
    </div>
    ${all && html`
      <${PublicBuckets} bindings=${props.bindings} effective=${props.effectiveBindings} backends=${backends}
        anonymous=${props.anonymous} />
    `}
  `;
}

/**
 * The filter of the table, which stands in the page's address.
 * @returns {[{ query: string, state: string }, (filter: { query: string, state: string }) => void]}
 */
function useFilter() {
  const [filter, setFilter] = useState({ query: "", state: "" });
  useEffect(() => {
    const { q: query = "", state = "" } = readUrlState();
    if (query !== "" || state !== "") setFilter({ query, state });
  }, []);
  return [filter, (changed) => {
    setFilter(changed);
    writeUrlState({ q: changed.query, state: changed.state }, { commit: changed.state !== filter.state });
  }];
}

/**
 * @param {{
 *   filter: { query: string, state: string }, onFilter: (filter: { query: string, state: string }) => void, shown: number
 * }} props
 */
function Toolbar({ filter, onFilter, shown }) {
  return html`
    <div class="toolbar needs-script">
      <div
        class="search-box"><${Icon} name="search" /><input id="filter" class="input" type="search" value=${filter
          .query}
        aria-label=${t("credentials.filter")} placeholder=${t("credentials.filter")}
        onInput=${(/** @type {any} */ event) => onFilter({ ...filter, query: event.target.value })}
        onChange=${commitTyped} /></div>
      <select class="select toolbar-select" aria-label=${t("common.state")} value=${filter.state}
        onChange=${(/** @type {any} */ event) => onFilter({ ...filter, state: event.target.value })}>
        ${states.map(([state, key]) => html`<option key=${state} value=${state}>${t(key)}</option>`)}
      </select>
      <span class="muted" role="status">${t("credentials.count", { n: shown })}</span>
    </div>
  `;
}

/** @param {{ canCreate: boolean, create: () => void }} props */
function NoCredentials({ canCreate, create }) {
  return html`
    <${EmptyState} icon="key" title=${t("credentials.none")} action=${canCreate && html`
      <${Button} kind="primary" icon="plus" onClick=${create}>${t("credentials.create")}<//>
    `}>${t("credentials.none_text")}<//>
  `;
}

/**
 * @param {Pick<CredentialsProps, "endpointUrl" | "backends" | "me"> & {
 *   path: string, replace: (changed: Credential) => void, refresh: () => Promise<void>, showSecret: (minted: MintedCredential) => Promise<void>,
 *   setCredentials: (change: (known: readonly Credential[]) => readonly Credential[]) => void
 * }} context
 * @returns {import("../lib/credentials/credential_table.js").RowActions}
 */
function rowActions({ path, endpointUrl, backends, me, replace, showSecret, refresh, setCredentials }) {
  return {
    async connect(row) {
      const { openConnectDialog } = await import("../lib/credentials/connect.js");
      await openConnectDialog({ row, endpoint: endpointUrl, path });
      await refresh();
    },
    async edit({ stored }) {
      if (stored === null) return;
      const { openEditDialog } = await import("../lib/credentials/form_dialog.js");
      const changed = await openEditDialog(stored, { backends, path, me });
      if (changed === undefined) return;
      replace(changed);
      toast(t("credentials.changed"));
    },
    async setEnabled(row, enabled) {
      const { setEnabled } = await import("../lib/credentials/changes.js");
      try {
        replace(await setEnabled(row, path, enabled));
        toast(enabled ? t("credentials.enabled") : t("credentials.disabled"));
      } catch (error) {
        toastError(t("credentials.not_changed"), error);
      }
    },
    async rotate(row) {
      const { askRotate } = await import("../lib/credentials/changes.js");
      const minted = await askRotate(row, path);
      if (minted !== undefined) await showSecret(minted);
    },
    async remove(row) {
      const { askDelete } = await import("../lib/credentials/changes.js");
      if (!await askDelete(row, path)) return;
      setCredentials((known) => known.filter(({ access_key }) => access_key !== row.accessKey));
      toast(t("credentials.deleted"));
    },
  };
}
