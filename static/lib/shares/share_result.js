// @ts-check
/// <reference lib="dom" />
import { basePath } from "../base.js";
import { ShowCommand } from "../commands.js";
import { DialogFrame } from "../dialog.js";
import { formatBytes, formatDateTime } from "../format.js";
import { rich, t } from "../i18n.js";
import { Button, html } from "../ui.js";
import { shareCommand } from "./command.js";
import { CopiedText, LinkView } from "./link_view.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Share } from "./share.js" */

/**
 * Shows a link that was just made, with its password, which nobody can read again.
 * @param {DialogControls<void> & { share: Share, password: string, keys?: readonly string[] }} props `keys` of a selection
 */
export function ShareResult({ close, titleId, share, password, keys }) {
  return html`
    <${DialogFrame} title=${t("shares.ready_title")} titleId=${titleId} onClose=${close}
      footer=${html`<${Button} onClick=${() => close()}>${t("shares.done")}<//>`}>
      <div class="stack">
        <${LinkView} share=${share} />
        ${password !== "" && html`
          <${CopiedText} label=${t("shares.password")} text=${password} copyLabel=${t("shares.copy_password")}
            hint=${t("shares.password_once")} />
        `}
        <p class="muted">${limitsText(share)} ${rich("shares.manage", {
          page: html`<a href="/shares">${t("shares.title")}</a>`,
        })}</p>
        <${ShowCommand} lines=${[shareCommand(share, location.origin + basePath(), keys)]} />
      </div>
      <//>
  `;
}

/**
 * How long and how often the link works, in a sentence.
 * @param {Share} share
 */
function limitsText({ expires_at, max_downloads, upload }) {
  const time = expires_at === null ? "" : formatDateTime(Date.parse(expires_at));
  if (upload !== undefined) {
    const size = formatBytes(upload.max_bytes);
    return t("shares.limits_upload", { time, n: upload.max_uploads, size });
  }
  if (max_downloads === null) {
    return time === "" ? t("shares.limits_none") : t("shares.limits_time", { time });
  }
  return time === ""
    ? t("shares.limits_downloads", { n: max_downloads })
    : t("shares.limits_both", { time, n: max_downloads });
}
