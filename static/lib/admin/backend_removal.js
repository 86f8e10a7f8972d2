// @ts-check
import { request } from "../api.js";
import { apiCommand } from "../api_command.js";
import { ShowCommand } from "../commands.js";
import { confirm } from "../dialog.js";
import { t } from "../i18n.js";
import { html } from "../ui.js";

/** @typedef {import("../../islands/backends.js").Backend} Backend */

/** @type {Readonly<Record<string, import("../i18n.js").MessageKey>>} */
const kinds = {
  share: "backends.going_shares",
  "S3 credential": "backends.going_credentials",
  "anonymous binding": "backends.going_bindings",
};

/**
 * Asks before a backend is removed, with what would go with it, and removes both. Resolves with whether it did.
 * @param {Backend} backend
 * @param {string} path of the backend in the API
 */
export async function removeBackend({ id, name }, path) {
  /** @type {Array<{ kind: string, count: number }>} */
  const references = (await request("GET", path)).references;
  const going = references.map(({ kind, count }) => t(kinds[kind], { n: count }));
  return await confirm({
    title: t("backends.remove_title", { name }),
    body: html`
      <p>${t("backends.remove_text")}</p>
      ${going.length > 0 && html`
        <p>${t("backends.remove_references")}</p>
        <ul class="bullets">${going.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
      `}
      <${ShowCommand} lines=${[apiCommand("DELETE", going.length > 0 ? `${path}?force=true` : path)]} />
    `,
    action: t("backends.remove_action"),
    danger: true,
    typed: id,
    // What was not there when it was counted is not removed unasked.
    run: () => request("DELETE", path, { query: { force: going.length > 0 ? true : undefined } }),
  });
}
