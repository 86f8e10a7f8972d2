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
import { requireChangeablePrefix } from "./prefix_names.ts";
import { resultJson } from "./result_json.ts";
import {
  isSelective,
  requireSelection,
  selectedPages,
  selectedPrefixes,
  selectedVersionPages,
} from "./selection.ts";

/** The request to delete everything under a prefix. */
export const deletePrefixBody = z.object({
  prefix: z.string(),
  /** With these, or `prefixes`, only some of what is under the prefix is deleted; all of them begin with it. */
  keys: z.array(z.string()).optional(),
  prefixes: z.array(z.string()).optional(),
  /** Whether the whole bucket is meant; the prefix is empty then, and must not be otherwise. */
  everything: z.boolean().default(false),
  /** Whether every version and delete marker goes, and not only what is current. */
  versions: z.boolean().default(false),
  /** Whether the answer only says what would be deleted. */
  dry_run: z.boolean().default(false),
});

/**
 * Deletes everything under a prefix, or a selection of it, or says what that would be. Throws what `requireMeant` throws, and
 * 404 `not_found` for an unknown bucket.
 */
export async function deletePrefix(
  context: RequestContext<unknown, z.output<typeof deletePrefixBody>>,
  { registry, jobs }: { readonly registry: BackendRegistry; readonly jobs: JobService },
): Promise<Response> {
  const { audit, request: { signal } } = context;
  const { prefix, keys, prefixes, everything, versions, dry_run } = context.body;
  const selection = { keys, prefixes };
  const scope = bucketScope(context, registry);
  audit.key = prefix;
  Object.assign(audit.detail, { everything: everything || undefined, keys, prefixes, versions, dry_run });
  requireMeant(context.body);
  if (dry_run) {
    const pagesOf = versions ? selectedVersionPages : selectedPages;
    return Response.json(await measure(pagesOf({ scope: () => scope, prefix, signal }, selection)));
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
      spec: { backend, bucket, prefix, ...selection, versions },
      locks: selectedPrefixes(prefix, selection).map((prefix) => ({
        backend,
        bucket,
        prefix,
        mode: "write",
      })),
    },
    (job, failures) => ({ deleted: job.done, ...resultJson(job, failures) }),
  );
}

/**
 * Throws 400 `invalid_prefix` for prefixes that cannot be, and for an empty one unless everything in the bucket, or a selection
 * of it, is meant; else what `requireSelection` throws.
 */
function requireMeant(body: z.output<typeof deletePrefixBody>): void {
  const { prefix, everything, prefixes = [] } = body;
  const isWhole = isSelective(body) ? prefixes.includes("") : prefix === "";
  if (isWhole !== everything) {
    throw new Problem(
      400,
      "invalid_prefix",
      everything
        ? "Everything in the bucket is to be deleted, and yet there is a prefix or a selection."
        : "The prefix is empty: what is to be deleted has to be named, such as a folder.",
    );
  }
  [prefix, ...prefixes].forEach(requireChangeablePrefix);
  requireSelection(prefix, body);
}
