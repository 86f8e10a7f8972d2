import { z } from "zod";
import { requireBucket } from "../backends/bucket_exists.ts";
import { bucketScope } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { ProxyCorsStore } from "./proxy_cors.ts";
import { corsRuleSchema, maxCorsRules, parseCorsRules } from "./proxy_cors_rules.ts";

/** What the routes of CORS rules need. */
export interface ProxyCorsRoutesDeps {
  readonly registry: BackendRegistry;
  readonly cors: ProxyCorsStore;
}

const rulesSchema = z.strictObject({ rules: z.array(corsRuleSchema).max(maxCorsRules) });

/** Routes that show and set the CORS rules that the S3 endpoint applies to a bucket. */
export function proxyCorsRoutes({ registry, cors }: ProxyCorsRoutesDeps): Route[] {
  const path = "/api/backends/{bid}/buckets/{bucket}/proxy-cors";
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "The CORS rules that the S3 endpoint applies to a bucket",
      audit: "none",
      answers: { 200: rulesSchema },
      handler: async (context) => {
        const scope = bucketScope(context, registry);
        await requireBucket(scope);
        return Response.json({ rules: cors.list(scope.connection.backend.id, scope.bucket) });
      },
    }),
    defineRoute({
      method: "PUT",
      path,
      guard: "user",
      summary: "Set the CORS rules that the S3 endpoint applies to a bucket",
      audit: "bucket.proxy_cors.set",
      body: z.object({ rules: z.unknown() }),
      bodies: { "application/json": rulesSchema },
      answers: { 200: rulesSchema },
      handler: async (context) => {
        const scope = bucketScope(context, registry);
        const rules = parseCorsRules(context.body.rules);
        context.audit.detail.rules = rules.length;
        await requireBucket(scope);
        cors.set(scope.connection.backend.id, scope.bucket, rules, context.principal.user.username);
        return Response.json({ rules });
      },
    }),
  ];
}
