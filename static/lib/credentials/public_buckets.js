// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { confirm } from "../dialog.js";
import { rich, t } from "../i18n.js";
import { toast, toastError } from "../toast.js";
import { Menu } from "../menu.js";
import { Badge, Button, EmptyState, html, Notice } from "../ui.js";

/** @import { Backend, Binding } from "./credential.js" */

/** Where the API keeps the public buckets. */
const path = "/api/admin/s3-anonymous";

/**
 * The buckets that anyone may read without a credential.
 * @param {{
 *   bindings: readonly Binding[], effective: readonly Binding[], backends: readonly Backend[],
 *   anonymous: { enabled: boolean, requestsPerSecond: number }
 * }} props `effective` are those of other sources
 */
export function PublicBuckets({ bindings: first, effective, backends, anonymous }) {
  const [bindings, setBindings] = useState(first);
  const reload = async () => setBindings((await request("GET", path)).bindings);
  const edit = async (/** @type {Binding | null} */ binding) => {
    const { openPublicBucketDialog } = await import("./public_bucket_dialog.js");
    const saved = await openPublicBucketDialog({ binding, backends, path });
    if (!saved) return;
    toast(t("credentials.public_saved"));
    await reload();
  };
  const close = async (/** @type {Binding} */ binding) => {
    const json = { ...settingsOf(binding), mode: "None" };
    try {
      await request("POST", path, { json });
      toast(t("credentials.public_closed", { bucket: binding.bucket }));
      await reload();
    } catch (error) {
      toastError(t("credentials.public_not_changed"), error);
    }
  };
  const remove = async (/** @type {Binding} */ { backend_id, bucket }) => {
    const removed = await confirm({
      title: t("credentials.public_remove_title"),
      body: html`<p>${
        rich("credentials.public_remove_body", { bucket: html`<strong class="break">${bucket}</strong>` })
      }</p>`,
      action: t("credentials.public_remove"),
      danger: true,
      run: () => request("DELETE", `${path}/${encodeURIComponent(backend_id)}/${encodeURIComponent(bucket)}`),
    });
    if (!removed) return;
    toast(t("credentials.public_removed", { bucket }));
    await reload();
  };
  const rows = [...bindings, ...effective];
  return html`
    <section class="public-buckets" aria-labelledby="public-buckets">
      <header class="page-head">
        <div>
          <h2 id="public-buckets">${t("credentials.public_title")}</h2>
          <p>${t("credentials.public_text")}</p>
        </div>
        <div class="page-actions">
          <${Button} icon="plus" onClick=${() => edit(null)}>${t("credentials.public_add")}<//>
        </div>
      </header>
      ${!anonymous.enabled && html`
        <${Notice} kind="warn">${rich("credentials.public_off", {
          key: html`<code>s3_proxy.anonymous_enabled</code>`,
        })}<//>
      `}
      <div class="table-box">
        ${rows.length === 0
          ? html`<${EmptyState} icon="lock" title=${t("credentials.public_none")}>${
            t("credentials.public_none_text")
          }<//>`
          : html`
            <table class="table table-cards">
              <thead>
                <tr>
                  <th scope="col">${t("common.bucket")}</th>
                  <th scope="col">${t("credentials.public_access")}</th>
                  <th scope="col">${t("credentials.public_rate")}</th>
                  <th scope="col" class="actions"><span class="visually-hidden">${t(
                    "common.actions",
                  )}</span></th>
                </tr>
              </thead>
              <tbody>${rows.map((binding) =>
                html`
                  <${PublicBucket} key=${`${binding.source}/${binding.backend_id}/${binding.bucket}`} binding=${binding}
                    backends=${backends} anonymous=${anonymous} onEdit=${edit} onClose=${close} onRemove=${remove} />
                `
              )}</tbody>
            </table>
          `}
      </div>
    </section>
  `;
}

/**
 * @param {{
 *   binding: Binding, backends: readonly Backend[], anonymous: { requestsPerSecond: number },
 *   onEdit: (binding: Binding) => void, onClose: (binding: Binding) => void, onRemove: (binding: Binding) => void
 * }} props
 */
function PublicBucket({ binding, backends, anonymous, onEdit, onClose, onRemove }) {
  const { backend_id, bucket, mode, per_source_ip_rps: rate, source } = binding;
  const open = mode === "ReadOnly";
  const items = [
    { label: t("credentials.edit"), icon: "edit", run: () => onEdit(binding) },
    ...open ? [{ label: t("credentials.public_close"), icon: "lock", run: () => onClose(binding) }] : [],
    { label: t("credentials.public_remove_ask"), icon: "trash", danger: true, run: () => onRemove(binding) },
  ];
  return html`
    <tr>
      <td class="cell-head"><span class="cell-main break">${bucket}</span>
        <span class="cell-sub">${backends.find(({ id }) => id === backend_id)?.name ??
          backend_id}${source === "kubernetes" && ` · ${t("credentials.from_kubernetes")}`}</span></td>
      <td data-label=${t("credentials.public_access")}>
        <${Badge} kind=${open ? "warn" : "neutral"}>${open
          ? t("credentials.public_everyone")
          : t("credentials.public_nobody")}<//></td>
      <td data-label=${t("credentials.public_rate")} class="nowrap">${rateText(
        rate,
        anonymous.requestsPerSecond,
      )}</td>
      <td class="actions">
        ${source === "sqlite" &&
          html`<${Menu} label=${t("credentials.actions_for", { name: bucket })} items=${items} />`}
      </td>
    </tr>
  `;
}

/**
 * Requests a second from one address, in words.
 * @param {number} rate 0 for the one of the configuration
 * @param {number} general that one; 0 for no limit
 */
function rateText(rate, general) {
  if (rate > 0) return t("credentials.public_per_second", { n: rate });
  return general > 0 ? t("credentials.public_per_second", { n: general }) : t("credentials.public_unlimited");
}

/** @param {Binding} binding */
function settingsOf({ backend_id, bucket, per_source_ip_rps }) {
  return { backend_id, bucket, per_source_ip_rps };
}
