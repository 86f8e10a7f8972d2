import { z } from "zod";
import { bucketScope } from "../backends/bucket_scope.ts";
import { requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { textMapField } from "../http/text_map.ts";
import { badRequest, Problem } from "../problem.ts";
import type { CopyObject } from "./copy.ts";
import { objectInfo } from "./info.ts";
import { objectInfoSchema } from "./json.ts";
import { replacedMetadata } from "./metadata_change.ts";
import { objectQuery } from "./object_query.ts";

/** What {@link metadataRoutes} needs. */
export interface MetadataRoutesDeps {
  readonly registry: BackendRegistry;
  readonly copy: CopyObject;
}

const metadataBody = z.object({
  metadata: textMapField().optional(),
  content_type: z.string().optional(),
  cache_control: z.string().optional(),
  content_disposition: z.string().optional(),
  content_encoding: z.string().optional(),
  content_language: z.string().optional(),
  expires: z.string().optional(),
});

/** Routes that change the metadata of objects. */
export function metadataRoutes({ registry, copy }: MetadataRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "PUT",
      path: "/api/backends/{bid}/buckets/{bucket}/object/metadata",
      guard: "user",
      summary:
        "Change the metadata and content headers of an object; what is not given stays, what is empty goes",
      audit: "none",
      query: objectQuery,
      body: metadataBody,
      headers: { "If-Match": "ETag that the object must have" },
      errors: [507],
      answers: { 200: objectInfoSchema },
      handler: async (context) => {
        const { request, query: { key, version_id }, body } = context;
        if (version_id !== undefined) {
          throw badRequest("version_id: only the latest version can be changed", { field: "version_id" });
        }
        requireWritableKey(key);
        const scope = bucketScope(context, registry);
        const replace = replacedMetadata({
          metadata: body.metadata,
          contentType: body.content_type,
          cacheControl: body.cache_control,
          contentDisposition: body.content_disposition,
          contentEncoding: body.content_encoding,
          contentLanguage: body.content_language,
          expires: body.expires,
        });
        const { signal, headers } = request;
        const object = { ...scope, key };
        const ifMatch = headers.get("if-match") ?? undefined;
        await copy({ ...object, ifMatch }, object, { replace, ifAbsent: false, move: false, signal });
        const info = await objectInfo(scope, { key }, signal);
        requireRemoved(replace.headers, info);
        return Response.json(info);
      },
    }),
  ];
}

/** Throws 400 `not_supported` when a header is still there that was taken away: versitygw keeps it. */
function requireRemoved(headers: Readonly<Record<string, string>>, info: object): void {
  const removed = Object.keys(headers).filter((name) => headers[name] === "");
  const shown = new Map(Object.entries(info));
  const left = removed.map((name) => name.replaceAll("-", "_")).filter((field) =>
    shown.get(field) !== undefined
  );
  if (left.length === 0) return;
  throw new Problem(
    400,
    "not_supported",
    `This backend does not remove ${left.join(", ")}; all else was changed.`,
  );
}
