// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { BackendForm } from "../lib/admin/backend_form.js";
import { ApiError, request } from "../lib/api.js";
import { confirm, openDialog, rescueFocus } from "../lib/dialog.js";
import { formatLatency } from "../lib/format.js";
import { plural } from "../lib/i18n.js";
import { toast, toastError } from "../lib/toast.js";
import { readUrlState, writeUrlState } from "../lib/url_state.js";
import { Badge, Button, EmptyState, html, Menu, PageHead } from "../lib/ui.js";

/**
 * @typedef {{ id: string, name: string, type: string, endpoint: string, region: string, path_style: boolean,
 *   access_key: string, secret_set: boolean, enabled: boolean, source: "config" | "ui" }} Backend
 */

/** @param {{ backends: Backend[] }} props */
export function Island({ backends: first }) {
  const [backends, setBackends] = useState(first);
  const reload = async () => {
    try {
      setBackends((await request("GET", "/api/admin/backends")).backends);
    } catch (error) {
      toastError("The list of backends could not be loaded", error);
    }
  };
  const edit = async (/** @type {Backend | undefined} */ backend) => {
    const saved = await openDialog(
      /** @param {import("../lib/dialog.js").DialogControls<Backend>} controls */
      (controls) => html`<${BackendForm} ...${controls} backend=${backend} />`,
      { size: "medium" },
    );
    if (saved === undefined) return;
    toast(backend === undefined ? `${saved.name} is connected.` : `${saved.name} is changed.`);
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
                <th scope="col">Defined in</th>
                <th scope="col" class="actions"><span class="visually-hidden">Actions</span></th>
              </tr>
            </thead>
            <tbody>${backends.map((backend) =>
              html`
                <${BackendRow} key=${backend.id} backend=${backend} edit=${() =>
                  edit(backend)} reload=${reload} />
              `
            )}</tbody>
          </table>
        `}
    </div>
  `;
}

/** @param {{ backend: Backend, edit: () => void, reload: () => Promise<void> }} props */
function BackendRow({ backend, edit, reload }) {
  const { id, name, endpoint, region, access_key: accessKey, secret_set: secretSet, enabled, source } =
    backend;
  return html`
    <tr>
      <td
        class="cell-head"><a class="cell-main" href="/b/${encodeURIComponent(
          id,
        )}">${name}</a><code class="cell-sub">${id}</code></td>
      <td data-label="Endpoint"><code class="break">${endpoint}</code></td>
      <td data-label="Region">${region || html`<span class="faint">none</span>`}</td>
      <td data-label="Access key">${accessKey
        ? html`<code>${accessKey}</code>`
        : html`<span class="faint">none</span>`}
          ${accessKey && !secretSet && html`${" "}<${Badge} kind="warn">No secret</${Badge}>`}</td>
      <td data-label="State">${enabled
        ? html`<${Badge} kind="ok">In use</${Badge}>`
        : html`<${Badge} kind="neutral">Switched off</${Badge}>`}</td>
      <td data-label="Defined in">${source === "config" ? "Configuration file" : "Dashboard"}</td>
      <td class="actions">
        <${BackendMenu} backend=${backend} edit=${edit} reload=${reload} />
      </td>
    </tr>
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
        return toast(`${name} did not answer: ${result.error ?? "no reason given"}`, { kind: "error" });
      }
      toast(`${name} answered in ${formatLatency(result.latency_ms ?? 0)}.`);
    } catch (error) {
      toastError(`${name} could not be tested`, error);
    }
  };
  const setEnabled = async () => {
    try {
      await request("PATCH", path, { json: { enabled: !enabled } });
      toast(enabled ? `${name} is switched off.` : `${name} is in use again.`);
    } catch (error) {
      toastError(`${name} was not changed`, error);
    }
    await reload();
  };
  const remove = async () => {
    const removed = await confirm({
      title: `Remove ${name}?`,
      body:
        html`<p>The dashboard and the S3 endpoint forget this backend and its keys. Its buckets and objects stay where they are.</p>`,
      action: "Remove backend",
      danger: true,
      typed: id,
      run: () => removeBackend(path),
    });
    if (!removed) return;
    toast(`${name} is removed.`);
    await reload();
    rescueFocus();
  };
  return html`<${Menu} label="Actions for ${name}" items=${[
    { label: "Test", icon: "pulse", run: test },
    { label: "Edit…", icon: "edit", disabled: fixed, hint: why, run: edit },
    {
      label: enabled ? "Switch off" : "Switch on",
      icon: enabled ? "pause" : "play",
      disabled: fixed,
      hint: why,
      run: setEnabled,
    },
    { label: "Remove…", icon: "trash", danger: true, disabled: fixed, hint: why, run: remove },
  ]} />`;
}

/** @param {string} path */
async function removeBackend(path) {
  try {
    await request("DELETE", path);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "conflict") throw error;
    const { credentials = 0, shares = 0 } = error.detail ?? {};
    const uses = [
      credentials > 0 && plural(credentials, "credential", "credentials"),
      shares > 0 && plural(shares, "share", "shares"),
    ].filter(Boolean).join(" and ");
    throw new Error(uses === "" ? error.message : `${uses} still use this backend. Remove them first.`);
  }
}
