// @ts-check
/// <reference lib="dom" />
import { useEffect } from "preact/hooks";
import { bucketPage } from "../browse/object_urls.js";
import { ChartTable } from "../charts/chart_table.js";
import { Treemap } from "../charts/treemap.js";
import { formatBytes, formatNumber } from "../format.js";
import { rich, t } from "../i18n.js";
import { LoadFailure } from "../settings/lazy_states.js";
import { Button, Bytes, EmptyState, html, Time } from "../ui.js";
import { useBucketScan } from "./bucket_scan.js";
import { ageGroups, largestOf } from "./scan.js";

/** @import { Failure } from "../settings/section.js" */
/** @import { AgeGroup, Amount, Composition, FirstScan, TypeGroup } from "./scan.js" */
/** @import { Scan } from "./bucket_scan.js" */
/** @typedef {import("../i18n.js").MessageKey} MessageKey */

/** Folders that have a tile of their own. */
const mostFolders = 24;

/** @type {Readonly<Record<TypeGroup, MessageKey>>} */
const typeNames = {
  image: "insights.type_image",
  video: "insights.type_video",
  audio: "insights.type_audio",
  document: "insights.type_document",
  data: "insights.type_data",
  archive: "insights.type_archive",
  code: "insights.type_code",
  other: "insights.type_other",
};

/** @type {Readonly<Record<AgeGroup, MessageKey>>} */
const ageNames = {
  day: "insights.age_day",
  week: "insights.age_week",
  month: "insights.age_month",
  quarter: "insights.age_quarter",
  year: "insights.age_year",
  older: "insights.age_older",
};

/**
 * What a bucket is made of, by folder, type and age, as far as it was scanned.
 * @param {{
 *   backend: string, bucket: string, first: { data: FirstScan | null, error: Failure | null }, now: number,
 *   onFailure: (error: Failure | null) => void
 * }} props `first`: as it came with the page; `onFailure`: hears why nothing at all was found
 */
export function BucketComposition({ backend, bucket, first, now, onFailure }) {
  const { scan, resume, stop } = useBucketScan(backend, bucket, first, now);
  const { composition } = scan;
  const failure = composition.total.count === 0 ? scan.error : null;
  useEffect(() => onFailure(failure), [failure]);
  const empty = scan.state === "done" && composition.total.count === 0;
  return html`
    <section class="card insight" aria-labelledby="composition">
      <header class="insight-head">
        <h2 id="composition">${t("insights.composition")}</h2>
        <${ScanState} scan=${scan} resume=${resume} stop=${stop} now=${now} />
      </header>
      ${scan.error !== null && html`<${LoadFailure} error=${scan.error} load=${resume} />`}
      ${empty
        ? html`<${EmptyState} icon="bucket" title=${t("insights.empty")}>${t("insights.empty_text")}<//>`
        : html`
          <${Folders} backend=${backend} bucket=${bucket} composition=${composition} />
          <div class="insight-columns">
            <${Shares} title=${t("insights.by_type")} total=${composition.total.bytes}
              rows=${largestOf(composition.types, 8).largest.map((
                [name, amount],
              ) => [t(typeNames[/** @type {TypeGroup} */ (name)]), amount])} />
            <${Shares} title=${t("insights.by_age")} total=${composition.total.bytes}
              rows=${ageGroups.map((
                age,
              ) => [t(ageNames[age]), composition.ages.get(age) ?? { count: 0, bytes: 0 }])} />
          </div>
        `}
    </section>
  `;
}

/** @param {{ scan: Scan, resume: () => void, stop: () => void, now: number }} props */
function ScanState({ scan: { state, composition: { total }, at }, resume, stop, now }) {
  const counted = t("insights.scanned", {
    objects: t("common.objects", { n: total.count }),
    size: formatBytes(total.bytes),
  });
  const said = state === "done"
    ? t("insights.scan_done", { counted })
    : state === "running"
    ? t("insights.scan_running", { counted })
    : t("insights.scan_partial", { counted });
  return html`
    <div class="row scan-state">
      <p class="muted">${said}${at > 0 && state !== "running" &&
        html`${" · "}${rich("common.as_of", { time: html`<${Time} at=${at} now=${now} />` })}`}</p>
      ${state === "running"
        ? html`<${Button} small=${true} icon="stop" onClick=${stop}>${t("common.stop")}<//>`
        : state !== "done" && html`<${Button} small=${true} onClick=${resume}>${t("insights.scan_on")}<//>`}
    </div>
  `;
}

/** @param {{ backend: string, bucket: string, composition: Composition }} props */
function Folders({ backend, bucket, composition: { folders, total } }) {
  const { largest, others } = largestOf(folders, mostFolders);
  const share = (/** @type {number} */ bytes) =>
    `${formatNumber(Math.round(bytes / Math.max(1, total.bytes) * 1000) / 10)} %`;
  const nameOf = (/** @type {string} */ prefix) => prefix === "" ? t("insights.no_folder") : prefix;
  const parts = largest.map(([prefix, { count, bytes }]) => ({
    name: nameOf(prefix),
    value: bytes,
    title: t("insights.tile", {
      name: nameOf(prefix),
      size: formatBytes(bytes),
      share: share(bytes),
      objects: t("common.objects", { n: count }),
    }),
    href: `${bucketPage(backend, bucket)}?p=${encodeURIComponent(prefix)}`,
  }));
  if (others.names > 0) {
    const name = t("insights.other_folders", { n: others.names });
    parts.push({
      name,
      value: others.bytes,
      title: `${name}: ${formatBytes(others.bytes)}`,
      href: bucketPage(backend, bucket),
    });
  }
  return html`
    <div>
      <h3>${t("insights.folders")}</h3>
      <${Treemap} label=${t("insights.folders")} parts=${parts} format=${formatBytes} />
      <${ChartTable} label=${t("insights.folders_table")}
        columns=${[t("common.folder"), t("common.size"), t("insights.share"), t("insights.objects")]}
        rows=${() =>
          largest.map((
            [prefix, { count, bytes }],
          ) => [nameOf(prefix), html`<${Bytes} value=${bytes} />`, share(bytes), formatNumber(count)])} />
    </div>
  `;
}

/** @param {{ title: string, total: number, rows: ReadonlyArray<[string, Amount]> }} props */
function Shares({ title, total, rows }) {
  return html`
    <div>
      <h3>${title}</h3>
      <table class="table amount-table">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">${title}</th>
            <th scope="col">${t("insights.share")}</th>
            <th scope="col">${t("common.size")}</th>
            <th scope="col">${t("insights.objects")}</th>
          </tr>
        </thead>
        <tbody>${rows.map(([name, { count, bytes }]) => {
          const share = total === 0 ? 0 : Math.round(bytes / total * 1000) / 10;
          return html`
            <tr key=${name}>
              <th scope="row">${name}</th>
              <td class="amount-bar">
                <svg role="img" aria-label="${formatNumber(share)} %"><rect class="amount-track"
                          width="100%" height="6" y="5" rx="3" />${share > 0 &&
                            html`<rect class="amount-fill" width="${share}%" height="6" y="5" rx="3" />`}</svg>
              </td>
              <td class="number">
                <${Bytes} value=${bytes} />
              </td>
              <td class="number muted">${t("insights.count", { n: count })}</td>
            </tr>
          `;
        })}</tbody>
      </table>
    </div>
  `;
}
