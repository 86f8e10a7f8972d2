// @ts-check
/// <reference lib="dom" />
import { t } from "../i18n.js";
import { Button, html, Notice } from "../ui.js";

/** Failures that are listed. */
const maxFailures = 200;

/**
 * How far a run over many objects is, with a stop, and what failed with its reasons.
 * @param {{ run: import("./bulk_run.js").BulkRun<any>, nameOf: (item: any) => string }} props
 */
export function BulkProgress({ run, nameOf }) {
  const failures = run.failures.value;
  const [done, total, state] = [run.done.value, run.total.value, run.state.value];
  if (state === "ready") return null;
  const text = state === "running"
    ? t("details.bulk_running", { n: done + failures.length, total })
    : state === "stopped"
    ? t("details.bulk_stopped", { n: done, total })
    : t("details.bulk_done", { n: done, total });
  return html`
    <div class="bulk-progress">
      <progress max=${total} value=${done + failures.length} aria-label=${t(
        "details.bulk_progress",
      )}></progress>
      <p class="row"><span role="status">${text}</span>
        ${state === "running" &&
          html`<${Button} small=${true} icon="stop" onClick=${() => run.stop()}>${t("common.stop")}<//>`}
        ${state !== "running" && failures.length > 0 && html`
          <${Button} small=${true} onClick=${() => run.retry()}>${t("details.bulk_retry", {
            n: failures.length,
          })}<//>
        `}</p>
      ${failures.length > 0 && html`
        <${Notice} kind="bad" role="alert">
          <p>${t("details.bulk_failed", { n: failures.length })}</p>
          <ul class="bulk-failures">${failures.slice(0, maxFailures).map(({ item, message }) =>
            html`<li key=${nameOf(item)}><bdi class="mono">${nameOf(item)}</bdi>: ${message}</li>`
          )}</ul>
          <//>
      `}
    </div>
  `;
}
