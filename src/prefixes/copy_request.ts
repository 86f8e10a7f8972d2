import { z } from "zod";
import { type BucketScope, bucketScope, findBucket } from "../backends/bucket_scope.ts";
import { requireBucket } from "../backends/bucket_exists.ts";
import { requirePrefix } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { attributeFields, attributesDetail } from "../copies/attributes.ts";
import type { RequestContext } from "../http/route.ts";
import { answerJob } from "../jobs/answer.ts";
import type { JobLock } from "../jobs/job.ts";
import type { JobService } from "../jobs/service.ts";
import { Problem } from "../problem.ts";
import { measureConflicts } from "./figures.ts";
import { objectPages } from "./pages.ts";
import { isSameBucket } from "./prefix_copy.ts";
import { requireChangeablePrefix } from "./prefix_names.ts";
import { resultJson } from "./result_json.ts";
import { isSelective, requireSelection, selectedPages, selectedPrefixes } from "./selection.ts";
import { type CopySpec, onConflictSchema } from "./spec.ts";

/** The request to copy everything under a prefix; within the bucket of its path unless it names another target. */
export const copyPrefixBody = z.object({
  src_prefix: z.string(),
  /** With these, or `prefixes`, only some of what is under the source prefix is copied; all of them begin with it. */
  keys: z.array(z.string()).optional(),
  prefixes: z.array(z.string()).optional(),
  dst_prefix: z.string(),
  dst_bucket: z.string().optional(),
  dst_backend: z.string().optional(),
  ...attributeFields,
  move: z.boolean().default(false),
  on_conflict: onConflictSchema.default("replace"),
  /** Whether the answer only says what would be copied. */
  dry_run: z.boolean().default(false),
});

/**
 * Copies everything under a prefix, or says what that would be. Throws 400 `invalid_prefix`, also for a target inside the
 * source, and 404 `not_found` where either bucket is unknown.
 */
export async function copyPrefix(
  context: RequestContext<unknown, z.output<typeof copyPrefixBody>>,
  { registry, jobs }: { readonly registry: BackendRegistry; readonly jobs: JobService },
): Promise<Response> {
  const { params, audit, request: { signal } } = context;
  const { dst_backend = params.bid, dst_bucket = params.bucket, dry_run, ...body } = context.body;
  const spec: CopySpec = { backend: params.bid, bucket: params.bucket, dst_backend, dst_bucket, ...body };
  const kind = dst_backend === params.bid ? "copy_prefix" : "transfer_prefix";
  audit.action = `object.${kind}`;
  audit.key = spec.src_prefix;
  Object.assign(audit.detail, { ...detailOf(spec), dry_run });
  const source = bucketScope(context, registry);
  const target = findBucket(registry, dst_backend, dst_bucket);
  requireApart(source, target, spec);
  await Promise.all([requireBucket(source), requireBucket(target)]);
  if (dry_run) return Response.json(await previewCopy(source, target, spec, signal));
  return await answerJob(
    context,
    jobs,
    { kind, spec, locks: locksOf(spec) },
    (job, failures) => ({ copied: job.done, ...resultJson(job, failures) }),
  );
}

/** Throws 400 `invalid_prefix` for prefixes that cannot be, and where a copy would find its own copies. */
function requireApart(source: BucketScope, target: BucketScope, spec: CopySpec): void {
  const { src_prefix, dst_prefix } = spec;
  requirePrefix(src_prefix);
  requireChangeablePrefix(dst_prefix);
  requireSelection(src_prefix, spec);
  if (!isSameBucket(source, target) || !isInside(spec)) return;
  throw new Problem(
    400,
    "invalid_prefix",
    src_prefix === dst_prefix
      ? "Source and target are the same."
      : "The target lies inside the source: the copies would be copied, too.",
  );
}

/** Whether a target lies among what is copied. */
function isInside(spec: CopySpec): boolean {
  const { src_prefix, dst_prefix, keys = [], prefixes = [] } = spec;
  if (!isSelective(spec)) return dst_prefix.startsWith(src_prefix);
  const targetOf = (text: string) => dst_prefix + text.slice(src_prefix.length);
  return prefixes.some((prefix) => targetOf(prefix).startsWith(prefix)) ||
    keys.some((key) => targetOf(key) === key);
}

function previewCopy(
  source: BucketScope,
  target: BucketScope,
  spec: CopySpec,
  signal: AbortSignal,
) {
  const { src_prefix, dst_prefix } = spec;
  return measureConflicts(
    selectedPages({ scope: () => source, prefix: src_prefix, signal }, spec),
    objectPages({ scope: () => target, prefix: dst_prefix, signal }),
    (key) => dst_prefix + key.slice(src_prefix.length),
  );
}

function locksOf(spec: CopySpec): JobLock[] {
  const { backend, bucket, dst_backend, dst_bucket, src_prefix, dst_prefix } = spec;
  const mode = spec.move ? "write" : "read";
  return selectedPrefixes(src_prefix, spec).flatMap((prefix): JobLock[] => [
    { backend, bucket, prefix, mode },
    {
      backend: dst_backend,
      bucket: dst_bucket,
      prefix: dst_prefix + prefix.slice(src_prefix.length),
      mode: "write",
    },
  ]);
}

/** What the audit keeps of a copy besides its source. */
function detailOf(spec: CopySpec) {
  const { dst_backend, dst_bucket, dst_prefix, move, on_conflict, keys, prefixes } = spec;
  return {
    dst_backend,
    dst_bucket,
    dst_prefix,
    move,
    on_conflict,
    keys,
    prefixes,
    ...attributesDetail(spec),
  };
}
