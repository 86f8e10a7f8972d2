// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../copy_button.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { Button, html, Notice } from "../ui.js";
import { QrImage } from "./qr_image.js";
import { isLoopback, nameOf } from "./share.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Share } from "./share.js" */

/**
 * Shows the link of a share and its QR code.
 * @param {Share} share
 */
export function openLinkDialog(share) {
  return openDialog(
    /** @param {DialogControls<void>} controls */
    ({ close, titleId }) =>
      html`
        <${DialogFrame} title=${`Link to ${nameOf(share)}`} titleId=${titleId} onClose=${close}
          footer=${html`<${Button} onClick=${() => close()}>Done<//>`}>
          <div class="stack">
            <${LinkView} share=${share} />
          </div>
          <//>
      `,
    { size: "small" },
  );
}

/**
 * The link of a share, with what it can be passed on by.
 * @param {{ share: Share }} props
 */
export function LinkView({ share }) {
  const { url } = share;
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.select(), []);
  const shareNative = async () => {
    // It is rejected when the user changes their mind, too.
    await navigator.share({ title: nameOf(share), url }).catch(() => {});
  };
  return html`
    <${Field} label="Link" control=${(/** @type {any} */ attributes) =>
      html`
        <div class="row sharing-line">
          <input ref=${field} class="input mono" ...${attributes} readonly value=${url}
            onFocus=${(/** @type {any} */ event) => event.target.select()} />
          <${CopyTextButton} text=${url} label="Copy link" />
          ${typeof navigator.share === "function" &&
            html`<${Button} icon="share" onClick=${shareNative}>Send…<//>`}
        </div>
      `} />
    ${isLoopback(url) && html`
      <${Notice}>Only this computer reaches that address. Others can use the link once${" "}
        <code>server.public_url</code>${" "}is set, or when you open the dashboard under an address that they reach too.<//>
    `}
    <${QrImage} text=${url} fileName=${nameOf(share)} />
  `;
}

/**
 * A text that is shown once, with a button that copies it.
 * @param {{ label: string, text: string, copyLabel: string, hint?: any }} props
 */
export function CopiedText({ label, text, copyLabel, hint }) {
  return html`
    <${Field} label=${label} hint=${hint} control=${(/** @type {any} */ attributes) =>
      html`
        <div class="row sharing-line">
          <input class="input mono" ...${attributes} readonly value=${text} />
          <${CopyButton} text=${text} label=${copyLabel} />
        </div>
      `} />
  `;
}

/** @param {{ text: string, label: string }} props */
function CopyTextButton({ text, label }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(() => setSaid("Copied"), () => setSaid("Copy it by hand"));
  return html`<${Button} kind="primary" icon=${said === "Copied" ? "check" : "copy"} onClick=${copy}>${
    said || label
  }<//>`;
}
