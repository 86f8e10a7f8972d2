import { z } from "zod";
import { bucketScope } from "../backends/bucket_scope.ts";
import { requireNewBucketName } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { BucketService, BucketSummary } from "./service.ts";

/** What the routes of buckets need. */
export interface BucketRoutesDeps {
  readonly registry: BackendRegistry;
  readonly buckets: BucketService;
}

const createSchema = z.object({
  name: z.string(),
  region: z.string().min(1).max(64).optional(),
  object_lock: z.boolean().optional(),
});

const bucketSchema = z.strictObject({
  name: z.string(),
  created_at: z.iso.datetime().optional(),
  size_tracked: z.boolean(),
  size_bytes: z.int().optional(),
  object_count: z.int().optional(),
  computed_at: z.iso.datetime().optional(),
  quota: z.strictObject({ soft_bytes: z.int(), hard_bytes: z.int() }).optional(),
  anonymous_read: z.literal(true).optional(),
});
const sizeTrackingSchema = z.strictObject({ enabled: z.boolean() });

/** Routes that list, show, create and delete buckets and turn the tracking of their size on and off. */
export function bucketRoutes({ registry, buckets }: BucketRoutesDeps): Route[] {
  const list = "/api/backends/{bid}/buckets";
  const one = `${list}/{bucket}`;
  return [
    defineRoute({
      method: "GET",
      path: list,
      guard: "session",
      summary: "List the buckets of a backend",
      audit: "none",
      answers: { 200: z.strictObject({ buckets: z.array(bucketSchema) }) },
      handler: async ({ params, request }) => {
        const found = await buckets.list(registry.connect(params.bid), request.signal);
        return Response.json({ buckets: found.map(bucketJson) });
      },
    }),
    defineRoute({
      method: "POST",
      path: list,
      guard: "admin",
      summary: "Create a bucket",
      audit: "bucket.create",
      body: createSchema,
      answers: { 201: bucketSchema },
      handler: async ({ params, body, audit }) => {
        audit.backend = params.bid;
        audit.bucket = body.name;
        requireNewBucketName(body.name);
        const connection = registry.connect(params.bid);
        const { region, object_lock: objectLock } = body;
        if (objectLock) audit.detail.object_lock = true;
        await buckets.create({ connection, bucket: body.name }, { region, objectLock });
        return Response.json({ name: body.name, size_tracked: false }, { status: 201 });
      },
    }),
    defineRoute({
      method: "GET",
      path: one,
      guard: "session",
      summary: "A bucket as the list of buckets has it",
      audit: "none",
      answers: { 200: bucketSchema },
      handler: async (context) =>
        Response.json(
          bucketJson(await buckets.describe(bucketScope(context, registry), context.request.signal)),
        ),
    }),
    defineRoute({
      method: "DELETE",
      path: one,
      guard: "admin",
      summary: "Delete an empty bucket",
      audit: "bucket.delete",
      answers: { 204: null },
      handler: async (context) => {
        await buckets.delete(bucketScope(context, registry));
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "GET",
      path: `${one}/size-tracking`,
      guard: "session",
      summary: "Whether a bucket's size is tracked",
      audit: "none",
      answers: { 200: sizeTrackingSchema },
      handler: async (context) =>
        Response.json({ enabled: await buckets.isSizeTracked(bucketScope(context, registry)) }),
    }),
    defineRoute({
      method: "PUT",
      path: `${one}/size-tracking`,
      guard: "user",
      summary: "Turn the tracking of a bucket's size on or off",
      audit: "bucket.size_tracking.set",
      body: z.object({ enabled: z.boolean() }),
      answers: { 200: sizeTrackingSchema },
      handler: async (context) => {
        const { enabled } = context.body;
        context.audit.detail.enabled = enabled;
        await buckets.setSizeTracked(bucketScope(context, registry), enabled);
        return Response.json({ enabled });
      },
    }),
  ];
}

/** A bucket as the API shows it. */
export function bucketJson(
  { name, createdAt, sizeTracked, usage, limits, isAnonymous }: BucketSummary,
): z.output<typeof bucketSchema> {
  return {
    name,
    created_at: createdAt?.toISOString(),
    size_tracked: sizeTracked,
    size_bytes: usage?.bytes,
    object_count: usage?.objects,
    computed_at: usage && new Date(usage.at).toISOString(),
    quota: limits && { soft_bytes: limits.softBytes, hard_bytes: limits.hardBytes },
    anonymous_read: isAnonymous ? true : undefined,
  };
}
