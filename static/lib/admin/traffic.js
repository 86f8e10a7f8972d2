// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { formatBytes, formatNumber } from "../format.js";
import { plural } from "../i18n.js";
import { Bytes, html } from "../ui.js";
import { BarChart, roundUp } from "./chart.js";
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
  const ends = { from: clockText(points[0].at), to: "now" };
  return html`
    <section class="card usage-traffic" aria-labelledby=${id}>
      <h2 id=${id}>${title}</h2>
      <dl class="figures usage-figures">
        <${Figure} label="Requests a minute">${formatRate(traffic.requests_per_minute)}<//>
        <${Figure} label="Requests">${formatNumber(traffic.requests)}<//>
        <${Figure} label="Refused or failed"><${ErrorShare} traffic=${traffic} /><//>
        <${Figure} label="Bytes in"><${Bytes} value=${traffic.bytes_in} /><//>
        <${Figure} label="Bytes out"><${Bytes} value=${traffic.bytes_out} /><//>
        <${Figure} label="Latency, median">${latency ? formatMilliseconds(latency.p50) : "–"}<//>
        <${Figure} label="95 % within">${latency ? formatMilliseconds(latency.p95) : "–"}<//>
        <${Figure} label="99 % within">${latency ? formatMilliseconds(latency.p99) : "–"}<//>
      </dl>
      <div class="usage-charts">
        <figure>
          <figcaption>Requests a minute
            <span class="usage-legend"><span class="legend-ok">answered</span><span class="legend-refused">refused (4xx)</span>
              <span class="legend-failed">failed (5xx)</span></span></figcaption>
          <${BarChart} ...${requestChart(points, stepSeconds)} ...${ends}
            summary="${title}, ${words}: ${requestSummary(traffic)}" />
        </figure>
        <figure>
          <figcaption>Latency
            <span class="usage-legend"><span class="legend-range">median to 99 %</span>
              <span class="legend-mark">95 %</span></span></figcaption>
          <${BarChart} ...${latencyChart(points)} ...${ends}
            summary="${title}, latency ${words}: ${latencySummary(traffic)}" />
        </figure>
      </div>
      <${PointTable} points=${points} title=${title} />
    </section>
  `;
}

/** @param {{ traffic: Traffic }} props */
function ErrorShare({ traffic }) {
  const { error_rate: share, client_errors: refused, server_errors: failed } = traffic;
  return html`
    <span class=${failed > 0 ? "text-bad" : ""}
      title="${plural(refused, "request", "requests")} refused, ${formatNumber(failed)} failed">${formatShare(
        share,
      )}</span>
  `;
}

/** @param {Traffic} traffic */
function requestSummary({ requests, client_errors: refused, server_errors: failed }) {
  return `${plural(requests, "request", "requests")}, ${formatNumber(refused)} refused, ${
    formatNumber(failed)
  } failed.`;
}

/** @param {Traffic} traffic */
function latencySummary({ latency_ms: latency }) {
  if (latency === undefined) return "nothing measured.";
  const { p50, p95, p99 } = latency;
  return `median ${formatMilliseconds(p50)}, 95 % within ${formatMilliseconds(p95)}, 99 % within ${
    formatMilliseconds(p99)
  }.`;
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
  const lines = [{ at: 0.9, label: formatNumber(top) }];
  if (top > 1) lines.push({ at: 0.45, label: formatRate(top / 2) });
  return { bars: bars.map(lowered), lines };
}

/** Room for the topmost line's label. */
const headroom = 0.9;

/** @param {import("./chart.js").Bar} bar */
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
    plural(requests, "request", "requests"),
    refused > 0 && `${formatNumber(refused)} refused`,
    failed > 0 && `${formatNumber(failed)} failed`,
    latency && `95 % within ${formatMilliseconds(latency.p95)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/**
 * The charts' figures. The rows are made when somebody wants them.
 * @param {{ points: readonly Point[], title: string }} props
 */
function PointTable({ points, title }) {
  const [open, setOpen] = useState(false);
  const toggle = (/** @type {any} */ event) => setOpen(event.currentTarget.open);
  return html`
    <details class="usage-table needs-script" onToggle=${toggle}>
      <summary>The figures as a table</summary>
      ${open && html`
        <div class="usage-scroll" tabindex="0" role="region" aria-label="${title}: figures">
          <table class="table table-plain">
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col" class="number">Requests</th>
                <th scope="col" class="number">Refused</th>
                <th scope="col" class="number">Failed</th>
                <th scope="col" class="number">In</th>
                <th scope="col" class="number">Out</th>
                <th scope="col" class="number">Median</th>
                <th scope="col" class="number">95 %</th>
                <th scope="col" class="number">99 %</th>
              </tr>
            </thead>
            <tbody>${points.toReversed().map((point) => html`<${PointRow} key=${point.at} point=${point} />`)}
            </tbody>
          </table>
        </div>
      `}
    </details>
  `;
}

/** @param {{ point: Point }} props */
function PointRow({ point }) {
  const { latency_ms: latency } = point;
  const time = (/** @type {"p50" | "p95" | "p99"} */ name) =>
    latency === undefined ? "–" : formatMilliseconds(latency[name]);
  const cells = [
    formatNumber(point.requests),
    formatNumber(point.client_errors),
    formatNumber(point.server_errors),
    formatBytes(point.bytes_in),
    formatBytes(point.bytes_out),
    time("p50"),
    time("p95"),
    time("p99"),
  ];
  return html`
    <tr>
      <th scope="row">${clockText(point.at)}</th>
      ${cells.map((cell, index) => html`<td key=${index} class="number nowrap">${cell}</td>`)}
    </tr>
  `;
}
