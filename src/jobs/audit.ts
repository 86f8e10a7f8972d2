import type { AuditEvent } from "../audit/event.ts";
import type { StoredJob } from "../store/jobs_repository.ts";

/** The audit record of how a job ended that nobody waited for. */
export function jobEndEvent(job: StoredJob, at: number): AuditEvent {
  const { backend, bucket } = job.spec;
  return {
    at,
    action: "job.end",
    userId: job.userId,
    backend,
    bucket,
    key: "",
    requestId: "",
    ip: "",
    userAgent: "",
    status: job.state === "done" ? "ok" : job.state === "failed" ? "error" : job.state,
    detail: {
      job_id: job.id,
      kind: job.kind,
      done: job.done,
      failed: job.failed,
      skipped: job.skipped,
      bytes: job.bytes,
      code: job.error?.code,
    },
  };
}
