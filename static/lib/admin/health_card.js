// @ts-check
import { BackendFailure, causeText } from "../backend_failure.js";
import { formatLatency, formatUtc } from "../format.js";
import { t } from "../i18n.js";
import { healthState } from "../health_state.js";
import { ProbeStrip } from "../probe_strip.js";
import { describeProbe } from "../probe_words.js";
import { Badge, Button, html, Icon, Time } from "../ui.js";
import { roundUp, StepChart } from "../charts/step_chart.js";
import { FeatureList } from "./health_features.js";

/** @typedef {import("../../islands/health.js").Backend} Backend */
/** @typedef {import("../probe_strip.js").Probe} Probe */

/** Part of the chart's height that bars take: the topmost line stays in sight. */
const headroom = 0.95;

/** Probes that the server remembers of a backend: as many places there are in the chart. */
const places = 20;

/**
 * How one backend has answered its last probes, and what it can do.
 * @param {{
 *   backend: Backend, features?: import("./health_features.js").Features, now: number, busy: boolean, onCheck: () => void
 * }} props
 */
export function HealthCard({ backend, features, now, busy, onCheck }) {
  const { id, name, history, last_error: lastError, last_error_reason: lastReason } = backend;
  const { kind, word } = healthState(backend);
  return html`
    <section class="card health-card" aria-labelledby="health-${id}">
      <header class="health-head">
        <div>
          <h2 id="health-${id}"><a href="/b/${encodeURIComponent(id)}">${name}</a></h2>
          <p class="cell-sub"><code>${id}</code></p>
        </div>
        <${Badge} kind=${kind}>${word}</${Badge}>
        <${Button} small=${true} icon="refresh" busy=${busy} onClick=${onCheck}
          aria-label=${t("admin.check_now_label", { name })}>${t("admin.check_now")}</${Button}>
      </header>
      <div class="health-figures">
        <div class="health-strip"><${ProbeStrip} history=${history} describe=${describeProbe} />
          <span class="faint">${t("admin.oldest")}</span><span class="faint">${t("admin.newest")}</span></div>
        ${history.length > 0 && html`<${LatencyChart} name=${name} history=${history} />`}
        <${Figures} backend=${backend} now=${now} />
        ${features && html`<${FeatureList} features=${features} />`}
      </div>
      ${lastError &&
        html`<p class="health-error ${kind === "bad" ? "" : "health-error-past"}"><${Icon} name="alert" />
        <span><span class="health-error-label">${
          kind === "bad" ? t("admin.error") : t("admin.last_error")
        }:</span> <${BackendFailure} reason=${lastReason} error=${lastError} /></span></p>`}
      ${history.length > 0 && html`<${ProbeTable} history=${history} now=${now} />`}
    </section>
  `;
}

/**
 * The latencies of the last probes, which a pointer or the arrow keys read one by one.
 * @param {{ name: string, history: readonly Probe[] }} props
 */
function LatencyChart({ name, history }) {
  const top = roundUp(Math.max(...history.map(({ healthy, latency_ms: latency }) => healthy ? latency : 1)));
  const missing = Array.from({ length: places - history.length }, () => ({
    title: t("admin.no_probe"),
    marks: [],
  }));
  const bars = history.map((probe) => ({
    title: probeText(probe),
    marks: probe.healthy
      ? [{ kind: "ok", from: 0, to: Math.max(0.04, probe.latency_ms / top * headroom) }]
      : [{ kind: "failed", from: 0, to: 1 }],
  }));
  const failed = history.filter(({ healthy }) => !healthy).length;
  return html`
    <${StepChart} bars=${[...missing, ...bars]} lines=${[{
      at: headroom,
      label: formatLatency(top),
    }]} from="" to=""
      label=${t("admin.probe_reader", { name })}
      summary=${t("admin.latency_summary", { n: history.length, failed })} />
  `;
}

/**
 * A probe in words.
 * @param {Probe} probe
 */
function probeText({ at, healthy, latency_ms: latency, error, reason: code }) {
  const time = formatUtc(Date.parse(at));
  if (healthy) return t("admin.probe_passed", { time, latency: formatLatency(latency) });
  const reason = causeText(code) || error;
  return reason ? t("admin.probe_failed_because", { time, reason }) : t("admin.probe_failed", { time });
}

/** @param {{ backend: Backend, now: number }} props */
function Figures({ backend: { latency_ms: latency, history, last_probe_at: lastProbe }, now }) {
  const passed = history.filter((probe) => probe.healthy);
  // How quickly a probe failed tells nothing.
  const last = history.at(-1)?.healthy ? latency : undefined;
  return html`
    <dl class="figures">
      <div>
        <dt>${t("admin.latency")}</dt>
        <dd class="number">${last === undefined || last === null ? "–" : formatLatency(last)}</dd>
      </div>
      <div>
        <dt>${t("admin.median")}</dt>
        <dd class="number">${passed.length === 0 ? "–" : formatLatency(median(passed))}</dd>
      </div>
      <div>
        <dt>${t("admin.passed")}</dt>
        <dd class="number">${history.length === 0
          ? "–"
          : t("admin.passed_of", { passed: passed.length, n: history.length })}</dd>
      </div>
      <div>
        <dt>${t("admin.checked")}</dt>
        <dd>${lastProbe ? html`<${Time} at=${lastProbe} now=${now} />` : "–"}</dd>
      </div>
    </dl>
  `;
}

/** @param {{ history: readonly Probe[], now: number }} props */
function ProbeTable({ history, now }) {
  return html`
    <details class="health-details">
      <summary>${t("admin.last_probes", { n: history.length })}</summary>
      <table class="table table-plain">
        <thead>
          <tr>
            <th scope="col">${t("admin.time")}</th>
            <th scope="col">${t("admin.result")}</th>
            <th scope="col" class="number">${t("admin.latency")}</th>
          </tr>
        </thead>
        <tbody>${history.toReversed().map((probe) =>
          html`
            <tr key=${probe.at}>
              <td class="fit">
                <${Time} at=${probe.at} now=${now} />
              </td>
              <td class="break">${probe.healthy
                ? t("admin.result_passed")
                : html`<span class="text-bad">${t("admin.result_failed")}</span>${
                  probe.error && html`: <${BackendFailure} reason=${probe.reason} error=${probe.error} />`
                }`}</td>
              <td class="number">${formatLatency(probe.latency_ms)}</td>
            </tr>
          `
        )}
        </tbody>
      </table>
    </details>
  `;
}

/** @param {readonly Probe[]} probes at least one */
function median(probes) {
  const sorted = probes.map(({ latency_ms: latency }) => latency).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
