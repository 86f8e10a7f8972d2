// @ts-check
import { useState } from "preact/hooks";
import { ErrorWords } from "../error_texts.js";
import { t } from "../i18n.js";
import { hasEnded, jobProgress } from "../jobs/job.js";
import { paceText } from "../jobs/pace.js";
import { describeLocked, isLocked } from "../jobs/locked.js";
import { jobFigures, jobStateKind, jobStateText, jobTitle } from "../jobs/words.js";
import { toastError } from "../toast.js";
import { html, Icon, IconButton } from "../ui.js";

/** @import { Job, JobFailure } from "../jobs/job.js" */

/** Failures of a job that are listed at most. */
const maxListed = 100;

/** @type {Readonly<Record<Job["kind"], string>>} */
const icons = {
  copy: "copy",
  transfer: "transfer",
  copy_prefix: "copy",
  transfer_prefix: "transfer",
  delete_prefix: "trash",
  measure: "chart",
};

/**
 * A job of the server: what it does, how far it is, what it failed at, and what can be done with it.
 * @param {{
 *   job: Job, label?: string, onStop: () => Promise<unknown>, onRetry: () => Promise<unknown>,
 *   onShow?: () => unknown, children?: any
 * }} props `onShow` is called when its failures are to be shown and are not there; `children` goes below its name
 */
export function JobRow({ job, label, onStop, onRetry, onShow, children }) {
  const [busy, setBusy] = useState(false);
  const title = label || jobTitle(job);
  const ended = hasEnded(job);
  const progress = jobProgress(job);
  const kind = jobStateKind(job);
  const act = async (/** @type {() => Promise<unknown>} */ run, /** @type {string} */ failure) => {
    setBusy(true);
    try {
      await run();
    } catch (error) {
      toastError(failure, error);
    }
    setBusy(false);
  };
  return html`
    <li class="transfer transfer-job transfer-${job.state}">
      <${Icon} name=${kind === "ok" ? "check" : kind === "info" ? icons[job.kind] : "alert"}
        class="transfer-${kind}" />
      <div class="transfer-text">
        <p class="transfer-path" title=${title}><bdi>${title}</bdi></p>
        ${children}
        <p class="transfer-state transfer-${kind}">${[
          jobStateText(job),
          jobFigures(job),
          paceText(job),
        ].filter(Boolean).join(" · ")}</p>
        ${!ended && html`
          <progress max="1" value=${progress ?? undefined} aria-label=${title}></progress>
          ${job.current &&
            html`<p class="transfer-current mono" title=${job.current}><bdi>${job.current}</bdi></p>`}
        `}
        ${job.error && html`
          <p class="transfer-error">
            <${ErrorWords} error=${job.error} />
          </p>
        `}
        ${ended && job.failed > 0 && html`<${Failures} job=${job} onShow=${onShow} />`}
      </div>
      ${!ended && html`
        <${IconButton} icon="stop" class="icon-button-small" disabled=${busy}
          label=${job.state === "stopping"
            ? t("transfers.stop_now", { title })
            : t("transfers.stop", { title })}
          onClick=${() => act(onStop, t("transfers.stop_failed"))} />
      `}
      ${ended && job.can_retry && html`
        <${IconButton} icon="refresh" class="icon-button-small" disabled=${busy}
          label=${t("transfers.retry", { title })} onClick=${() =>
            act(onRetry, t("transfers.retry_failed"))} />
      `}
    </li>
  `;
}

/** @param {{ job: Job, onShow?: () => unknown }} props */
function Failures({ job, onShow = () => {} }) {
  const errors = job.errors;
  const show = (/** @type {any} */ event) => event.currentTarget.open && errors === undefined && onShow();
  const locked = describeLocked(errors ?? [], job.failed_by_code);
  const others = errors?.filter((failure) => !isLocked(failure)) ?? [];
  return html`
    ${locked && html`<${Locked} locked=${locked} />`}
    <details class="transfer-failures" onToggle=${show}>
      <summary>${t("transfers.failures", { n: job.failed })}</summary>
      ${errors === undefined && html`<p class="muted">${t("common.loading")}</p>`}
      ${others.length > 0 && html`
        <${FailureList} failures=${others} count=${job.failed - (locked?.count ?? 0)}
          label=${locked && t("transfers.other_failures")} />
      `}
      ${locked && html`
        <${FailureList} failures=${errors?.filter(isLocked) ?? []} count=${locked.count}
          label=${t("transfers.locked")} />
      `}
    </details>
  `;
}

/**
 * Versions that stay because they are locked, and what can be done about it.
 * @param {{ locked: { summary: string, advice: string } }} props
 */
function Locked({ locked: { summary, advice } }) {
  return html`
    <p
      class="transfer-locked"><${Icon} name="lock" /> <span><strong>${summary}</strong> ${advice}</span></p>
  `;
}

/** @param {{ failures: readonly JobFailure[], count: number, label: string | null }} props `count` of them all */
function FailureList({ failures, count, label }) {
  const shown = failures.slice(0, maxListed);
  const more = count - shown.length;
  return html`
    ${label && html`<h4>${label}</h4>`}
    <ul>
      ${shown.map(({ key, version_id: version, ...error }) =>
        html`
          <li
            key="${key} ${version ??
              ""}"><bdi class="mono break" dir="ltr">${key}</bdi><span><${ErrorWords} error=${error} /></span></li>
        `
      )}
      ${more > 0 && html`<li class="muted">${t("transfers.and_more", { n: more })}</li>`}
    </ul>
  `;
}
