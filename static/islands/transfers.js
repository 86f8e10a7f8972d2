// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../lib/api.js";
import { t } from "../lib/i18n.js";
import { hasEnded } from "../lib/jobs/job.js";
import { notePace } from "../lib/jobs/pace.js";
import { retryJob, stopJob } from "../lib/jobs/start.js";
import { watchJob } from "../lib/jobs/watch.js";
import { PageHead } from "../lib/page_head.js";
import { toastError } from "../lib/toast.js";
import { transfers } from "../lib/transfers/center.js";
import { filterStates, matches, transfersPage } from "../lib/transfers/filter.js";
import { JobRow } from "../lib/transfers/job_row.js";
import { UploadsHere } from "../lib/transfers/uploads_here.js";
import { Button, EmptyState, html, Notice, Time } from "../lib/ui.js";

/** @import { Me } from "../lib/boot_data.js" */
/** @import { Job } from "../lib/jobs/job.js" */
/** @import { TransferFilter } from "../lib/transfers/filter.js" */

/**
 * What this browser sends, and what the server does: the queue and what is over. The filter is the page's address.
 * @param {{
 *   filter: TransferFilter, jobs: Job[], next: string | null, users: Record<string, string>, me: Me, now: number
 * }} props `users` are the names of those whose jobs are shown
 */
export function Island({ filter, jobs: first, next: firstNext, users, me, now }) {
  const { jobs, change, loadMore, next, busy } = useJobs(filter, first, firstNext);
  const shown = jobs.filter((job) => matches(job, filter.state));
  return html`
    <${PageHead} title=${t("transfers.title")}>${t("transfers.page_lead")}<//>
    <${UploadsHere} />
    <section class="transfers-section" aria-labelledby="transfers-server">
      <div class="transfers-head">
        <h2 id="transfers-server">${t("transfers.server")}</h2>
        <${Filter} filter=${filter} me=${me} />
      </div>
      <div class="table-box">
        ${shown.length === 0 ? html`<${NoJobs} filter=${filter} more=${next !== null} />` : html`
          <ul class="transfers-list" aria-label=${t("transfers.server")}>
            ${shown.map((job) =>
              html`
                <${HistoryRow} key=${job.id} job=${job} users=${users} me=${me} now=${now}
                  onChange=${change} />
              `
            )}
          </ul>
        `}
        ${(shown.length > 0 || next !== null) && html`
          <div class="table-foot">
            <span role="status">${t("transfers.shown", { n: shown.length })}</span>
            ${next !== null &&
              html`<${Button} small=${true} busy=${busy} onClick=${loadMore}>${t("common.load_more")}<//>`}
          </div>
        `}
      </div>
    </section>
  `;
}

/**
 * The jobs, kept up to date: those that go on are followed, and those that are started here are added.
 * @param {TransferFilter} filter
 * @param {Job[]} first
 * @param {string | null} firstNext
 */
function useJobs(filter, first, firstNext) {
  const [jobs, setJobs] = useState(first);
  const [next, setNext] = useState(firstNext);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setJobs(first);
    setNext(firstNext);
  }, [first]);
  const change = (/** @type {Job} */ changed) => {
    notePace(changed);
    setJobs((shown) =>
      shown.some(({ id }) => id === changed.id)
        ? shown.map((job) => job.id === changed.id ? { ...job, ...changed } : job)
        : [changed, ...shown]
    );
  };
  const followed = transfers.jobs.value.map(({ job }) => job);
  const open = jobs.filter((job) => !hasEnded(job)).map(({ id }) => id);
  useEffect(() => {
    const stops = open.map((id) => watchJob(id, change));
    return () => stops.forEach((stop) => stop());
  }, [open.join()]);
  useEffect(() => {
    for (const job of followed) {
      if (!jobs.some(({ id }) => id === job.id)) change(job);
    }
  }, [followed.map(({ id }) => id).join()]);
  const loadMore = async () => {
    setBusy(true);
    try {
      const query = { scope: filter.scope, after: next };
      const page = await request("GET", "/api/jobs", { query });
      setJobs((shown) => [...shown, ...page.jobs]);
      setNext(page.next ?? null);
    } catch (error) {
      toastError(t("transfers.load_more_failed"), error);
    }
    setBusy(false);
  };
  return { jobs, change, loadMore, next, busy };
}

/** @param {{ filter: TransferFilter, me: Me }} props */
function Filter({ filter, me }) {
  const link = (/** @type {TransferFilter} */ wanted, /** @type {string} */ words) =>
    html`
      <a key=${words} href=${transfersPage(wanted)}
        aria-current=${wanted.scope === filter.scope && wanted.state === filter.state
          ? "true"
          : undefined}>${words}</a>
    `;
  return html`
    ${me.can.read_audit && html`
      <nav class="row choice" aria-label=${t("transfers.whose")}>
        ${link({ ...filter, scope: "own" }, t("transfers.mine"))}
        ${link({ ...filter, scope: "all" }, t("transfers.everyone"))}
      </nav>
    `}
    <nav class="row choice" aria-label=${t("transfers.which")}>
      ${filterStates.map(([state, words]) => link({ ...filter, state }, t(words)))}
    </nav>
  `;
}

/**
 * @param {{
 *   job: Job, users: Record<string, string>, me: Me, now: number, onChange: (job: Job) => void
 * }} props
 */
function HistoryRow({ job, users, me, now, onChange }) {
  const showFailures = async () => {
    try {
      onChange(await request("GET", `/api/jobs/${job.id}`));
    } catch (error) {
      toastError(t("transfers.load_failed"), error);
    }
  };
  return html`
    <${JobRow} job=${job} onStop=${async () => onChange(await stopJob(job.id))}
      onRetry=${async () => onChange(await retryJob(job.id))} onShow=${showFailures}>
      <p class="transfer-when">
        <${Time} at=${job.finished_at ?? job.started_at ?? job.created_at} now=${now} />
        ${job.user_id !== me.id &&
          html`<span>${t("transfers.by", { name: users[job.user_id] ?? job.user_id })}</span>`}
      </p>
      <//>
  `;
}

/** @param {{ filter: TransferFilter, more: boolean }} props */
function NoJobs({ filter, more }) {
  if (filter.state !== "") {
    const all = transfersPage({ ...filter, state: "" });
    return html`
      <${EmptyState} icon="transfer" title=${t("transfers.no_match")}
        action=${html`<a class="button" href=${all}>${t("transfers.show_all")}</a>`}>${t(
          "transfers.no_match_text",
        )}<//>
    `;
  }
  if (more) return html`<${Notice}>${t("transfers.no_match")}<//>`;
  return html`
    <${EmptyState} icon="transfer" title=${t("transfers.no_jobs")}
      action=${html`<a class="button" href="/">${t("transfers.choose_bucket")}</a>`}>${t(
        "transfers.no_jobs_text",
      )}<//>
  `;
}
