import { z } from "zod";
import { bucketScope } from "../backends/bucket_scope.ts";
import { requireBucket } from "../backends/bucket_exists.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { RequestContext } from "../http/route.ts";
import { answerJob } from "../jobs/answer.ts";
import type { JobService } from "../jobs/service.ts";
import { listVersions } from "../objects/version_listing.ts";
import { Problem } from "../problem.ts";
import { measure } from "./figures.ts";
import { objectPages, versionPages } from "./pages.ts";
import { requireChangeablePrefix } from "./prefix_names.ts";
import { resultJson } from "./result_json.ts";

/** The request to delete everything under a prefix. */
export const deletePrefixBody = z.object({
  prefix: z.string(),
  /** Whether the whole bucket is meant; the prefix is empty then, and must not be otherwise. */
  everything: z.boolean().default(false),
  /** Whether every version and delete marker goes, and not only what is current. */
  versions: z.boolean().default(false),
  /** Whether the answer only says what would be deleted. */
  dry_run: z.boolean().default(false),
});

/**
 * Deletes everything under a prefix, or says what that would be. Throws 400 `invalid_prefix`, also for an empty one unless
 * everything in the bucket is meant, and 404 `not_found` for an unknown bucket.
 */
export async function deletePrefix(
  context: RequestContext<unknown, z.output<typeof deletePrefixBody>>,
  { registry, jobs }: { readonly registry: BackendRegistry; readonly jobs: JobService },
): Promise<Response> {
  const { audit, request: { signal } } = context;
  const { prefix, everything, versions, dry_run } = context.body;
  const scope = bucketScope(context, registry);
  audit.key = prefix;
  Object.assign(audit.detail, everything ? { everything, versions, dry_run } : { versions, dry_run });
  if ((prefix === "") !== everything) {
    throw new Problem(
      400,
      "invalid_prefix",
      everything
        ? "Everything in the bucket is to be deleted, and yet there is a prefix."
        : "The prefix is empty: what is to be deleted has to be named, such as a folder.",
    );
  }
  requireChangeablePrefix(prefix);
  if (dry_run) {
    const listing = { scope: () => scope, prefix, signal };
    return Response.json(await measure(versions ? versionPages(listing) : objectPages(listing)));
  }
  if (versions) await listVersions(scope, { prefix, maxKeys: 1 }, signal);
  else await requireBucket(scope);
  const backend = scope.connection.backend.id;
  const { bucket } = scope;
  return await answerJob(
    context,
    jobs,
    {
      kind: "delete_prefix",
      spec: { backend, bucket, prefix, versions },
      locks: [{ backend, bucket, prefix, mode: "write" }],
    },
    (job, failures) => ({ deleted: job.done, ...resultJson(job, failures) }),
  );
}
