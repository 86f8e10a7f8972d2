// @ts-check
/// <reference lib="dom" />
import { signal } from "@preact/signals";
import { t } from "../i18n.js";
import { toastError } from "../toast.js";
import { whenIdle } from "../when_idle.js";

/** @import { Job } from "../jobs/job.js" */
/** @import { Upload } from "../upload/upload.js" */
/** @import { FoundFile } from "../upload/walk.js" */
/** @import { TransferSession } from "./session.js" */

/**
 * A job that the tray shows.
 * @typedef {object} FollowedJob
 * @property {string} label what it does, such as `Copy 12 objects to archive`
 * @property {Job} job as it was heard of last
 */

/** Under these names the browser keeps what goes on beyond a page. */
const kept = ["transfers.unfinished", "transfers.jobs"];

/** What this document sends, and the jobs that the server does for it. Lives through navigation inside the app. */
class Transfers {
  /** Uploads of this document, oldest first. */
  uploads = signal(/** @type {readonly Upload[]} */ ([]));
  /** Jobs that were started here, oldest first. */
  jobs = signal(/** @type {readonly FollowedJob[]} */ ([]));
  /** How many of them go on. */
  underWay = signal(0);
  /** @type {Promise<TransferSession> | null} */
  #session = null;

  /**
   * Uploads files and folders below a prefix. Small amounts start at once; of much, or of what does not fit, an overview
   * is shown before, as it is with `ask`. Says itself what goes wrong.
   * @param {{ backend: string, bucket: string, prefix: string, found: readonly FoundFile[], ask?: boolean }} batch
   */
  async addFiles(batch) {
    await this.#do((session) => session.addFiles(batch));
  }

  /**
   * Shows a job in the tray until it is cleared there.
   * @param {Job} job as its start was answered
   * @param {{ label: string }} options
   */
  async followJob(job, { label }) {
    await this.#do((session) => session.followJob(job, { label }));
  }

  /** Opens the tray and moves the focus into it, or closes it. */
  async openTray() {
    await this.#do(async () => (await import("./tray.js")).toggleTray());
  }

  /**
   * What runs behind the transfers; the tray is there when it resolves.
   * @returns {Promise<TransferSession>}
   */
  start() {
    this.#session ??= this.#begin();
    this.#session.catch(() => this.#session = null);
    return this.#session;
  }

  /** Brings the tray back, when the page is idle, if the page before has left something behind. */
  restore() {
    if (kept.every((name) => localStorage.getItem(name) === null)) return;
    whenIdle(() => this.#do(() => {}));
  }

  /** @param {(session: TransferSession) => unknown} act */
  async #do(act) {
    try {
      await act(await this.start());
    } catch (error) {
      toastError(t("transfers.start_failed"), error);
    }
  }

  async #begin() {
    const { TransferSession } = await import("./session.js");
    const session = new TransferSession(this);
    await session.start();
    return session;
  }
}

/** The transfers of this document. */
export const transfers = new Transfers();
