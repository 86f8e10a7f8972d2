// @ts-check
/// <reference lib="dom" />
import { ChartTable } from "../charts/chart_table.js";
import { formatBytes, formatNumber } from "../format.js";
import { t } from "../i18n.js";
import { Bytes, html } from "../ui.js";
import { roundUp, StepChart } from "../charts/step_chart.js";
import { clockText, Figure, formatMilliseconds, formatRate, formatShare } from "./usage_format.js";

/** @typedef {import("./usage_format.js").Traffic} Traffic */
/** @typedef {import("./usage_format.js").Point} Point */

/**
 * The requests to one listener: figures, charts, and the charts' figures as a table.
 * @param {{ id: string, title: string, traffic: Traffic, stepSeconds: number, words: string }} props `words` says which
 *   time is shown
 */
export function TrafficCard({ id, title, traffic, stepSeconds, words }) {
  const { points, latency_ms: latency } = traffic;
  const ends = {
    from: clockText(points[0].at),
    middle: clockText(points[Math.floor(points.length / 2)].at),
    to: t("traffic.now"),
    label: t("traffic.reader", { chart: title }),
  };
  return html`
    <section class="card usage-traffic" aria-labelledby=${id}>
      <h2 id=${id}>${title}</h2>
      <dl class="figures usage-figures">
        <${Figure} label=${t("traffic.per_minute")}>${formatRate(traffic.requests_per_minute)}<//>
        <${Figure} label=${t("traffic.requests")}>${formatNumber(traffic.requests)}<//>
        <${Figure} label=${t("traffic.refused_or_failed")}><${ErrorShare} traffic=${traffic} /><//>
        <${Figure} label=${t("traffic.bytes_in")}><${Bytes} value=${traffic.bytes_in} /><//>
        <${Figure} label=${t("traffic.bytes_out")}><${Bytes} value=${traffic.bytes_out} /><//>
        <${Figure} label=${t("traffic.latency_median")}>${latency ? formatMilliseconds(latency.p50) : "–"}<//>
        <${Figure} label=${t("traffic.p95")}>${latency ? formatMilliseconds(latency.p95) : "–"}<//>
        <${Figure} label=${t("traffic.p99")}>${latency ? formatMilliseconds(latency.p99) : "–"}<//>
      </dl>
      ${traffic.requests === 0 ? html`<p class="muted">${t("traffic.no_requests")}</p>` : html`
        <div class="usage-charts">
          <figure>
            <figcaption>${t("traffic.per_minute")}
              <span class="usage-legend"><span class="legend-ok">${t(
                "traffic.answered",
              )}</span><span class="legend-refused">${t("traffic.refused_4xx")}</span>
                <span class="legend-failed">${t("traffic.failed_5xx")}</span></span></figcaption>
            <${StepChart} ...${requestChart(points, stepSeconds)} ...${ends}
              summary=${t("traffic.request_summary", { title, words, summary: requestSummary(traffic) })} />
          </figure>
          <figure>
            <figcaption>${t("traffic.latency")}
              <span class="usage-legend"><span class="legend-range">${t("traffic.median_to_99")}</span>
                <span class="legend-mark">95 %</span></span></figcaption>
            <${StepChart} ...${latencyChart(points)} ...${ends}
              summary=${t("traffic.latency_summary", { title, words, summary: latencySummary(traffic) })} />
          </figure>
        </div>
        <${PointTable} points=${points} title=${title} />
      `}
    </section>
  `;
}

/** @param {{ traffic: Traffic }} props */
function ErrorShare({ traffic }) {
  const { error_rate: share, client_errors: refused, server_errors: failed } = traffic;
  return html`
    <span class=${failed > 0 ? "text-bad" : ""}
      title=${t("traffic.refused_and_failed", { n: refused, failed })}>${formatShare(
        share,
      )}</span>
  `;
}

/** @param {Traffic} traffic */
function requestSummary({ requests, client_errors: refused, server_errors: failed }) {
  return t("traffic.request_counts", { n: requests, refused, failed });
}

/** @param {Traffic} traffic */
function latencySummary({ latency_ms: latency }) {
  if (latency === undefined) return t("traffic.nothing_measured");
  const { p50, p95, p99 } = latency;
  return t("traffic.latencies", {
    p50: formatMilliseconds(p50),
    p95: formatMilliseconds(p95),
    p99: formatMilliseconds(p99),
  });
}

/**
 * @param {readonly Point[]} points
 * @param {number} stepSeconds
 */
function requestChart(points, stepSeconds) {
  const perMinute = 60 / stepSeconds;
  const top = roundUp(Math.max(...points.map(({ requests }) => requests * perMinute)));
  const bars = points.map((point) => {
    const failed = point.server_errors * perMinute / top;
    const refused = failed + point.client_errors * perMinute / top;
    return {
      title: pointTitle(point),
      marks: [
        { kind: "failed", from: 0, to: failed },
        { kind: "refused", from: failed, to: refused },
        { kind: "ok", from: refused, to: point.requests * perMinute / top },
      ],
    };
  });
  const lines = [{ at: headroom, label: formatNumber(top) }];
  if (top > 1) lines.push({ at: headroom / 2, label: formatRate(top / 2) });
  return { bars: bars.map(lowered), lines };
}

/** Part of the chart's height that bars take: the topmost line stays in sight. */
const headroom = 0.98;

/** @param {import("../charts/step_chart.js").Bar} bar */
function lowered({ title, marks }) {
  return {
    title,
    marks: marks.map(({ kind, from, to }) => ({ kind, from: from * headroom, to: to * headroom })),
  };
}

/** Latencies of a chart, in milliseconds: each line is ten times the one below it. */
const latencyLines = [1, 10, 100, 1000, 10_000, 100_000];

/** @param {readonly Point[]} points */
function latencyChart(points) {
  const longest = Math.max(0, ...points.map(({ latency_ms: latency }) => latency?.p99 ?? 0));
  const top = latencyLines.find((line) => line >= longest && line >= 10) ?? 100_000;
  // One more than the latency, so that 0 has a place.
  const height = (/** @type {number} */ latency) => Math.min(1, Math.log(latency + 1) / Math.log(top + 1));
  const bars = points.map((point) => {
    const { latency_ms: latency } = point;
    if (latency === undefined) return { title: pointTitle(point), marks: [] };
    const p95 = height(latency.p95);
    return {
      title: pointTitle(point),
      marks: [
        {
          kind: "range",
          from: height(latency.p50),
          to: Math.max(height(latency.p99), height(latency.p50) + 0.02),
        },
        { kind: "mark", from: p95, to: p95 + 0.03 },
      ],
    };
  });
  const lines = latencyLines.filter((line) => line > 1 && line <= top)
    .map((line) => ({ at: height(line) * headroom, label: formatMilliseconds(line) }));
  return { bars: bars.map(lowered), lines };
}

/** @param {Point} point */
function pointTitle(point) {
  const { requests, client_errors: refused, server_errors: failed, latency_ms: latency } = point;
  const parts = [
    clockText(point.at),
    t("traffic.request_count", { n: requests }),
    refused > 0 && t("traffic.refused_count", { n: refused }),
    failed > 0 && t("traffic.failed_count", { n: failed }),
    latency && t("traffic.p95_of", { time: formatMilliseconds(latency.p95) }),
  ];
  return parts.filter(Boolean).join(", ");
}

/**
 * The charts' figures.
 * @param {{ points: readonly Point[], title: string }} props
 */
function PointTable({ points, title }) {
  const columns = [
    t("traffic.from"),
    t("traffic.requests"),
    t("traffic.refused"),
    t("traffic.failed"),
    t("traffic.in"),
    t("traffic.out"),
    t("traffic.median"),
    "95 %",
    "99 %",
  ];
  return html`
    <${ChartTable} label=${t("traffic.as_table")} title=${t("traffic.figures_of", {
      title,
    })} columns=${columns}
      rows=${() => points.toReversed().map(pointRow)} />
  `;
}

/**
 * @param {Point} point
 * @returns {[string, ...string[]]}
 */
function pointRow(point) {
  const { latency_ms: latency } = point;
  const time = (/** @type {"p50" | "p95" | "p99"} */ name) =>
    latency === undefined ? "–" : formatMilliseconds(latency[name]);
  return [
    clockText(point.at),
    formatNumber(point.requests),
    formatNumber(point.client_errors),
    formatNumber(point.server_errors),
    formatBytes(point.bytes_in),
    formatBytes(point.bytes_out),
    time("p50"),
    time("p95"),
    time("p99"),
  ];
}
