// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../copy_button.js";
import { CopyTextButton } from "../copy_text_button.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { Field } from "../fields.js";
import { rich, t } from "../i18n.js";
import { Segmented } from "../segmented.js";
import { loadStyles } from "../styles.js";
import { Button, html, Notice } from "../ui.js";
import { QrImage } from "./qr_image.js";
import { directUrl, isLoopback, shareName } from "./share.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Share } from "./share.js" */

/**
 * Shows the link of a share and its QR code.
 * @param {Share} share
 */
export async function openLinkDialog(share) {
  await loadStyles("lazy.css");
  await openDialog(
    /** @param {DialogControls<void>} controls */
    ({ close, titleId }) =>
      html`
        <${DialogFrame} title=${t("shares.link_title", {
          name: shareName(share),
        })} titleId=${titleId} onClose=${close}
          footer=${html`<${Button} onClick=${() => close()}>${t("shares.done")}<//>`}>
          <div class="stack">
            <${LinkView} share=${share} />
          </div>
          <//>
      `,
  );
}

/**
 * The link of a share, with what it can be passed on by: to its page or, where no password stands before it, to the file
 * itself.
 * @param {{ share: Share }} props
 */
export function LinkView({ share }) {
  const [target, setTarget] = useState(/** @type {"page" | "file"} */ ("page"));
  const url = target === "page" ? share.url : directUrl(share);
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.select(), []);
  const shareNative = async () => {
    // It is rejected when the user changes their mind, too.
    await navigator.share({ title: shareName(share), url }).catch(() => {});
  };
  return html`
    ${!share.has_password && share.upload === undefined && html`
      <${Segmented} label=${t("shares.link_target")} value=${target} onChange=${setTarget} options=${[
        ["page", t("shares.link_page")],
        ["file", share.kind === "object" ? t("shares.link_file") : t("shares.link_zip")],
      ]} />
    `}
    <${Field} label=${t("shares.link")} hint=${target === "file" ? t("shares.link_file_hint") : undefined}
      control=${(/** @type {any} */ attributes) =>
        html`
          <div class="row sharing-line">
            <input ref=${field} class="input mono" ...${attributes} readonly value=${url}
              onFocus=${(/** @type {any} */ event) => event.target.select()} />
            <${CopyTextButton} text=${url} label=${t("shares.copy_link")} />
            ${typeof navigator.share === "function" &&
              html`<${Button} icon="share" onClick=${shareNative}>${t("shares.send")}<//>`}
          </div>
        `} />
    ${isLoopback(url) && html`
      <${Notice}>${rich("shares.loopback", { setting: html`<code>server.public_url</code>` })}<//>
    `}
    <${QrImage} text=${url} fileName=${shareName(share)} />
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
