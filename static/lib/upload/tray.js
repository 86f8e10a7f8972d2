// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { iconOf, KeyLabel } from "../browse/key_label.js";
import { formatBytes, formatDuration, formatNumber } from "../format.js";
import { plural } from "../i18n.js";
import { Button, html, Icon, IconButton, Notice } from "../ui.js";
import { askAboutConflict } from "./conflict_dialog.js";

/** @import { Upload, UploadQueue } from "./queue.js" */
/** @import { Uploads } from "./uploads.js" */

/** Rows of the list at most; the rest is a number. */
const maxShown = 40;

/** What is under way or needs a decision comes first. */
const order = ["sending", "asking", "failed", "waiting", "done", "skipped", "cancelled"];

/**
 * The uploads of this page: each with its progress, and all of them together.
 * @param {{ uploads: Uploads }} props
 */
export function UploadTray({ uploads }) {
  const [folded, setFolded] = useState(false);
  uploads.version.value;
  const { queue } = uploads;
  useConflicts(queue);
  if (queue.uploads.length === 0) return null;
  const figures = uploads.figures();
  return html`<section class="tray" aria-label="Uploads">
    <header class="tray-head">
      <h2>${titleOf(queue, figures)}</h2>
      <span class="tray-rate">${rateOf(queue, figures)}</span>
      <${IconButton} icon=${folded ? "chevron-up" : "chevron-down"} label=${
    folded ? "Unfold uploads" : "Fold uploads"
  }
        aria-expanded=${folded ? "false" : "true"} onClick=${() => setFolded(!folded)} />
      ${
    queue.busy
      ? html`<${IconButton} icon="close" label="Cancel all uploads" onClick=${() => queue.cancelAll()} />`
      : html`<${IconButton} icon="close" label="Close uploads" onClick=${() => queue.clearFinished()} />`
  }
    </header>
    <progress class="tray-total" max="1" value=${figures.fraction} aria-label="All uploads"></progress>
    ${
    !folded && html`
      <${Held} queue=${queue} />
      <${Items} uploads=${uploads} />
    `
  }
  </section>`;
}

/**
 * Asks about taken names, one after the other.
 * @param {UploadQueue} queue
 */
function useConflicts(queue) {
  const asking = queue.asking;
  useEffect(() => {
    if (asking === null) return;
    const others = queue.uploads.filter(({ state }) => state === "waiting" || state === "asking").length - 1;
    askAboutConflict(asking, others).then(({ choice, forAll }) => queue.answer(choice, forAll));
  }, [asking]);
}

/** @param {{ queue: UploadQueue }} props */
function Held({ queue }) {
  if (queue.held === "" || !queue.busy) return null;
  const text = {
    sign_in: "Paused: your session has ended.",
    offline: "Paused: there is no connection.",
    limited: "The server asks for a pause; it goes on by itself.",
  }[queue.held];
  const action = queue.held === "sign_in" &&
    html`<${Button} small onClick=${() => queue.signIn()}>Sign in<//>`;
  return html`
    <div class="tray-held">
      <${Notice} kind="warn" action=${action}>${text}<//></div>
  `;
}

/** @param {{ uploads: Uploads }} props */
function Items({ uploads }) {
  const sorted = uploads.queue.uploads.toSorted((a, b) =>
    order.indexOf(a.state) - order.indexOf(b.state) || a.id - b.id
  );
  const more = sorted.length - maxShown;
  return html`<ul class="tray-list" tabindex="0" aria-label="Files">
    ${
    sorted.slice(0, maxShown).map((upload) =>
      html`<${Item} key=${upload.id} uploads=${uploads} upload=${upload} />`
    )
  }
    ${more > 0 && html`<li class="tray-more">and ${formatNumber(more)} more</li>`}
  </ul>`;
}

/** @param {{ uploads: Uploads, upload: Upload }} props */
function Item({ uploads, upload }) {
  const { id, key, state, file, sent } = upload;
  const name = key.slice(key.lastIndexOf("/") + 1);
  const open = state === "waiting" || state === "sending" || state === "asking";
  return html`<li class="tray-item tray-${state}">
    <${Icon} name=${
    state === "done" ? "check" : state === "failed" ? "alert" : iconOf({ folder: false, name })
  } />
    <div class="tray-text">
      <p title=${key}><${KeyLabel} name=${name} /></p>
      <p class="tray-state">${stateText(upload)}</p>
      ${
    state === "sending" &&
    html`<progress max=${Math.max(1, file.size)} value=${sent} aria-label="Upload of ${name}"></progress>`
  }
    </div>
    ${
    open
      ? html`<${IconButton} icon="close" class="icon-button-small" label="Cancel ${name}" onClick=${() =>
        uploads.queue.cancel(id)} />`
      : state !== "done" &&
        html`<${IconButton} icon="refresh" class="icon-button-small" label="Upload ${name} again" onClick=${() =>
          uploads.retry(id)} />`
  }
  </li>`;
}

/** @param {Upload} upload */
function stateText({ state, sent, file, error, retries }) {
  switch (state) {
    case "sending":
      return `${formatBytes(sent)} of ${formatBytes(file.size)}`;
    case "waiting":
      return retries > 0 ? `Trying again: ${error}` : `Waiting, ${formatBytes(file.size)}`;
    case "asking":
      return "The name is taken";
    case "done":
      return formatBytes(file.size);
    case "failed":
      return error;
    case "cancelled":
      return "Cancelled";
    case "skipped":
      return "Skipped: the name is taken";
  }
}

/**
 * @param {UploadQueue} queue
 * @param {ReturnType<Uploads["figures"]>} figures
 */
function titleOf(queue, { files, done, failed }) {
  if (queue.busy) return `Uploading ${formatNumber(done)} of ${formatNumber(files)}`;
  if (failed > 0) return `${formatNumber(failed)} of ${plural(files, "upload", "uploads")} failed`;
  return done > 0 ? `${plural(done, "file", "files")} uploaded` : "Nothing uploaded";
}

/**
 * @param {UploadQueue} queue
 * @param {ReturnType<Uploads["figures"]>} figures
 */
function rateOf(queue, { speed, secondsLeft }) {
  if (!queue.busy || queue.held !== "" || speed <= 0) return "";
  return `${formatBytes(speed)}/s${secondsLeft === null ? "" : ` · ${formatDuration(secondsLeft)} left`}`;
}
