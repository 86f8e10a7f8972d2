// @ts-check
/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { ApiError, apiError, request } from "../api.js";
import { bucketPage, bucketUrl } from "../browse/object_urls.js";
import { shellWord, ShowCommand } from "../commands.js";
import { DialogFrame, openDialog } from "../dialog.js";
import { formatBytes } from "../format.js";
import { rich, t } from "../i18n.js";
import { describeLocked } from "../jobs/locked.js";
import { inWords } from "../jobs/run.js";
import { startJob, stopJob } from "../jobs/start.js";
import { jobEnd } from "../jobs/watch.js";
import { loadStyles } from "../styles.js";
import { TypedName } from "../typed_name.js";
import { Button, html, Notice } from "../ui.js";
import { useSubmission } from "../use_submission.js";

/** @import { DialogControls } from "../dialog.js" */
/** @import { Job } from "../jobs/job.js" */
/** @import { BucketBackend } from "./create_bucket.js" */

/**
 * What a bucket holds: every version and delete marker where the backend keeps them.
 *
 * @typedef {{ count: number, bytes: number, versions: boolean }} Content
 */

/**
 * Shows what a bucket holds, and deletes it once its name was typed; one that is not empty is emptied first, by a job of the
 * server. Resolves with whether the bucket is gone.
 *
 * @param {BucketBackend} backend
 * @param {string} bucket
 */
export async function askDeleteBucket(backend, bucket) {
  await loadStyles("lazy.css");
  const gone = await openDialog(
    /** @param {DialogControls<boolean>} controls */
    (controls) => html`<${DeleteForm} ...${controls} backend=${backend} bucket=${bucket} />`,
    { size: "small", described: true },
  );
  return gone === true;
}

/** @param {DialogControls<boolean> & { backend: BucketBackend, bucket: string }} props */
function DeleteForm({ close, block, titleId, backend, bucket }) {
  const [content, setContent] = useState(/** @type {Content | null} */ (null));
  const [typed, setTyped] = useState("");
  const [job, setJob] = useState(/** @type {Job | null} */ (null));
  const [uncounted, setUncounted] = useState("");
  const api = bucketUrl(backend.id, bucket);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    measure(api, backend, signal).then(setContent, (failure) => {
      if (!signal.aborted) setUncounted(t("buckets.count_failed", { error: failure.message }));
    });
    return () => controller.abort();
  }, []);
  const ready = content !== null && typed === bucket;
  const { busy, error, submit } = useSubmission({
    block,
    check: () => ready ? {} : { typed: true },
    send: async () => {
      setUncounted("");
      try {
        if (content !== null && content.count > 0) await empty(api, content, setJob);
        await request("DELETE", api);
      } catch (failure) {
        setContent(await measure(api, backend, AbortSignal.timeout(60_000)).catch(() => content));
        setJob(null);
        throw failure;
      }
      close(true);
    },
  });
  const problem = error || uncounted;
  const isFull = content !== null && content.count > 0;
  const footer = html`
    ${job === null
      ? html`<${Button} disabled=${busy} onClick=${() => close(false)}>${t("common.cancel")}<//>`
      : html`<${Button} onClick=${() => stopJob(job.id)}>${t("common.stop")}<//>`}
    <${Button} kind="danger" type="submit" disabled=${!ready} busy=${busy}>${isFull
      ? t("buckets.empty_and_delete")
      : t("buckets.delete")}<//>
  `;
  return html`
    <form onSubmit=${submit}>
      <${DialogFrame} title=${isFull ? t("buckets.delete_full_title") : t("buckets.delete_title")}
        titleId=${titleId} footer=${footer}>
        <div class="stack">
          <p id="${titleId}-text">${rich("buckets.delete_text", {
            name: html`<strong class="break">${bucket}</strong>`,
          })}</p>
          <${Contents} backend=${backend} bucket=${bucket} content=${content} failed=${problem !== ""} />
          ${job === null
            ? html`
              <${TypedName} id="${titleId}-typed" name=${bucket} value=${typed} disabled=${busy}
                autofocus=${true} onChange=${setTyped} />
            `
            : html`<${Progress} job=${job} total=${content?.count ?? 0} />`}
          ${problem && html`<${Notice} kind="bad" role="alert">${problem}<//>`}
          <${ShowCommand} lines=${commandsOf(backend, bucket, isFull)} />
        </div>
        <//>
        </form>
  `;
}

/** @param {{ backend: BucketBackend, bucket: string, content: Content | null, failed: boolean }} props */
function Contents({ backend, bucket, content, failed }) {
  if (content === null) {
    return failed ? null : html`<p class="muted" role="status">${t("buckets.counting_content")}</p>`;
  }
  const { count, bytes, versions } = content;
  if (count === 0) return html`<p class="muted" role="status">${t("buckets.is_empty")}</p>`;
  const figures = versions ? t("buckets.n_versions", { n: count }) : t("common.objects", { n: count });
  return html`
    <${Notice} kind="warn" role="status">
      <p><strong>${t("buckets.holds", { figures, bytes: formatBytes(bytes) })}</strong></p>
      <p>${t("buckets.all_go")} <a href=${bucketPage(
        backend.id,
        bucket,
      )}>${t("buckets.look_inside")}</a></p>
      <//>
  `;
}

/** @param {{ job: Job, total: number }} props */
function Progress({ job, total }) {
  const done = job.done + job.skipped;
  const label = t("buckets.emptying", { done, n: total });
  return html`
    <div class="stack-tight" role="status">
      <progress class="progress" max=${Math.max(total, done, 1)} value=${done} aria-label=${label}></progress>
      <p class="muted">${label}</p>
    </div>
  `;
}

/**
 * Counts what a bucket holds. Rejects with an `ApiError`.
 *
 * @param {string} api the bucket's address
 * @param {BucketBackend} backend
 * @param {AbortSignal} signal
 * @returns {Promise<Content>}
 */
async function measure(api, { capabilities }, signal) {
  const count = async (/** @type {boolean} */ versions) => {
    const json = { prefix: "", everything: true, versions, dry_run: true };
    const figures = await request("POST", `${api}/objects/delete-prefix`, { json, signal });
    return { count: figures.count, bytes: figures.bytes, versions };
  };
  if (capabilities.versioning === false) return await count(false);
  try {
    return await count(true);
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_supported") return await count(false);
    throw error;
  }
}

/**
 * Deletes everything in a bucket. Rejects when something stayed.
 *
 * @param {string} api the bucket's address
 * @param {Content} content
 * @param {(job: Job) => void} onChange
 */
async function empty(api, { versions }, onChange) {
  const json = { prefix: "", everything: true, versions };
  const started = await startJob("POST", `${api}/objects/delete-prefix`, json);
  onChange(started);
  const { state, error, errors = [], failed, failed_by_code } = await jobEnd(started.id, onChange);
  if (state === "stopped") throw new Error(t("buckets.emptying_stopped"));
  if (error !== undefined) throw await apiError({ status: 0, ...error });
  if (failed === 0) return;
  const locked = describeLocked(errors, failed_by_code);
  if (locked !== null) throw new Error(`${locked.summary} ${locked.advice}`);
  const [first] = await inWords(errors);
  throw new Error(t("buckets.emptying_failed", { n: failed, reason: first?.message ?? "" }));
}

/**
 * @param {BucketBackend} backend
 * @param {string} bucket
 * @param {boolean} isFull
 */
function commandsOf({ endpoint }, bucket, isFull) {
  const at = endpoint ? ` --endpoint-url ${shellWord(endpoint)}` : "";
  return [`aws s3 rb s3://${shellWord(bucket)}${isFull ? " --force" : ""}${at}`];
}
