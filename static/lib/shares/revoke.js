// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { confirm } from "../dialog.js";
import { t } from "../i18n.js";
import { toast } from "../toast.js";
import { html } from "../ui.js";
import { failureText, shareChanges, shareName, shareUrl } from "./share.js";

/** @import { Share } from "./share.js" */

/**
 * Asks, and revokes shares for good. Those that were revoked before one failed stay so.
 * @param {readonly Share[]} shares
 * @returns {Promise<number[]>} the ids of those that are revoked now
 */
export async function askRevoke(shares) {
  /** @type {number[]} */
  const revoked = [];
  const run = async () => {
    for (const share of shares) {
      if (revoked.includes(share.id)) continue;
      await request("DELETE", shareUrl(share));
      revoked.push(share.id);
    }
  };
  const one = shares.length === 1;
  const done = await confirm({
    title: one
      ? t("shares.revoke_one_title", { name: shareName(shares[0]) })
      : t("shares.revoke_many_title", { n: shares.length }),
    body: html`<p>${t("shares.revoke_body", { n: shares.length })}</p>`,
    action: t("shares.revoke_action", { n: shares.length }),
    danger: true,
    run,
    tell: failureText,
  });
  if (revoked.length > 0) shareChanges.value++;
  if (done) {
    toast(t("shares.revoked", { n: revoked.length }));
  }
  return revoked;
}
