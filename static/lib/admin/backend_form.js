// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, request } from "../api.js";
import { ShowCommand } from "../commands.js";
import { confirm, DialogFrame } from "../dialog.js";
import { Field, PasswordInput } from "../fields.js";
import { rich, t } from "../i18n.js";
import { Badge, Button, html, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { backendCommand, backendPath, backendsPath } from "./backend_command.js";
import { backendIdOf } from "./backend_id.js";
import { noPreset, presets } from "./backend_presets.js";
import { BackendSteps } from "./backend_steps.js";
import { TestResult, whyFailed } from "./backend_test_result.js";

/** @typedef {import("../../islands/backends.js").Backend} Backend */

/** Fields that a refusal may be about. */
const fields = ["id", "name", "endpoint", "region", "access_key", "secret_key"];

const idPattern = "[a-z0-9][a-z0-9\\-]{0,62}";

/**
 * A new backend, or the changes to one; closes with it once it is saved. Testing asks the service with what the form
 * says, saved or not. One from the configuration file is only shown.
 * @param {import("../dialog.js").DialogControls<Backend> & { backend?: Backend, service?: string }} props `service`: the name
 *   of the preset that a new one begins with
 */
export function BackendForm({ close, block, titleId, backend, service = "" }) {
  const [result, setResult] = useState(/** @type {any} */ (null));
  const [definition, setDefinition] = useState(/** @type {Record<string, unknown>} */ ({}));
  const form = useRef(/** @type {any} */ (null));
  const preset = useRef(noPreset);
  const [hint, setHint] = useState(noPreset.hint);
  const fixed = backend?.source === "config";
  const outcome = useRef(/** @type {HTMLElement | null} */ (null));
  // On a narrow screen it is below what is in sight.
  useEffect(() => void (result && outcome.current?.scrollIntoView({ block: "nearest" })), [result]);
  // What the form itself wrote into its fields: what the user has typed instead is left alone.
  const filled = useRef(/** @type {Record<string, string>} */ ({ region: noPreset.region }));

  const noteDefinition = () => setDefinition(readForm(form.current, backend));
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
  const usePreset = (/** @type {string} */ wanted) => {
    preset.current = presets.find(({ name }) => name === wanted) ?? noPreset;
    const { name, region, pathStyle } = preset.current;
    setHint(preset.current.hint);
    fill("name", name);
    fillId();
    fill("region", region);
    fillEndpoint();
    form.current.elements.path_style.checked = pathStyle;
    noteDefinition();
  };
  useEffect(() => {
    if (service !== "") usePreset(service);
    else noteDefinition();
  }, []);
  const noteInput = (/** @type {any} */ { target }) => {
    // A result is about what was tested, not about what stands in the form since.
    setResult(null);
    if (backend === undefined && target.name === "name") fillId();
    if (backend === undefined && target.name === "region") fillEndpoint();
    noteDefinition();
  };

  const save = async () => {
    if (result?.ok === false && !await confirmUnreachable(backend === undefined, whyFailed(result))) return;
    setResult(null);
    const json = readForm(form.current, backend);
    close(
      backend === undefined
        ? await request("POST", backendsPath, { json })
        : await request("PATCH", backendPath(backend.id), { json }),
    );
  };
  const test = async () => {
    setResult(null);
    const { id: _, ...definition } = fixed ? {} : readForm(form.current, backend);
    const json = backend === undefined ? definition : { ...definition, id: backend.id };
    setResult(await request("POST", `${backendsPath}/test`, { json }));
  };
  const wanted = useRef(/** @type {"save" | "test"} */ ("save"));
  const { busy, problems: errors, error, submit } = useSubmission({
    block,
    send: () => wanted.current === "test" ? test() : save(),
    explain: fieldErrors,
  });
  const run = (/** @type {"save" | "test"} */ what, /** @type {any} */ event) => {
    if (!busy) wanted.current = what;
    return submit(event);
  };
  const runTest = (/** @type {any} */ event) => {
    // A test needs neither a name nor an id.
    if (form.current.elements.endpoint.reportValidity()) run("test", event);
  };
  const isTesting = busy && wanted.current === "test";

  const footer = html`
    <${Button} class="push" icon="pulse" busy=${isTesting} disabled=${busy}
      onClick=${runTest}>${t("backends.test")}</${Button}>
    <${Button} onClick=${() => close()}>${fixed ? t("common.close") : t("common.cancel")}</${Button}>
    ${!fixed && html`
      <${Button} kind="primary" type="submit" busy=${busy && !isTesting}
        disabled=${busy}>${backend === undefined ? t("backends.add") : t("backends.save")}</${Button}>
    `}
  `;
  return html`
    <form ref=${form} class="backend-form" onSubmit=${(/** @type {any} */ event) =>
      run("save", event)} onInput=${noteInput}>
      <${DialogFrame}
        title=${titleOf(backend, fixed)} titleId=${titleId}
        onClose=${close} footer=${footer}>
        <div class="backend-columns">
          <div class="form">
          ${fixed && html`<${Notice}>${t("backends.from_configuration")}<//>`}
          <div role="alert">${error && html`<${Notice} kind="bad">${error}</${Notice}>`}</div>
          ${backend === undefined &&
            html`<${Field} label=${t("backends.service")} hint=${hint && t(hint)} control=${(
              /** @type {any} */ attributes,
            ) =>
              html`
                <select class="select" ...${attributes} data-autofocus=""
                  onChange=${(/** @type {any} */ event) => usePreset(event.target.value)}>
                  <option value="">${t("backends.other_service")}</option>
                  ${presets.map(({ name }) =>
                    html`<option key=${name} value=${name} selected=${name === service}>${name}</option>`
                  )}
                </select>
              `} />`}
          <div class="field-row">
            <${Field} label=${t("common.name")} error=${errors.name} control=${(
              /** @type {any} */ attributes,
            ) =>
              html`
                <input class="input" ...${attributes} name="name" readonly=${fixed} required maxlength="100"
                  defaultValue=${backend?.name ?? ""} />
              `} />
            ${backend === undefined && html`
              <${Field} label=${t("backends.id")}
                error=${errors.id} hint=${t("backends.id_hint")}
                control=${(/** @type {any} */ attributes) =>
                  html`
                    <input class="input mono" ...${attributes} name="id" required
                      pattern=${idPattern} title=${t("backends.id_rule")} autocapitalize="off"
                      spellcheck=${false} />
                  `} />
            `}
          </div>
          <${Field} label=${t("backends.endpoint")}
            error=${errors.endpoint} hint=${t("backends.endpoint_hint", {
              example: "https://s3.example.org",
            })}
            control=${(/** @type {any} */ attributes) =>
              html`
                <input class="input mono" ...${attributes} name="endpoint" readonly=${fixed} type="url" required
                  pattern="[^\\{\\}]+" title=${t("backends.braces")}
                  defaultValue=${backend?.endpoint ?? ""} />
              `} />
          <${Field} label=${t("backends.region")} error=${errors.region} control=${(
            /** @type {any} */ attributes,
          ) =>
            html`
              <input class="input mono" ...${attributes} name="region" readonly=${fixed}
                defaultValue=${backend?.region ?? "us-east-1"} />
            `} />
          <label class="check"><input type="checkbox" name="path_style" disabled=${fixed}
            defaultChecked=${backend?.path_style ?? true} />
            <span>${t("backends.path_style")}<small>${t("backends.path_style_hint")}</small></span></label>
          <label class="check"><input type="checkbox" name="presign" disabled=${fixed}
            defaultChecked=${backend?.presign ?? false} />
            <span>${t("backends.presign")}<small>${t("backends.presign_hint")}</small></span></label>
          <div class="field-row">
            <${Field} label=${t("backends.access_key")}
              error=${errors.access_key} hint=${backend?.access_key_env
                ? html`<${FromVariable} name=${backend.access_key_env} />`
                : t("backends.access_key_hint")}
              control=${(/** @type {any} */ attributes) =>
                html`
                  <input class="input mono" ...${attributes} name="access_key" readonly=${fixed} autocomplete="off"
                    spellcheck=${false}
                    defaultValue=${backend?.access_key ?? ""} />
                `} />
            ${backend?.secret_key_env && html`
              <div class="field">
                <span class="label">${t("backends.secret_key")}</span>
                <p>
                  <${FromVariable} name=${backend.secret_key_env} />
                </p>
              </div>
            `}
            ${!fixed && html`
              <${Field} label=${t("backends.secret_key")} error=${errors.secret_key}
                hint=${backend?.secret_set ? t("backends.secret_stored") : t("backends.secret_hint")}
                control=${(/** @type {any} */ attributes) =>
                  html`
                    <${PasswordInput} attributes=${attributes} name="secret_key"
                      autocomplete="new-password" />
                  `} />
            `}
          </div>
          ${!fixed && html`<${ShowCommand} lines=${[backendCommand(definition, backend?.id)]} />`}
          <div role="status" ref=${outcome}>${result && html`<${TestResult} result=${result} />`}</div>
        </div>
          <${BackendSteps} found=${result?.steps ?? null} busy=${isTesting} />
        </div>
        <//>
        </form>
  `;
}

/**
 * The environment variable that a key comes from. Without a value the program would not have started.
 * @param {{ name: string }} props
 */
function FromVariable({ name }) {
  return html`<code>${name}</code> <${Badge} kind="ok">${t("backends.variable_set")}<//>`;
}

/**
 * Asks before a backend is kept whose test has just failed.
 * @param {boolean} added whether it is a new one
 * @param {string} [reason]
 */
function confirmUnreachable(added, reason) {
  return confirm({
    title: added ? t("backends.add_anyway_title") : t("backends.save_anyway_title"),
    body: html`
      <p>${reason
        ? rich("backends.test_failed_because", { reason: html`<span class="break">${reason}</span>` })
        : t("backends.test_failed")}</p>
      <p>${t("backends.until_it_answers")}</p>
    `,
    action: added ? t("backends.add_anyway") : t("backends.save_anyway"),
  });
}

/**
 * @param {Backend | undefined} backend
 * @param {boolean} fixed
 */
function titleOf(backend, fixed) {
  if (backend === undefined) return t("backends.add_title");
  return fixed ? backend.name : t("backends.edit_title", { name: backend.name });
}

/**
 * @param {HTMLFormElement} form
 * @param {Backend} [backend] whose id and, when the field is empty, whose secret stay
 */
function readForm(form, backend) {
  const { secret_key: secretKey, path_style: _, presign: __, id, ...values } = Object.fromEntries(
    new FormData(form),
  );
  const { path_style: pathStyle, presign } = /** @type {any} */ (form.elements);
  return {
    ...values,
    ...backend === undefined ? { id, type: "s3v4" } : {},
    ...secretKey === "" ? {} : { secret_key: secretKey },
    path_style: pathStyle.checked,
    presign: presign.checked,
  };
}

/**
 * What a refusal says of a field; `null` for one that is about none.
 * @param {unknown} failure
 * @returns {Record<string, string> | null}
 */
function fieldErrors(failure) {
  if (!(failure instanceof ApiError)) return null;
  const field = failure.code === "id_taken" ? "id" : failure.detail?.field;
  return fields.includes(field) ? { [field]: failure.message } : null;
}
