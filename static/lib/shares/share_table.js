// @ts-check
/// <reference lib="dom" />
import { withQuery } from "../api.js";
import { iconOf, KeyLabel } from "../browse/key_label.js";
import { CopyButton } from "../copy_button.js";
import { formatNumber } from "../format.js";
import { toast } from "../toast.js";
import { Badge, html, Icon, IconButton, Menu, minute, Time } from "../ui.js";
import { nameOf, stateBadge, targetPage } from "./share.js";

/** @import { Me } from "../boot_data.js" */
/** @import { Share } from "./share.js" */

/**
 * @typedef {object} TableProps
 * @property {readonly Share[]} shares
 * @property {boolean} all whether they are everyone's
 * @property {Array<{ id: string, name: string }>} backends
 * @property {Me} me
 * @property {number} now milliseconds since the epoch
 * @property {ReadonlySet<number>} selected ids
 * @property {(ids: ReadonlySet<number>) => void} onSelect
 * @property {(shares: readonly Share[]) => void} onRevoke
 * @property {(share: Share) => void} onChange a share has been edited
 */

/**
 * Shares, a row each.
 * @param {TableProps} props
 */
export function ShareTable(props) {
  const { shares, all, selected, onSelect } = props;
  const open = shares.filter(({ state }) => state !== "revoked").map(({ id }) => id);
  const selectAll = (/** @type {any} */ event) => onSelect(new Set(event.target.checked ? open : []));
  return html`
    <table class="table table-cards shares-table">
      <thead>
        <tr>
          <th scope="col" class="shares-check needs-script"><input type="checkbox" aria-label="Select all"
            checked=${open.length > 0 && open.every((id) => selected.has(id))} disabled=${open.length === 0}
            onChange=${selectAll} /></th>
          <th scope="col">File</th>
          <th scope="col">Link</th>
          ${all && html`<th scope="col">Created by</th>`}
          <th scope="col">State</th>
          <th scope="col">Expires</th>
          <th scope="col">Downloads</th>
          <th scope="col">Last download</th>
          <th scope="col" class="actions"><span class="visually-hidden">Actions</span></th>
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
  const { share, all, backends, now, selected, onSelect } = props;
  const { id, url, backend_id, bucket, kind, key, version_id, note, created_by_name } = share;
  const name = nameOf(share);
  const select = (/** @type {any} */ event) => {
    const ids = new Set(selected);
    if (event.target.checked) ids.add(id);
    else ids.delete(id);
    onSelect(ids);
  };
  const backend = backends.find((known) => known.id === backend_id)?.name ?? backend_id;
  return html`
    <tr>
      <td class="shares-check needs-script"><input type="checkbox" aria-label="Select ${name}"
        checked=${selected.has(id)} disabled=${share.state === "revoked"} onChange=${select} /></td>
      <td class="cell-head">
        <a class="shares-file cell-main" href=${targetPage(share)} title=${key}><${Icon} name=${iconOf({
          folder: kind === "folder",
          name,
        })} /><${KeyLabel} name=${name} /></a>
        <span class="cell-sub break">${backend} / ${bucket}${version_id !== null &&
          html`, <span title=${version_id}>one version</span>`}</span>
        ${note !== "" && html`<span class="cell-sub break shares-note">${note}</span>`}
      </td>
      <td data-label="Link" class="nowrap">
        <span><${CopyButton} text=${url} label="Copy link to ${name}" />
          <${IconButton} icon="qr" class="icon-button-small" label="QR code of the link to ${name}"
            onClick=${() => showLink(share)} /></span>
      </td>
      ${all && html`
        <td data-label="Created by" class="break">${created_by_name ??
          html`<span class="faint">deleted user</span>`}</td>
      `}
      <td data-label="State">
        <${State} share=${share} now=${now} />
      </td>
      <td data-label="Expires" class="nowrap">${share.expires_at === null
        ? html`<span class="faint">never</span>`
        : html`<${Time} at=${share.expires_at} now=${now} />`}</td>
      <td data-label="Downloads">
        <${Downloads} share=${share} />
      </td>
      <td data-label="Last download" class="nowrap">${share.last_download_at === null
        ? html`<span class="faint">never</span>`
        : html`<${Time} at=${share.last_download_at} now=${now} />`}</td>
      <td class="actions">
        <${Menu} label="Actions for ${name}" items=${menuItems(props)} />
      </td>
    </tr>
  `;
}

/** @param {{ share: Share, now: number }} props */
function State({ share, now }) {
  const { kind, word } = stateBadge(share, Math.max(minute.value, now));
  return html`
    <span class="shares-state"><${Badge} kind=${kind}>${word}<//>
      ${share.has_password && html`<span class="shares-lock"><${Icon} name="lock" />Password</span>`}</span>
  `;
}

/**
 * How much of what may be downloaded has been, as a bar and in words.
 * @param {{ share: Share }} props
 */
function Downloads({ share: { download_count: count, max_downloads: cap } }) {
  if (cap === null) return html`<span>${formatNumber(count)}</span>`;
  return html`
    <span class="shares-meter"><span>${formatNumber(count)} of ${formatNumber(cap)}</span>
      <progress max=${cap} value=${Math.min(count, cap)} aria-hidden="true"></progress></span>
  `;
}

/** @param {TableProps & { share: Share }} props */
function menuItems({ share, me, onRevoke, onChange }) {
  const { url, backend_id: backend, bucket, key, state } = share;
  const revoked = state === "revoked";
  const hint = revoked
    ? "A revoked share stays so"
    : me.can.share_objects
    ? undefined
    : "Your account may not share";
  const edit = async () => {
    const { openEditDialog } = await import("./edit_dialog.js");
    const changed = await openEditDialog(share);
    if (changed === undefined) return;
    onChange(changed);
    toast("The share is changed.");
  };
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast("Link copied"),
      () => toast("The browser did not allow copying.", { kind: "error" }),
    );
  const audit = withQuery("/admin/audit", { action: "share.access", backend, bucket, key });
  return [
    { label: "Copy link", icon: "link", run: copy },
    { label: "QR code", icon: "qr", run: () => showLink(share) },
    { label: "Show in the bucket", icon: "folder", run: () => location.assign(targetPage(share)) },
    ...me.can.read_audit ? [{ label: "Show access", icon: "audit", run: () => location.assign(audit) }] : [],
    { label: "Edit…", icon: "edit", disabled: hint !== undefined, hint, run: edit },
    {
      label: "Revoke…",
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
