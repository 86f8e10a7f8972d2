// @ts-check
/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../copy_button.js";
import { CopyTextButton } from "../copy_text_button.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { t } from "../i18n.js";
import { saveFile } from "../save_file.js";
import { Button, html, Notice } from "../ui.js";
import { Connect } from "./connect.js";
import { storedRow } from "./credential.js";
import { envFile, region } from "./snippets.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { MintedCredential } from "./credential.js" */

/**
 * Shows a new secret, this once, and how clients use it. Who would leave without having copied it is warned.
 * @param {{ minted: MintedCredential, path: string }} options `path` is where the API keeps the credentials
 */
export function openSecretDialog(options) {
  return openDialog(
    /** @param {DialogControls<void>} controls */
    (controls) => html`<${SecretDialog} ...${controls} ...${options} />`,
  );
}

/** @param {DialogControls<void> & { minted: MintedCredential, path: string }} props */
function SecretDialog({ close, block, titleId, minted, path }) {
  const { access_key: accessKey, secret_key: secretKey, endpoint_url: endpoint } = minted;
  const [kept, setKept] = useState(false);
  const [warned, setWarned] = useState(false);
  const leave = () => kept ? close() : setWarned(true);
  const frame = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    block(!kept);
    if (kept) return;
    const stay = (/** @type {Event} */ event) => event.preventDefault();
    const dialog = frame.current?.closest("dialog");
    // A second Esc in a row would close the dialog without asking anyone.
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setWarned(true);
    };
    addEventListener("beforeunload", stay);
    dialog?.addEventListener("keydown", onKeyDown);
    return () => {
      removeEventListener("beforeunload", stay);
      dialog?.removeEventListener("keydown", onKeyDown);
    };
  }, [kept]);
  const keep = () => setKept(true);
  const save = () => {
    const access = { endpoint, region, accessKey, secretKey, bucket: "", prefix: "", readOnly: false };
    saveFile(`${accessKey}.env`, envFile(access));
    keep();
  };
  return html`
    <${DialogFrame} title=${t("credentials.secret_title")} titleId=${titleId} onClose=${leave}
      footer=${html`<${Button} onClick=${leave}>${t("credentials.done")}<//>`}>
      <div class="stack" ref=${frame}>
        <div role="alert">${warned && !kept && html`
          <${Notice} kind="warn" action=${html`
            <${Button} small=${true} onClick=${() => close()}>${t("credentials.leave")}<//>
          `}>${t("credentials.not_copied")}<//>
        `}</div>
        <${Field} label=${t("credentials.access_key")} control=${(/** @type {any} */ attributes) =>
          html`
            <div class="row sharing-line">
              <input class="input mono" ...${attributes} readonly value=${accessKey} />
              <${CopyButton} text=${accessKey} label=${t("credentials.copy_access_key", {
                key: accessKey,
              })} />
            </div>
          `} />
        <${Field} label=${t("credentials.secret_key")} hint=${t("credentials.shown_once")}
          control=${(/** @type {any} */ attributes) =>
            html`
              <input class="input mono" ...${attributes} data-secret="" readonly value=${secretKey}
                onCopy=${keep} onFocus=${(/** @type {any} */ event) => event.target.select()} />
            `} />
        <div class="row">
          <${CopyTextButton} text=${secretKey} label=${t("credentials.copy_secret")} onCopied=${keep} />
          <${Button} icon="download" onClick=${save}>${t("credentials.download_env")}<//>
        </div>
        <h3>${t("credentials.connect_region")}</h3>
        <${Connect} row=${storedRow(minted)} endpoint=${endpoint} path=${path} secret=${secretKey}
          onCopied=${keep} />
      </div>
    <//>
  `;
}
