// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { CopyButton } from "../copy_button.js";
import { rich, t } from "../i18n.js";
import { Badge, Button, html, Notice, Time } from "../ui.js";
import { askRevoke } from "./revoke.js";
import { shareChanges, shareName, stateBadge, usesText } from "./share.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { Share } from "./share.js" */

/**
 * The links by which an object is reached, also with others, that work or would but for a disabled account; an administrator
 * sees everyone's.
 * @param {{ browser: Browser, objectKey: string, now: number }} props
 */
export function ObjectShares({ browser, objectKey, now }) {
  const [shares, setShares] = useState(/** @type {Share[] | null} */ (null));
  const [error, setError] = useState("");
  const changes = shareChanges.value;
  useEffect(() => {
    const abort = new AbortController();
    const query = {
      scope: browser.canManage ? "all" : "own",
      backend_id: browser.backend.id,
      bucket: browser.bucket,
      reaches: objectKey,
    };
    request("GET", "/api/shares", { query, signal: abort.signal, priority: "visible" }).then(
      ({ shares }) => {
        setError("");
        setShares(
          shares.filter((/** @type {Share} */ { state }) => state === "active" || state === "suspended"),
        );
      },
      (failure) => {
        if (!abort.signal.aborted) setError(failure.message);
      },
    );
    return () => abort.abort();
  }, [changes]);
  if (error === "" && !shares?.length) return null;
  return html`
    <section class="details-section" aria-label=${t("shares.title")}>
      <h3>${t("shares.title")}</h3>
      ${error !== "" &&
        html`<${Notice} kind="bad" role="alert">${t("shares.not_loaded", { reason: error })}<//>`}
      <ul class="stack">${shares?.map((share) =>
        html`<${ShareItem} key=${share.id} share=${share} now=${now} />`
      )}</ul>
    </section>
  `;
}

/** @param {{ share: Share, now: number }} props */
function ShareItem({ share, now }) {
  const { kind, word } = stateBadge(share, now);
  return html`
    <li class="row sharing-line">
      <div>
        <p>
          <${Badge} kind=${kind}>${word}<//> ${share.has_password && t("shares.with_password")}</p>
        ${share.kind !== "object" && html`<p class="break">${wayText(share)}</p>`}
        <p class="muted">${usesText(share)}, ${share.expires_at === null
          ? t("shares.never_expires")
          : rich("shares.expires", { time: html`<${Time} at=${share.expires_at} now=${now} />` })}</p>
      </div>
      <${CopyButton} text=${share.url} label=${t("shares.copy_link_to", { name: shareName(share) })} />
      <${Button} small=${true} onClick=${() => askRevoke([share])}>${t("shares.revoke_ask")}<//>
    </li>
  `;
}

/**
 * What a link is to that reaches more than the object.
 * @param {Share} share
 */
function wayText({ kind, key, key_count = 0 }) {
  return kind === "folder"
    ? t("shares.by_folder", { name: key })
    : t("shares.by_selection", { n: key_count });
}
