import type { z } from "zod";
import { bucketScope } from "../backends/bucket_scope.ts";
import type { CapabilityStore } from "../backends/capabilities.ts";
import { requireKey, requirePrefix, requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type RequestContext, type Route } from "../http/route.ts";
import { discardBody } from "../objects/body.ts";
import { encodeMetadata, requireContentType } from "../objects/metadata.ts";
import { storageOptionHeaders } from "../objects/storage_options.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { abortUpload, beginUpload } from "./begin_and_abort.ts";
import { completeUpload } from "./completion.ts";
import {
  completeBody,
  completedObjectSchema,
  completeQuery,
  createBody,
  createdUploadSchema,
  createQuery,
  partListQuery,
  partPageJson,
  partPageSchema,
  sentPartSchema,
  uploadListQuery,
  uploadPageJson,
  uploadPageSchema,
  uploadQuery,
} from "./json.ts";
import { parsePartNumber, storePart } from "./part.ts";
import { listParts } from "./part_listing.ts";
import type { UploadRecords } from "./records.ts";
import { listUnfinished } from "./unfinished_uploads.ts";
import type { UploadScope } from "./upload.ts";

/** What {@link multipartRoutes} needs. */
export interface MultipartRoutesDeps {
  readonly registry: BackendRegistry;
  readonly capabilities: CapabilityStore;
  readonly ledger: QuotaLedger;
  readonly records: UploadRecords;
}

const path = "/api/backends/{bid}/buckets/{bucket}/multipart";

/** Type of an object for which none is said. */
const defaultContentType = "application/octet-stream";

/** Routes of uploads in parts. */
export function multipartRoutes(handling: MultipartRoutesDeps): Route[] {
  return [...uploadRoutes(handling), ...partRoutes(handling), completionRoute(handling)];
}

function uploadRoutes(handling: MultipartRoutesDeps): Route[] {
  const { registry, capabilities, ledger, records } = handling;
  return [
    defineRoute({
      method: "GET",
      path,
      guard: "session",
      summary: "List a page of a bucket's unfinished multipart uploads",
      audit: "none",
      query: uploadListQuery,
      answers: { 200: uploadPageSchema },
      handler: async (context) => {
        const { prefix, key_marker: keyMarker, upload_id_marker, max_uploads: limit } = context.query;
        requirePrefix(prefix);
        if (keyMarker !== undefined) requireKey(keyMarker);
        // Without a key S3 ignores it.
        const uploadIdMarker = keyMarker === undefined ? undefined : upload_id_marker;
        const scope = { ...bucketScope(context, registry), records, ledger };
        const query = { prefix, keyMarker, uploadIdMarker, limit };
        return Response.json(uploadPageJson(await listUnfinished(scope, query, context.request.signal)));
      },
    }),
    defineRoute({
      method: "POST",
      path,
      guard: "user",
      summary: "Begin a multipart upload",
      audit: "multipart.create",
      query: createQuery,
      body: createBody,
      answers: { 201: createdUploadSchema },
      handler: async (context) => {
        const { query, body, audit, request } = context;
        const { key } = query;
        audit.key = key;
        const scope = bucketScope(context, registry);
        requireWritableKey(key);
        const contentType = body.content_type || defaultContentType;
        requireContentType(contentType);
        const metadata = encodeMetadata(body.metadata ?? new Map());
        const { storage_class: storageClass, tags } = body;
        const headers = storageOptionHeaders({ storageClass, tags });
        const ifAbsent = query.if_absent ?? body.if_absent ?? false;
        const draft = { ...scope, key, contentType, metadata, headers, ifAbsent };
        const uploadId = await capabilities.observe(
          context.params.bid,
          "multipart",
          () => beginUpload(draft, records, request.signal),
          // What is not supported may as well be what the headers ask for.
          { isDisproof: Object.keys(headers).length === 0 },
        );
        audit.detail.upload_id = uploadId;
        return Response.json({ upload_id: uploadId, key, bucket: scope.bucket }, { status: 201 });
      },
    }),
    defineRoute({
      method: "DELETE",
      path,
      guard: "user",
      summary: "Abort a multipart upload: its parts are deleted",
      audit: "multipart.abort",
      query: uploadQuery,
      answers: { 204: null },
      handler: async (context) => {
        noteUpload(context);
        await abortUpload(uploadScope(context, handling));
        return new Response(null, { status: 204 });
      },
    }),
  ];
}

function partRoutes(handling: MultipartRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "PUT",
      path: `${path}/parts/{n}`,
      guard: "user",
      summary: "Upload a part, in place of an earlier one with its number",
      audit: "none",
      query: uploadQuery,
      headers: { "Content-MD5": "MD5 of the part in base64, to be verified" },
      bodies: { "application/octet-stream": null },
      answers: { 200: sentPartSchema },
      errors: [411, 507],
      handler: async (context) => {
        const { request, params } = context;
        try {
          const number = parsePartNumber(params.n);
          return Response.json(await storePart(uploadScope(context, handling), number, request));
        } catch (error) {
          await discardBody(request.body);
          throw error;
        }
      },
    }),
    defineRoute({
      method: "GET",
      path: `${path}/parts`,
      guard: "session",
      summary: "List the parts of an unfinished multipart upload: all of them, unless max_parts is given",
      audit: "none",
      query: partListQuery,
      answers: { 200: partPageSchema },
      handler: async (context) => {
        const { part_number_marker: after, max_parts: limit } = context.query;
        const upload = uploadScope(context, handling);
        return Response.json(partPageJson(await listParts(upload, { after, limit }, context.request.signal)));
      },
    }),
  ];
}

function completionRoute(handling: MultipartRoutesDeps): Route {
  return defineRoute({
    method: "POST",
    path: `${path}/complete`,
    guard: "user",
    summary: "Complete a multipart upload: make an object of its parts",
    audit: "object.upload",
    query: completeQuery,
    body: completeBody,
    answers: { 200: completedObjectSchema },
    handler: async (context) => {
      const { query, body, audit, request } = context;
      noteUpload(context);
      audit.detail.multipart = true;
      const ifAbsent = query.if_absent ?? body.if_absent ?? false;
      const { signal } = request;
      const stored = await completeUpload(uploadScope(context, handling), body.parts, { ifAbsent, signal });
      audit.detail.size = stored.size;
      return Response.json(stored);
    },
  });
}

/** The upload that a request is about. Throws what `bucketScope` does, and 400 `invalid_key`. */
function uploadScope(
  context: RequestContext<z.output<typeof uploadQuery>>,
  { registry, ledger, records }: MultipartRoutesDeps,
): UploadScope {
  const { key, upload_id: uploadId } = context.query;
  const scope = bucketScope(context, registry);
  requireWritableKey(key);
  return { ...scope, key, uploadId, ledger, records };
}

function noteUpload({ query, audit }: RequestContext<z.output<typeof uploadQuery>>): void {
  audit.key = query.key;
  audit.detail.upload_id = query.upload_id;
}
