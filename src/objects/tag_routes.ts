import { z } from "zod";
import { type BucketScope, bucketScope } from "../backends/bucket_scope.ts";
import type { CapabilityStore } from "../backends/capabilities.ts";
import { requireKey, requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { textMapField } from "../http/text_map.ts";
import { tagsSchema } from "./json.ts";
import { objectQuery } from "./object_query.ts";
import { requireOwnName } from "./own_name.ts";
import { readTags, requireTags, writeTags } from "./tags.ts";

/** What {@link tagRoutes} needs. */
export interface TagRoutesDeps {
  readonly registry: BackendRegistry;
  readonly capabilities: CapabilityStore;
}

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

function tagsResponse(tags: ReadonlyMap<string, string>): Response {
  return Response.json({ tags: Object.fromEntries(tags) });
}
