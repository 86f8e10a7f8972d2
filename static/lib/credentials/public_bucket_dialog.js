// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { apiCommand } from "../api_command.js";
import { Choice } from "../choice.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { readDecimal } from "../typed_numbers.js";
import { Button, html, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";
import { BucketPicker } from "./bucket_picker.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { TypedNumber } from "../typed_numbers.js" */
/** @import { Backend, Binding } from "./credential.js" */

/** @typedef {{ binding: Binding | null, backends: readonly Backend[], path: string }} Options */

/**
 * Opens a bucket to everyone, or changes how open it is. Resolves with whether anything was saved.
 * @param {Options} options `binding` is `null` for a bucket that is still to be chosen; `path` is where the API keeps them
 */
export async function openPublicBucketDialog(options) {
  const saved = await openDialog(
    /** @param {DialogControls<boolean>} controls */
    (controls) => html`<${PublicBucketForm} ...${controls} ...${options} />`,
  );
  return saved === true;
}

/** @param {DialogControls<boolean> & Options} props */
function PublicBucketForm({ close, block, titleId, binding, backends, path }) {
  const [backend, setBackend] = useState(binding?.backend_id ?? backends[0]?.id ?? "");
  const [bucket, setBucket] = useState(binding?.bucket ?? "");
  const [mode, setMode] = useState(binding?.mode ?? "ReadOnly");
  const [rate, setRate] = useState(binding?.per_source_ip_rps ? String(binding.per_source_ip_rps) : "");
  const perSecond = readDecimal(rate);
  const json = {
    backend_id: backend,
    bucket,
    mode,
    per_source_ip_rps: perSecond === undefined ? 0 : perSecond,
  };
  const { busy, problems, error, submit } = useSubmission({
    block,
    check: () => problemsOf(bucket, perSecond),
    send: async () => {
      await request("POST", path, { json });
      close(true);
    },
  });
  const footer = html`
    <${Button} onClick=${() => close()}>${t("common.cancel")}<//>
    <${Button} kind="primary" type="submit" busy=${busy}>${t("common.save")}<//>
  `;
  const title = binding === null
    ? t("credentials.public_add")
    : t("credentials.public_edit_title", { bucket });
  return html`
    <form onSubmit=${submit} novalidate>
      <${DialogFrame} title=${title} titleId=${titleId} footer=${footer} onClose=${close}>
        <div class="form">
          ${binding === null && backends.length > 1 && html`
            <${Field} label=${t("common.backend")} control=${(/** @type {any} */ attributes) =>
              html`
                <select class="select" ...${attributes} data-autofocus="" value=${backend}
                  onChange=${(/** @type {any} */ event) => {
                    setBackend(event.target.value);
                    setBucket("");
                  }}>
                  ${backends.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}
                </select>
              `} />
          `}
          ${binding === null && html`
            <${BucketPicker} backend=${backend} chosen=${bucket === "" ? [] : [bucket]} single=${true}
              legend=${t("common.bucket")} error=${problems.bucket} autofocus=${backends.length <= 1}
              onChange=${(/** @type {string[]} */ [name = ""]) => setBucket(name)} />
          `}
          <${Choice} legend=${t(
            "credentials.public_access",
          )} autofocus=${binding !== null} value=${mode} options=${[
            ["ReadOnly", t("credentials.public_everyone")],
            ["None", t("credentials.public_nobody")],
          ]} onChange=${setMode} />
          ${mode === "ReadOnly" && html`<${Notice} kind="warn">${t("credentials.public_warning")}<//>`}
          <${Field} label=${t("credentials.public_rate")} optional=${true} error=${problems.rate}
            hint=${t("credentials.public_rate_hint")} control=${(/** @type {any} */ attributes) =>
              html`
                <input class="input" inputmode="decimal" autocomplete="off" ...${attributes} value=${rate}
                  onInput=${(/** @type {any} */ event) => setRate(event.target.value.trim())} />
              `} />
          <${ShowCommand} lines=${[apiCommand("POST", path, json)]} />
          <div role="alert">${error !== "" && html`<${Notice} kind="bad">${error}<//>`}</div>
        </div>
        <//>
        </form>
  `;
}

/**
 * @param {string} bucket
 * @param {TypedNumber} perSecond requests; none for the rate of the configuration
 */
function problemsOf(bucket, perSecond) {
  /** @type {{ bucket?: string, rate?: string }} */
  const problems = {};
  if (bucket === "") problems.bucket = t("credentials.choose_bucket");
  if (perSecond === null || perSecond !== undefined && !(perSecond > 0 && perSecond <= 1_000_000)) {
    problems.rate = t("credentials.rate_wrong");
  }
  return problems;
}
