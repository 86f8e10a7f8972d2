// @ts-check
import { iconOf, KeyLabel } from "../browse/key_label.js";
import { formatBytes, formatDuration } from "../format.js";
import { t } from "../i18n.js";
import { html, Icon, IconButton } from "../ui.js";

/** @import { Upload } from "../upload/upload.js" */
/** @import { TransferSession } from "./session.js" */

/** @type {Readonly<Record<string, string>>} */
const stateIcons = { done: "check", failed: "alert", paused: "pause", asking: "help" };

/**
 * An upload: name, how far it is, and what can be done with it.
 * @param {{ session: TransferSession, upload: Upload }} props
 */
export function UploadRow({ session, upload }) {
  const { batch, key, state, size, sent, parted } = upload;
  const path = key.endsWith("/") ? key.slice(0, -1) : key;
  const nameAt = path.lastIndexOf("/") + 1;
  const name = path.slice(nameAt);
  const folder = path.slice(batch.prefix.length, nameAt);
  const icon = stateIcons[state] ?? iconOf({ folder: upload.file === null, name });
  const shows = state === "sending" || (state === "paused" && parted !== null);
  return html`
    <li class="transfer transfer-${state}">
      <${Icon} name=${icon} />
      <div class="transfer-text">
        <p class="transfer-path" title=${key}>
          ${folder && html`<span class="transfer-folder"><${KeyLabel} name=${folder} /></span>`}
          <${KeyLabel} name=${name} />
        </p>
        <p class="transfer-state">${stateText(session, upload)}</p>
        ${shows && html`
          <progress max=${Math.max(1, size)} value=${sent}
            aria-label=${t("transfers.upload_of", { name })}></progress>
        `}
      </div>
      <${Controls} session=${session} upload=${upload} name=${name} />
    </li>
  `;
}

/** @param {{ session: TransferSession, upload: Upload, name: string }} props */
function Controls({ session: { queue }, upload, name }) {
  const { state } = upload;
  // Pausing, going on and trying again are one button: a new one in its place would hand the focus to the one that cancels.
  const button = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {() => void} */ run) =>
    html`
      <${IconButton} key=${icon === "close" ? "cancel" : "run"} class="icon-button-small" icon=${icon}
        label=${label} onClick=${run} />
    `;
  const cancel = () => button("close", t("transfers.cancel_name", { name }), () => queue.cancel([upload]));
  if (state === "done") return null;
  if (state === "sending" || state === "waiting") {
    return html`${
      button("pause", t("transfers.pause_name", { name }), () => queue.pause([upload]))
    }${cancel()}`;
  }
  if (state === "paused") {
    return html`${
      button("play", t("transfers.resume_name", { name }), () => queue.resume([upload]))
    }${cancel()}`;
  }
  if (state === "asking") return cancel();
  const again = button("refresh", t("transfers.again_name", { name }), () => queue.retry([upload]));
  return state === "failed" && upload.parted !== null ? html`${again}${cancel()}` : again;
}

/**
 * @param {TransferSession} session
 * @param {Upload} upload
 */
function stateText(session, upload) {
  const { state, sent, size, error, retries, restarted } = upload;
  switch (state) {
    case "sending":
      return sendingText(session, upload);
    case "waiting":
      return retries > 0
        ? t("transfers.retrying", { error })
        : t("transfers.waiting", { size: formatBytes(size) });
    case "paused":
      return sent > 0
        ? t("transfers.paused_at", { sent: formatBytes(sent), size: formatBytes(size) })
        : t("transfers.paused");
    case "asking":
      return t("transfers.name_taken");
    case "done":
      return restarted
        ? t("transfers.done_restarted", { size: formatBytes(size) })
        : upload.file === null
        ? t("common.folder")
        : formatBytes(size);
    case "failed":
      return error;
    case "cancelled":
      return t("transfers.cancelled");
    case "skipped":
      return t("transfers.skipped");
  }
}

/**
 * @param {TransferSession} session
 * @param {Upload} upload
 */
function sendingText({ progress }, upload) {
  const { sent, size, restarted } = upload;
  if (sent >= size && size > 0) return t("transfers.finishing");
  const { speed, secondsLeft } = progress.of(upload);
  const parts = [t("transfers.of_bytes", { done: formatBytes(sent), total: formatBytes(size) })];
  if (speed > 0) parts.push(t("transfers.rate", { rate: formatBytes(speed) }));
  if (speed > 0 && secondsLeft !== null && secondsLeft >= 1) {
    // There is no room for more than whole minutes.
    const shown = secondsLeft < 60 ? secondsLeft : Math.ceil(secondsLeft / 60) * 60;
    parts.push(t("transfers.left", { time: formatDuration(shown) }));
  }
  return restarted ? `${t("transfers.restarted")} ${parts[0]}` : parts.join(" · ");
}
