// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { csrfToken, renewSession, scheduler } from "../api.js";
import { queryValue } from "../browse/address.js";
import { errorText, plural } from "../i18n.js";
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

  /** Follows the connection, and asks before the page is left with uploads under way. */
  start() {
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
    this.#begin();
    this.queue.add(found.map(({ file, path }) => ({ file, key: prefix + path })));
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
    this.#begin();
    this.queue.retry(id);
  }

  #begin() {
    if (this.#busy) return;
    this.#busy = true;
  }

  #draw() {
    if (this.#drawing) return;
    this.#drawing = true;
    setTimeout(() => {
      this.#drawing = false;
      const { sent, fraction, done, failed } = this.figures();
      this.#speed.add(sent, performance.now());
      const { busy } = this.queue;
      if (busy) document.title = `(${Math.floor(fraction * 100)}%) ${plainTitle()}`;
      if (!busy && this.#busy) this.#end(done, failed);
      this.version.value++;
    }, tick);
  }

  /**
   * @param {number} done
   * @param {number} failed
   */
  #end(done, failed) {
    this.#busy = false;
    document.title = plainTitle();
    this.#speed = new Speed();
    if (failed > 0) {
      toast(`${plural(failed, "upload", "uploads")} failed. See the list of transfers.`, { kind: "error" });
    } else if (done > 0) toast(`${plural(done, "file", "files")} uploaded`);
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
