// @ts-check
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { iconOf, KeyLabel } from "../browse/key_label.js";
import { formatBytes, formatDuration, formatNumber } from "../format.js";
import { plural } from "../i18n.js";
import { Button, html, Icon, IconButton, Notice } from "../ui.js";
import { askAboutConflict } from "./conflict_dialog.js";

/** @import { Upload, UploadQueue } from "./queue.js" */
/** @import { Uploads } from "./uploads.js" */

/** Milliseconds after which the list of a batch that went well is folded away. */
const foldAfter = 4000;

/** CSS pixels kept free below and above the tray, together. */
const gap = 16;

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
  const tray = useRef(/** @type {HTMLElement | null} */ (null));
  uploads.version.value;
  const { queue } = uploads;
  const figures = uploads.figures();
  const { busy } = queue;
  const stored = !busy && figures.done > 0 && figures.failed === 0;
  useConflicts(uploads);
  useCover(tray, queue.uploads.length > 0);
  useEffect(() => {
    if (busy) setFolded(false);
    if (!stored) return;
    const timer = setTimeout(() => {
      // Folding would take the focus away from whoever is in the list.
      if (!tray.current?.querySelector(".tray-list:focus-within")) setFolded(true);
    }, foldAfter);
    return () => clearTimeout(timer);
  }, [busy, stored]);
  if (queue.uploads.length === 0) return null;
  return html`<section class="tray" aria-label="Uploads" ref=${tray}>
    <header class="tray-head">
      <h2>${titleOf(queue, figures)}</h2>
      <span class="visually-hidden" role="status">${busy ? "" : titleOf(queue, figures)}</span>
      <span class="tray-rate">${rateOf(queue, figures)}</span>
      <${IconButton} icon=${folded ? "chevron-up" : "chevron-down"} label=${
    folded ? "Unfold uploads" : "Fold uploads"
  }
        aria-expanded=${folded ? "false" : "true"} onClick=${() => setFolded(!folded)} />
      ${
    busy
      ? html`<${IconButton} icon="close" label="Cancel all uploads" onClick=${() => queue.cancelAll()} />`
      : html`<${IconButton} icon="close" label="Close uploads" onClick=${() => queue.clearFinished()} />`
  }
    </header>
    ${
    (busy || stored) &&
    html`<progress class="tray-total" max="1" value=${figures.fraction} aria-label="All uploads"></progress>`
  }
    ${
    !folded && html`
      <${Held} queue=${queue} />
      <${Items} uploads=${uploads} />
    `
  }
  </section>`;
}

/**
 * Tells the list how much of it the tray covers, so that its last rows can be scrolled out from under it.
 * @param {{ current: HTMLElement | null }} tray
 * @param {boolean} shown
 */
function useCover(tray, shown) {
  useEffect(() => {
    const element = tray.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--tray", `${element.offsetHeight + gap}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty("--tray");
    };
  }, [shown]);
}

/**
 * Asks about taken names, one after the other.
 * @param {Uploads} uploads
 */
function useConflicts(uploads) {
  const { queue } = uploads;
  const { asking } = queue;
  useEffect(() => {
    if (asking === null) return;
    const others = queue.uploads.filter(({ state }) => state === "waiting" || state === "asking").length - 1;
    askAboutConflict(uploads, asking, others).then(({ choice, forAll }) => queue.answer(choice, forAll));
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
  const { id, key, prefix, state, file, sent } = upload;
  const nameAt = key.lastIndexOf("/") + 1;
  const name = key.slice(nameAt);
  const folder = key.slice(prefix.length, nameAt);
  const open = state === "waiting" || state === "sending" || state === "asking";
  return html`<li class="tray-item tray-${state}">
    <${Icon} name=${
    state === "done" ? "check" : state === "failed" ? "alert" : iconOf({ folder: false, name })
  } />
    <div class="tray-text">
      <p class="tray-path" title=${key}>${
    folder && html`<span class="tray-folder"><${KeyLabel} name=${folder} /></span>`
  }<${KeyLabel} name=${name} /></p>
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
