import { z } from "zod";
import { type BucketScope, bucketScope } from "../backends/bucket_scope.ts";
import type { CapabilityStore } from "../backends/capabilities.ts";
import { mapPool } from "../backends/map_pool.ts";
import { requireKey, requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { textMapField } from "../http/text_map.ts";
import { Problem } from "../problem.ts";
import { tagsSchema } from "./json.ts";
import { objectQuery } from "./object_query.ts";
import { requireOwnName } from "./own_name.ts";
import { readTags, requireTags, writeTags } from "./tags.ts";

/** What {@link tagRoutes} needs. */
export interface TagRoutesDeps {
  readonly registry: BackendRegistry;
  readonly capabilities: CapabilityStore;
}

/** Most objects whose tags are read by one request. */
const maxKeys = 100;

/** Objects that are asked about at once. */
const maxAtOnce = 8;

const manyTagsSchema = z.strictObject({
  objects: z.array(z.strictObject({ key: z.string(), tags: z.record(z.string(), z.string()).optional() })),
});

const path = "/api/backends/{bid}/buckets/{bucket}/object/tags";

/** Routes that show and set the tags of objects. */
export function tagRoutes({ registry, capabilities }: TagRoutesDeps): Route[] {
  const observed = <T>({ connection }: BucketScope, run: () => Promise<T>) =>
    capabilities.observe(connection.backend.id, "tagging", run);

  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "Tags of an object or of one of its versions",
      audit: "none",
      query: objectQuery,
      answers: { 200: tagsSchema },
      handler: async (context) => {
        const { key, version_id: versionId } = context.query;
        requireKey(key);
        const scope = bucketScope(context, registry);
        const { signal } = context.request;
        return tagsResponse(await observed(scope, () => readTags(scope, { key, versionId }, signal)));
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/backends/{bid}/buckets/{bucket}/objects/tags",
      guard: "session",
      summary:
        `Tags of up to ${maxKeys} objects; left out for one that is gone or whose tags may not be read`,
      audit: "none",
      body: z.object({ keys: z.array(z.string()).min(1).max(maxKeys) }),
      answers: { 200: manyTagsSchema },
      handler: async (context) => {
        const { keys } = context.body;
        for (const key of keys) requireKey(key);
        const scope = bucketScope(context, registry);
        const found = await mapPool(
          keys,
          maxAtOnce,
          context.request.signal,
          (key, signal) => observed(scope, () => readTags(scope, { key }, signal)).catch(unlessRefused),
        );
        const objects = keys.map((key, index) => ({
          key,
          tags: found[index] && Object.fromEntries(found[index]),
        }));
        return Response.json({ objects });
      },
    }),
    defineRoute({
      method: "PUT",
      path,
      guard: "user",
      summary: "Replace all tags of an object or of one of its versions",
      audit: "none",
      query: objectQuery,
      body: z.object({ tags: textMapField() }),
      answers: { 200: tagsSchema },
      handler: async (context) => {
        const { key, version_id: versionId } = context.query;
        const { tags } = context.body;
        requireWritableKey(key);
        const scope = bucketScope(context, registry);
        const { signal } = context.request;
        requireTags(tags);
        await requireOwnName(scope, key, signal);
        await observed(scope, () => writeTags(scope, { key, versionId }, tags, signal));
        return tagsResponse(tags);
      },
    }),
  ];
}

/** Nothing for an object that is gone or not to be read; throws what would be so for every other one. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof Problem && (error.status === 403 || error.status === 404)) return undefined;
  throw error;
}

function tagsResponse(tags: ReadonlyMap<string, string>): Response {
  return Response.json({ tags: Object.fromEntries(tags) });
}
