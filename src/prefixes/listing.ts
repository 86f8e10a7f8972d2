import { findBucket } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { JobRun } from "../jobs/run.ts";
import type { Listing } from "./pages.ts";
import type { MeasureSpec } from "./spec.ts";

/** After which pauses, in milliseconds, a page that could not be listed is tried again. */
const pausesMs = [250, 1000, 4000];

/** The listing by which a job goes through a prefix: before each page it is asked whether its user may still do that. */
export function jobListing(
  run: JobRun,
  registry: BackendRegistry,
  { backend, bucket, prefix }: Pick<MeasureSpec, "backend" | "bucket" | "prefix">,
): Listing {
  const scope = () => {
    run.requirePermission();
    return findBucket(registry, backend, bucket);
  };
  return { scope, prefix, after: run.job.position, signal: run.signal, pausesMs };
}
