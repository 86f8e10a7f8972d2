import { z } from "zod";
import type { Job, JobFailure } from "./job.ts";
import { canRetry } from "./rules.ts";

/** An object that a job failed at, as the API shows it. */
export const failureSchema = z.strictObject({
  key: z.string(),
  version_id: z.string().optional(),
  code: z.string(),
  message: z.string(),
  detail: z.record(z.string(), z.unknown()).optional(),
});

/** A job as lists and events show it. */
export const jobSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(["copy", "transfer", "copy_prefix", "transfer_prefix", "delete_prefix", "measure"]),
  state: z.enum(["queued", "running", "stopping", "done", "failed", "stopped", "interrupted"]),
  user_id: z.string(),
  spec: z.record(z.string(), z.unknown()),
  done: z.int(),
  skipped: z.int(),
  failed: z.int(),
  total: z.int().optional(),
  bytes: z.int(),
  total_bytes: z.int().optional(),
  current: z.string(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  can_retry: z.boolean(),
  created_at: z.iso.datetime(),
  started_at: z.iso.datetime().optional(),
  finished_at: z.iso.datetime().optional(),
});

/** A job with the first objects that it failed at, and how many failed for which reason. */
export const jobWithFailuresSchema = jobSchema.extend({
  errors: z.array(failureSchema),
  failed_by_code: z.record(z.string(), z.int()),
});

/** A job that goes on without its client. */
export const acceptedJobSchema = z.strictObject({ job: jobSchema });

/** A job as {@link jobSchema} has it. */
export function jobJson(job: Job): z.input<typeof jobSchema> {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    user_id: job.userId,
    spec: shownSpec(job),
    done: job.done,
    skipped: job.skipped,
    failed: job.failed,
    total: job.total,
    bytes: job.bytes,
    total_bytes: job.totalBytes,
    current: job.current,
    result: job.result,
    error: job.error && { code: job.error.code, message: job.error.message },
    can_retry: canRetry(job),
    created_at: new Date(job.createdAt).toISOString(),
    started_at: timeJson(job.startedAt),
    finished_at: timeJson(job.finishedAt),
  };
}

/** What a job is asked to do, with a long selection as its count: it goes with every event. */
function shownSpec({ spec }: Job): Record<string, unknown> {
  const { keys, prefixes, ...shown } = spec;
  if (!Array.isArray(keys) && !Array.isArray(prefixes)) return { ...spec };
  const selected = [keys, prefixes].flatMap((list) => Array.isArray(list) ? list : []);
  return { ...shown, selected: selected.length };
}

/** A failure as {@link failureSchema} has it. */
export function failureJson({ versionId, ...failure }: JobFailure): z.input<typeof failureSchema> {
  return { ...failure, version_id: versionId };
}

function timeJson(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}
