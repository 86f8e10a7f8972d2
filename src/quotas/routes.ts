import { z } from "zod";
import { bucketScope } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { integerField } from "../http/query_fields.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { Problem } from "../problem.ts";
import type { BucketLimits } from "./account.ts";
import { sampleDays } from "./counter.ts";
import type { QuotaService, QuotaStatus } from "./service.ts";

/** What the routes of quotas need. */
export interface QuotaRoutesDeps {
  readonly registry: BackendRegistry;
  readonly quotas: QuotaService;
}

// What is wrong with its values is `invalid_quota`, which {@link requireLimits} tells.
const quotaBody = z.object({ soft_bytes: z.unknown().optional(), hard_bytes: z.unknown().optional() });
const usageQuery = z.object({ days: integerField(1, sampleDays).default(30) });

const quotaSchema = z.strictObject({
  configured: z.boolean(),
  soft_bytes: z.int(),
  hard_bytes: z.int(),
  usage_bytes: z.int(),
  object_count: z.int(),
  computed_at: z.iso.datetime().nullable(),
  has_usage: z.boolean(),
  updated_at: z.iso.datetime().nullable(),
  updated_by: z.string().nullable(),
  source: z.literal("kubernetes").optional(),
});
const limitsSchema = z.object({ soft_bytes: z.int().min(0), hard_bytes: z.int().min(0) });
const sampleSchema = z.strictObject({ day: z.iso.date(), bytes: z.int(), object_count: z.int() });

/** Routes that show, set and remove the quota of a bucket, count it, and show what it held. */
export function quotaRoutes({ registry, quotas }: QuotaRoutesDeps): Route[] {
  const bucket = "/api/backends/{bid}/buckets/{bucket}";
  const quota = `${bucket}/quota`;
  return [
    defineRoute({
      method: "GET",
      path: quota,
      guard: "session",
      summary: "The quota of a bucket and what the bucket holds",
      audit: "none",
      answers: { 200: quotaSchema },
      handler: async (context) =>
        Response.json(quotaJson(await quotas.describe(bucketScope(context, registry)))),
    }),
    defineRoute({
      method: "PUT",
      path: quota,
      guard: "user",
      summary: "Set the quota of a bucket",
      audit: "quota.set",
      body: quotaBody,
      bodies: { "application/json": limitsSchema },
      answers: { 200: quotaSchema },
      handler: async (context) => {
        const scope = bucketScope(context, registry);
        const limits = requireLimits(context.body);
        context.audit.detail.soft_bytes = limits.softBytes;
        context.audit.detail.hard_bytes = limits.hardBytes;
        return Response.json(
          quotaJson(await quotas.set(scope, limits, context.principal.user.username)),
        );
      },
    }),
    defineRoute({
      method: "DELETE",
      path: quota,
      guard: "user",
      summary: "Remove the quota of a bucket",
      audit: "quota.delete",
      answers: { 204: null },
      handler: async (context) => {
        await quotas.delete(bucketScope(context, registry));
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${quota}/recompute`,
      guard: "user",
      summary: "Count what a bucket holds",
      audit: "quota.recompute",
      answers: { 200: quotaSchema },
      handler: async (context) =>
        Response.json(
          quotaJson(await quotas.recompute(bucketScope(context, registry), context.request.signal)),
        ),
    }),
    defineRoute({
      method: "GET",
      path: `${bucket}/usage`,
      guard: "session",
      summary: "What a bucket held, by day",
      audit: "none",
      query: usageQuery,
      answers: { 200: z.strictObject({ samples: z.array(sampleSchema) }) },
      handler: async (context) => {
        const samples = await quotas.samples(bucketScope(context, registry), context.query.days);
        return Response.json({
          samples: samples.map(({ day, bytes, objects }) => ({ day, bytes, object_count: objects })),
        });
      },
    }),
  ];
}

/** The caps that a request asks for. Throws 400 `invalid_quota`. */
function requireLimits(body: z.output<typeof quotaBody>): BucketLimits {
  const softBytes = requireBytes("soft_bytes", body.soft_bytes);
  const hardBytes = requireBytes("hard_bytes", body.hard_bytes);
  if (hardBytes > 0 && softBytes > hardBytes) {
    throw invalidQuota("soft_bytes", "must not be larger than hard_bytes");
  }
  return { softBytes, hardBytes };
}

function requireBytes(field: string, value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw invalidQuota(
    field,
    `must be a whole number of bytes from 0, for no cap, to ${Number.MAX_SAFE_INTEGER}`,
  );
}

function invalidQuota(field: string, rule: string): Problem {
  return new Problem(400, "invalid_quota", `${field}: ${rule}`, { detail: { field } });
}

/** The quota of a bucket and what it holds, as the API answers it. */
export function quotaJson(
  { limits, source, updatedAt, updatedBy, usage }: QuotaStatus,
): z.output<typeof quotaSchema> {
  return {
    configured: limits !== undefined,
    soft_bytes: limits?.softBytes ?? 0,
    hard_bytes: limits?.hardBytes ?? 0,
    usage_bytes: usage?.bytes ?? 0,
    object_count: usage?.objects ?? 0,
    computed_at: usage === undefined ? null : new Date(usage.at).toISOString(),
    has_usage: usage !== undefined,
    updated_at: updatedAt === undefined ? null : new Date(updatedAt).toISOString(),
    updated_by: updatedBy ?? null,
    source,
  };
}
