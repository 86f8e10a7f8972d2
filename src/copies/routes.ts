import { z } from "zod";
import { requireKey, requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { textMapField } from "../http/text_map.ts";
import { defineRoute, type RequestContext, type Route } from "../http/route.ts";
import { answerJob, preferHeader, prefersAsync } from "../jobs/answer.ts";
import type { JobLock } from "../jobs/job.ts";
import { acceptedJobSchema } from "../jobs/json.ts";
import type { JobService } from "../jobs/service.ts";
import type { CopyObject } from "../objects/copy.ts";
import { replacedMetadata } from "../objects/metadata_change.ts";
import { versionIdField } from "../objects/object_query.ts";
import { attributeFields, attributesDetail } from "./attributes.ts";
import { requireOtherPlace } from "./place.ts";
import { copyResult, copyResultSchema, type CopySpec, resolveCopy } from "./spec.ts";

/** What {@link copyRoutes} needs. */
export interface CopyRoutesDeps {
  readonly registry: BackendRegistry;
  readonly jobs: JobService;
  readonly copy: CopyObject;
}

/** The request to copy an object; within the bucket of its path unless it names another target. */
const copyBody = z.object({
  src_key: z.string(),
  version_id: versionIdField.optional(),
  dst_key: z.string(),
  dst_bucket: z.string().optional(),
  dst_backend: z.string().optional(),
  /** In place of the metadata of the source. */
  metadata: textMapField().optional(),
  content_type: z.string().optional(),
  ...attributeFields,
  move: z.boolean().default(false),
  if_absent: z.boolean().default(false),
});

/** Routes that copy, move and transfer single objects. */
export function copyRoutes(deps: CopyRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/backends/{bid}/buckets/{bucket}/object/copy",
      guard: "user",
      summary: "Copy or move an object, also to another backend",
      audit: "object.copy",
      body: copyBody,
      headers: preferHeader,
      errors: [507],
      answers: { 200: copyResultSchema, 202: acceptedJobSchema },
      handler: (context) => answerCopy(context, deps),
    }),
  ];
}

async function answerCopy(
  context: RequestContext<unknown, z.output<typeof copyBody>>,
  { registry, jobs, copy }: CopyRoutesDeps,
): Promise<Response> {
  const { request, audit } = context;
  const spec = specOf(context);
  const { source, target, options } = resolveCopy(registry, spec);
  requireOtherPlace(source, target, options);
  if (prefersAsync(request)) {
    const kind = spec.dst_backend === spec.backend ? "copy" : "transfer";
    return await answerJob(context, jobs, { kind, spec, locks: locksOf(spec) }, (job) => job.result);
  }
  const copied = await copy(source, target, { ...options, signal: request.signal });
  audit.detail.size = copied.size;
  return Response.json(copyResult(spec, copied));
}

/** Checks a request, and notes for the audit what it asks for. */
function specOf({ params, body, audit }: RequestContext<unknown, z.output<typeof copyBody>>): CopySpec {
  const {
    metadata,
    content_type: contentType,
    dst_backend = params.bid,
    dst_bucket = params.bucket,
    ...rest
  } = body;
  const { src_key, version_id, dst_key, move } = rest;
  audit.action = dst_backend === params.bid ? "object.copy" : "object.transfer";
  Object.assign(audit, { backend: params.bid, bucket: params.bucket, key: src_key });
  Object.assign(audit.detail, { src_key, version_id, dst_key, dst_bucket, dst_backend, move });
  Object.assign(audit.detail, attributesDetail(body));
  // What is moved is deleted in the end.
  if (move) requireWritableKey(src_key);
  else requireKey(src_key);
  requireWritableKey(dst_key);
  const isChanged = metadata !== undefined || contentType !== undefined;
  const replace = isChanged ? replacedMetadata({ metadata, contentType }) : undefined;
  return { backend: params.bid, bucket: params.bucket, dst_backend, dst_bucket, replace, ...rest };
}

function locksOf({ backend, bucket, src_key, dst_backend, dst_bucket, dst_key, move }: CopySpec): JobLock[] {
  // No key holds the last character: it keeps the key apart from longer ones that begin with it.
  return [
    { backend, bucket, prefix: `${src_key}\0`, mode: move ? "write" : "read" },
    { backend: dst_backend, bucket: dst_bucket, prefix: `${dst_key}\0`, mode: "write" },
  ];
}
