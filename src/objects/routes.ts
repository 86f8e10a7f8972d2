import { z } from "zod";
import { bucketScope } from "../backends/bucket_scope.ts";
import { requireKey, requirePrefix, requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { flagField, integerField } from "../http/query_fields.ts";
import { defineRoute, type RequestContext, type Route } from "../http/route.ts";
import type { Logger } from "../logging/logger.ts";
import { badRequest, Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { discardBody } from "./body.ts";
import { downloadHeaders, downloadObject } from "./download.ts";
import { createFolder } from "./folder.ts";
import { formBoundary } from "./form_data.ts";
import { objectInfo } from "./info.ts";
import {
  bulkDeletionSchema,
  objectInfoSchema,
  objectPageSchema,
  storedObjectSchema,
  uploadFormSchema,
} from "./json.ts";
import { listObjects } from "./listing.ts";
import { objectQuery } from "./object_query.ts";
import { deleteObject, deleteObjects } from "./removal.ts";
import { parseTagging, storageClassField } from "./storage_options.ts";
import type { UploadJournal } from "./upload_journal.ts";
import { uploadForm, uploadRawBody } from "./upload.ts";

/** What the routes of objects need. */
export interface ObjectRoutesDeps {
  readonly registry: BackendRegistry;
  readonly ledger: QuotaLedger;
  readonly logger: Logger;
  readonly journal: UploadJournal;
  /** Called when a user has looked into a bucket. */
  readonly noteVisit: (userId: string, backend: string, bucket: string) => void;
}

/** Most keys of one listing page and of one bulk deletion. */
const maxKeys = 1000;

const listQuery = z.object({
  prefix: z.string().default(""),
  delimiter: z.string().max(100).default("/"),
  token: z.string().min(1).optional(),
  start_after: z.string().transform((key) => key || undefined).optional(),
  max_keys: integerField(1, maxKeys).default(maxKeys),
  /** Whether to say who owns each object. Some backends leave it out all the same. */
  owner: flagField.default(false),
  etags: flagField.default(true).meta({
    description: "`false` leaves the ETags out: a page is a third as long then, compressed",
  }),
});
const downloadQuery = objectQuery.extend({
  disposition: z.enum(["inline", "attachment"]).default("attachment").meta({
    description: "`inline` shows pictures, audio, video, PDF files and plain texts; all else is saved",
  }),
});
const uploadQuery = z.object({
  key: z.string().optional(),
  if_absent: flagField.optional(),
  storage_class: storageClassField.optional(),
  tagging: z.string().optional().meta({ description: "Tags, as in S3's header: `project=x1&stage=live`" }),
});
const bulkDeleteBody = z.object({
  keys: z.array(objectQuery),
});

/** Routes that list, read, store and delete objects. */
export function objectRoutes(deps: ObjectRoutesDeps): Route[] {
  return [...readingRoutes(deps), ...uploadRoutes(deps), ...removalRoutes(deps)];
}

const objects = "/api/backends/{bid}/buckets/{bucket}/objects";
const object = "/api/backends/{bid}/buckets/{bucket}/object";

function readingRoutes({ registry, noteVisit }: ObjectRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: objects,
      guard: "session",
      summary: "List a page of a bucket's objects",
      audit: "none",
      query: listQuery,
      answers: { 200: objectPageSchema },
      handler: async (context) => {
        const { prefix, delimiter, token, start_after: startAfter, max_keys, owner, etags } = context.query;
        requirePrefix(prefix);
        if (startAfter !== undefined) requireKey(startAfter);
        const query = { prefix, delimiter, token, startAfter, maxKeys: max_keys, owner, etags };
        const scope = bucketScope(context, registry);
        const page = await listObjects(scope, query, context.request.signal);
        noteVisit(context.principal.user.id, scope.connection.backend.id, scope.bucket);
        return Response.json(page);
      },
    }),
    defineRoute({
      method: "GET",
      path: object,
      guard: "session",
      summary: "Download an object, whole or a range of it",
      audit: "none",
      query: downloadQuery,
      headers: downloadHeaders,
      answers: { 200: { contentType: "*/*" }, 206: { contentType: "*/*" }, 304: null },
      errors: [412, 416],
      handler: (context) => {
        const { key, version_id: versionId, disposition } = context.query;
        requireKey(key);
        const scope = bucketScope(context, registry);
        return downloadObject(scope, { key, versionId, disposition }, context.request);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${object}/info`,
      guard: "session",
      summary: "Metadata of an object",
      audit: "none",
      query: objectQuery,
      answers: { 200: objectInfoSchema },
      handler: async (context) => {
        const { key, version_id: versionId } = context.query;
        requireKey(key);
        const scope = bucketScope(context, registry);
        return Response.json(await objectInfo(scope, { key, versionId }, context.request.signal));
      },
    }),
  ];
}

function uploadRoutes({ registry, ledger, logger, journal }: ObjectRoutesDeps): Route[] {
  const upload = async (context: RequestContext<z.output<typeof uploadQuery>>) => {
    const { request, query, audit } = context;
    audit.key = query.key;
    const scope = bucketScope(context, registry);
    const boundary = formBoundary(request.headers.get("content-type"));
    const asked = {
      key: query.key,
      ifAbsent: query.if_absent,
      storageClass: query.storage_class,
      tags: query.tagging === undefined ? undefined : parseTagging(query.tagging),
    };
    if (boundary !== null) {
      return await uploadForm(
        { scope, request, ledger, logger, journal },
        boundary,
        asked,
        (key) => audit.key = key,
      );
    }
    if (query.key === undefined) throw badRequest("key: is missing", { field: "key" });
    return await uploadRawBody({ scope, request, ledger, logger, journal }, asked);
  };

  return [
    defineRoute({
      method: "POST",
      path: object,
      guard: "user",
      summary: "Upload an object, as a form or as a raw body",
      audit: "object.upload",
      query: uploadQuery,
      bodies: { "application/octet-stream": null, "multipart/form-data": uploadFormSchema },
      answers: { 201: storedObjectSchema },
      errors: [411, 507],
      handler: async (context) => {
        try {
          const stored = await upload(context);
          context.audit.detail.size = stored.size;
          return Response.json(stored, { status: 201 });
        } catch (error) {
          await discardBody(context.request.body);
          throw error;
        }
      },
    }),
    defineRoute({
      method: "POST",
      path: `${objects}/folder`,
      guard: "user",
      summary: "Create a folder",
      audit: "object.folder",
      body: z.object({ key: z.string() }),
      answers: { 201: storedObjectSchema },
      errors: [507],
      handler: async (context) => {
        const { key } = context.body;
        context.audit.key = key;
        const stored = await createFolder(
          bucketScope(context, registry),
          key,
          ledger,
          context.request.signal,
        );
        return Response.json(stored, { status: 201 });
      },
    }),
  ];
}

function removalRoutes({ registry, ledger }: ObjectRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "DELETE",
      path: object,
      guard: "user",
      summary: "Delete an object or one of its versions",
      audit: "object.delete",
      query: objectQuery,
      answers: { 204: null },
      handler: async (context) => {
        const { key, version_id: versionId } = context.query;
        context.audit.key = key;
        if (versionId !== undefined) context.audit.detail.version_id = versionId;
        requireWritableKey(key);
        const scope = bucketScope(context, registry);
        await deleteObject(scope, { key, versionId }, ledger, context.request.signal);
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${objects}/delete`,
      guard: "user",
      summary: "Delete up to 1,000 objects",
      audit: "object.bulk_delete",
      body: bulkDeleteBody,
      answers: { 200: bulkDeletionSchema },
      handler: async (context) => {
        const { keys } = context.body;
        const scope = bucketScope(context, registry);
        if (keys.length > maxKeys) {
          throw new Problem(400, "too_many_keys", `One request deletes ${maxKeys} objects at most.`);
        }
        context.audit.detail.keys = keys.map(({ key }) => key);
        // The history of an object is found by its key.
        if (keys.length === 1) context.audit.key = keys[0].key;
        if (keys.length === 0) throw badRequest("keys: must not be empty", { field: "keys" });
        for (const { key } of keys) requireWritableKey(key);
        const identifiers = keys.map(({ key, version_id: versionId }) => ({ key, versionId }));
        const { deleted, failures } = await deleteObjects(scope, identifiers, ledger, context.request.signal);
        if (failures.length > 0) context.audit.detail.failed = failures.map(({ key }) => key);
        return Response.json({
          deleted: deleted.map(({ key, versionId, deleteMarkerId }) => ({
            key,
            version_id: versionId,
            delete_marker_version_id: deleteMarkerId,
          })),
          errors: failures.map(({ versionId, ...failure }) => ({ ...failure, version_id: versionId })),
        });
      },
    }),
  ];
}
