// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { useElementId } from "../ids.js";
import { html } from "../ui.js";

/** @typedef {{ id: string, username: string }} User */

/** Names that are offered at once. */
const offered = 20;

/** Milliseconds without a key after which names are asked for. */
const pause = 150;

/**
 * Asks for the user that a credential is for, offering those whose name goes on like that.
 * @param {{ value: string, error?: string, onChange: (name: string) => void }} props
 */
export function OwnerField({ value, error, onChange }) {
  const list = useElementId();
  const [users, setUsers] = useState(/** @type {User[]} */ ([]));
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const query = { query: value.trim(), limit: offered };
      // Without names to choose from one can still be typed.
      request("GET", "/api/admin/users", { query, signal: abort.signal })
        .then((page) => setUsers(page.users), () => {});
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [value]);
  return html`
    <${Field} label=${t("credentials.column_owner")} optional=${true} error=${error} hint=${t(
      "credentials.owner_hint",
    )}
      control=${(/** @type {any} */ attributes) =>
        html`
          <input class="input" ...${attributes} list=${list} autocomplete="off" autocapitalize="off"
            spellcheck=${false} value=${value} onInput=${(/** @type {any} */ event) =>
              onChange(event.target.value)} />
          <datalist id=${list}>${users.map(({ id, username }) =>
            html`<option key=${id} value=${username}></option>`
          )}</datalist>
        `} />
  `;
}

/**
 * The id of a user by name; `null` for nobody. Throws as the API does for a user who does not exist.
 * @param {string} name
 * @returns {Promise<string | null>}
 */
export async function findUser(name) {
  const username = name.trim();
  if (username === "") return null;
  const { users } = await request("GET", "/api/admin/users", { query: { query: username, limit: 500 } });
  const found = users.find((/** @type {User} */ user) => user.username === username);
  if (found !== undefined) return found.id;
  throw new ApiError({
    status: 400,
    code: "bad_request",
    text: t("credentials.no_such_user"),
    detail: { field: "user_id" },
  });
}
