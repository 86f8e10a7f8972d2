// @ts-check
/// <reference lib="dom" />
import { iconOf, KeyLabel } from "../browse/key_label.js";
import { CopyButton } from "../copy_button.js";
import { formatBytes, formatNumber } from "../format.js";
import { t } from "../i18n.js";
import { visit } from "../navigation.js";
import { toast } from "../toast.js";
import { Menu } from "../menu.js";
import { Badge, html, Icon, IconButton, minute, Time } from "../ui.js";
import { sharesPage } from "./filter.js";
import { lifeLeft, shareIcon, shareName, stateBadge, targetPage } from "./share.js";

/** @import { Me } from "../boot_data.js" */
/** @import { ShareFilter } from "./filter.js" */
/** @import { Share, UploadRequest } from "./share.js" */

/**
 * @typedef {object} TableProps
 * @property {readonly Share[]} shares
 * @property {ShareFilter} filter which they are
 * @property {Array<{ id: string, name: string }>} backends
 * @property {Me} me
 * @property {number} now milliseconds since the epoch
 * @property {ReadonlySet<number>} selected ids
 * @property {(ids: ReadonlySet<number>) => void} onSelect
 * @property {(shares: readonly Share[]) => void} onRevoke
 * @property {(share: Share) => void} onChange a share has been edited
 * @property {(share: Share) => void} onOpen a share's drawer is asked for
 */

/**
 * Shares, a row each.
 * @param {TableProps} props
 */
export function ShareTable(props) {
  const { shares, filter, selected, onSelect } = props;
  const open = shares.filter(({ state }) => state !== "revoked").map(({ id }) => id);
  const selectAll = (/** @type {any} */ event) => onSelect(new Set(event.target.checked ? open : []));
  return html`
    <table class="table table-cards shares-table">
      <thead>
        <tr>
          <th scope="col" class="shares-check needs-script"><label class="check-cell"><input type="checkbox" aria-label=${t(
            "common.select_all",
          )}
            checked=${open.length > 0 && open.every((id) => selected.has(id))} disabled=${open.length === 0}
            onChange=${selectAll} /></label></th>
          <th scope="col">${t("shares.column_file")}</th>
          <th scope="col">${t("shares.link")}</th>
          ${filter.scope === "all" && html`<th scope="col">${t("shares.column_maker")}</th>`}
          <th scope="col">${t("common.state")}</th>
          <th scope="col">${t("common.expires")}</th>
          <th scope="col">${filter.kind === "upload"
            ? t("shares.column_received")
            : t("shares.column_downloads")}</th>
          <th scope="col">${filter.kind === "upload"
            ? t("shares.column_last_upload")
            : t("shares.column_last_download")}</th>
          <th scope="col" class="actions"><span class="visually-hidden">${t("common.actions")}</span></th>
        </tr>
      </thead>
      <tbody>${shares.map((share) =>
        html`<${ShareRow} key=${share.id} ...${props} share=${share} />`
      )}</tbody>
    </table>
  `;
}

/** @param {TableProps & { share: Share }} props */
function ShareRow(props) {
  const { share, filter, backends, now, selected, onSelect } = props;
  const { id, url, backend_id, kind, key, version_id, note, created_by_name, upload } = share;
  const lastUse = upload === undefined ? share.last_download_at : upload.last_upload_at;
  const name = shareName(share);
  const select = (/** @type {any} */ event) => {
    const ids = new Set(selected);
    if (event.target.checked) ids.add(id);
    else ids.delete(id);
    onSelect(ids);
  };
  const backend = backends.find((known) => known.id === backend_id)?.name ?? backend_id;
  return html`
    <tr>
      <td class="shares-check needs-script"><label class="check-cell"><input type="checkbox" aria-label=${t(
        "shares.select",
        { name },
      )}
        checked=${selected.has(id)} disabled=${share.state === "revoked"} onChange=${select} /></label></td>
      <td class="cell-head">
        <a class="shares-file cell-main" href=${targetPage(
          share,
        )} title=${key}><${Icon} name=${kind === "object"
          ? iconOf({ folder: false, name })
          : shareIcon(share)} /><${KeyLabel} name=${name} /></a>
        <span class="cell-sub break">${placeText(share, backend)}${version_id !== null &&
          html`, <span title=${version_id}>${t("shares.one_version")}</span>`}</span>
        ${note !== "" && html`<span class="cell-sub break shares-note">${note}</span>`}
      </td>
      <td data-label=${t("shares.link")} class="nowrap">
        <span><${CopyButton} text=${url} label=${t("shares.copy_link_to", { name })} />
          <${IconButton} icon="qr" class="icon-button-small" label=${t("shares.qr_of", { name })}
            onClick=${() => showLink(share)} /></span>
      </td>
      ${filter.scope === "all" && html`
        <td data-label=${t("shares.column_maker")} class="break"><a class="quiet-link" href=${sharesPage({
          ...filter,
          by: share.created_by,
        })}>${created_by_name ?? html`<span class="faint">${t("shares.deleted_user")}</span>`}</a></td>
      `}
      <td data-label=${t("common.state")}>
        <${State} share=${share} now=${now} />
      </td>
      <td data-label=${t("common.expires")} class="nowrap"><${Expiry} share=${share} now=${now} /></td>
      <td data-label=${upload === undefined ? t("shares.column_downloads") : t("shares.column_received")}>
        ${upload === undefined
          ? html`<${Downloads} share=${share} />`
          : html`<${Uploads} upload=${upload} />`}
      </td>
      <td data-label=${upload === undefined
        ? t("shares.column_last_download")
        : t("shares.column_last_upload")} class="nowrap">${lastUse === null
        ? html`<span class="faint">${t("common.never")}</span>`
        : html`<${Time} at=${lastUse} now=${now} />`}</td>
      <td class="actions">
        <${Menu} label=${t("shares.actions_for", { name })} items=${menuItems(props)} />
      </td>
    </tr>
  `;
}

/**
 * Where a share leads; for a link for uploads also what it is, and the folder.
 * @param {Share} share
 * @param {string} backend its name
 */
function placeText({ bucket, key, upload }, backend) {
  if (upload === undefined) return `${backend} / ${bucket}`;
  const folder = key === "" ? "" : ` / ${key.slice(0, -1)}`;
  return `${t("shares.asks_for_files")}: ${backend} / ${bucket}${folder}`;
}

/** @param {{ share: Share, now: number }} props */
function State({ share, now }) {
  const { kind, word } = stateBadge(share, Math.max(minute.value, now));
  return html`
    <span class="shares-state"><${Badge} kind=${kind}>${word}<//>
      ${share.has_password &&
        html`<span class="shares-lock"><${Icon} name="lock" />${t("shares.password")}</span>`}</span>
  `;
}

/**
 * When a share ends, and how much of its time is left as a bar.
 * @param {{ share: Share, now: number }} props
 */
function Expiry({ share, now }) {
  if (share.expires_at === null) return html`<span class="faint">${t("common.never")}</span>`;
  const left = share.state === "active" ? lifeLeft(share, Math.max(minute.value, now)) : 0;
  return html`
    <span class="shares-meter"><${Time} at=${share.expires_at} now=${now} />
      <progress max="100" value=${Math.round(left * 100)} aria-hidden="true"></progress></span>
  `;
}

/**
 * How much of what may be downloaded has been, as a bar and in words.
 * @param {{ share: Share }} props
 */
function Downloads({ share: { download_count: count, max_downloads: cap } }) {
  if (cap === null) return html`<span>${formatNumber(count)}</span>`;
  return html`
    <span class="shares-meter"><span>${t("shares.count_of", { count, cap })}</span>
      <progress max=${cap} value=${Math.min(count, cap)} aria-hidden="true"></progress></span>
  `;
}

/**
 * How much of what may be sent has been, as a bar and in words.
 * @param {{ upload: UploadRequest }} props
 */
function Uploads({ upload: { upload_count: count, max_uploads: cap, uploaded_bytes, max_bytes } }) {
  const used = Math.max(count / cap, uploaded_bytes / max_bytes);
  return html`
    <span class="shares-meter shares-uploads"><span>${t("shares.uploads_of", {
      count,
      n: cap,
      size: formatBytes(uploaded_bytes),
    })}</span>
      <progress max="100" value=${Math.min(100, Math.round(used * 100))} aria-hidden="true"></progress></span>
  `;
}

/** @param {TableProps & { share: Share }} props */
function menuItems({ share, me, onRevoke, onChange, onOpen }) {
  const { url, state } = share;
  const revoked = state === "revoked";
  const hint = revoked
    ? t("shares.stays_revoked")
    : me.can.share_objects
    ? undefined
    : t("shares.may_not_share");
  const edit = async () => {
    const { openEditDialog } = await import("./edit_dialog.js");
    const changed = await openEditDialog(share);
    if (changed === undefined) return;
    onChange(changed);
    toast(t("shares.changed"));
  };
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast(t("shares.link_copied")),
      () => toast(t("common.copy_failed"), { kind: "error" }),
    );
  return [
    { label: t("shares.access"), icon: "clock", run: () => onOpen(share) },
    { label: t("shares.copy_link"), icon: "link", run: copy },
    { label: t("shares.qr_code"), icon: "qr", run: () => showLink(share) },
    { label: t("shares.show_in_bucket"), icon: "folder", run: () => visit(targetPage(share)) },
    { label: t("shares.edit"), icon: "edit", disabled: hint !== undefined, hint, run: edit },
    {
      label: t("shares.revoke_ask"),
      icon: "trash",
      danger: true,
      disabled: revoked,
      hint: revoked ? hint : undefined,
      run: () => onRevoke([share]),
    },
  ];
}

/** @param {Share} share */
async function showLink(share) {
  const { openLinkDialog } = await import("./link_view.js");
  await openLinkDialog(share);
}
