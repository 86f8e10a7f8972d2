import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import type { Pin } from "../store/pins_repository.ts";
import type { PinService } from "./pins.ts";

/** What {@link pinRoutes} needs. */
export interface PinRoutesDeps {
  readonly pins: PinService;
}

const pinSchema = z.strictObject({
  backend_id: z.string(),
  bucket: z.string(),
  created_at: z.iso.datetime(),
});

/** Routes of the buckets that a user has pinned. */
export function pinRoutes({ pins }: PinRoutesDeps): Route[] {
  const path = "/api/me/pins";
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "List one's own pinned buckets",
      answers: { 200: z.strictObject({ pins: z.array(pinSchema) }) },
      audit: "none",
      handler: ({ principal }) => Response.json({ pins: pins.list(principal.user.id).map(pinJson) }),
    }),
    defineRoute({
      method: "POST",
      path,
      guard: "session",
      summary: "Pin a bucket",
      answers: { 200: pinSchema, 201: pinSchema },
      errors: [404, 409, 502, 504],
      audit: "none",
      body: z.object({ backend_id: z.string(), bucket: z.string() }),
      handler: async ({ principal, body }) => {
        const { pin, isNew } = await pins.add(principal.user.id, body.backend_id, body.bucket);
        return Response.json(pinJson(pin), { status: isNew ? 201 : 200 });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/{bid}/{bucket}`,
      guard: "session",
      summary: "Take a pin away",
      answers: { 204: null },
      audit: "none",
      handler: ({ principal, params }) => {
        pins.remove(principal.user.id, params.bid, params.bucket);
        return new Response(null, { status: 204 });
      },
    }),
  ];
}

function pinJson({ backend, bucket, createdAt }: Pin) {
  return { backend_id: backend, bucket, created_at: new Date(createdAt).toISOString() };
}
