// @ts-check
/// <reference lib="dom" />
import { bucketPage } from "../browse/object_urls.js";
import { formatNumber } from "../format.js";
import { t } from "../i18n.js";
import { Menu } from "../menu.js";
import { html, Icon, IconButton, Time } from "../ui.js";
import { AccessCell, isPublic, LockCell, QuotaCell, SizeCell, Told, VersioningCell } from "./bucket_cells.js";
import { columnLabels } from "./bucket_columns.js";
import { quotaOf } from "./bucket_totals.js";

/** @import { BucketField, BucketSummary } from "../browse/bucket_list.js" */
/** @import { MessageKey } from "../i18n.js" */
/** @import { BucketColumn } from "./bucket_columns.js" */
/** @import { BucketProperties } from "./use_bucket_properties.js" */

/** @typedef {{ label: string, icon?: string, danger?: boolean, run: () => void }} BucketAction */

/**
 * @typedef {object} BucketTableProps
 * @property {string} backend id
 * @property {readonly BucketSummary[]} buckets in the order that is shown
 * @property {number} total bytes that all buckets of the backend hold
 * @property {ReadonlyMap<string, BucketProperties>} properties by name, as far as they are known
 * @property {readonly BucketColumn[] | null} chosen columns that can be left out; `null` for those that there is room for
 * @property {ReadonlySet<string>} pinned names
 * @property {{ field: BucketField, descending: boolean }} order
 * @property {(field: BucketField) => void} sortBy
 * @property {(bucket: BucketSummary) => void} togglePin
 * @property {((bucket: BucketSummary) => void) | null} track `null` for who may not
 * @property {(bucket: BucketSummary) => BucketAction[]} actions
 * @property {number} now
 */

/** A column of the table: `field` for one that the list can be sorted by, `column` for one that can be left out.
 * @typedef {{ label: MessageKey, field?: BucketField, column?: BucketColumn, style?: string }} Head
 */

/** @type {ReadonlyArray<Head>} */
const heads = [
  { label: "common.name", field: "name" },
  { label: columnLabels.region, column: "region" },
  { label: columnLabels.created, field: "created", column: "created" },
  { label: columnLabels.objects, field: "objects", column: "objects", style: "number" },
  { label: "common.size", field: "size", style: "number" },
  { label: "buckets.quota", field: "quota" },
  { label: columnLabels.versioning, column: "versioning" },
  { label: "buckets.access" },
  { label: columnLabels.lock, column: "lock" },
];

/**
 * The buckets of a backend as a table; on small screens as cards.
 *
 * @param {BucketTableProps} props
 */
export function BucketTable(props) {
  const { chosen } = props;
  const isShown = (/** @type {Head} */ { column }) =>
    column === undefined || chosen === null || chosen.includes(column);
  return html`
    <div class="table-box bucket-box">
      <table class="table table-cards bucket-table ${chosen === null ? "bucket-table-fitted" : ""}">
        <thead>
          <tr>
            <th scope="col" class="pin-cell"><span class="visually-hidden">${t("buckets.pinned")}</span></th>
            ${heads.filter(isShown).map((head) =>
              html`<${ColumnHead} key=${head.label} ...${props} head=${head} />`
            )}
            <th scope="col"><span class="visually-hidden">${t("common.actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${props.buckets.map((bucket) =>
            html`<${BucketRow} key=${bucket.name} ...${props} bucket=${bucket} />`
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {BucketTableProps & { head: Head }} props */
function ColumnHead({ head: { field, label, column, style }, order, sortBy }) {
  const sorted = field !== undefined && order.field === field;
  return html`
    <th scope="col" class=${style} data-column=${column} aria-sort=${sorted
      ? order.descending ? "descending" : "ascending"
      : undefined}>
      ${field === undefined ? t(label) : html`
        <button type="button" class="sort-button" onClick=${() => sortBy(field)}>${t(label)}${sorted &&
          html`<${Icon} name=${order.descending ? "sort-down" : "sort-up"} />`}</button>
      `}
    </th>
  `;
}

/** @param {BucketTableProps & { bucket: BucketSummary }} props */
function BucketRow(props) {
  const { backend, bucket, total, chosen, track, actions, now } = props;
  const { name, object_count: objects, created_at: createdAt } = bucket;
  const properties = props.properties.get(name);
  const cell = (/** @type {BucketColumn} */ column, /** @type {any} */ content, style = "nowrap") =>
    (chosen === null || chosen.includes(column)) &&
    html`<td class=${style} data-column=${column} data-label=${t(columnLabels[column])}>${content}</td>`;
  const nothing = html`<span class="faint">–</span>`;
  return html`
    <tr data-bucket=${name}>
      <td class="pin-cell"><${PinButton} ...${props} /></td>
      <td class="cell-head">
        <a class="bucket-link"
          href=${bucketPage(backend, name)}><${Icon} name="bucket" /><span class="break">${name}</span></a>
      </td>
      ${cell("region", html`<${Told} properties=${properties} value=${properties?.region} />`)}
      ${cell("created", createdAt ? html`<${Time} at=${createdAt} now=${now} />` : nothing)}
      ${cell("objects", objects === undefined ? nothing : formatNumber(objects), "number")}
      <td class="number fit" data-label=${t("common.size")}>
        <${SizeCell} bucket=${bucket} total=${total} now=${now} track=${track && (() => track(bucket))} />
      </td>
      <td class="fit ${quotaOf(bucket).state === "none" ? "cell-idle" : ""}" data-label=${t("buckets.quota")}>
        <${QuotaCell} bucket=${bucket} />
      </td>
      ${cell("versioning", html`<${VersioningCell} properties=${properties} />`)}
      <td class="nowrap ${isPublic(bucket, properties) ? "" : "cell-idle"}" data-label=${t("buckets.access")}>
        <${AccessCell} bucket=${bucket} properties=${properties} />
      </td>
      ${cell("lock", html`<${LockCell} properties=${properties} />`)}
      <td class="actions">
        <${Menu} label=${t("buckets.actions_for", { name })} items=${actions(bucket)} />
      </td>
    </tr>
  `;
}

/** @param {BucketTableProps & { bucket: BucketSummary }} props */
function PinButton({ bucket, pinned, togglePin }) {
  const isPinned = pinned.has(bucket.name);
  return html`
    <${IconButton} icon=${isPinned ? "pin-filled" : "pin"} class="pin-button" aria-pressed=${isPinned
      ? "true"
      : "false"}
      label=${t("buckets.pin", { name: bucket.name })} title=${isPinned
        ? t("buckets.unpin_hint")
        : t("buckets.pin_hint")}
      onClick=${() => togglePin(bucket)} />
  `;
}
