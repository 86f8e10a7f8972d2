import type { CopyObject } from "../objects/copy.ts";
import { z } from "zod";
import { requireBucket } from "../backends/bucket_exists.ts";
import { bucketScope } from "../backends/bucket_scope.ts";
import { requirePrefix } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { answerJob, preferHeader } from "../jobs/answer.ts";
import { acceptedJobSchema, jobJson, jobSchema } from "../jobs/json.ts";
import type { JobService } from "../jobs/service.ts";
import type { Logger } from "../logging/logger.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { copyPrefix, copyPrefixBody } from "./copy_request.ts";
import { deletePrefix, deletePrefixBody } from "./delete_request.ts";
import { copyFiguresSchema, figuresSchema, noFigures } from "./figures.ts";
import { PrefixSizes, prefixSizeSchema } from "./prefix_sizes.ts";
import { copiedSchema, deletedSchema } from "./result_json.ts";

/** What {@link prefixRoutes} needs. */
export interface PrefixRoutesDeps {
  readonly registry: BackendRegistry;
  readonly jobs: JobService;
  readonly copy: CopyObject;
  readonly ledger: QuotaLedger;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const bucket = "/api/backends/{bid}/buckets/{bucket}";

/** Routes that copy, delete and measure everything under a prefix. */
export function prefixRoutes(deps: PrefixRoutesDeps): Route[] {
  return [...changingRoutes(deps), ...measuringRoutes(deps)];
}

function changingRoutes(deps: PrefixRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: `${bucket}/objects/copy-prefix`,
      guard: "user",
      summary: "Copy or move everything under a prefix, also to another backend",
      audit: "object.copy_prefix",
      body: copyPrefixBody,
      headers: preferHeader,
      errors: [507],
      answers: {
        200: z.union([copiedSchema, copyFiguresSchema]),
        202: acceptedJobSchema,
      },
      handler: (context) => copyPrefix(context, deps),
    }),
    defineRoute({
      method: "POST",
      path: `${bucket}/objects/delete-prefix`,
      guard: "user",
      summary: "Delete everything under a prefix, or a selection of it",
      audit: "object.delete_prefix",
      body: deletePrefixBody,
      headers: preferHeader,
      answers: { 200: z.union([deletedSchema, figuresSchema]), 202: acceptedJobSchema },
      handler: (context) => deletePrefix(context, deps),
    }),
  ];
}

function measuringRoutes({ registry, jobs, clock }: PrefixRoutesDeps): Route[] {
  const sizes = new PrefixSizes(clock);
  return [
    defineRoute({
      method: "POST",
      path: `${bucket}/objects/measure`,
      guard: "session",
      summary: "Count what is under a prefix",
      audit: "none",
      body: z.object({ prefix: z.string() }),
      headers: preferHeader,
      answers: { 200: figuresSchema.extend({ job: jobSchema }), 202: acceptedJobSchema },
      handler: async (context) => {
        const { prefix } = context.body;
        requirePrefix(prefix);
        const scope = bucketScope(context, registry);
        await requireBucket(scope);
        const { bucket, connection: { backend: { id: backend } } } = scope;
        return await answerJob(
          context,
          jobs,
          { kind: "measure", spec: { backend, bucket, prefix }, locks: [] },
          (job) => ({ ...figuresSchema.parse(job.result ?? noFigures), job: jobJson(job) }),
        );
      },
    }),
    defineRoute({
      method: "GET",
      path: `${bucket}/prefix-size`,
      guard: "session",
      summary: "Size of what is under a prefix, as far as it can be counted in a few seconds",
      audit: "none",
      query: z.object({ prefix: z.string().default("") }),
      answers: { 200: prefixSizeSchema },
      handler: async (context) => {
        const { prefix } = context.query;
        requirePrefix(prefix);
        const scope = bucketScope(context, registry);
        return Response.json(await sizes.get(scope, prefix, context.request.signal));
      },
    }),
  ];
}
