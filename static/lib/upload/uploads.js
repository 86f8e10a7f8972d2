// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { csrfToken, renewSession, request, scheduler } from "../api.js";
import { queryValue } from "../browse/address.js";
import { errorText } from "../i18n.js";
import { toast } from "../toast.js";
import { UploadQueue } from "./queue.js";
import { sendFile } from "./send.js";
import { Speed } from "./speed.js";
import { fractionDone, totalsOf } from "./totals.js";

/** @import { Browser } from "../browse/browser.js" */
/** @import { Upload } from "./queue.js" */
/** @import { Outcome } from "./retry.js" */
/** @import { FoundFile } from "./walk.js" */

/** Milliseconds between two updates of what is shown. */
const tick = 120;

/** Files above so many bytes are sent only after a look whether their name is taken: a refusal would come too late. */
const lookFirst = 1024 * 1024;

/** The uploads of a page: the queue, bound to the API and to what is shown. */
export class Uploads {
  /** Goes up when something has changed that is shown. */
  version = signal(0);
  #browser;
  #speed = new Speed();
  #drawing = false;
  #busy = false;

  /** @param {Browser} browser */
  constructor(browser) {
    this.#browser = browser;
    this.queue = new UploadQueue({
      send: (upload, options) => this.#send(upload, options),
      signIn: renewSession,
      onStored: ({ key, file }) => browser.noteStored({ key, size: file.size, modified: Date.now() }),
      onChange: () => this.#draw(),
      clock: Date.now,
      later: (run, delay) => setTimeout(run, delay),
      random: Math.random,
    });
  }

  /** Follows the connection and the session, and asks before the page is left with uploads under way. */
  start() {
    addEventListener("session-renewed", () => this.queue.signedIn());
    addEventListener("offline", () => this.queue.offline());
    addEventListener("online", () => this.queue.online());
    addEventListener("beforeunload", (event) => {
      if (this.queue.busy) event.preventDefault();
    });
  }

  /**
   * Uploads files into a folder.
   *
   * @param {readonly FoundFile[]} found
   * @param {string} prefix
   */
  add(found, prefix) {
    if (found.length === 0) {
      toast("There is no file in what was dropped or chosen.", { kind: "info" });
      return;
    }
    if (!this.queue.busy) this.queue.clearFinished();
    this.#busy = true;
    this.queue.add(found.map(({ file, path }) => ({ file, key: prefix + path, prefix })));
  }

  /** The uploads in figures, with bytes per second and seconds left. */
  figures() {
    const totals = totalsOf(this.queue.uploads);
    const now = performance.now();
    return {
      ...totals,
      fraction: fractionDone(totals),
      speed: this.#speed.bytesPerSecond(now),
      secondsLeft: this.#speed.secondsLeft(totals.bytes - totals.sent, now),
    };
  }

  /**
   * Sends a file again that was not stored.
   *
   * @param {number} id
   */
  retry(id) {
    this.#busy = true;
    this.queue.retry(id);
  }

  /**
   * What is stored under a key.
   *
   * @param {string} key
   * @param {AbortSignal} signal
   * @returns {Promise<import("../browse/details.js").ObjectInfo>}
   */
  describe(key, signal) {
    return request("GET", `${this.#browser.api}/object/info`, { query: { key }, signal });
  }

  #draw() {
    if (this.#drawing) return;
    this.#drawing = true;
    setTimeout(() => {
      this.#drawing = false;
      const { sent, fraction } = this.figures();
      this.#speed.add(sent, performance.now());
      const { busy } = this.queue;
      if (busy) document.title = `(${Math.floor(fraction * 100)}%) ${plainTitle()}`;
      if (!busy && this.#busy) this.#end();
      this.version.value++;
    }, tick);
  }

  #end() {
    this.#busy = false;
    document.title = plainTitle();
    this.#speed = new Speed();
  }

  /**
   * @param {Upload} upload
   * @param {{ ifAbsent: boolean, signal: AbortSignal, onProgress: (sent: number) => void }} options
   * @returns {Promise<Outcome>}
   */
  async #send({ key, file }, { ifAbsent, signal, onProgress }) {
    const url = `${this.#browser.api}/object?key=${queryValue(key)}`;
    try {
      await scheduler.slot("visible", signal);
      if (ifAbsent && file.size > lookFirst && (await fetch(url, { method: "HEAD", signal })).ok) {
        return { status: 409, code: "object_exists" };
      }
    } catch {
      return { status: 0, message: errorText({ code: "network", message: "" }) };
    }
    const outcome = await sendFile(ifAbsent ? `${url}&if_absent=true` : url, file, {
      headers: { "content-type": file.type || "application/octet-stream", "x-csrf-token": csrfToken() },
      signal,
      onProgress,
    });
    // The answer to any request carries the token that counts now.
    if (outcome.code === "csrf_invalid") await fetch("/api/me").catch(() => {});
    return {
      ...outcome,
      message: errorText({ code: outcome.code ?? "network", message: outcome.message ?? "" }),
    };
  }
}

/** The page's title without the progress in front of it. */
function plainTitle() {
  return document.title.replace(/^\(\d+%\) /, "");
}
