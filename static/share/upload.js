// @ts-check
/// <reference lib="dom" />

// The script of the page on which somebody is asked for files. Without it the page's form sends them. Its texts come from the
// server, in the language of the page, and so does the row of a file.

import { part } from "./part.js";
import { drawShare, drawState, isWanted, newSending, say } from "./row.js";
import { endsAll, mayPass, sendFile, wordsFor } from "./sending.js";

/** Files that are sent at once. */
const lanes = 3;

/** How often one is tried, where trying again may help; and how often in a row all of them wait for room. */
const maxTries = 5;
const maxWaits = 60;

/** Milliseconds within which a browser tells of a drag again that goes on over the page. */
const dragInterval = 600;

/** @import { Found, Sending } from "./row.js" */
/** @import { Outcome } from "./sending.js" */

const form = /** @type {HTMLFormElement} */ (byId("sending"));
const list = byId("files");
const sum = byId("sum");
const total = byId("total");
const again = byId("again");
const template = /** @type {HTMLTemplateElement} */ (byId("file"));
const input = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
const language = document.documentElement.lang;
const percent = new Intl.NumberFormat(language, { style: "percent" });
const numbers = new Intl.NumberFormat(language);
const { title } = document;

/** @type {Map<Element, Sending>} */
const all = new Map();
/** Files that wait for a lane, first come, first served; those that do not wait any more are passed over. @type {Sending[]} */
let queue = [];
/** What the link still takes, less what is on its way to it. */
const left = { files: Number(form.dataset.files), bytes: Number(form.dataset.bytes) };
const counts = { waiting: 0, sending: 0, done: 0, failed: 0, refused: 0 };
const bytes = { wanted: 0, sent: 0 };
let waits = 0;
let paused = false;
let note = "";

listen();
document.documentElement.dataset.ready = "";

function listen() {
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  for (const element of document.querySelectorAll("time")) {
    element.title = dateTime.format(new Date(element.dateTime));
  }
  const folder = Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true });
  for (const field of [input, folder]) {
    field.addEventListener("change", () => {
      add(Array.from(field.files ?? [], (file) => ({
        file,
        folder: file.webkitRelativePath.slice(0, -file.name.length - 1),
      })));
      field.value = "";
    });
  }
  const pick = byId("folder");
  pick.hidden = !("webkitdirectory" in HTMLInputElement.prototype);
  pick.addEventListener("click", () => folder.click());
  form.addEventListener("submit", (event) => event.preventDefault());
  list.addEventListener("click", ({ target }) => {
    const row = target instanceof HTMLButtonElement ? target.closest("li") : null;
    const sending = row === null ? undefined : all.get(row);
    if (sending !== undefined) press(sending);
  });
  again.addEventListener("click", () => {
    for (const sending of all.values()) if (sending.state === "failed") enqueue(sending);
    input.focus();
    next();
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    clearTimeout(leaving);
    form.classList.add("over");
  });
  addEventListener("dragleave", ({ relatedTarget, clientX, clientY }) => {
    if (relatedTarget !== null) return;
    // In Safari a drag leaves every element as if it left the page.
    const isInside = clientX > 0 && clientY > 0 && clientX < innerWidth && clientY < innerHeight;
    const leave = () => form.classList.remove("over");
    clearTimeout(leaving);
    if (isInside) leaving = setTimeout(leave, dragInterval);
    else leave();
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    void drop([...event.dataTransfer?.items ?? []]);
  });
  addEventListener("online", next);
  addEventListener("beforeunload", (event) => {
    if (isBusy()) event.preventDefault();
  });
}

/**
 * Takes the files of what was dropped, those in folders too.
 * @param {readonly DataTransferItem[]} items
 */
async function drop(items) {
  const dropped = items.filter(({ kind }) => kind === "file");
  // Once this turn is over they say nothing any more.
  const files = dropped.filter((item) => !item.webkitGetAsEntry()?.isDirectory)
    .map((item) => item.getAsFile()).filter((file) => file !== null);
  const folders = dropped.map((item) => item.webkitGetAsEntry()).filter((entry) => entry?.isDirectory);
  const single = files.map((file) => ({ file, folder: "" }));
  if (folders.length === 0) return add(single);
  const { filesIn } = await import("./folders.js");
  const { found, unread } = await filesIn(/** @type {FileSystemEntry[]} */ (folders), left.files);
  add([...single, ...found], unread ? textOf("unread") : "");
}

/**
 * @param {readonly Found[]} files
 * @param {string} [problem] what is to be said besides
 */
function add(files, problem = "") {
  const wanted = files.filter(isWanted);
  note = problem || (wanted.length === 0 ? textOf("empty") : "");
  const rows = document.createDocumentFragment();
  for (const found of wanted) {
    const sending = newSending(template, found);
    all.set(sending.row, sending);
    rows.append(sending.row);
    counts.waiting++;
    const refusal = refusalOf(found.file);
    if (refusal === "") {
      take(sending, 1);
      enqueue(sending);
    } else show(sending, "refused", textOf(refusal));
  }
  list.append(rows);
  next();
}

/** Why a file need not be sent, as the name of words. @param {File} file */
function refusalOf({ size }) {
  if (size > Number(form.dataset.max)) return "tooLarge";
  return left.files < 1 || size > left.bytes ? "tooMuch" : "";
}

/** Takes the room of a file from what the link takes, or gives it back. @param {Sending} sending @param {1 | -1} sign */
function take({ found: { file } }, sign) {
  left.files -= sign;
  left.bytes -= sign * file.size;
  bytes.wanted += sign * file.size;
}

/** @param {Sending} sending */
function enqueue(sending) {
  sending.tries = 0;
  show(sending, "waiting", textOf("waiting"));
  queue.push(sending);
}

/** Cancels or removes a file, or tries again to send it. @param {Sending} sending */
function press(sending) {
  const { row, state, request } = sending;
  if (state === "failed") {
    enqueue(sending);
    return next();
  }
  counts[state]--;
  if (state !== "refused") take(sending, -1);
  all.delete(row);
  request?.abort();
  const after = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  const target = after?.querySelector("button:not([hidden])") ?? input;
  /** @type {HTMLElement} */ (target).focus();
  next();
}

/** Sends as many of those that wait as may be under way at once. */
function next() {
  while (!paused && counts.sending < lanes && queue.length > 0) {
    const [sending] = queue.splice(0, 1);
    if (all.has(sending.row) && sending.state === "waiting") send(sending);
  }
  summarize();
}

/** @param {Sending} sending */
function send(sending) {
  const { found } = sending;
  sending.tries++;
  sending.loaded = 0;
  show(sending, "sending", percent.format(0));
  sending.request = sendFile(form.action, found, {
    onProgress(loaded) {
      sending.loaded = Math.min(loaded, found.file.size);
      // The last byte has left, but is not stored yet.
      const share = Math.min(loaded / (found.file.size || 1), 0.99);
      drawShare(sending, share, percent.format(share));
      summarize();
    },
    onEnd(outcome) {
      sending.request = null;
      sending.loaded = 0;
      if (outcome.status === 201) {
        waits = 0;
        // It told the room from before.
        byId("room").hidden = true;
        bytes.sent += found.file.size;
        show(sending, "done", textOf("done"));
      } else fail(sending, outcome);
      next();
    },
  });
}

/**
 * Tries again later where that may help, or says why not.
 * @param {Sending} sending
 * @param {Outcome} outcome
 */
function fail(sending, outcome) {
  const { status, code, retryAfter } = outcome;
  // The password has to be given again.
  if (status === 401) return location.reload();
  if (status === 429 && waits++ < maxWaits) {
    sending.tries--;
    show(sending, "waiting", textOf("waiting"));
    queue.unshift(sending);
    return pause(retryAfter || 5);
  }
  if (mayPass(outcome) && sending.tries < maxTries) {
    show(sending, "waiting", textOf(status === 0 ? "offline" : "waiting"));
    const wait = retryAfter || 2 ** (sending.tries - 1);
    setTimeout(() => {
      queue.push(sending);
      next();
    }, 1000 * wait + 500 * Math.random());
    return;
  }
  const words = textOf(wordsFor(outcome));
  const isRefused = code === "too_large" || code === "invalid_key";
  show(sending, isRefused ? "refused" : "failed", words);
  if (isRefused) take(sending, -1);
  if (!endsAll(outcome)) return;
  for (const other of all.values()) if (other.state === "waiting") show(other, "failed", words);
  queue = [];
}

/** Sends nothing more for a while: there is no room for it where it goes. @param {number} seconds */
function pause(seconds) {
  if (paused) return;
  paused = true;
  setTimeout(() => {
    paused = false;
    next();
  }, 1000 * seconds + 500 * Math.random());
}

/**
 * @param {Sending} sending
 * @param {Sending["state"]} state
 * @param {string} text
 */
function show(sending, state, text) {
  counts[sending.state]--;
  counts[state]++;
  sending.state = state;
  drawState(sending, text, textOf(state === "failed" ? "again" : state === "refused" ? "remove" : "cancel"));
}

/** Says how far all of it is, and how it ended. */
function summarize() {
  const { done, failed, refused } = counts;
  const busy = isBusy();
  const files = done + failed + counts.waiting + counts.sending;
  list.hidden = all.size === 0;
  total.hidden = files < 2;
  again.hidden = busy || failed < 2;
  // Empty files take part, too.
  let loaded = bytes.sent + done;
  for (const one of all.values()) if (one.state === "sending") loaded += one.loaded;
  const share = loaded / (bytes.wanted + files || 1);
  part(total, "span").textContent = textOf("count").replace("{done}", numbers.format(done))
    .replace("{all}", numbers.format(files));
  part(total, ".number").textContent = percent.format(share);
  /** @type {HTMLProgressElement} */ (part(total, "progress")).value = share;
  // Told in steps, not with every byte.
  say(part(total, "[role=status]"), busy && files > 1 ? percent.format(Math.floor(share * 4) / 4) : "");
  const end = all.size === 0 || busy ? "" : textOf(failed + refused > 0 ? "some" : "all");
  say(sum, `${note} ${end}`.trim());
  document.title = busy ? `(${percent.format(share)}) ${title}` : title;
}

function isBusy() {
  return counts.waiting + counts.sending > 0;
}

/** One of the page's texts. @param {string} name */
function textOf(name) {
  return form.dataset[name] ?? "";
}

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
