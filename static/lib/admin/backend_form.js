// @ts-check
/// <reference lib="dom" />
import { useRef, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { confirm, DialogFrame } from "../dialog.js";
import { Field, PasswordInput } from "../fields.js";
import { formatLatency } from "../format.js";
import { plural } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { backendIdOf } from "./backend_id.js";

/** @typedef {import("../../islands/backends.js").Backend} Backend */

/**
 * What the services in use need, so that nobody has to look it up. `{…}` is left for the user to fill in.
 * @type {ReadonlyArray<{ name: string, endpoint: string, region: string, pathStyle: boolean }>}
 */
const presets = [
  { name: "Amazon S3", endpoint: "https://s3.{region}.amazonaws.com", region: "us-east-1", pathStyle: false },
  {
    name: "Cloudflare R2",
    endpoint: "https://{account}.r2.cloudflarestorage.com",
    region: "auto",
    pathStyle: true,
  },
  {
    name: "Backblaze B2",
    endpoint: "https://s3.{region}.backblazeb2.com",
    region: "us-west-004",
    pathStyle: true,
  },
  { name: "Wasabi", endpoint: "https://s3.{region}.wasabisys.com", region: "us-east-1", pathStyle: true },
  { name: "MinIO", endpoint: "http://localhost:9000", region: "us-east-1", pathStyle: true },
  { name: "Garage", endpoint: "http://localhost:3900", region: "garage", pathStyle: true },
  { name: "SeaweedFS", endpoint: "http://localhost:8333", region: "us-east-1", pathStyle: true },
  { name: "Ceph", endpoint: "http://localhost:7480", region: "default", pathStyle: true },
];

/** What the form starts with, and goes back to for a service that is not in {@link presets}. */
const noPreset = { name: "", endpoint: "", region: "us-east-1", pathStyle: true };

const idPattern = "[a-z0-9][a-z0-9\\-]{0,62}";

/**
 * A new backend, or the changes to one; closes with it once it is saved. Testing asks the service with what the form
 * says, saved or not.
 * @param {import("../dialog.js").DialogControls<Backend> & { backend?: Backend }} props
 */
export function BackendForm({ close, titleId, backend }) {
  const [busy, setBusy] = useState("");
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [result, setResult] = useState(/** @type {any} */ (null));
  const form = useRef(/** @type {any} */ (null));
  const preset = useRef(noPreset);
  // What the form itself wrote into its fields: what the user has typed instead is left alone.
  const filled = useRef(/** @type {Record<string, string>} */ ({ region: noPreset.region }));

  const fill = (/** @type {string} */ name, /** @type {string} */ value) => {
    const field = form.current.elements[name];
    if (field.value !== "" && field.value !== filled.current[name]) return;
    field.value = value;
    filled.current[name] = value;
  };
  const fillId = () => fill("id", backendIdOf(form.current.elements.name.value));
  const fillEndpoint = () => {
    const region = form.current.elements.region.value || noPreset.region;
    fill("endpoint", preset.current.endpoint.replace("{region}", region));
  };
  const usePreset = (/** @type {any} */ event) => {
    preset.current = presets.find(({ name }) => name === event.target.value) ?? noPreset;
    const { name, region, pathStyle } = preset.current;
    fill("name", name);
    fillId();
    fill("region", region);
    fillEndpoint();
    form.current.elements.path_style.checked = pathStyle;
  };
  const noteInput = (/** @type {any} */ { target }) => {
    // A result is about what was tested, not about what stands in the form since.
    setResult(null);
    if (backend !== undefined) return;
    if (target.name === "name") fillId();
    if (target.name === "region") fillEndpoint();
  };

  const run = async (/** @type {"save" | "test"} */ what, /** @type {() => Promise<void>} */ action) => {
    setBusy(what);
    setErrors({});
    setResult(null);
    try {
      await action();
    } catch (error) {
      setErrors(errorsByField(error));
    }
    setBusy("");
  };
  const save = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (result?.ok === false && !await confirmUnreachable(backend === undefined, result.error)) return;
    run("save", async () => {
      const json = readForm(form.current, backend);
      close(
        backend === undefined
          ? await request("POST", "/api/admin/backends", { json })
          : await request("PATCH", `/api/admin/backends/${encodeURIComponent(backend.id)}`, { json }),
      );
    });
  };
  const test = () => {
    // A test needs neither a name nor an id.
    if (!form.current.elements.endpoint.reportValidity()) return;
    run("test", async () => {
      const { id: _, ...definition } = readForm(form.current, backend);
      const json = backend === undefined ? definition : { ...definition, id: backend.id };
      setResult(await request("POST", "/api/admin/backends/test", { json }));
    });
  };

  const footer = html`
    <${Button} class="push" icon="pulse" busy=${busy === "test"} disabled=${busy !== ""}
      onClick=${test}>Test</${Button}>
    <${Button} onClick=${() => close()}>Cancel</${Button}>
    <${Button} kind="primary" type="submit" busy=${busy === "save"}
      disabled=${busy !== ""}>${backend === undefined ? "Add backend" : "Save changes"}</${Button}>
  `;
  return html`
    <form ref=${form} onSubmit=${save} onInput=${noteInput}>
      <${DialogFrame}
        title=${backend === undefined ? "Add a backend" : `Edit ${backend.name}`} titleId=${titleId}
        onClose=${close} footer=${footer}>
        <div class="form">
          <div role="alert">${errors.form && html`<${Notice} kind="bad">${errors.form}</${Notice}>`}</div>
          ${backend === undefined &&
            html`<${Field} label="Service" control=${(/** @type {any} */ attributes) =>
              html`
                <select class="select" ...${attributes} data-autofocus="" onChange=${usePreset}>
                  <option value="">Other S3-compatible service</option>
                  ${presets.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
                </select>
              `} />`}
          <div class="field-row">
            <${Field} label="Name" error=${errors.name} control=${(/** @type {any} */ attributes) =>
              html`
                <input class="input" ...${attributes} name="name" required maxlength="100"
                  defaultValue=${backend?.name ?? ""} />
              `} />
            ${backend === undefined && html`
              <${Field} label="Id"
                error=${errors.id} hint="In addresses and the audit log; cannot be changed later."
                control=${(/** @type {any} */ attributes) =>
                  html`
                    <input class="input mono" ...${attributes} name="id" required
                      pattern=${idPattern} title="Lower-case letters, digits and hyphens" autocapitalize="off"
                      spellcheck=${false} />
                  `} />
            `}
          </div>
          <${Field} label="Endpoint"
            error=${errors.endpoint} hint="Scheme and host, such as https://s3.example.org"
            control=${(/** @type {any} */ attributes) =>
              html`
                <input class="input mono" ...${attributes} name="endpoint" type="url" required
                  pattern="[^\\{\\}]+" title="Put your own value in place of the braces"
                  defaultValue=${backend?.endpoint ?? ""} />
              `} />
          <${Field} label="Region" error=${errors.region} control=${(/** @type {any} */ attributes) =>
            html`
              <input class="input mono" ...${attributes} name="region"
                defaultValue=${backend?.region ?? "us-east-1"} />
            `} />
          <label class="check"><input type="checkbox" name="path_style"
            defaultChecked=${backend?.path_style ?? true} />
            <span>Path-style addressing<small>The bucket is part of the path, not of the host name. Most self-hosted services need it.</small></span></label>
          <div class="field-row">
            <${Field} label="Access key"
              error=${errors.access_key} hint="Without one, requests are not signed."
              control=${(/** @type {any} */ attributes) =>
                html`
                  <input class="input mono" ...${attributes} name="access_key" autocomplete="off" spellcheck=${false}
                    defaultValue=${backend?.access_key ?? ""} />
                `} />
            <${Field} label="Secret key" error=${errors.secret_key}
              hint=${backend?.secret_set
                ? "Leave empty to keep the one that is stored."
                : "Stored encrypted; never shown again."}
              control=${(/** @type {any} */ attributes) =>
                html`
                  <${PasswordInput} attributes=${attributes} name="secret_key"
                    autocomplete="new-password" />
                `} />
          </div>
          <div role="status">${result && html`<${TestResult} result=${result} />`}</div>
        </div>
        <//>
        </form>
  `;
}

/**
 * Asks before a backend is kept whose test has just failed.
 * @param {boolean} added whether it is a new one
 * @param {string} [reason]
 */
function confirmUnreachable(added, reason) {
  return confirm({
    title: added ? "Add it anyway?" : "Save it anyway?",
    body: html`
      <p>The test failed${reason ? html`: <span class="break">${reason}</span>` : "."}</p>
      <p>Until the backend answers, its buckets cannot be opened.</p>
    `,
    action: added ? "Add anyway" : "Save anyway",
  });
}

/** @param {{ result: { ok: boolean, latency_ms?: number, buckets?: unknown, error?: string } }} props */
function TestResult({ result: { ok, latency_ms: latency = 0, buckets, error } }) {
  if (!ok) return html`<${Notice} kind="bad"><strong>The test failed.</strong> ${error}</${Notice}>`;
  const count = Array.isArray(buckets) ? buckets.length : typeof buckets === "number" ? buckets : null;
  return html`<${Notice} kind="ok"><strong>It works.</strong> Answered in ${formatLatency(latency)}${
    count !== null && ` with ${plural(count, "bucket", "buckets")}`
  }.</${Notice}>`;
}

/**
 * @param {HTMLFormElement} form
 * @param {Backend} [backend] whose id and, when the field is empty, whose secret stay
 */
function readForm(form, backend) {
  const { secret_key: secretKey, path_style: _, id, ...values } = Object.fromEntries(new FormData(form));
  return {
    ...values,
    ...backend === undefined ? { id, type: "s3v4" } : {},
    ...secretKey === "" ? {} : { secret_key: secretKey },
    path_style: /** @type {any} */ (form.elements).path_style.checked,
  };
}

/**
 * @param {unknown} error
 * @returns {Record<string, string>}
 */
function errorsByField(error) {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return { form: message };
  const field = error.code === "id_taken" ? "id" : error.detail?.field;
  return {
    [["id", "name", "endpoint", "region", "access_key", "secret_key"].includes(field) ? field : "form"]:
      message,
  };
}
