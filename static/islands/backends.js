// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { BackendForm } from "../lib/admin/backend_form.js";
import { ApiError, pollWhileVisible, request } from "../lib/api.js";
import { confirm, openDialog, rescueFocus } from "../lib/dialog.js";
import { formatLatency } from "../lib/format.js";
import { PageHead } from "../lib/page_head.js";
import { healthState, ProbeStrip } from "../lib/probe_strip.js";
import { toast, toastError } from "../lib/toast.js";
import { readUrlState, writeUrlState } from "../lib/url_state.js";
import { Badge, Button, EmptyState, html, Menu } from "../lib/ui.js";

/**
 * @typedef {{ id: string, name: string, type: string, endpoint: string, region: string, path_style: boolean,
 *   access_key: string, secret_set: boolean, enabled: boolean, source: "config" | "ui" }} Backend
 * @typedef {{ id: string, healthy: boolean, last_probe_at?: string, last_error?: string, latency_ms?: number,
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
      toastError("The list of backends could not be loaded", error);
    }
  };
  useEffect(
    () => pollWhileVisible(() => loadHealth({ background: true, priority: "prefetch" }), pollInterval),
    [],
  );
  const edit = async (/** @type {Backend | undefined} */ backend) => {
    const saved = await openDialog(
      /** @param {import("../lib/dialog.js").DialogControls<Backend>} controls */
      (controls) => html`<${BackendForm} ...${controls} backend=${backend} />`,
      { size: "medium" },
    );
    if (saved === undefined) return;
    toast(backend === undefined ? `${saved.name} is added.` : `${saved.name} is changed.`);
    await reload();
    if (!saved.enabled) return;
    // The state in its row is then that of the backend as it is now. Its failure is that state.
    await request("GET", `/api/backends/${encodeURIComponent(saved.id)}/health`).catch(() => {});
    await reload();
  };
  useEffect(() => {
    if (readUrlState().add === undefined) return;
    writeUrlState({ add: undefined });
    edit(undefined);
  }, []);
  const addButton = html`<${Button} kind="primary" icon="plus" onClick=${() =>
    edit(undefined)}>Add backend</${Button}>`;
  return html`
    <${PageHead} title="Backends" actions=${backends.length > 0 && addButton}>
      The S3-compatible services behind this dashboard. A change is live at once.
    <//>
    <div class="table-box">
      ${backends.length === 0
        ? html`<${EmptyState} icon="server" title="No backend yet" action=${addButton}>
        Add one here, or list it in the configuration file.<//>`
        : html`
          <table class="table table-cards">
            <thead>
              <tr>
                <th scope="col">Backend</th>
                <th scope="col">Endpoint</th>
                <th scope="col">Region</th>
                <th scope="col">Access key</th>
                <th scope="col">State</th>
                <th scope="col" class="actions"><span class="visually-hidden">Actions</span></th>
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
              title="Defined in the configuration file; it can only be changed there."><${Badge} kind="neutral">Config</${Badge}></span>
          `}
        <code class="cell-sub">${id}</code></td>
      <td data-label="Endpoint"><code class="cell-address">${endpoint}</code></td>
      <td data-label="Region" class="nowrap">${region || html`<span class="faint">none</span>`}</td>
      <td data-label="Access key">${accessKey
        ? html`<code>${accessKey}</code>`
        : html`<span class="faint">none</span>`}
          ${accessKey && !secretSet && html`${" "}<${Badge} kind="warn">No secret</${Badge}>`}</td>
      <td data-label="State">
        <${BackendState} enabled=${enabled} health=${health} />
      </td>
      <td class="actions">
        <${BackendMenu} backend=${backend} edit=${edit} reload=${reload} />
      </td>
    </tr>
  `;
}

/** @param {{ enabled: boolean, health?: Health }} props */
function BackendState({ enabled, health }) {
  if (!enabled) return html`<${Badge} kind="neutral">Disabled</${Badge}>`;
  if (health === undefined) return html`<${Badge} kind="neutral">Not checked yet</${Badge}>`;
  const { kind, word } = healthState(health);
  const latency = kind === "ok" ? ` ${formatLatency(health.latency_ms ?? 0)}` : "";
  return html`
    <div class="backend-state-cell">
      <${Badge} kind=${kind}>${word}${latency}</${Badge}>
      <${ProbeStrip} history=${health.history} />
      ${kind === "bad" && health.last_error &&
        html`<span class="cell-sub break backend-reason">${health.last_error}</span>`}
    </div>
  `;
}

/** @param {{ backend: Backend, edit: () => void, reload: () => Promise<void> }} props */
function BackendMenu({ backend, edit, reload }) {
  const { id, name, source, enabled } = backend;
  const path = `/api/admin/backends/${encodeURIComponent(id)}`;
  const fixed = source === "config";
  const why = fixed ? "This backend is defined in the configuration file" : undefined;
  const test = async () => {
    try {
      const result = await request("GET", `/api/backends/${encodeURIComponent(id)}/health`);
      if (!result.healthy) {
        return toast(`${name} did not answer: ${result.last_error ?? "no reason given"}`, { kind: "error" });
      }
      toast(`${name} answered in ${formatLatency(result.latency_ms ?? 0)}.`);
    } catch (error) {
      toastError(`${name} could not be tested`, error);
    }
  };
  const setEnabled = async () => {
    try {
      await request("PATCH", path, { json: { enabled: !enabled } });
      toast(enabled ? `${name} is disabled.` : `${name} is enabled.`);
    } catch (error) {
      toastError(`${name} was not changed`, error);
    }
    await reload();
  };
  const remove = async () => {
    /** @type {string[]} */
    let references = [];
    const confirmed = await confirm({
      title: `Remove ${name}?`,
      body:
        html`<p>The dashboard and the S3 endpoint forget this backend and its keys. Its buckets and objects stay where they are.</p>`,
      action: "Remove backend",
      danger: true,
      typed: id,
      run: async () => references = await removeUnlessUsed(path),
    });
    if (!confirmed || (references.length > 0 && !await removeAnyway(backend, path, references))) return;
    toast(`${name} is removed.`);
    await reload();
    rescueFocus();
  };
  return html`<${Menu} label="Actions for ${name}" items=${[
    {
      label: "Test",
      icon: "pulse",
      disabled: !enabled,
      hint: enabled ? undefined : "A disabled backend is not asked",
      run: test,
    },
    { label: "Edit…", icon: "edit", disabled: fixed, hint: why, run: edit },
    {
      label: enabled ? "Disable" : "Enable",
      icon: enabled ? "pause" : "play",
      disabled: fixed,
      hint: why,
      run: setEnabled,
    },
    { label: "Remove…", icon: "trash", danger: true, disabled: fixed, hint: why, run: remove },
  ]} />`;
}

/**
 * Removes a backend, if nothing is in the way. Returns in words what would go with it, such as `["2 shares"]`.
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function removeUnlessUsed(path) {
  try {
    await request("DELETE", path);
    return [];
  } catch (error) {
    const references = error instanceof ApiError ? error.detail?.references : undefined;
    if (!Array.isArray(references)) throw error;
    return references;
  }
}

/**
 * Asks once more, when a backend does not go alone, and removes it with what points at it.
 * @param {Backend} backend
 * @param {string} path
 * @param {readonly string[]} references
 */
function removeAnyway({ name }, path, references) {
  return confirm({
    title: `${name} is still in use`,
    body: html`<p>${
      references.join(" and ")
    } would go with it: the keys and the links stop working for good.</p>`,
    action: "Remove anyway",
    danger: true,
    run: () => request("DELETE", path, { query: { force: true } }),
  });
}
