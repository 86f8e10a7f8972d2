// @ts-check
import { request } from "../api.js";
import { confirm } from "../dialog.js";
import { plural } from "../i18n.js";
import { html } from "../ui.js";

/** @typedef {import("../../islands/users.js").User} User */

/**
 * What goes with a user, as the API counts it.
 * @typedef {{ sessions: number, shares: number, s3_credentials: number, jobs: number, pins: number }} Belongings
 */

/** @type {ReadonlyArray<readonly [keyof Belongings, string, string]>} */
const words = [
  ["sessions", "open session", "open sessions"],
  ["shares", "link by which they share objects", "links by which they share objects"],
  ["s3_credentials", "credential for the S3 endpoint", "credentials for the S3 endpoint"],
  ["jobs", "job that has not ended", "jobs that have not ended"],
  ["pins", "pinned bucket", "pinned buckets"],
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
    .map(([kind, one, other]) => plural(belongings?.[kind] ?? 0, one, other));
  return await confirm({
    title: `Delete ${user.username}?`,
    body: html`
      ${going.length === 0
        ? html`<p>Their sessions, links, credentials, jobs and pins go with them at once.</p>`
        : html`
          <p>With them goes at once:</p>
          <ul class="bullets">${going.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
        `}
      <p>Objects they uploaded stay, and so do their rows in the audit log.${user.identity_source ===
          "oidc" &&
        " Whoever the identity provider lets in gets a new account at their next sign-in: to keep them out, disable them."}</p>
    `,
    action: "Delete user",
    danger: true,
    run: () => request("DELETE", path),
  });
}
