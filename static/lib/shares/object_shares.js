// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { CopyButton } from "../copy_button.js";
import { Badge, Button, html, Notice, Time } from "../ui.js";
import { askRevoke } from "./revoke.js";
import { downloadsText, nameOf, shareChanges, stateBadge } from "./share.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { Share } from "./share.js" */

/**
 * The links to an object that work, or would but for a disabled account; an administrator sees everyone's.
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
      key: objectKey,
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
    <section class="details-section" aria-label="Shares">
      <h3>Shares</h3>
      ${error !== "" && html`<${Notice} kind="bad" role="alert">The shares could not be loaded: ${error}<//>`}
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
          <${Badge} kind=${kind}>${word}<//> ${share.has_password && "with a password"}</p>
        <p class="muted">${downloadsText(share)}, ${share.expires_at === null
          ? "never expires"
          : html`expires <${Time} at=${share.expires_at} now=${now} />`}</p>
      </div>
      <${CopyButton} text=${share.url} label="Copy link to ${nameOf(share)}" />
      <${Button} small=${true} onClick=${() => askRevoke([share])}>Revoke…<//>
    </li>
  `;
}
