import { z } from "zod";
import { defineRoute, type Route } from "../../http/route.ts";
import type { AnonymousService } from "./anonymous_service.ts";
import type { CredentialSource } from "./source.ts";
import { bindingJson, bindingSchema, mergedBindingJson, mergedBindingSchema } from "./views.ts";

/** What the routes of anonymous bindings need. */
export interface AnonymousRoutesDeps {
  readonly service: AnonymousService;
  /** Bindings of every source. */
  readonly all: CredentialSource;
  /** `s3_proxy.anonymous_enabled`: without it no binding has an effect. */
  readonly anonymousEnabled: boolean;
}

/** What looking for the bucket at its backend may end with. */
const backendErrors = [404, 409, 502, 504];

const upsertSchema = z.strictObject({
  backend_id: z.string().max(63),
  bucket: z.string().max(255),
  mode: z.enum(["ReadOnly", "None"], { error: "must be ReadOnly or None" }),
  per_source_ip_rps: z.number().min(0).max(1_000_000).default(0),
});

/** Routes by which administrators let anyone read a bucket through the S3 endpoint. */
export function anonymousRoutes({ service, all, anonymousEnabled }: AnonymousRoutesDeps): Route[] {
  const path = "/api/admin/s3-anonymous";
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "admin",
      summary: "List the anonymous bindings",
      audit: "none",
      answers: {
        200: z.strictObject({ bindings: z.array(bindingSchema), anonymous_enabled: z.boolean() }),
      },
      handler: () =>
        Response.json({ bindings: service.list().map(bindingJson), anonymous_enabled: anonymousEnabled }),
    }),
    defineRoute({
      method: "POST",
      path,
      guard: "admin",
      summary: "Open a bucket to everyone, close it again, or change its rate",
      audit: "s3_anonymous.upsert",
      body: upsertSchema,
      answers: { 200: bindingSchema, 201: bindingSchema },
      errors: backendErrors,
      handler: async ({ body, principal, request, audit }) => {
        const { backend_id: backendId, bucket, mode, per_source_ip_rps: perSourceIpRps } = body;
        audit.backend = backendId;
        audit.bucket = bucket;
        Object.assign(audit.detail, { mode, per_source_ip_rps: perSourceIpRps });
        const input = { backendId, bucket, mode, perSourceIpRps };
        const { binding, isNew } = await service.upsert(principal.user.id, input, request.signal);
        return Response.json(bindingJson(binding), { status: isNew ? 201 : 200 });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{bid}/{bucket}`,
      guard: "admin",
      summary: "Remove an anonymous binding",
      audit: "s3_anonymous.delete",
      answers: { 204: null },
      handler: ({ params }) => {
        service.remove(params.bid, params.bucket);
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/admin/s3-proxy/anonymous",
      guard: "admin",
      summary: "List the open buckets of every source as the S3 endpoint sees them",
      audit: "none",
      answers: { 200: z.strictObject({ bindings: z.array(mergedBindingSchema) }) },
      handler: () => Response.json({ bindings: [...all.bindings()].map(mergedBindingJson) }),
    }),
  ];
}
