import type { RequestContext } from "../http/route.ts";
import { Problem } from "../problem.ts";
import type { Job, JobFailure } from "./job.ts";
import { jobJson } from "./json.ts";
import type { JobRequest, JobService } from "./service.ts";

/** Most failures of a job that an answer names. */
export const shownFailures = 1000;

/** The header that {@link answerJob} heeds, for the OpenAPI document. */
export const preferHeader = { Prefer: "respond-async for a job that goes on without the client" };

/** Whether a client asks for a job to go on without it (RFC 7240, section 4.1). */
export function prefersAsync(request: Request): boolean {
  const preferences = (request.headers.get("prefer") ?? "").split(",");
  return preferences.some((preference) => preference.split(";")[0].trim().toLowerCase() === "respond-async");
}

/**
 * Starts a job and answers for it: 202 with the job at once where the client prefers that, else, when it is over, with what
 * `toJson` makes of it and its first {@link shownFailures} failures. A client that goes away stops the job it waits for.
 * Throws 409 `conflict` while another job works on the same objects, and the error of a job that could not go on.
 */
export async function answerJob(
  { request, principal, audit }: RequestContext,
  jobs: JobService,
  job: Omit<JobRequest, "userId" | "isAwaited">,
  toJson: (job: Job, failures: readonly JobFailure[]) => unknown,
): Promise<Response> {
  if (principal === null) throw new TypeError("a job needs a user");
  const isAwaited = !prefersAsync(request);
  const started = jobs.start({ ...job, userId: principal.user.id, isAwaited });
  audit.detail.job_id = started.id;
  if (!isAwaited) return accepted(started);
  const onGone = () => stopQuietly(jobs, started.id);
  request.signal.addEventListener("abort", onGone, { once: true });
  if (request.signal.aborted) onGone();
  try {
    const ended = await jobs.finished(started.id);
    Object.assign(audit.detail, { done: ended.done, failed: ended.failed, bytes: ended.bytes });
    if (ended.error !== undefined) throw jobProblem(ended, ended.error);
    if (ended.failed > 0) audit.status = "error";
    return Response.json(toJson(ended, jobs.failures(ended.id, shownFailures)));
  } finally {
    request.signal.removeEventListener("abort", onGone);
  }
}

/** 202 for a job that goes on without its client. */
export function accepted(job: Job): Response {
  const headers = { location: `/api/jobs/${job.id}`, "preference-applied": "respond-async" };
  return Response.json({ job: jobJson(job) }, { status: 202, headers });
}

function jobProblem(job: Job, { status, code, message }: NonNullable<Job["error"]>): Problem {
  const { id, done, failed, bytes } = job;
  return new Problem(status, code, message, { detail: { job_id: id, done, failed, bytes } });
}

function stopQuietly(jobs: JobService, id: string): void {
  try {
    jobs.stop(id);
  } catch {
    // It has ended meanwhile.
  }
}
