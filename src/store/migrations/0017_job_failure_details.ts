import type { Migration } from "./migration.ts";

/** Machine-readable facts about an object that a job failed at, as JSON, such as until when it is locked. */
export const jobFailureDetails: Migration = {
  name: "0017_job_failure_details",
  sql: "ALTER TABLE job_failures ADD COLUMN detail TEXT;",
};
