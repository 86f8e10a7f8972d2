// @ts-check
import { percent } from "../charts/percent.js";
import { formatBytes } from "../format.js";
import { rich, t } from "../i18n.js";
import { html, Time } from "../ui.js";

/** @import { BucketList } from "./backend_buckets.js" */

/**
 * What each backend holds, as bars with their figures beside them.
 *
 * @param {{
 *   backends: readonly { id: string, name: string }[], lists: Readonly<Record<string, BucketList>>,
 *   waits: boolean, now: number
 * }} props `lists`: the buckets of each backend, by its id; `waits`: whether some are still to come
 */
export function StorageChart({ backends, lists, waits, now }) {
  const rows = backends.map(({ id, name }) => ({ id, name, ...counted(lists[id]) }))
    .sort((first, second) => (second.bytes ?? -1) - (first.bytes ?? -1));
  const largest = Math.max(...rows.map(({ bytes }) => bytes ?? 0));
  const known = rows.some(({ bytes }) => bytes !== null);
  if (!known) {
    return html`<p class="muted overview-nothing">${
      waits ? t("overview.counting") : t("overview.storage_empty")
    }</p>`;
  }
  return html`
    <ul class="storage-chart">
      ${rows.map(({ id, name, bytes, asOf }) =>
        html`
          <li key=${id}>
            <span class="truncate" title=${name}>${name}</span>
            <svg class="storage-bar" aria-hidden="true">
              <rect class="storage-track" width="100%" height="100%" rx="2" />
              <rect width=${percent(largest === 0 ? 0 : (bytes ?? 0) / largest)} height="100%" rx="2" />
            </svg>
            <span class="number ${bytes === null ? "faint" : ""}">${bytes === null
              ? t("common.unknown")
              : formatBytes(bytes)}${asOf &&
              html`<small class="cell-sub">${
                rich("common.as_of", {
                  time: html`<${Time} at=${asOf} now=${now} />`,
                })
              }</small>`}</span>
          </li>
        `
      )}
    </ul>
    <p class="cell-sub overview-note">${t("overview.storage_hint")}</p>
  `;
}

/** @param {BucketList | undefined} list */
function counted(list) {
  const { bytes = null, asOf = null } = list?.state === "loaded" ? list.preview : {};
  return { bytes: asOf === null ? null : bytes, asOf };
}
