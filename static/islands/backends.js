// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../lib/api.js";
import { currentPath } from "../lib/base.js";
import { BackendFailure, causeText } from "../lib/backend_failure.js";
import { openDialog } from "../lib/dialog.js";
import { formatLatency } from "../lib/format.js";
import { drawBackends } from "../lib/frame_updates.js";
import { t } from "../lib/i18n.js";
import { PageHead } from "../lib/page_head.js";
import { drawRailPins } from "../lib/places/rail_pins.js";
import { pollWhileVisible } from "../lib/poll.js";
import { healthState } from "../lib/health_state.js";
import { ProbeStrip } from "../lib/probe_strip.js";
import { toast, toastError } from "../lib/toast.js";
import { readUrlState, writeUrlState } from "../lib/url_state.js";
import { Menu } from "../lib/menu.js";
import { Badge, Button, EmptyState, html } from "../lib/ui.js";

/**
 * @typedef {{ id: string, name: string, type: string, endpoint: string, region: string, path_style: boolean, presign: boolean,
 *   access_key: string, secret_set: boolean, access_key_env?: string, secret_key_env?: string, enabled: boolean, source: "config" | "ui" }} Backend
 * @typedef {{ id: string, healthy: boolean, last_probe_at?: string, last_error?: string, last_error_reason?: string, latency_ms?: number,
 *   history: import("../lib/probe_strip.js").Probe[] }} Health
 */

const pollInterval = 30_000;

/** @param {{ backends: Backend[], health: Health[] }} props */
export function Island({ backends: first, health: firstHealth }) {
  const [backends, setBackends] = useState(first);
  const [health, setHealth] = useState(firstHealth);
  const loadHealth = async (/** @type {import("../lib/api.js").RequestOptions} */ options = {}) => {
    setHealth((await request("GET", "/api/admin/backends/health", options)).backends);
  };
  const reload = async () => {
    try {
      setBackends((await request("GET", "/api/admin/backends")).backends);
      await loadHealth();
    } catch (error) {
      toastError(t("backends.list_failed"), error);
    }
    // Pinned places are shown with the names of their backends.
    drawRailPins().catch(() => {});
  };
  useEffect(() => drawBackends(currentPath(), railLinks(backends, health)), [backends, health]);
  useEffect(() => pollWhileVisible(loadHealth, pollInterval), []);
  const edit = async (/** @type {Backend | undefined} */ backend, service = "") => {
    const { BackendForm } = await import("../lib/admin/backend_form.js");
    const saved = await openDialog(
      /** @param {import("../lib/dialog.js").DialogControls<Backend>} controls */
      (controls) => html`<${BackendForm} ...${controls} backend=${backend} service=${service} />`,
      { size: "medium" },
    );
    if (saved === undefined) return;
    toast(t(backend === undefined ? "backends.added" : "backends.changed", { name: saved.name }));
    await reload();
    if (!saved.enabled) return;
    // The state in its row is then that of the backend as it is now. Its failure is that state.
    await request("GET", `/api/backends/${encodeURIComponent(saved.id)}/health`).catch(() => {});
    await reload();
  };
  useEffect(() => {
    const { add } = readUrlState();
    if (add === undefined) return;
    writeUrlState({ add: undefined });
    edit(undefined, add);
  }, []);
  const addButton = html`<${Button} kind="primary" icon="plus" onClick=${() => edit(undefined)}>${
    t("backends.add")
  }</${Button}>`;
  return html`
    <${PageHead} title=${t("backends.title")} actions=${backends.length > 0 && addButton}>
      ${t("backends.intro")}
    <//>
    <div class="table-box">
      ${backends.length === 0
        ? html`<${EmptyState} icon="server" title=${t("backends.none")} action=${addButton}>
        ${t("backends.none_hint")}<//>`
        : html`
          <table class="table table-cards">
            <thead>
              <tr>
                <th scope="col">${t("common.backend")}</th>
                <th scope="col">${t("backends.endpoint")}</th>
                <th scope="col">${t("backends.region")}</th>
                <th scope="col">${t("backends.access_key")}</th>
                <th scope="col">${t("common.state")}</th>
                <th scope="col" class="actions"><span class="visually-hidden">${t(
                  "common.actions",
                )}</span></th>
              </tr>
            </thead>
            <tbody>${backends.map((backend) =>
              html`
                <${BackendRow} key=${backend.id} backend=${backend} health=${health.find(({ id }) =>
                  id === backend.id
                )} edit=${() => edit(backend)} reload=${reload} />
              `
            )}</tbody>
          </table>
        `}
    </div>
  `;
}

/**
 * The backends that are in use, as the rail has them.
 * @param {readonly Backend[]} backends
 * @param {readonly Health[]} health
 */
function railLinks(backends, health) {
  return backends.filter(({ enabled }) => enabled).map(({ id, name }) => ({
    ...health.find((known) => known.id === id),
    id,
    name,
  }));
}

/** @param {{ backend: Backend, health?: Health, edit: () => void, reload: () => Promise<void> }} props */
function BackendRow({ backend, health, edit, reload }) {
  const { id, name, endpoint, region, access_key: accessKey, secret_set: secretSet, enabled, source } =
    backend;
  return html`
    <tr>
      <td
        class="cell-head"><a class="cell-main" href="/b/${encodeURIComponent(
          id,
        )}">${name}</a>
        ${source === "config" &&
          html`
            ${" "}<span
              title=${t("backends.from_configuration")}><${Badge} kind="neutral">${t(
                "backends.config",
              )}</${Badge}></span>
          `}
        <code class="cell-sub">${id}</code></td>
      <td data-label=${t("backends.endpoint")}><code class="cell-address">${endpoint}</code></td>
      <td data-label=${t("backends.region")} class="nowrap">${region ||
        html`<span class="faint">${t("backends.no_value")}</span>`}</td>
      <td data-label=${t("backends.access_key")}>${accessKey
        ? html`<code>${accessKey}</code>`
        : html`<span class="faint">${t("backends.no_value")}</span>`}
          ${accessKey && !secretSet &&
            html`${" "}<${Badge} kind="warn">${t("backends.no_secret")}</${Badge}>`}</td>
      <td data-label=${t("common.state")}>
        <${BackendState} name=${name} enabled=${enabled} health=${health} />
      </td>
      <td class="actions">
        <${BackendMenu} backend=${backend} edit=${edit} reload=${reload} />
      </td>
    </tr>
  `;
}

/** @param {{ name: string, enabled: boolean, health?: Health }} props */
function BackendState({ name, enabled, health }) {
  if (!enabled) return html`<${Badge} kind="neutral">${t("backends.disabled")}</${Badge}>`;
  if (health === undefined) return html`<${Badge} kind="neutral">${t("backends.not_checked")}</${Badge}>`;
  const { kind, word } = healthState(health);
  const latency = kind === "ok" ? ` ${formatLatency(health.latency_ms ?? 0)}` : "";
  return html`
    <div class="backend-state-cell">
      <${Badge} kind=${kind}>${word}${latency}</${Badge}>
      <${ProbeStrip} history=${health.history} name=${name} />
      ${kind === "bad" && health.last_error &&
        html`
          <span class="cell-sub backend-reason">
            <${BackendFailure} reason=${health.last_error_reason} error=${health.last_error} />
          </span>
        `}
    </div>
  `;
}

/** @param {{ backend: Backend, edit: () => void, reload: () => Promise<void> }} props */
function BackendMenu({ backend, edit, reload }) {
  const { id, name, source, enabled } = backend;
  const path = `/api/admin/backends/${encodeURIComponent(id)}`;
  const fixed = source === "config";
  const why = fixed ? t("backends.from_configuration") : undefined;
  const test = async () => {
    try {
      const result = await request("GET", `/api/backends/${encodeURIComponent(id)}/health`);
      if (!result.healthy) {
        const reason = causeText(result.last_error_reason) || (result.last_error ?? t("backends.no_reason"));
        return toast(t("backends.did_not_answer", { name, reason }), { kind: "error" });
      }
      toast(t("backends.answered_in", { name, latency: formatLatency(result.latency_ms ?? 0) }));
    } catch (error) {
      toastError(t("backends.not_tested", { name }), error);
    }
  };
  const setEnabled = async () => {
    try {
      await request("PATCH", path, { json: { enabled: !enabled } });
      toast(t(enabled ? "backends.is_disabled" : "backends.is_enabled", { name }));
    } catch (error) {
      toastError(t("backends.not_changed", { name }), error);
    }
    await reload();
  };
  const remove = async () => {
    try {
      const { removeBackend } = await import("../lib/admin/backend_removal.js");
      if (!await removeBackend(backend, path)) return;
    } catch (error) {
      return toastError(t("backends.not_removed", { name }), error);
    }
    toast(t("backends.removed", { name }));
    await reload();
  };
  return html`<${Menu} label=${t("backends.actions_for", { name })} items=${[
    {
      label: t("backends.test"),
      icon: "pulse",
      disabled: !enabled,
      hint: enabled ? undefined : t("backends.disabled_not_asked"),
      run: test,
    },
    {
      label: fixed ? t("backends.view") : t("backends.edit"),
      icon: fixed ? "eye" : "edit",
      hint: why,
      run: edit,
    },
    {
      label: enabled ? t("backends.disable") : t("backends.enable"),
      icon: enabled ? "pause" : "play",
      disabled: fixed,
      hint: why,
      run: setEnabled,
    },
    { label: t("backends.remove"), icon: "trash", danger: true, disabled: fixed, hint: why, run: remove },
  ]} />`;
}
