import type { Role } from "../auth/principal.ts";
import type { Problem } from "../problem.ts";
import type { Job, JobError, JobKind } from "./job.ts";

/** The role that jobs of a kind need. */
export function neededRole(kind: JobKind): Role {
  return kind === "measure" ? "readonly" : "user";
}

/** Whether something of a job that has ended is left to do. */
export function canRetry({ state, failed }: Job): boolean {
  return ["failed", "stopped", "interrupted"].includes(state) || (state === "done" && failed > 0);
}

/** What of a problem a job keeps. */
export function toJobError({ status, code, message }: Problem): JobError {
  return { status, code, message };
}
