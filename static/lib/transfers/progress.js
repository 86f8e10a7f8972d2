// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { t } from "../i18n.js";
import { Speed } from "../upload/speed.js";
import { fractionDone, totalsOf } from "../upload/totals.js";
import { showInTitle } from "./title.js";

/** @import { Totals } from "../upload/totals.js" */
/** @import { Upload } from "../upload/upload.js" */
/** @import { UploadQueue } from "../upload/queue.js" */

/**
 * The uploads in figures.
 * @typedef {Totals & { fraction: number, speed: number, secondsLeft: number | null, busy: boolean }} Figures
 * `fraction` is 0 to 1, `speed` bytes per second
 */

/** Parts of the whole after which it is said how far everything is. */
const announcedSteps = 4;

/** Follows how far the uploads are: for the tray, the title and screen readers. */
export class UploadProgress {
  figures = signal(/** @type {Figures | null} */ (null));
  /** What screen readers are to say. */
  announcement = signal("");
  /** Bytes per second that the line carried at best lately. */
  topRate = 0;
  #queue;
  #all = new Speed();
  /** @type {Map<number, Speed>} */
  #each = new Map();
  #round = 0;
  #step = 0;

  /** @param {UploadQueue} queue */
  constructor(queue) {
    this.#queue = queue;
  }

  /**
   * Takes note of where everything is.
   * @param {number} now milliseconds
   */
  update(now) {
    const { uploads, round, busy } = this.#queue;
    if (round !== this.#round) this.#begin(round);
    const totals = totalsOf(uploads.filter((upload) => upload.round === round));
    this.#all.add(totals.sent, now);
    for (const upload of uploads) this.#follow(upload, now);
    const speed = this.#all.bytesPerSecond(now);
    this.topRate = Math.max(speed, this.topRate * 0.999);
    const secondsLeft = this.#all.secondsLeft(totals.bytes - totals.sent, now);
    const figures = { ...totals, fraction: fractionDone(totals), speed, secondsLeft, busy };
    this.#announce(figures, this.figures.peek()?.busy ?? false);
    this.figures.value = uploads.length === 0 ? null : figures;
    showInTitle("uploads", busy && totals.files > 0 ? figures : null);
  }

  /**
   * How fast a file goes.
   * @param {Upload} upload
   * @returns {{ speed: number, secondsLeft: number | null }} bytes per second, seconds
   */
  of({ id, size, sent }) {
    const now = performance.now();
    const speed = this.#each.get(id);
    return {
      speed: speed?.bytesPerSecond(now) ?? 0,
      secondsLeft: speed?.secondsLeft(size - sent, now) ?? null,
    };
  }

  /** @param {number} round */
  #begin(round) {
    this.#round = round;
    this.#all = new Speed();
    this.#step = 0;
    this.#each.clear();
  }

  /**
   * @param {Upload} upload
   * @param {number} now
   */
  #follow({ id, state, sent }, now) {
    if (state !== "sending") {
      this.#each.delete(id);
      return;
    }
    const speed = this.#each.get(id) ?? new Speed();
    this.#each.set(id, speed);
    speed.add(sent, now);
  }

  /**
   * @param {Figures} figures
   * @param {boolean} wasBusy
   */
  #announce({ busy, files, done, failed, fraction }, wasBusy) {
    const step = Math.floor(fraction * announcedSteps);
    if (busy && !wasBusy) this.announcement.value = t("transfers.announce_start", { n: files });
    else if (busy && step > this.#step) {
      this.announcement.value = t("transfers.announce_step", { percent: step * 100 / announcedSteps });
    } else if (!busy && wasBusy) {
      this.announcement.value = failed > 0
        ? t("transfers.announce_failed", { n: failed })
        : done > 0
        ? t("transfers.announce_end", { n: done })
        : t("transfers.announce_nothing");
    }
    this.#step = step;
  }
}
