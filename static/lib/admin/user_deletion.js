// @ts-check
import { request } from "../api.js";
import { apiCommand } from "../api_command.js";
import { ShowCommand } from "../commands.js";
import { confirm } from "../dialog.js";
import { t } from "../i18n.js";
import { html } from "../ui.js";

/** @typedef {import("../../islands/users.js").User} User */

/**
 * What goes with a user, as the API counts it.
 * @typedef {{ sessions: number, shares: number, s3_credentials: number, jobs: number, pins: number }} Belongings
 */

/** @type {ReadonlyArray<readonly [keyof Belongings, import("../i18n.js").MessageKey]>} */
const words = [
  ["sessions", "users.going_sessions"],
  ["shares", "users.going_shares"],
  ["s3_credentials", "users.going_credentials"],
  ["jobs", "users.going_jobs"],
  ["pins", "users.going_pins"],
];

/**
 * Asks before a user is deleted, and deletes them. Resolves with whether they were.
 * @param {User} user
 * @param {string} path of the user in the API
 */
export async function deleteUser(user, path) {
  /** @type {Belongings | null} */
  const belongings = await request("GET", path).then((answer) => answer.belongings, () => null);
  const going = words.filter(([kind]) => belongings !== null && belongings[kind] > 0)
    .map(([kind, key]) => t(key, { n: belongings?.[kind] ?? 0 }));
  return await confirm({
    title: t("users.delete_title", { name: user.username }),
    body: html`
      ${going.length === 0 ? html`<p>${t("users.delete_all")}</p>` : html`
        <p>${t("users.delete_going")}</p>
        <ul class="bullets">${going.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
      `}
      <p>${t("users.delete_stays")}${user.identity_source === "oidc" &&
        ` ${t("users.delete_comes_back")}`}</p>
      <${ShowCommand} lines=${[apiCommand("DELETE", path)]} />
    `,
    action: t("users.delete_action"),
    danger: true,
    run: () => request("DELETE", path),
  });
}
