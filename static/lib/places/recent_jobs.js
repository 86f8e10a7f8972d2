// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.js";
import { rich, t } from "../i18n.js";
import { hasEnded } from "../jobs/job.js";
import { jobFigures, jobStateKind, jobStateText, jobTitle } from "../jobs/words.js";
import { pollWhileVisible } from "../poll.js";
import { Badge, html, Time } from "../ui.js";

/** @import { Job } from "../jobs/job.js" */

/** Jobs that are shown. */
const shownJobs = 5;

/** Milliseconds between two looks at jobs that go on. */
const pollInterval = 4000;

/**
 * What the server did last for the user by itself, and what it is doing.
 * @param {{ jobs: readonly Job[], now: number }} props
 */
export function RecentJobs({ jobs: first, now }) {
  const [jobs, setJobs] = useState(first);
  const active = jobs.some((job) => !hasEnded(job));
  useEffect(() => {
    if (!active) return;
    const query = { limit: shownJobs };
    return pollWhileVisible(
      async (options) => setJobs((await request("GET", "/api/jobs", { ...options, query })).jobs),
      pollInterval,
    );
  }, [active]);
  return html`
    <ul class="job-list">
      ${jobs.map((job) =>
        html`
          <li key=${job.id}>
            <div class="job-text">
              <span class="truncate" title=${jobTitle(job)}>${jobTitle(job)}</span>
              <span class="cell-sub truncate">${rich("overview.job_facts", {
                figures: jobFigures(job),
                time: html`<${Time} at=${job.finished_at ?? job.created_at} now=${now} />`,
              })}</span>
            </div>
            <${Badge} kind=${jobStateKind(job)}>${jobStateText(job)}<//>
          </li>
        `
      )}
    </ul>
    <p class="overview-more"><a href="/transfers">${t("overview.all_transfers")}</a></p>
  `;
}
