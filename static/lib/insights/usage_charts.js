// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { bucketUrl } from "../browse/object_urls.js";
import { AreaChart } from "../charts/area_chart.js";
import { ChartTable } from "../charts/chart_table.js";
import { formatBytes, formatNumber } from "../format.js";
import { perLanguage, t } from "../i18n.js";
import { LoadFailure } from "../settings/lazy_states.js";
import { settingsPage } from "../settings/section.js";
import { EmptyState, html, Skeleton } from "../ui.js";
import { daysUntil, usageDays } from "./usage_days.js";

/** @import { Failure } from "../settings/section.js" */

/** @typedef {{ day: string, bytes: number, object_count: number }} Sample */

/**
 * How large a bucket was, by day, and how large it may be in bytes, 0 for no limit.
 * @typedef {{ samples: readonly Sample[], limits: { soft_bytes: number, hard_bytes: number } }} UsageView
 */

const dayName = perLanguage((language) =>
  new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
);

/** @param {string} day `2026-11-21` */
function dayWords(day) {
  return dayName().format(Date.parse(day));
}

/**
 * How large a bucket was on each of the last days.
 * @param {{
 *   backend: string, bucket: string, days: number, first: { data: UsageView | null, error: Failure | null }, now: number,
 *   onFailure: (error: Failure | null) => void
 * }} props `first`: as it came with the page; `onFailure`: hears why it is not there
 */
export function UsageCharts({ backend, bucket, days, first, now, onFailure }) {
  const [usage, setUsage] = useState(first.data);
  const [error, setError] = useState(first.error);
  useEffect(() => onFailure(error), [error]);
  const load = async () => {
    setError(null);
    try {
      const url = bucketUrl(backend, bucket);
      const [tracking, limits] = await Promise.all([
        request("GET", `${url}/size-tracking`),
        request("GET", `${url}/quota`),
      ]);
      // Nobody counts other buckets, and asking for their days is an error.
      const counted = tracking.enabled || limits.configured;
      const { samples } = counted
        ? await request("GET", `${url}/usage`, { query: { days } })
        : { samples: [] };
      setUsage({ samples, limits });
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    }
  };
  useEffect(() => {
    if (first.data === null && first.error === null) load();
  }, []);
  if (error !== null) return html`<${LoadFailure} error=${error} load=${load} />`;
  return html`
    <section class="card insight" aria-labelledby="usage">
      <header class="insight-head">
        <h2 id="usage">${t("insights.over_time")}</h2>
        <nav class="row choice" aria-label=${t("insights.span")}>${usageDays.map((span) =>
          html`<a key=${span} href="?days=${span}" aria-current=${span === days ? "true" : undefined}>${
            t("insights.days", { n: span })
          }</a>`
        )}</nav>
      </header>
      ${usage === null ? html`<${Skeleton} rows=${4} />` : usage.samples.length === 0
        ? html`
          <${EmptyState} icon="chart" title=${t("insights.no_samples")} action=${html`
            <a class="button"
              href=${settingsPage(backend, bucket, "general")}>${t("insights.open_settings")}</a>
          `}>${t("insights.no_samples_text")}<//>
        `
        : html`<${Charts} usage=${usage} days=${days} now=${now} />`}
    </section>
  `;
}

/** @param {{ usage: UsageView, days: number, now: number }} props */
function Charts({ usage: { samples, limits: quota }, days, now }) {
  const steps = daysUntil(samples, days, now);
  const ends = { from: dayWords(steps[0].day), to: t("insights.today") };
  const points = (
    /** @type {(sample: Sample) => number} */ value,
    /** @type {(value: number) => string} */ words,
  ) =>
    steps.map(({ day, sample }) => ({
      value: sample === null ? null : value(sample),
      title: `${dayWords(day)}: ${sample === null ? t("insights.not_counted") : words(value(sample))}`,
    }));
  const largest = Math.max(...samples.map(({ bytes }) => bytes));
  // A limit far above what is used would press the chart flat.
  const limits = [
    { value: quota.soft_bytes, label: t("insights.soft_quota", { size: formatBytes(quota.soft_bytes) }) },
    { value: quota.hard_bytes, label: t("insights.hard_quota", { size: formatBytes(quota.hard_bytes) }) },
  ].filter(({ value }) => value > 0 && value <= largest * 4);
  const objects = (/** @type {number} */ count) => t("common.objects", { n: count });
  return html`
    <div class="insight-columns">
      <div>
        <h3>${t("common.size")}</h3>
        <${AreaChart} label=${t("insights.size_chart", {
          n: days,
        })} bytes=${true} format=${formatBytes} limits=${limits}
          points=${points(({ bytes }) => bytes, formatBytes)} ...${ends} />
      </div>
      <div>
        <h3>${t("insights.objects")}</h3>
        <${AreaChart} label=${t("insights.objects_chart", { n: days })} format=${formatNumber}
          points=${points(({ object_count }) => object_count, objects)} ...${ends} />
      </div>
    </div>
    <${ChartTable} label=${t("insights.as_table")}
      columns=${[t("insights.day"), t("common.size"), t("insights.objects")]}
      rows=${() =>
        samples.toReversed().map((
          { day, bytes, object_count },
        ) => [dayWords(day), formatBytes(bytes), formatNumber(object_count)])} />
  `;
}
