// @ts-check
/// <reference lib="dom" />
import { request } from "../api.js";
import { confirm } from "../dialog.js";
import { plural } from "../i18n.js";
import { toast } from "../toast.js";
import { html } from "../ui.js";
import { failureText, nameOf, shareChanges, shareUrl } from "./share.js";

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
      try {
        await request("DELETE", shareUrl(share));
      } catch (error) {
        throw new Error(failureText(error));
      }
      revoked.push(share.id);
    }
  };
  const one = shares.length === 1;
  const done = await confirm({
    title: one ? `Revoke the link to ${nameOf(shares[0])}?` : `Revoke ${shares.length} links?`,
    body: html`<p>${
      one ? "It stops" : "They stop"
    } working at once and for good, also for those who have entered a password. A download that is under way goes on to its
      end. What was shared stays where it is.</p>`,
    action: one ? "Revoke link" : `Revoke ${shares.length} links`,
    danger: true,
    run,
  });
  if (revoked.length > 0) shareChanges.value++;
  if (done) {
    toast(one ? "The link is revoked." : `${plural(revoked.length, "link is", "links are")} revoked.`);
  }
  return revoked;
}
