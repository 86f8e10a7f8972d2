// @ts-check
import { percent } from "../charts/percent.js";
import { formatBytes } from "../format.js";
import { t } from "../i18n.js";
import { html } from "../ui.js";

/** @import { BucketList } from "./backend_buckets.js" */

/**
 * What each backend holds, as bars with their figures beside them.
 *
 * @param {{
 *   backends: readonly { id: string, name: string }[], lists: Readonly<Record<string, BucketList>>,
 *   waits: boolean
 * }} props `lists`: the buckets of each backend, by its id; `waits`: whether some are still to come
 */
export function StorageChart({ backends, lists, waits }) {
  const rows = backends.map(({ id, name }) => ({ id, name, bytes: countedBytes(lists[id]) }))
    .sort((first, second) => (second.bytes ?? -1) - (first.bytes ?? -1));
  const largest = Math.max(...rows.map(({ bytes }) => bytes ?? 0));
  const known = rows.some(({ bytes }) => bytes !== null);
  return html`
    <section class="overview-part">
      <h2>${t("overview.storage")}</h2>
      ${known
        ? html`
          <ul class="storage-chart">
            ${rows.map(({ id, name, bytes }) =>
              html`
                <li key=${id}>
                  <span class="truncate" title=${name}>${name}</span>
                  <svg class="storage-bar" aria-hidden="true">
                    <rect class="storage-track" width="100%" height="100%" rx="2" />
                    <rect width=${percent(largest === 0 ? 0 : (bytes ?? 0) / largest)} height="100%" rx="2" />
                  </svg>
                  <span class="number ${bytes === null ? "faint" : ""}">${bytes === null
                    ? t("common.unknown")
                    : formatBytes(bytes)}</span>
                </li>
              `
            )}
          </ul>
          <p class="cell-sub overview-note">${t("overview.storage_hint")}</p>
        `
        : html`<p class="muted overview-nothing">${
          waits ? t("overview.counting") : t("overview.storage_empty")
        }</p>`}
    </section>
  `;
}

/** @param {BucketList | undefined} list */
function countedBytes(list) {
  return list?.state === "loaded" && list.preview.asOf !== null ? list.preview.bytes : null;
}
