// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { request } from "../api.js";
import { CopyTextButton } from "../copy_text_button.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { saveFile } from "../save_file.js";
import { Field, PasswordInput } from "../fields.js";
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";
import { labelOf } from "./credential.js";
import { region, snippets } from "./snippets.js";
import { Trial } from "./trial.js";

/** @import { Row } from "./credential.js" */

/**
 * Shows how clients reach the S3 endpoint with a credential whose secret is not known any more.
 * @param {{ row: Row, endpoint: string, path: string }} options `path` is where the API keeps the credentials
 */
export function openConnectDialog({ row, endpoint, path }) {
  return openDialog(
    /** @param {import("../dialog.js").DialogControls<void>} controls */
    ({ close, titleId }) =>
      html`<${ConnectDialog} row=${row} endpoint=${endpoint} path=${path} close=${close} titleId=${titleId} />`,
  );
}

/**
 * @param {{ row: Row, endpoint: string, path: string, close: () => void, titleId: string }} props
 */
function ConnectDialog({ row, endpoint, path, close, titleId }) {
  const [secret, setSecret] = useState("");
  return html`
    <${DialogFrame} title=${t("credentials.connect_title", { name: labelOf(row) })} titleId=${titleId}
      onClose=${close} footer=${html`<${Button} onClick=${() => close()}>${t("credentials.done")}<//>`}>
      <div class="stack">
        <${Field} label=${t("credentials.secret_key")} optional=${true} hint=${t("credentials.secret_hint")}
          control=${(/** @type {any} */ attributes) =>
            html`
              <${PasswordInput} attributes=${attributes} class="input mono" autocomplete="off" value=${secret}
                onInput=${(/** @type {any} */ event) => setSecret(event.target.value.trim())} />
            `} />
        <${Connect} row=${row} endpoint=${endpoint} path=${path} secret=${secret} />
      </div>
      <//>
  `;
}

/** Stands for a secret that is known but not shown. */
const mask = "••••••••";

/** Stands for one that is not known. It is a word to every shell. */
const placeholder = "SECRET_KEY";

/**
 * How to reach the S3 endpoint from each client, and a button that tries it.
 * @param {{ row: Row, endpoint: string, path: string, secret: string, onCopied?: () => void }} props `secret` is
 *   empty when it is not known; `onCopied` is called when a text with it has been copied or saved
 */
export function Connect({ row, endpoint, path, secret, onCopied }) {
  const buckets = row.scopes.flatMap(({ buckets }) => buckets);
  const [bucket, setBucket] = useState(buckets[0] ?? "");
  const [chosen, setChosen] = useState(snippets[0].id);
  const [shown, setShown] = useState(false);
  const snippet = snippets.find(({ id }) => id === chosen) ?? snippets[0];
  const { accessKey, prefix, readOnly } = row;
  const write = (/** @type {string} */ secretKey) =>
    snippet.write({ endpoint, region, bucket, prefix, accessKey, secretKey, readOnly });
  const whole = write(secret || placeholder);
  const { file } = snippet;
  return html`
    <section class="stack" aria-label=${t("credentials.connect_region")}>
      ${buckets.length > 1 && html`
        <${Field} label=${t("common.bucket")} control=${(/** @type {any} */ attributes) =>
          html`
            <select class="select" ...${attributes} value=${bucket}
              onChange=${(/** @type {any} */ event) => setBucket(event.target.value)}>
              ${buckets.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
            </select>
          `} />
      `}
      <${ClientTabs} chosen=${chosen} onChoose=${setChosen} />
      <div role="tabpanel" id="connect-panel" aria-label=${snippet.name} class="stack">
        <pre class="code" tabindex="0" data-snippet=${snippet.id}>${secret !== "" && !shown
          ? write(mask)
          : whole}</pre>
        <div class="row">
          <${CopyTextButton} kind="plain" text=${whole} label=${t("common.copy")} onCopied=${onCopied} />
          ${file !== undefined &&
            html`<${Button} icon="download" onClick=${() => saveFile(file, whole)}>${file}<//>`}
          ${secret !== "" && html`
            <${Button} icon=${shown ? "eye-off" : "eye"} aria-pressed=${shown ? "true" : "false"}
              onClick=${() => setShown(!shown)}>${t("credentials.show_secret")}<//>
          `}
        </div>
        ${snippet.id === "cyberduck" && html`<p class="field-hint">${t("credentials.cyberduck_hint")}</p>`}
        ${prefix !== "" && !prefix.endsWith("/") &&
          html`<${Notice}>${t("credentials.prefix_hint", { prefix })}<//>`}
      </div>
      <${Trial} key=${bucket} run=${() =>
        request("POST", `${path}/${accessKey}/test`, { json: { bucket } })} status=${row.status} />
    </section>
  `;
}

/** @param {{ chosen: string, onChoose: (id: string) => void }} props */
function ClientTabs({ chosen, onChoose }) {
  const move = (/** @type {any} */ event) => {
    const at = snippets.findIndex(({ id }) => id === chosen);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: snippets.length - 1 }[
      /** @type {"Home"} */ (event.key)
    ];
    if (next === undefined) return;
    event.preventDefault();
    const { id } = snippets[(next + snippets.length) % snippets.length];
    onChoose(id);
    event.currentTarget.querySelector(`[data-client="${id}"]`).focus();
  };
  return html`
    <div class="connect-tabs" role="tablist" aria-label=${t(
      "credentials.clients",
    )} onKeyDown=${move}>${snippets.map(({ id, name }) =>
      html`
        <button type="button" role="tab" key=${id} data-client=${id} aria-controls="connect-panel"
          aria-selected=${id === chosen ? "true" : "false"} tabindex=${id === chosen ? 0 : -1}
          onClick=${() => onChoose(id)}>${name}</button>
      `
    )}</div>
  `;
}
