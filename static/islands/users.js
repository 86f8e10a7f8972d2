// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { deleteUser } from "../lib/admin/user_deletion.js";
import { CreateForm, ResetForm, RoleForm, roles } from "../lib/admin/user_forms.js";
import { UserSessions } from "../lib/admin/user_sessions.js";
import { request } from "../lib/api.js";
import { openDialog, rescueFocus } from "../lib/dialog.js";
import { plural } from "../lib/i18n.js";
import { PageHead } from "../lib/page_head.js";
import { toast, toastError } from "../lib/toast.js";
import { Badge, Button, EmptyState, html, Icon, Menu, Time } from "../lib/ui.js";

/**
 * @typedef {{ id: string, username: string, email?: string | null, role: string, identity_source: string, enabled: boolean,
 *   must_change_pw: boolean, locked: boolean, created_at: string, last_login_at?: string, last_seen_at?: string,
 *   session_count: number }} User
 * @typedef {import("../lib/boot_data.js").Me} Me
 */

/** @type {Readonly<Record<string, string>>} */
const sources = { local: "Password", oidc: "Single sign-on", static: "Configuration" };

const pageSize = 100;

/** @param {{ users: User[], total: number, minPasswordLength: number, me: Me, now: number }} props */
export function Island({ users: firstUsers, total: firstTotal, minPasswordLength, me, now }) {
  const [users, setUsers] = useState(firstUsers);
  const [total, setTotal] = useState(firstTotal);
  const [query, setQuery] = useState("");
  const [role, setRole] = useState("");
  const asked = useRef(0);

  const load = async (offset = 0) => {
    const ticket = ++asked.current;
    try {
      const page = await request("GET", "/api/admin/users", {
        query: { query, role, limit: pageSize, offset },
      });
      if (ticket !== asked.current) return;
      setUsers((shown) => offset === 0 ? page.users : [...shown, ...page.users]);
      setTotal(page.total);
    } catch (error) {
      toastError("The list of users could not be loaded", error);
    }
  };
  const changed = useRef(false);
  useEffect(() => {
    if (!changed.current) return void (changed.current = true);
    const timer = setTimeout(load, 150);
    return () => clearTimeout(timer);
  }, [query, role]);

  const add = async () => {
    const user = await openDialog(
      /** @param {import("../lib/dialog.js").DialogControls<User>} controls */
      (controls) => html`<${CreateForm} ...${controls} minPasswordLength=${minPasswordLength} />`,
    );
    if (user === undefined) return;
    toast(`${user.username} can sign in now.`);
    await load();
  };

  return html`
    <${PageHead} title="Users" actions=${html`<${Button} kind="primary" icon="plus" onClick=${add}>Create user</${Button}>`}>
      Who can sign in, and what they may do. A change is in force at once, in open sessions too.
    <//>
    <div class="toolbar needs-script">
      <div class="search-box"><${Icon} name="search" /><input class="input" type="search" placeholder="Name or e-mail"
        aria-label="Search users" value=${query} onInput=${(/** @type {any} */ event) =>
          setQuery(event.target.value)} /></div>
      <select class="select toolbar-select" aria-label="Role" value=${role}
        onChange=${(/** @type {any} */ event) => setRole(event.target.value)}>
        <option value="">Every role</option>
        ${roles.map(([value, label]) => html`<option key=${value} value=${value}>${label}</option>`)}
      </select>
      <span class="muted" role="status">${plural(total, "user", "users")}</span>
    </div>
    <div class="table-box">
      ${users.length === 0
        ? html`<${EmptyState} icon="users" title="No user matches">Change the search or choose another role.<//>`
        : html`<${UserTable} users=${users} me=${me} now=${now} reload=${load} />`}
      ${users.length < total && html`<div class="table-foot"><span>${users.length} of ${total} shown</span>
        <${Button} small=${true} onClick=${() => load(users.length)}>Load more</${Button}></div>`}
    </div>
  `;
}

/** @param {{ users: User[], me: Me, now: number, reload: () => Promise<void> }} props */
function UserTable({ users, me, now, reload }) {
  return html`
    <table class="table table-cards">
      <thead>
        <tr>
          <th scope="col">User</th>
          <th scope="col">Role</th>
          <th scope="col">State</th>
          <th scope="col">Signs in with</th>
          <th scope="col">Last seen</th>
          <th scope="col" class="number">Sessions</th>
          <th scope="col">Created</th>
          <th scope="col" class="actions"><span class="visually-hidden">Actions</span></th>
        </tr>
      </thead>
      <tbody>${users.map((user) =>
        html`
          <tr key=${user.id}>
            <td class="cell-head"><span class="cell-main break">${user.username}</span>
              ${user.id === me.id && html`${" "}<span class="faint">you</span>`}
              ${user.email && html`<span class="cell-sub break">${user.email}</span>`}</td>
            <td data-label="Role">${roles.find(([value]) => value === user.role)?.[1]}</td>
            <td data-label="State">
              <${UserState} user=${user} />
            </td>
            <td data-label="Signs in with">${sources[user.identity_source]}</td>
            <td data-label="Last seen" class="nowrap">
              <${LastSeen} user=${user} now=${now} />
            </td>
            <td data-label="Sessions" class="number">${user.session_count}</td>
            <td data-label="Created" class="nowrap">
              <${Time} at=${user.created_at} now=${now} />
            </td>
            <td class="actions">
              <${UserMenu} user=${user} me=${me} now=${now} reload=${reload} />
            </td>
          </tr>
        `
      )}</tbody>
    </table>
  `;
}

/** @param {{ user: User }} props */
function UserState({ user }) {
  if (!user.enabled) return html`<${Badge} kind="neutral">Disabled</${Badge}>`;
  if (user.locked) return html`<${Badge} kind="warn">Locked</${Badge}>`;
  if (user.must_change_pw) return html`<${Badge} kind="info">Must change password</${Badge}>`;
  return html`<${Badge} kind="ok">Active</${Badge}>`;
}

/** @param {{ user: User, now: number }} props */
function LastSeen({ user, now }) {
  const at = user.last_seen_at ?? user.last_login_at;
  return at === undefined ? html`<span class="faint">never</span>` : html`<${Time} at=${at} now=${now} />`;
}

/** @param {{ user: User, me: Me, now: number, reload: () => Promise<void> }} props */
function UserMenu({ user, me, now, reload }) {
  const path = `/api/admin/users/${encodeURIComponent(user.id)}`;
  const own = user.id === me.id;
  const fixed = user.identity_source === "static";
  const inConfiguration = "This account is defined in the configuration";
  const why = own ? "Not possible for your own account" : fixed ? inConfiguration : undefined;
  const noPassword = fixed
    ? inConfiguration
    : user.identity_source === "oidc"
    ? "The identity provider keeps the password"
    : undefined;
  const act = async (
    /** @type {string} */ done,
    /** @type {string} */ failed,
    /** @type {() => Promise<unknown>} */ run,
  ) => {
    try {
      await run();
      toast(done);
      await reload();
    } catch (error) {
      toastError(failed, error);
    }
  };
  const setEnabled = (/** @type {boolean} */ enabled) =>
    act(
      enabled ? `${user.username} can sign in again.` : `${user.username} is disabled and signed out.`,
      `${user.username} was not changed`,
      () => request("PATCH", path, { json: { enabled } }),
    );
  const unlock = () =>
    act(
      `${user.username} is unlocked.`,
      `${user.username} was not unlocked`,
      () => request("POST", `${path}/unlock`),
    );
  const changeRole = async () => {
    const changed = await openDialog(
      /** @param {import("../lib/dialog.js").DialogControls<boolean>} controls */
      (controls) => html`<${RoleForm} ...${controls} user=${user} path=${path} />`,
      { size: "small" },
    );
    if (!changed) return;
    toast(`The role of ${user.username} is changed.`);
    await reload();
  };
  const resetPassword = async () => {
    await openDialog(
      (controls) => html`<${ResetForm} ...${controls} user=${user} path=${path} />`,
      { size: "small" },
    );
    await reload();
  };
  const showSessions = async () => {
    await openDialog(
      (controls) => html`<${UserSessions} ...${controls} user=${user} path=${path} now=${now} />`,
    );
    await reload();
  };
  const remove = async () => {
    const removed = await deleteUser(user, path);
    if (!removed) return;
    toast(`${user.username} is deleted.`);
    await reload();
    rescueFocus();
  };
  return html`<${Menu} label="Actions for ${user.username}" items=${[
    { label: "Change role…", icon: "users", disabled: own || fixed, hint: why, run: changeRole },
    {
      label: "Reset password…",
      icon: "key",
      disabled: noPassword !== undefined,
      hint: noPassword,
      run: resetPassword,
    },
    { label: "Sessions…", icon: "clock", run: showSessions },
    ...user.locked ? [{ label: "Unlock", icon: "unlock", run: unlock }] : [],
    user.enabled
      ? { label: "Disable", icon: "lock", disabled: own || fixed, hint: why, run: () => setEnabled(false) }
      : { label: "Enable", icon: "check", disabled: fixed, hint: why, run: () => setEnabled(true) },
    { label: "Delete…", icon: "trash", danger: true, disabled: own || fixed, hint: why, run: remove },
  ]} />`;
}
