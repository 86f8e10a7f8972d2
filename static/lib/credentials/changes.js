// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { apiCommand } from "../api_command.js";
import { ShowCommand } from "../commands.js";
import { confirm } from "../dialog.js";
import { rich, t } from "../i18n.js";
import { html } from "../ui.js";
import { labelOf } from "./credential.js";

/** @import { Credential, MintedCredential, Row } from "./credential.js" */

/**
 * Asks, and gives a credential a new secret. Resolves with it, `undefined` when the user has changed their mind.
 * @param {Row} row
 * @param {string} path where the API keeps the credentials
 * @returns {Promise<MintedCredential | undefined>}
 */
export async function askRotate(row, path) {
  /** @type {MintedCredential | undefined} */
  let minted;
  await confirm({
    title: t("credentials.rotate_title"),
    body: html`
      <p>${rich("credentials.rotate_body", {
        name: html`<strong class="break">${labelOf(row)}</strong>`,
      })}</p>
      <${ShowCommand} lines=${[apiCommand("POST", `${path}/${row.accessKey}/rotate`)]} />
    `,
    action: t("credentials.rotate_action"),
    danger: true,
    run: async () => minted = await request("POST", `${path}/${row.accessKey}/rotate`),
  });
  return minted;
}

/**
 * Asks, and deletes a credential. Resolves with whether it is deleted. One that was in use is to be named.
 * @param {Row} row
 * @param {string} path where the API keeps the credentials
 */
export function askDelete(row, path) {
  return confirm({
    title: t("credentials.delete_title"),
    body: html`
      <p>${rich(
        row.lastUsedAt === undefined ? "credentials.delete_body" : "credentials.delete_used_body",
        { name: html`<strong class="break">${labelOf(row)}</strong>` },
      )}</p>
      <${ShowCommand} lines=${[apiCommand("DELETE", `${path}/${row.accessKey}`)]} />
    `,
    action: t("credentials.delete_action"),
    danger: true,
    typed: row.lastUsedAt === undefined ? undefined : row.accessKey,
    run: () => request("DELETE", `${path}/${row.accessKey}`),
  });
}

/**
 * Makes a credential void, or good again.
 * @param {Row} row
 * @param {string} path where the API keeps the credentials
 * @param {boolean} enabled
 * @returns {Promise<Credential>}
 */
export function setEnabled(row, path, enabled) {
  return request("PATCH", `${path}/${row.accessKey}`, { json: { enabled } });
}
