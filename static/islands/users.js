// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { isLastAdmin, UserMenu } from "../lib/admin/user_menu.js";
import { roles, roleWord } from "../lib/admin/user_roles.js";
import { request } from "../lib/api.js";
import { openDialog } from "../lib/dialog.js";
import { useFilterKey } from "../lib/filter_key.js";
import { rich, t } from "../lib/i18n.js";
import { Deadline } from "../lib/moments.js";
import { PageHead } from "../lib/page_head.js";
import { toast, toastError } from "../lib/toast.js";
import { Badge, Button, EmptyState, html, Icon, Time } from "../lib/ui.js";
import { commitTyped } from "../lib/typed_address.js";
import { writeUrlState } from "../lib/url_state.js";

/** @typedef {import("../lib/i18n.js").MessageKey} MessageKey */

/**
 * @typedef {{ id: string, username: string, email?: string | null, role: string, identity_source: string, enabled: boolean,
 *   must_change_pw: boolean, locked: boolean, locked_until?: string, created_at: string, last_login_at?: string, last_seen_at?: string,
 *   session_count: number }} User
 * @typedef {import("../lib/boot_data.js").Me} Me
 * @typedef {{ query?: string, role?: string, source?: string, enabled?: string }} UserFilter
 */

/** @type {Readonly<Record<string, MessageKey>>} */
const sources = { local: "users.source_local", oidc: "users.source_oidc", static: "users.source_static" };

/** @type {ReadonlyArray<readonly [string, MessageKey]>} */
const states = [["true", "users.may_sign_in"], ["false", "users.disabled"]];

const pageSize = 100;

/**
 * @param {{
 *   users: User[], total: number, enabledAdmins: number, filter: UserFilter, minPasswordLength: number, me: Me, now: number
 * }} props
 */
export function Island(
  {
    users: firstUsers,
    total: firstTotal,
    enabledAdmins: firstAdmins,
    filter: firstFilter,
    minPasswordLength,
    me,
    now,
  },
) {
  const [users, setUsers] = useState(firstUsers);
  const [total, setTotal] = useState(firstTotal);
  const [enabledAdmins, setEnabledAdmins] = useState(firstAdmins);
  const [filter, setFilter] = useState(firstFilter);
  const asked = useRef(0);
  useFilterKey(t("users.title"));

  const load = async (offset = 0) => {
    const ticket = ++asked.current;
    try {
      const page = await request("GET", "/api/admin/users", {
        query: { ...filter, limit: pageSize, offset },
      });
      if (ticket !== asked.current) return;
      setUsers((shown) => offset === 0 ? page.users : [...shown, ...page.users]);
      setTotal(page.total);
      setEnabledAdmins(page.enabled_admins);
    } catch (error) {
      toastError(t("users.list_failed"), error);
    }
  };
  const changed = useRef(false);
  useEffect(() => {
    if (!changed.current) return void (changed.current = true);
    const timer = setTimeout(load, 150);
    return () => clearTimeout(timer);
  }, [filter]);
  const change = (/** @type {UserFilter} */ changes) => {
    setFilter((present) => ({ ...present, ...changes }));
    writeUrlState({ ...changes }, { commit: changes.query === undefined });
  };

  const add = async () => {
    const { CreateForm } = await import("../lib/admin/user_forms.js");
    const user = await openDialog(
      /** @param {import("../lib/dialog.js").DialogControls<User>} controls */
      (controls) => html`<${CreateForm} ...${controls} minPasswordLength=${minPasswordLength} />`,
    );
    if (user === undefined) return;
    toast(t("users.can_sign_in_now", { name: user.username }));
    await load();
  };

  return html`
    <${PageHead} title=${t(
      "users.title",
    )} actions=${html`<${Button} kind="primary" icon="plus" onClick=${add}>${t("users.create")}</${Button}>`}>
      ${t("users.intro")}
    <//>
    <div class="toolbar needs-script">
      <div class="search-box"><${Icon} name="search" /><input id="filter" class="input" type="search"
        placeholder=${t("users.search_hint")} aria-label=${t("users.search")} value=${filter.query ?? ""}
        onInput=${(/** @type {any} */ event) =>
          change({ query: event.target.value })} onChange=${commitTyped} /></div>
      <${FilterChoice} label=${t("users.role")} every=${t("users.every_role")} options=${roles}
        value=${filter.role} onChange=${(/** @type {string} */ role) => change({ role })} />
      <${FilterChoice} label=${t("users.signs_in_with")} every=${t("users.every_source")}
        options=${Object.entries(sources)} value=${filter.source}
        onChange=${(/** @type {string} */ source) => change({ source })} />
      <${FilterChoice} label=${t("common.state")} every=${t("users.every_state")} options=${states}
        value=${filter.enabled} onChange=${(/** @type {string} */ enabled) => change({ enabled })} />
      <span class="muted" role="status">${t("users.count", { n: total })}</span>
    </div>
    <div class="table-box">
      ${users.length === 0
        ? html`<${EmptyState} icon="users" title=${t("users.none_match")}>${t("users.none_match_hint")}<//>`
        : html`<${UserTable} users=${users} enabledAdmins=${enabledAdmins} me=${me} now=${now} reload=${load} />`}
      ${users.length < total &&
        html`<div class="table-foot"><span>${t("users.shown_of", { n: total, shown: users.length })}</span>
        <${Button} small=${true} onClick=${() => load(users.length)}>${
          t("common.load_more")
        }</${Button}></div>`}
    </div>
  `;
}

/** @param {{ users: User[], enabledAdmins: number, me: Me, now: number, reload: () => Promise<void> }} props */
function UserTable({ users, enabledAdmins, me, now, reload }) {
  return html`
    <table class="table table-cards">
      <thead>
        <tr>
          <th scope="col">${t("common.user")}</th>
          <th scope="col">${t("users.role")}</th>
          <th scope="col">${t("common.state")}</th>
          <th scope="col">${t("users.signs_in_with")}</th>
          <th scope="col">${t("users.last_seen")}</th>
          <th scope="col" class="number">${t("users.sessions")}</th>
          <th scope="col">${t("common.created")}</th>
          <th scope="col" class="actions"><span class="visually-hidden">${t("common.actions")}</span></th>
        </tr>
      </thead>
      <tbody>${users.map((user) =>
        html`
          <tr key=${user.id}>
            <td class="cell-head"><span class="cell-main break">${user.username}</span>
              ${user.id === me.id && html`${" "}<span class="faint">${t("users.you")}</span>`}
              ${user.email && html`<span class="cell-sub break">${user.email}</span>`}</td>
            <td data-label=${t("users.role")}>${roleWord(user.role)}</td>
            <td data-label=${t("common.state")}>
              <${UserState} user=${user} now=${now} />
            </td>
            <td data-label=${t("users.signs_in_with")}>${t(sources[user.identity_source])}</td>
            <td data-label=${t("users.last_seen")} class="nowrap">
              <${LastSeen} user=${user} now=${now} />
            </td>
            <td data-label=${t("users.sessions")} class="number">${user.session_count}</td>
            <td data-label=${t("common.created")} class="nowrap">
              <${Time} at=${user.created_at} now=${now} />
            </td>
            <td class="actions">
              <${UserMenu} user=${user} isLastAdmin=${isLastAdmin(
                user,
                enabledAdmins,
              )} me=${me} now=${now} reload=${reload} />
            </td>
          </tr>
        `
      )}</tbody>
    </table>
  `;
}

/** @param {{ user: User, now: number }} props */
function UserState({ user, now }) {
  if (!user.enabled) return html`<${Badge} kind="neutral">${t("users.disabled")}</${Badge}>`;
  if (user.locked) {
    return html`
      <${Badge} kind="warn">${t("users.locked")}</${Badge}>
      ${user.locked_until && html`
        <span class="cell-sub">${rich("users.lock_ends", {
          time: html`<${Deadline} at=${user.locked_until} now=${now} />`,
        })}</span>
      `}
    `;
  }
  if (user.must_change_pw) return html`<${Badge} kind="info">${t("users.must_change")}</${Badge}>`;
  return html`<${Badge} kind="ok">${t("users.active")}</${Badge}>`;
}

/** @param {{ user: User, now: number }} props */
function LastSeen({ user, now }) {
  const at = user.last_seen_at ?? user.last_login_at;
  return at === undefined
    ? html`<span class="faint">${t("common.never")}</span>`
    : html`<${Time} at=${at} now=${now} />`;
}

/**
 * A choice by which the list is narrowed.
 * @param {{
 *   label: string, every: string, options: ReadonlyArray<readonly [string, MessageKey]>, value?: string,
 *   onChange: (value: string) => void
 * }} props
 */
function FilterChoice({ label, every, options, value = "", onChange }) {
  return html`
    <select class="select toolbar-select" aria-label=${label}
      onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
      <option value="" selected=${value === ""}>${every}</option>
      ${options.map(([option, text]) =>
        html`
          <option key=${option} value=${option} selected=${option === value}>${t(text)}</option>
        `
      )}
    </select>
  `;
}
