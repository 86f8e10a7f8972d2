// @ts-check
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { KeyLabel } from "../browse/key_label.js";
import { t } from "../i18n.js";
import { toast } from "../toast.js";
import { Button, html, IconButton, Notice } from "../ui.js";
import { isFinished, isOpen, placeOf } from "../upload/upload.js";
import { errorReport } from "./error_report.js";
import { JobRow } from "./job_row.js";
import { UnfinishedRow } from "./unfinished_row.js";
import { UploadRow } from "./upload_row.js";

/** @import { MessageKey } from "../i18n.js" */
/** @import { Batch, Upload } from "../upload/upload.js" */
/** @import { FollowedJob } from "./center.js" */
/** @import { TransferSession } from "./session.js" */

/** Rows of a batch at most; the rest is a number. */
const maxShown = 40;

/** What is under way or needs a decision comes first. */
const order = ["asking", "sending", "failed", "paused", "waiting", "done", "skipped", "cancelled"];

/** @type {Readonly<Record<"sign_in" | "offline" | "limited", MessageKey>>} */
const holds = {
  sign_in: "transfers.held_sign_in",
  offline: "transfers.held_offline",
  limited: "transfers.held_limited",
};

/**
 * Everything that is transferred: what can go on, jobs of the server, uploads by batch.
 * @param {{ session: TransferSession, page?: boolean }} props `page` where it fills a page of its own
 */
export function TrayBody({ session, page = false }) {
  const [onlyFailed, setOnlyFailed] = useState(false);
  const uploads = session.shown.uploads.value;
  const jobs = session.shown.jobs.value;
  const failed = uploads.filter(({ state }) => state === "failed");
  const failedJobs = page ? [] : jobs.filter(hasFailed);
  const failures = failed.length + failedJobs.length;
  const filtered = onlyFailed && failures > 0;
  const shownJobs = page ? [] : filtered ? failedJobs : jobs;
  const clean = uploads.length + (page ? 0 : jobs.length) - failures;
  const batches = [...new Set(uploads.map(({ batch }) => batch))].reverse();
  const isEmpty = uploads.length + jobs.length + session.unfinished.rows.value.length === 0;
  return html`
    <div class="tray-body" tabindex="-1">
      <${Held} session=${session} />
      <${Tools} session=${session} page=${page} failed=${failed}>
        ${failures > 0 && clean > 0 && html`
          <label class="check"><input type="checkbox" checked=${filtered}
            onChange=${(/** @type {any} */ event) => setOnlyFailed(event.target.checked)} />
            <span>${t("transfers.only_failed", { n: failures })}</span></label>
        `}
        <//>
      ${isEmpty && html`<p class="tray-empty muted">${t("transfers.empty")}</p>`}
      ${!filtered && html`<${Unfinished} session=${session} />`}
      ${shownJobs.length > 0 && html`
        <ul class="tray-list" aria-label=${t("transfers.jobs")}>
          ${shownJobs.map(({ job, label }) =>
            html`
              <${JobRow} key=${job.id} job=${job} label=${label} onStop=${() => session.jobs.stop(job.id)}
                onRetry=${() => session.jobs.retry(job.id)} />
            `
          )}
        </ul>
      `}
      ${batches.map((batch) =>
        html`
          <${BatchList} key=${batch.id} session=${session} batch=${batch} onlyFailed=${filtered}
            titled=${batches.length > 1 || page} />
        `
      )}
      ${!page && html`<p class="tray-foot"><a href="/transfers">${t("transfers.all")}</a></p>`}
    </div>
  `;
}

/** @param {FollowedJob} followed */
function hasFailed({ job }) {
  return job.failed > 0 || job.error !== undefined;
}

/** @param {{ session: TransferSession }} props */
function Held({ session: { queue } }) {
  const { reason } = queue.hold;
  if (reason === "" || !queue.busy) return null;
  const action = reason === "sign_in" &&
    html`<${Button} small=${true} onClick=${() => queue.hold.signIn()}>${t("transfers.sign_in")}<//>`;
  return html`
    <div class="tray-held">
      <${Notice} kind="warn" action=${action}>${t(holds[reason])}<//></div>
  `;
}

/**
 * What can be done with all of them.
 * @param {{ session: TransferSession, page: boolean, failed: readonly Upload[], children?: any }} props
 */
function Tools({ session, page, failed, children }) {
  const { queue, shown } = session;
  const { uploads } = queue;
  const going = uploads.filter(({ state }) => state === "waiting" || state === "sending");
  const paused = uploads.filter(({ state }) => state === "paused");
  const open = uploads.filter((upload) => isOpen(upload) || upload.state === "paused");
  const jobsFailed = shown.jobs.value.some(hasFailed);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(errorReport(uploads, shown.jobs.value, new Date()));
      toast(t("common.copied"));
    } catch {
      toast(t("common.copy_failed"), { kind: "error" });
    }
  };
  const button = (
    /** @type {string} */ icon,
    /** @type {string} */ label,
    /** @type {() => void} */ run,
    key = icon,
  ) =>
    html`
      <${Button} key=${key} small=${true} kind="quiet" icon=${icon}
        onClick=${run}>${label}<//>
    `;
  // Pausing and going on are the same element: with a new one the focus would go to the button that cancels. Where some are
  // paused, the button that goes away stands before the one that stays.
  const tools = [
    paused.length > 0 &&
    button(
      "play",
      t("transfers.resume_all"),
      () => queue.resume(uploads),
      going.length > 0 ? "resume" : "run",
    ),
    going.length > 0 && button("pause", t("transfers.pause_all"), () => queue.pause(uploads), "run"),
    open.length > 0 && button("close", t("transfers.cancel_all"), () => queue.cancel(open)),
    failed.length > 0 && button("refresh", t("transfers.retry_all"), () => queue.retry(failed)),
    page && uploads.some(isFinished) && button("check", t("transfers.close"), () => queue.clearFinished()),
    (failed.length > 0 || jobsFailed) && button("copy", t("transfers.copy_report"), copy),
  ].filter(Boolean);
  if (tools.length === 0 && !children) return null;
  return html`
    <div class="tray-tools">
      ${tools}${children}
    </div>
  `;
}

/** @param {{ session: TransferSession }} props */
function Unfinished({ session }) {
  const rows = session.unfinished.rows.value;
  if (rows.length === 0) return null;
  return html`
    <ul class="tray-list" aria-label=${t("transfers.unfinished", { n: rows.length })}>
      ${rows.map((row) => html`<${UnfinishedRow} key=${row.id} session=${session} row=${row} />`)}
    </ul>
  `;
}

/**
 * The files of one drop or choice.
 * @param {{ session: TransferSession, batch: Batch, onlyFailed: boolean, titled: boolean }} props
 */
function BatchList({ session, batch, onlyFailed, titled }) {
  const all = session.shown.uploads.value.filter((upload) => upload.batch === batch);
  const uploads = onlyFailed ? all.filter(({ state }) => state === "failed") : all;
  if (uploads.length === 0) return null;
  const sorted = uploads.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.id - b.id);
  const more = sorted.length - maxShown;
  const place = placeOf(batch);
  return html`
    <section class="tray-batch" aria-label=${t("transfers.into", { place })}>
      ${titled && html`<${BatchHead} session=${session} uploads=${all} place=${place} />`}
      <ul class="tray-list" tabindex="0" aria-label=${t("common.files", { n: all.length })}>
        ${sorted.slice(0, maxShown).map((upload) =>
          html`<${UploadRow} key=${upload.id} session=${session} upload=${upload} />`
        )}
        ${more > 0 && html`<li class="tray-more">${t("transfers.and_more", { n: more })}</li>`}
      </ul>
    </section>
  `;
}

/** @param {{ session: TransferSession, uploads: readonly Upload[], place: string }} props */
function BatchHead({ session: { queue }, uploads, place }) {
  const done = uploads.filter(({ state }) => state === "done").length;
  const going = uploads.some(({ state }) => state === "waiting" || state === "sending");
  const paused = uploads.some(({ state }) => state === "paused");
  return html`
    <header class="tray-batch-head">
      <h3 title=${place}><${KeyLabel} name=${place} /></h3>
      <span class="faint">${t("transfers.done_of", { done, n: uploads.length })}</span>
      ${uploads.length > 1 && paused && html`
        <${IconButton} key=${going ? "resume" : "run"} icon="play" class="icon-button-small"
          label=${t("transfers.resume_name", { name: place })} onClick=${() => queue.resume(uploads)} />
      `}
      ${uploads.length > 1 && going && html`
        <${IconButton} key="run" icon="pause" class="icon-button-small"
          label=${t("transfers.pause_name", { name: place })} onClick=${() => queue.pause(uploads)} />
      `}
      ${uploads.length > 1 && !uploads.every(isFinished) && html`
        <${IconButton} key="cancel" icon="close" class="icon-button-small"
          label=${t("transfers.cancel_name", { name: place })} onClick=${() => queue.cancel(uploads)} />
      `}
    </header>
  `;
}
