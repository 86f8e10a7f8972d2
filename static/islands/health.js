// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { pollWhileVisible, request } from "../lib/api.js";
import { formatLatency } from "../lib/format.js";
import { PageHead } from "../lib/page_head.js";
import { healthState, ProbeStrip } from "../lib/probe_strip.js";
import { toast, toastError } from "../lib/toast.js";
import { Badge, Button, EmptyState, html, Icon, Time } from "../lib/ui.js";

const pollInterval = 30_000;

/**
 * @typedef {{ id: string, name: string, healthy?: boolean | null, last_probe_at?: string | null, last_error?: string | null,
 *   latency_ms?: number | null, history: import("../lib/probe_strip.js").Probe[] }} Backend
 */

/** @param {{ backends: Backend[], now: number }} props */
export function Island({ backends: first, now }) {
  const [backends, setBackends] = useState(first);
  const [checking, setChecking] = useState("");
  const load = async (/** @type {import("../lib/api.js").RequestOptions} */ options = {}) => {
    setBackends((await request("GET", "/api/admin/backends/health", options)).backends);
  };
  useEffect(() => pollWhileVisible(() => load({ background: true, priority: "prefetch" }), pollInterval), []);
  const check = async (/** @type {Backend} */ { id, name }) => {
    setChecking(id);
    try {
      const { healthy } = await request("GET", `/api/backends/${encodeURIComponent(id)}/health`);
      await load();
      toast(healthy ? `${name} answered.` : `${name} did not answer.`, {
        kind: healthy ? "success" : "info",
      });
    } catch (error) {
      toastError(`${name} could not be checked`, error);
    }
    setChecking("");
  };
  return html`
    <${PageHead} title="Health">
      Each backend is asked for its buckets now and then; the last 20 answers are kept in memory.
      This has no influence on <code>/healthz</code> and <code>/readyz</code>.
    <//>
    ${backends.length === 0 && html`
      <div class="card">
        <${EmptyState} icon="pulse" title="No backend to watch"
          action=${html`<a class="button button-primary" href="/admin/backends?add=1"><${Icon} name="plus" />Connect a backend</a>`}>
            Once storage is connected, its answers show up here.<//></div>
    `}
    <div class="health-list">
      ${backends.map((backend) =>
        html`
          <${HealthCard} key=${backend.id} backend=${backend} now=${now} busy=${checking === backend.id}
            onCheck=${() => check(backend)} />
        `
      )}
    </div>
  `;
}

/** @param {{ backend: Backend, now: number, busy: boolean, onCheck: () => void }} props */
function HealthCard({ backend, now, busy, onCheck }) {
  const { id, name, history, last_error: lastError, last_probe_at: lastProbe, latency_ms: latency } = backend;
  const { kind, word } = healthState(backend);
  const passed = history.filter((probe) => probe.healthy);
  return html`
    <section class="card health-card" aria-labelledby="health-${id}">
      <header class="health-head">
        <div>
          <h2 id="health-${id}"><a href="/b/${encodeURIComponent(id)}">${name}</a></h2>
          <p class="cell-sub"><code>${id}</code></p>
        </div>
        <${Badge} kind=${kind}>${word}</${Badge}>
        <${Button} small=${true} icon="refresh" busy=${busy} onClick=${onCheck} aria-label="Check now: ${name}">Check now</${Button}>
      </header>
      <div class="health-figures">
        <div class="health-strip"><${ProbeStrip} history=${history} />
          <span class="faint">oldest</span><span class="faint">newest</span></div>
        <dl class="figures">
          <div><dt>Latency</dt><dd class="number">${latency === undefined || latency === null
            ? "–"
            : formatLatency(latency)}</dd></div>
          <div><dt>Median</dt><dd class="number">${passed.length === 0
            ? "–"
            : formatLatency(median(passed))}</dd></div>
          <div><dt>Passed</dt><dd class="number">${history.length === 0
            ? "–"
            : `${passed.length} of ${history.length}`}</dd></div>
          <div><dt>Checked</dt><dd>${lastProbe
            ? html`<${Time} at=${lastProbe} now=${now} />`
            : "–"}</dd></div>
        </dl>
      </div>
      ${lastError &&
        html`<p class="health-error ${kind === "bad" ? "" : "health-error-past"}"><${Icon} name="alert" />
        <span><span class="health-error-label">${
          kind === "bad" ? "Error" : "Last error"
        }:</span> <span class="break">${lastError}</span></span></p>`}
      ${history.length > 0 && html`
        <details class="health-details">
          <summary>Last ${history.length === 1 ? "probe" : `${history.length} probes`}</summary>
          <table class="table table-plain">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Result</th>
                <th scope="col" class="number">Latency</th>
              </tr>
            </thead>
            <tbody>${history.toReversed().map((probe) =>
              html`
                <tr key=${probe.at}>
                  <td class="fit">
                    <${Time} at=${probe.at} now=${now} />
                  </td>
                  <td class="break">${probe.healthy
                    ? "Passed"
                    : html`<span class="text-bad">Failed</span>${probe.error && `: ${probe.error}`}`}</td>
                  <td class="number">${formatLatency(probe.latency_ms)}</td>
                </tr>
              `
            )}
            </tbody>
          </table>
        </details>
      `}
    </section>
  `;
}

/** @param {import("../lib/probe_strip.js").Probe[]} probes at least one */
function median(probes) {
  const sorted = probes.map(({ latency_ms: latency }) => latency).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}
