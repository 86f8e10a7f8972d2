// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { openDialog } from "../dialog.js";
import { t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { Menu } from "../menu.js";
import { html } from "../ui.js";

/** @import { Me, User } from "../../islands/users.js" */

/**
 * Whether a user is the only administrator who can sign in: the API keeps them.
 * @param {User} user
 * @param {number} enabledAdmins
 */
export function isLastAdmin({ role, enabled, identity_source: source }, enabledAdmins) {
  return role === "admin" && enabled && source !== "static" && enabledAdmins <= 1;
}

/**
 * What can be done to a user; what cannot says why.
 * @param {{ user: User, isLastAdmin: boolean, me: Me, now: number, reload: () => Promise<void> }} props
 */
export function UserMenu({ user, isLastAdmin, me, now, reload }) {
  const path = `/api/admin/users/${encodeURIComponent(user.id)}`;
  const own = user.id === me.id;
  const fixed = user.identity_source === "static";
  const inConfiguration = t("users.from_configuration");
  const why = own
    ? t("users.not_own")
    : fixed
    ? inConfiguration
    : isLastAdmin
    ? t("users.last_admin")
    : undefined;
  const noPassword = fixed
    ? inConfiguration
    : user.identity_source === "oidc"
    ? t("users.provider_keeps_password")
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
      t(enabled ? "users.can_sign_in_again" : "users.is_disabled", { name: user.username }),
      t("users.not_changed", { name: user.username }),
      () => request("PATCH", path, { json: { enabled } }),
    );
  const unlock = () =>
    act(
      t("users.is_unlocked", { name: user.username }),
      t("users.not_unlocked", { name: user.username }),
      () => request("POST", `${path}/unlock`),
    );
  const changeRole = async () => {
    const { RoleForm } = await import("./user_forms.js");
    const changed = await openDialog(
      /** @param {import("../dialog.js").DialogControls<boolean>} controls */
      (controls) => html`<${RoleForm} ...${controls} user=${user} path=${path} />`,
      { size: "small", described: user.identity_source === "oidc" },
    );
    if (!changed) return;
    toast(t("users.role_changed", { name: user.username }));
    await reload();
  };
  const resetPassword = async () => {
    const { ResetForm } = await import("./user_forms.js");
    await openDialog(
      (controls) => html`<${ResetForm} ...${controls} user=${user} path=${path} />`,
      { size: "small", described: true },
    );
    await reload();
  };
  const showSessions = async () => {
    const { UserSessions } = await import("./user_sessions.js");
    await openDialog(
      (controls) => html`<${UserSessions} ...${controls} user=${user} path=${path} now=${now} />`,
    );
    await reload();
  };
  const remove = async () => {
    const { deleteUser } = await import("./user_deletion.js");
    const removed = await deleteUser(user, path);
    if (!removed) return;
    toast(t("users.is_deleted", { name: user.username }));
    await reload();
  };
  return html`<${Menu} label=${t("users.actions_for", { name: user.username })} items=${[
    { label: t("users.change_role"), icon: "users", disabled: why !== undefined, hint: why, run: changeRole },
    {
      label: t("users.reset_password"),
      icon: "key",
      disabled: noPassword !== undefined,
      hint: noPassword,
      run: resetPassword,
    },
    { label: t("users.show_sessions"), icon: "clock", run: showSessions },
    ...user.locked ? [{ label: t("users.unlock"), icon: "unlock", run: unlock }] : [],
    user.enabled
      ? {
        label: t("users.disable"),
        icon: "lock",
        disabled: own || fixed,
        hint: why,
        run: () => setEnabled(false),
      }
      : { label: t("users.enable"), icon: "check", disabled: fixed, hint: why, run: () => setEnabled(true) },
    {
      label: t("users.delete"),
      icon: "trash",
      danger: true,
      disabled: why !== undefined,
      hint: why,
      run: remove,
    },
  ]} />`;
}
