// @ts-check
/// <reference lib="dom" />
import { part } from "./part.js";

/** Bytes of a text that are shown. */
const maxText = 1 << 20;

/**
 * A file that is to be shown, as the server has drawn its button.
 * @typedef {{ kind: string, url: string, name: string }} Shown
 */

/** Lets the buttons of the page show files. Nothing is loaded before, since it may count as a download. */
export function bindPreviews() {
  const dialog = document.getElementById("show");
  if (dialog instanceof HTMLDialogElement) bindDialog(dialog);
  for (const button of document.querySelectorAll("button[data-preview]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    const { preview: kind = "", url = "", name = "" } = button.dataset;
    const file = { kind, url, name };
    button.addEventListener("click", () => {
      if (dialog instanceof HTMLDialogElement) showOver(dialog, file);
      else showInPlace(button, file);
    });
  }
}

/**
 * Shows the one file of the page in place of its button.
 * @param {HTMLButtonElement} button
 * @param {Shown} file
 */
async function showInPlace(button, file) {
  const box = part(document.body, "#preview");
  button.disabled = true;
  button.setAttribute("aria-busy", "true");
  try {
    box.replaceChildren(await render(file, new AbortController().signal));
    box.hidden = false;
    button.remove();
    box.focus();
  } catch (error) {
    button.disabled = false;
    button.removeAttribute("aria-busy");
    fail(error);
  }
}

/** @param {HTMLDialogElement} dialog */
function bindDialog(dialog) {
  part(dialog, "#show-close").addEventListener("click", () => dialog.close());
  // What plays goes on where it cannot be seen.
  dialog.addEventListener("close", () => part(dialog, "#preview").replaceChildren());
}

/**
 * Shows a file of many over the page, until that is closed.
 * @param {HTMLDialogElement} dialog
 * @param {Shown} file
 */
async function showOver(dialog, file) {
  const box = part(dialog, "#preview");
  const closed = new AbortController();
  dialog.addEventListener("close", () => closed.abort(), { once: true });
  part(dialog, "#show-name").textContent = file.name;
  /** @type {HTMLAnchorElement} */ (part(dialog, "#show-download")).href = file.url;
  part(dialog, "#failure").hidden = true;
  box.setAttribute("aria-busy", "true");
  dialog.showModal();
  try {
    const element = await render(file, closed.signal);
    if (!closed.signal.aborted) box.replaceChildren(element);
  } catch (error) {
    if (!closed.signal.aborted) fail(error);
  }
  box.removeAttribute("aria-busy");
}

/**
 * What shows a file, once there is something to see.
 * @param {Shown} file
 * @param {AbortSignal} signal ends the loading
 * @returns {Promise<HTMLElement>}
 */
async function render({ kind, url, name }, signal) {
  switch (kind) {
    case "image": {
      const image = document.createElement("img");
      image.alt = name;
      await loaded(image, "load", url, signal);
      return image;
    }
    case "video":
    case "audio": {
      const player = document.createElement(kind);
      player.controls = true;
      // Else a telephone leaves the page for full screen.
      player.toggleAttribute("playsinline", true);
      player.setAttribute("aria-label", name);
      await loaded(player, "loadedmetadata", url, signal);
      return player;
    }
    case "pdf": {
      const frame = document.createElement("iframe");
      frame.title = name;
      frame.src = url;
      return frame;
    }
    default: {
      const pre = document.createElement("pre");
      pre.textContent = await readText(url, signal);
      pre.tabIndex = 0;
      return pre;
    }
  }
}

/**
 * Gives an element its address and waits until it has loaded what is there.
 * @param {HTMLImageElement | HTMLMediaElement} element
 * @param {string} event
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function loaded(element, event, url, signal) {
  return new Promise((resolve, reject) => {
    element.addEventListener(event, () => resolve(), { once: true });
    element.addEventListener("error", () => reasonOf(url).then(reject), { once: true });
    signal.addEventListener("abort", () => {
      element.removeAttribute("src");
      reject(signal.reason);
    });
    element.src = url;
  });
}

/**
 * Why an element could not load what is at an address: elements are not told.
 * @param {string} url
 */
async function reasonOf(url) {
  const response = await fetch(url, { method: "HEAD" }).catch(() => null);
  return new Error(textOf(response?.status === 429 ? "limited" : "noPreview"));
}

/**
 * The beginning of a text.
 * @param {string} url
 * @param {AbortSignal} signal
 */
async function readText(url, signal) {
  const response = await fetch(url, { headers: { range: `bytes=0-${maxText - 1}` }, signal });
  // An empty file has no first byte.
  if (response.status === 416) return "";
  if (!response.ok) throw new Error(textOf(response.status === 429 ? "limited" : "noText"));
  const whole = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1] ?? 0);
  const text = await response.text();
  return whole > maxText ? `${text}\n\n${textOf("rest")}` : text;
}

/** @param {unknown} error */
function fail(error) {
  const box = part(document.body, "#failure");
  box.textContent = error instanceof Error ? error.message : String(error);
  box.hidden = false;
}

/**
 * One of the page's texts.
 * @param {"noPreview" | "noText" | "limited" | "rest"} name
 */
function textOf(name) {
  return part(document.body, "#failure").dataset[name] ?? "";
}
