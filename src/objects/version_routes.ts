import { Buffer } from "node:buffer";
import { z } from "zod";
import { bucketScope } from "../backends/bucket_scope.ts";
import { requireKey, requirePrefix, requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { integerField } from "../http/query_fields.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { badRequest } from "../problem.ts";
import type { CopyObject } from "./copy.ts";
import { storedObjectSchema, versionPageSchema } from "./json.ts";
import { versionJson } from "./first_versions.ts";
import { listKeyVersions } from "./key_versions.ts";
import { versionIdField } from "./object_query.ts";
import { restoreVersion } from "./restore.ts";
import { listVersions, type VersionPage } from "./version_listing.ts";

/** What {@link versionRoutes} needs. */
export interface VersionRoutesDeps {
  readonly registry: BackendRegistry;
  readonly copy: CopyObject;
}

/** Most versions of one page. */
const maxKeys = 1000;

const object = "/api/backends/{bid}/buckets/{bucket}/object";

const versionsQuery = z.object({
  key: z.string().optional(),
  prefix: z.string().optional(),
  token: z.string().min(1).optional(),
  max_keys: integerField(1, maxKeys).default(maxKeys),
});

/** Routes that list and restore the versions of objects. */
export function versionRoutes({ registry, copy }: VersionRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${object}/versions`,
      guard: "session",
      summary: "List a page of the versions of one key, or of all keys with a prefix, deleted ones too",
      audit: "none",
      query: versionsQuery,
      answers: { 200: versionPageSchema },
      handler: async (context) => {
        const { key, prefix, token, max_keys } = context.query;
        const scope = bucketScope(context, registry);
        if ((key === undefined) === (prefix === undefined)) {
          throw badRequest("Either key or prefix has to be told.", { field: "key" });
        }
        const start = { ...positionOf(token, key ?? prefix ?? ""), maxKeys: max_keys };
        const { signal } = context.request;
        if (key !== undefined) {
          requireKey(key);
          return pageResponse(await listKeyVersions(scope, { key, ...start }, signal));
        }
        requirePrefix(prefix ?? "");
        return pageResponse(await listVersions(scope, { prefix: prefix ?? "", ...start }, signal));
      },
    }),
    defineRoute({
      method: "POST",
      path: `${object}/restore`,
      guard: "user",
      summary: "Make a version of an object the latest one again",
      audit: "object.restore",
      body: z.object({ key: z.string(), version_id: versionIdField }),
      errors: [507],
      answers: { 200: storedObjectSchema, 201: storedObjectSchema },
      handler: async (context) => {
        const { key, version_id: versionId } = context.body;
        context.audit.key = key;
        context.audit.detail.version_id = versionId;
        const scope = bucketScope(context, registry);
        requireWritableKey(key);
        const { object, isNew } = await restoreVersion(
          scope,
          { key, versionId },
          copy,
          context.request.signal,
        );
        if (isNew) context.audit.detail.new_version_id = object.version_id;
        return Response.json(object, { status: isNew ? 201 : 200 });
      },
    }),
  ];
}

function pageResponse({ versions, isTruncated, nextKeyMarker, nextVersionIdMarker }: VersionPage): Response {
  return Response.json({
    versions: versions.map(versionJson),
    is_truncated: isTruncated,
    next_continuation_token: isTruncated ? tokenOf(nextKeyMarker, nextVersionIdMarker) : undefined,
  });
}

/** A page's end as a token: the two markers of S3. */
function tokenOf(keyMarker: string | undefined, versionIdMarker: string | undefined): string {
  return Buffer.from(JSON.stringify([keyMarker, versionIdMarker])).toString("base64url");
}

const position = z.tuple([
  z.string().refine((marker) => marker.isWellFormed()),
  versionIdField.nullable(),
]);

/** Reads a token of {@link tokenOf}. Throws 400 `bad_request` for one that is not of a listing with this prefix. */
function positionOf(token: string | undefined, prefix: string) {
  if (token === undefined) return {};
  const parsed = position.safeParse(parseJson(Buffer.from(token, "base64url").toString()));
  if (!parsed.success || !parsed.data[0].startsWith(prefix)) {
    throw badRequest("token: is not that of a page of this listing", { field: "token" });
  }
  const [keyMarker, versionIdMarker] = parsed.data;
  return { keyMarker, versionIdMarker: versionIdMarker ?? undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
