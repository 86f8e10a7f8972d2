import type { JobKind } from "../jobs/job.ts";
import type { JobRunner } from "../jobs/run.ts";
import { copyPrefixRunner } from "./copy_runner.ts";
import { deleteRunner } from "./delete_runner.ts";
import { measureRunner } from "./measure_runner.ts";
import type { PrefixRoutesDeps } from "./routes.ts";

/** What runs jobs on everything under a prefix, by their kind. */
export function prefixRunners(
  deps: Omit<PrefixRoutesDeps, "jobs">,
): Readonly<Partial<Record<JobKind, JobRunner>>> {
  const copy = copyPrefixRunner(deps);
  return {
    copy_prefix: copy,
    transfer_prefix: copy,
    delete_prefix: deleteRunner(deps),
    measure: measureRunner(deps),
  };
}
