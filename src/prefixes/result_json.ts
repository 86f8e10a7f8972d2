import { z } from "zod";
import type { Job, JobFailure } from "../jobs/job.ts";
import { failureJson, failureSchema, jobJson, jobSchema } from "../jobs/json.ts";

const resultSchema = z.strictObject({
  skipped: z.int(),
  failed: z.int(),
  bytes: z.int(),
  errors: z.array(failureSchema),
  job: jobSchema,
});

/** What a job that copied has done. */
export const copiedSchema = resultSchema.extend({ copied: z.int() });

/** What a job that deleted has done. */
export const deletedSchema = resultSchema.extend({ deleted: z.int() });

/** What a job has done, besides how many objects. */
export function resultJson(job: Job, failures: readonly JobFailure[]): z.output<typeof resultSchema> {
  const { skipped, failed, bytes } = job;
  return { skipped, failed, bytes, errors: failures.map(failureJson), job: jobJson(job) };
}
