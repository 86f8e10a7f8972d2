// @ts-check
/// <reference lib="dom" />
import { effect } from "@preact/signals";
import { renewSession } from "../api.js";
import { readBootData } from "../boot_data.js";
import { t } from "../i18n.js";
import { hasEnded } from "../jobs/job.js";
import { toast, toastError } from "../toast.js";
import { reviewed, uploadsOf } from "../upload/intake.js";
import { Lanes } from "../upload/lanes.js";
import { UploadQueue } from "../upload/queue.js";
import { Sender } from "../upload/sender.js";
import { UnfinishedUploads } from "../upload/unfinished.js";
import { isOpen } from "../upload/upload.js";
import { FollowedJobs } from "./followed_jobs.js";
import { JobsProgress } from "./jobs_progress.js";
import { UploadProgress } from "./progress.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Job } from "../jobs/job.js" */
/** @import { Intake } from "../upload/intake.js" */
/** @import { UploadRow } from "../upload/store.js" */
/** @import { Batch, Upload } from "../upload/upload.js" */
/** @import { FollowedJob } from "./center.js" */

/** Milliseconds between two updates of what is shown. */
const tick = 250;

/** Requests with content under way at once: over HTTP/1.1 a browser has six connections, and the page needs some. */
const usualLanes = 4;
const manyLanes = 6;

/** Under this name the browser keeps that uploads are unfinished, for the pages to come. */
export const unfinishedFlag = "transfers.unfinished";

/** What runs behind the transfers once there are any. */
export class TransferSession {
  /** @type {UploadQueue} */
  queue;
  /** @type {UploadProgress} */
  progress;
  jobsProgress = new JobsProgress();
  unfinished;
  jobs;
  #shown;
  /** @type {Sender} */
  #sender;
  #drawing = false;
  #lastBatch = 0;

  /**
   * @param {{
   *   uploads: Signal<readonly Upload[]>, jobs: Signal<readonly FollowedJob[]>, underWay: Signal<number>
   * }} shown
   */
  constructor(shown) {
    const userId = readBootData().me?.id ?? "";
    this.#shown = shown;
    this.unfinished = new UnfinishedUploads(userId);
    this.jobs = new FollowedJobs(shown.jobs, userId);
    this.#sender = new Sender({
      lanes: new Lanes(hasManyConnections() ? manyLanes : usualLanes),
      rate: () => this.progress.topRate,
      onBegun: async (upload, begun, contentType) => {
        localStorage.setItem(unfinishedFlag, "1");
        await this.unfinished.remember(upload, begun, contentType);
      },
      onAborted: (upload) => this.unfinished.forget(upload),
    });
    this.queue = new UploadQueue({
      send: (upload, options) => this.#sender.send(upload, options),
      signIn: renewSession,
      onStored: (upload) => this.#stored(upload),
      onDropped: (upload) => this.#drop(upload),
      onChange: () => this.#draw(),
      describeLoss: () => t("upload.error_lost"),
      clock: Date.now,
      later: (run, delay) => setTimeout(run, delay),
      random: Math.random,
    });
    this.progress = new UploadProgress(this.queue);
  }

  /** Follows the connection and the session, asks before the page is left, and finds what was left unfinished. */
  async start() {
    const { hold } = this.queue;
    const { uploads, jobs, underWay } = this.#shown;
    effect(() => {
      underWay.value = uploads.value.filter(isOpen).length +
        jobs.value.filter(({ job }) => !hasEnded(job)).length;
    });
    effect(() => this.jobsProgress.update(jobs.value));
    addEventListener("session-renewed", () => hold.signedIn());
    addEventListener("offline", () => hold.offline());
    addEventListener("online", () => hold.online());
    addEventListener("beforeunload", (event) => {
      if (this.queue.losable) event.preventDefault();
    });
    const [{ mountTray }] = await Promise.all([
      import("./tray.js"),
      this.unfinished.refresh(),
      this.jobs.restore(),
    ]);
    if (this.unfinished.rows.value.length === 0) localStorage.removeItem(unfinishedFlag);
    await mountTray(this);
  }

  /** @param {Intake} intake */
  async addFiles(intake) {
    const { backend, bucket, prefix, found } = intake;
    if (found.length === 0) {
      toast(t("upload.nothing_found"), { kind: "info" });
      return;
    }
    const options = await reviewed(intake);
    if (options === null) return;
    const { choice, contentType, storageClass, tags } = options;
    const batch = { id: ++this.#lastBatch, backend, bucket, prefix, choice, contentType, storageClass, tags };
    this.queue.add(uploadsOf(intake, options), batch);
  }

  /**
   * @param {Job} job
   * @param {{ label: string }} options
   */
  followJob(job, { label }) {
    this.jobs.follow(job, label);
  }

  /**
   * Goes on with an upload that an earlier page has begun. Throws `WrongFile` for another file.
   * @param {UploadRow} row
   * @param {File} file
   */
  async takeUp(row, file) {
    const upload = await this.unfinished.takeUp(row, file);
    const { backend, bucket, prefix, contentType, storageClass = "", tags, replace } = row;
    /** @type {Batch} */
    const batch = {
      id: ++this.#lastBatch,
      backend,
      bucket,
      prefix,
      choice: replace ? "replace" : null,
      contentType,
      storageClass,
      tags,
    };
    this.queue.add([upload], batch);
  }

  /** Forgets uploads and jobs that are over. */
  clearFinished() {
    this.queue.clearFinished();
    this.jobs.clearEnded();
  }

  /** Whether nothing is to be shown. */
  get isEmpty() {
    return this.#shown.uploads.value.length === 0 && this.#shown.jobs.value.length === 0 &&
      this.unfinished.rows.value.length === 0;
  }

  /** The uploads and jobs as they are shown. */
  get shown() {
    return this.#shown;
  }

  /** @param {Upload} upload */
  #stored(upload) {
    this.unfinished.forget(upload);
    const { batch: { backend, bucket }, key, size } = upload;
    dispatchEvent(
      new CustomEvent("object-stored", { detail: { backend, bucket, key, size, modified: Date.now() } }),
    );
  }

  /** @param {Upload} upload */
  async #drop(upload) {
    try {
      await this.#sender.drop(upload);
    } catch (error) {
      toastError(t("upload.error_abort"), error);
    }
  }

  #draw() {
    if (this.#drawing) return;
    this.#drawing = true;
    setTimeout(() => {
      this.#drawing = false;
      this.progress.update(performance.now());
      this.#shown.uploads.value = [...this.queue.uploads];
    }, tick);
  }
}

/** Whether the server speaks a protocol that carries many requests over one connection. */
function hasManyConnections() {
  const [page] = performance.getEntriesByType("navigation");
  const { nextHopProtocol = "" } = /** @type {PerformanceNavigationTiming | undefined} */ (page) ?? {};
  return nextHopProtocol === "h2" || nextHopProtocol === "h3";
}
