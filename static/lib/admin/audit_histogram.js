// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../api.js";
import { ChartTable } from "../charts/chart_table.js";
import { formatDateTime, formatNumber, formatUtc } from "../format.js";
import { rich, t } from "../i18n.js";
import { html, Skeleton } from "../ui.js";
import { apiFilter } from "./audit_filter.js";
import { StepChart } from "../charts/step_chart.js";

/**
 * @typedef {{ at: string, ok: number, failed: number }} Step
 * @typedef {{ step_seconds: number, steps: Step[], ok: number, failed: number, counted_from: string | null,
 *   estimated: boolean }} Histogram
 */

/** Part of the chart's height that bars take: the topmost line stays in sight. */
const headroom = 0.97;

/** Milliseconds after which rows that came in since may be counted anew. */
const recountPause = 5_000;

/**
 * How the rows of a filter are spread over time; `null` while that is being counted, `"failed"` when it could not be.
 * @param {Record<string, string>} filter whose times the API takes
 * @param {{ valid: boolean, rows: number }} options `valid`: whether it does; `rows`: it is counted anew, now and then, when
 *   their number changes
 */
export function useHistogram(filter, { valid, rows }) {
  const [histogram, setHistogram] = useState(/** @type {Histogram | "failed" | null} */ (null));
  const countedAt = useRef(-Infinity);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  useEffect(() => {
    if (!valid) return;
    const { signal } = abort.current;
    const count = async () => {
      const background = countedAt.current > 0;
      countedAt.current = performance.now();
      try {
        const query = apiFilter(filter);
        setHistogram(await request("GET", "/api/admin/audit/histogram", { query, signal, background }));
      } catch {
        // An older count is better than none.
        if (!signal.aborted) setHistogram((counted) => counted ?? "failed");
      }
    };
    const timer = setTimeout(count, Math.max(0, countedAt.current + recountPause - performance.now()));
    return () => clearTimeout(timer);
  }, [rows]);
  return histogram;
}

/**
 * How many rows match, in words that say when that is an estimate or only a part.
 * @param {Histogram} histogram
 */
export function rowCountText({ ok, failed, estimated, counted_from: countedFrom }) {
  const n = ok + failed;
  if (estimated) return t("audit.rows_about", { n: Number(n.toPrecision(2)) });
  return countedFrom === null ? t("audit.rows", { n }) : t("audit.rows_at_least", { n });
}

/**
 * The rows of a filter over time. Dragging over steps, or choosing them with the keys, narrows the time.
 * @param {{ histogram: Histogram | "failed" | null, isUtc: boolean, onNarrow: (from: string, to: string) => void }} props
 */
export function AuditHistogram({ histogram, isUtc, onNarrow }) {
  if (histogram === null) {
    return html`
      <div class="card audit-time">
        <${Skeleton} rows=${3} />
      </div>
    `;
  }
  if (histogram === "failed") {
    return html`
      <div class="card audit-time">
        <p class="muted">${t("audit.histogram_failed")}</p>
      </div>
    `;
  }
  const { steps, step_seconds: stepSeconds, counted_from: countedFrom, estimated } = histogram;
  if (steps.length === 0) return null;
  const moment = (/** @type {number} */ at) => isUtc ? formatUtc(at) : formatDateTime(at);
  const end = (/** @type {Step} */ step) => Date.parse(step.at) + stepSeconds * 1000;
  const narrow = (/** @type {number} */ first, /** @type {number} */ last) =>
    onNarrow(isoSecond(Date.parse(steps[first].at)), isoSecond(end(steps[last])));
  return html`
    <section class="card audit-time" aria-label=${t("audit.over_time")}>
      <header class="audit-time-head">
        <strong>${rowCountText(histogram)}</strong>
        <span class="usage-legend"><span class="legend-ok">${t("audit.ended_ok")}</span>
          <span class="legend-failed">${t("audit.ended_otherwise")}</span></span>
      </header>
      <${StepChart} ...${chart(histogram, moment)} label=${t("audit.time_reader")} onRange=${narrow}
        rangeHint=${t("audit.narrow_hint")} from=${moment(Date.parse(steps[0].at))}
        to=${moment(end(steps[steps.length - 1]))} summary=${t("audit.histogram_summary", {
          ok: histogram.ok,
          failed: histogram.failed,
        })} />
      ${(estimated || countedFrom !== null) && html`
        <p class="audit-time-note">${estimated ? t("audit.estimated") : ""}${countedFrom !== null &&
          rich("audit.counted_from", { time: moment(Date.parse(countedFrom)) })}</p>
      `}
      <${StepTable} steps=${steps} moment=${moment} />
    </section>
  `;
}

/**
 * @param {Histogram} histogram
 * @param {(at: number) => string} moment
 */
function chart({ steps, estimated }, moment) {
  const top = Math.max(1, ...steps.map(({ ok, failed }) => ok + failed));
  const bars = steps.map(({ at, ok, failed }) => ({
    title: t(estimated ? "audit.step_about" : "audit.step", { time: moment(Date.parse(at)), ok, failed }),
    marks: [
      { kind: "failed", from: 0, to: failed / top * headroom },
      { kind: "ok", from: failed / top * headroom, to: (ok + failed) / top * headroom },
    ],
  }));
  return { bars, lines: [{ at: headroom, label: formatNumber(top) }] };
}

/**
 * The chart's figures, of the steps that have any.
 * @param {{ steps: Step[], moment: (at: number) => string }} props
 */
function StepTable({ steps, moment }) {
  const columns = [t("audit.from_time"), t("audit.ended_ok"), t("audit.ended_otherwise")];
  const rows = () =>
    steps.filter(({ ok, failed }) => ok + failed > 0).toReversed()
      .map(({ at, ok, failed }) => [moment(Date.parse(at)), formatNumber(ok), formatNumber(failed)]);
  return html`
    <${ChartTable} label=${t("traffic.as_table")} title=${t(
      "audit.over_time",
    )} columns=${columns} rows=${rows} />
  `;
}

/** @param {number} at */
function isoSecond(at) {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
