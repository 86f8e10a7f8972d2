// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request, withQuery } from "../api.js";
import { KeyLabel } from "../browse/key_label.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatBytes, formatDateTime } from "../format.js";
import { t } from "../i18n.js";
import { loadStyles } from "../styles.js";
import { Badge, Button, html, Notice, Skeleton, Time } from "../ui.js";
import { describeAgent } from "../user_agent.js";
import { shareName, shareUrl, stateBadge, usesText } from "./share.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Me } from "../boot_data.js" */
/** @import { Share } from "./share.js" */

/**
 * One request of a recipient, as the API shows it; `path`, `files` and `size` are of what was sent.
 *
 * @typedef {{ id: number, at: string, result: string, counted: boolean, user_agent: string, ip?: string,
 *   path?: string, files?: number, size?: number }} Access
 */

/** What the drawer was closed for. @typedef {"edit" | "revoke"} Wish */

/** Accesses that are loaded at a time. */
const pageSize = 50;

/**
 * Opens the drawer of a share: what it is, and who has used it. Resolves with what the user wants to do with it then.
 * @param {{ share: Share, me: Me, now: number }} options
 * @returns {Promise<Wish | undefined>}
 */
export async function openAccessDialog(options) {
  await loadStyles("lazy.css");
  return await openDialog(
    /** @param {DialogControls<Wish>} controls */
    (controls) => html`<${AccessDrawer} ...${controls} ...${options} />`,
  );
}

/** @param {DialogControls<Wish> & { share: Share, me: Me, now: number }} props */
function AccessDrawer({ close, titleId, share, me, now }) {
  const { state, backend_id: backend, bucket, key, created_at, expires_at } = share;
  const { kind, word } = stateBadge(share, now);
  const open = state !== "revoked";
  const isUpload = share.upload !== undefined;
  const audited = isUpload
    ? { action: "share.upload", backend, bucket }
    : { action: "share.access", backend, bucket, key };
  const footer = html`
    ${open &&
      html`<${Button} class="push button-bad-text" icon="trash" onClick=${() => close("revoke")}>${
        t("shares.revoke_ask")
      }<//>`}
    ${open && me.can.share_objects && html`<${Button} onClick=${() => close("edit")}>${t("shares.edit")}<//>`}
    <button type="button" class="button button-primary" data-autofocus="" onClick=${() => close()}>${t(
      "shares.done",
    )}</button>
  `;
  const moment = (/** @type {string | null} */ at) =>
    at === null ? t("common.never") : formatDateTime(Date.parse(at));
  return html`
    <${DialogFrame} title=${t("shares.access_title", {
      name: shareName(share),
    })} titleId=${titleId} onClose=${close}
      footer=${footer}>
      <div class="stack">
        <dl class="facts">
          <dt>${isUpload ? t("shares.column_folder") : t("shares.column_file")}</dt>
          <dd>
            <${KeyLabel} name=${key || bucket} />
          </dd>
          <dt>${t("common.state")}</dt>
          <dd>
            <${Badge} kind=${kind}>${word}<//> ${share.has_password && t("shares.with_password")}</dd>
          <dt>${t("common.created")}</dt><dd>${moment(created_at)}</dd>
          <dt>${t("common.expires")}</dt><dd>${moment(expires_at)}</dd>
          <dt>${isUpload ? t("shares.column_received") : t("shares.column_downloads")}</dt><dd>${usesText(
            share,
          )}</dd>
        </dl>
        <section aria-label=${t("shares.access_log")} class="stack">
          <h3>${t("shares.access_log")}</h3>
          <${AccessLog} share=${share} now=${now} />
          ${me.can.read_audit &&
            html`<p><a href=${withQuery("/admin/audit", audited)}>${t("shares.show_in_audit")}</a></p>`}
        </section>
      </div>
    <//>
  `;
}

/** @param {{ share: Share, now: number }} props */
function AccessLog({ share, now }) {
  const [accesses, setAccesses] = useState(/** @type {Access[] | null} */ (null));
  const [cursor, setCursor] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const load = async (/** @type {string | null} */ from) => {
    setBusy(true);
    setError("");
    try {
      const query = { limit: pageSize, cursor: from };
      const page = await request("GET", `${shareUrl(share)}/access`, { query });
      setAccesses((known) => [...from === null ? [] : known ?? [], ...page.accesses]);
      setCursor(page.next_cursor);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
  };
  useEffect(() => void load(null), []);
  return html`
    <div role="alert">${error !== "" && html`<${Notice} kind="bad">${error}<//>`}</div>
    ${accesses === null && error === "" && html`<${Skeleton} rows=${3} />`}
    ${accesses?.length === 0 && cursor === null && html`<p class="muted">${t("shares.no_access")}</p>`}
    ${accesses !== null && accesses.length > 0 &&
      html`<ol class="access-log">${
        accesses.map((access) => html`<${AccessEntry} key=${access.id} access=${access} now=${now} />`)
      }</ol>`}
    ${cursor !== null && html`
      <div>
        <${Button} small=${true} busy=${busy} onClick=${() => load(cursor)}>${t("common.load_more")}<//></div>
    `}
  `;
}

/** @type {Readonly<Record<string, import("../i18n.js").MessageKey>>} */
const results = {
  ok: "shares.result_ok",
  password_required: "shares.result_password_required",
  bad_password: "shares.result_bad_password",
  expired: "shares.result_expired",
  revoked: "shares.result_revoked",
  exhausted: "shares.result_exhausted",
  not_found: "shares.result_not_found",
  rate_limited: "shares.result_rate_limited",
  error: "shares.result_error",
};

/** @param {{ access: Access, now: number }} props */
function AccessEntry({ access, now }) {
  const { at, result, counted, user_agent, ip, path, files = 0, size = 0 } = access;
  const kind = result === "ok" ? "ok" : result === "bad_password" || result === "error" ? "bad" : "neutral";
  const done = path === undefined ? t("shares.result_download") : t("shares.result_received");
  const words = counted ? done : t(results[result] ?? "shares.result_error");
  return html`
    <li>
      <${Badge} kind=${kind}>${words}<//>
      <span class="access-agent muted">
        ${path !== undefined &&
          html`<span class="access-file">${
            files > 1 ? t("shares.received_many", { name: path, n: files - 1 }) : path
          }, ${formatBytes(size)}</span>`}
        <span>${user_agent === "" ? t("common.unknown") : describeAgent(user_agent)}</span>
        ${ip !== undefined && html`<span class="mono">${ip}</span>`}
      </span>
      <${Time} at=${at} now=${now} />
    </li>
  `;
}
