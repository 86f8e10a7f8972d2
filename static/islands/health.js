// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { HealthCard } from "../lib/admin/health_card.js";
import { featuresOf } from "../lib/admin/health_features.js";
import { request } from "../lib/api.js";
import { rich, t } from "../lib/i18n.js";
import { PageHead } from "../lib/page_head.js";
import { pollWhileVisible } from "../lib/poll.js";
import { toast, toastError } from "../lib/toast.js";
import { EmptyState, html, Icon } from "../lib/ui.js";

/** Milliseconds between two rounds of two requests each. */
const pollInterval = 60_000;

/**
 * @typedef {{ id: string, name: string, healthy?: boolean | null, last_probe_at?: string | null, last_error?: string | null,
 *   last_error_reason?: string | null, latency_ms?: number | null, history: import("../lib/probe_strip.js").Probe[] }} Backend
 * @typedef {import("../lib/admin/health_features.js").Features} Features
 */

/** @param {{ backends: Backend[], features: Record<string, Features>, now: number }} props */
export function Island({ backends: first, features: firstFeatures, now }) {
  const [backends, setBackends] = useState(first);
  const [features, setFeatures] = useState(firstFeatures);
  const [checking, setChecking] = useState("");
  const load = async (/** @type {import("../lib/api.js").RequestOptions} */ options = {}) => {
    const [health, list] = await Promise.all([
      request("GET", "/api/admin/backends/health", options),
      request("GET", "/api/backends", options),
    ]);
    setBackends(health.backends);
    setFeatures(featuresOf(list.backends));
  };
  useEffect(() => pollWhileVisible(load, pollInterval), []);
  const check = async (/** @type {Backend} */ { id, name }) => {
    setChecking(id);
    try {
      const { healthy } = await request("GET", `/api/backends/${encodeURIComponent(id)}/health`);
      await load();
      if (healthy) toast(t("admin.answered", { name }), { kind: "success" });
      else toast(t("admin.did_not_answer", { name }), { kind: "info" });
    } catch (error) {
      toastError(t("admin.not_checked", { name }), error);
    }
    setChecking("");
  };
  return html`
    <${PageHead} title=${t("admin.health_title")}>${rich("admin.health_intro", {
      healthz: html`<code>/healthz</code>`,
      readyz: html`<code>/readyz</code>`,
    })}<//>
    ${backends.length === 0 && html`
      <div class="card">
        <${EmptyState} icon="pulse" title=${t("admin.nothing_to_watch")}
          action=${html`<a class="button button-primary" href="/admin/backends?add=1"><${Icon} name="plus" />${
            t("admin.connect_backend")
          }</a>`}>${t("admin.nothing_to_watch_hint")}<//></div>
    `}
    <div class="health-list">
      ${backends.map((backend) =>
        html`
          <${HealthCard} key=${backend.id} backend=${backend} features=${features[backend.id]} now=${now}
            busy=${checking === backend.id} onCheck=${() => check(backend)} />
        `
      )}
    </div>
  `;
}
