import { z } from "zod";
import { findBucket } from "../../backends/bucket_scope.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { defineRoute, type Route } from "../../http/route.ts";
import type { BucketProperties, PropertiesReader } from "./properties.ts";

/** Most buckets of one request. */
const maxBuckets = 25;

const propertiesSchema = z.strictObject({
  name: z.string(),
  region: z.string().optional(),
  versioning: z.enum(["enabled", "suspended", "off"]).optional(),
  object_lock: z.boolean().optional(),
  public_access: z.enum(["public", "conditional", "private"]).optional(),
  read_at: z.iso.datetime(),
});

const propertiesQuery = z.strictObject({
  // No bucket has a comma in its name.
  buckets: z.string().transform((names) => names.split(",")).pipe(z.array(z.string()).max(maxBuckets)),
});

/** The route that tells how some buckets of a backend are set up. */
export function propertiesRoute(registry: BackendRegistry, properties: PropertiesReader): Route {
  return defineRoute({
    method: "GET",
    path: "/api/backends/{bid}/bucket-properties",
    guard: "session",
    summary: `How up to ${maxBuckets} buckets, named with commas between them, are set up at their backend`,
    audit: "none",
    query: propertiesQuery,
    answers: { 200: z.strictObject({ buckets: z.array(propertiesSchema) }) },
    errors: [502, 504],
    handler: async ({ params, query, request }) => {
      const scopes = query.buckets.map((name) => findBucket(registry, params.bid, name));
      const found = await properties.read(scopes, request.signal);
      const buckets = found.map((one, index) => propertiesJson(scopes[index].bucket, one));
      return Response.json({ buckets });
    },
  });
}

function propertiesJson(
  name: string,
  { region, versioning, objectLock, publicAccess, readAt }: BucketProperties,
): z.output<typeof propertiesSchema> {
  return {
    name,
    region,
    versioning,
    object_lock: objectLock,
    public_access: publicAccess,
    read_at: new Date(readAt).toISOString(),
  };
}
