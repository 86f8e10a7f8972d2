import { z } from "zod";
import type { Backend } from "../backends/backend.ts";
import { type BucketScope, bucketScope } from "../backends/bucket_scope.ts";
import { hasDotSegment, requireKey, requireWritableKey } from "../backends/names.ts";
import { presignedUrl } from "../backends/presigned_url.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { badRequest, Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { requireContentType } from "./metadata.ts";
import { contentDisposition } from "./object_headers.ts";
import { versionIdField } from "./object_query.ts";
import { requireKeptName, requireOwnName } from "./own_name.ts";

/** What {@link presignRoutes} needs. */
export interface PresignRoutesDeps {
  readonly registry: BackendRegistry;
  readonly ledger: QuotaLedger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

const presignBody = z.object({
  key: z.string(),
  method: z.enum(["GET", "PUT"]),
  expires_seconds: z.int().min(1).max(7 * 24 * 3600).default(3600),
  version_id: versionIdField.optional(),
  content_type: z.string().optional(),
  disposition: z.enum(["inline", "attachment"]).optional(),
});

const presignAnswer = z.strictObject({
  url: z.string(),
  method: z.enum(["GET", "PUT"]),
  expires_at: z.iso.datetime(),
  headers: z.record(z.string(), z.string()).optional(),
});

/** Routes that hand out presigned URLs. */
export function presignRoutes({ registry, ledger, clock }: PresignRoutesDeps): Route[] {
  return [defineRoute({
    method: "POST",
    path: "/api/backends/{bid}/buckets/{bucket}/presign",
    guard: "user",
    summary:
      "Make a URL by which anyone can download or upload an object, past this service, until it expires",
    audit: "object.presign",
    body: presignBody,
    answers: { 200: presignAnswer },
    handler: async (context) => {
      const { body, audit, request } = context;
      const { key, method, expires_seconds: expiresSeconds } = body;
      audit.key = key;
      Object.assign(audit.detail, { method, expires_seconds: expiresSeconds });
      const scope = bucketScope(context, registry);
      requirePresign(scope.connection.backend);
      requireUrlKey(key, method);
      const { query, headers } = method === "GET" ? downloadOf(body) : uploadOf(body);
      if (method === "PUT") requireUnlimited(scope, ledger);
      if (method === "PUT") await requireKeptName(scope, key, request.signal);
      else await requireOwnName(scope, key, request.signal);
      const now = clock();
      const asked = { method, bucket: scope.bucket, key, query, headers, expiresSeconds };
      const url = presignedUrl(scope.connection.backend, asked, now);
      // Signatures know whole seconds.
      const expiresAt = new Date((Math.floor(now / 1000) + expiresSeconds) * 1000).toISOString();
      audit.detail.expires_at = expiresAt;
      const hasHeaders = Object.keys(headers).length > 0;
      return Response.json({ url, method, expires_at: expiresAt, headers: hasHeaders ? headers : undefined });
    },
  })];
}

/** What is signed besides the key. */
interface SignedFields {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
}

type PresignBody = z.output<typeof presignBody>;

/** A download, whose answer can be told to have another type and disposition than what is stored. */
function downloadOf({ key, version_id, content_type, disposition }: PresignBody): SignedFields {
  if (content_type !== undefined) requireContentType(content_type);
  const query = {
    versionId: version_id,
    "response-content-type": content_type,
    "response-content-disposition": disposition && contentDisposition(disposition, key),
  };
  return { query, headers: {} };
}

/** An upload, which has to be sent with the type that is signed. */
function uploadOf({ version_id, content_type, disposition }: PresignBody): SignedFields {
  if (version_id !== undefined) {
    throw badRequest("version_id: an upload is for no version", { field: "version_id" });
  }
  if (disposition !== undefined) {
    throw badRequest("disposition: is for downloads only", { field: "disposition" });
  }
  if (content_type === undefined) return { query: {}, headers: {} };
  requireContentType(content_type);
  return { query: {}, headers: { "content-type": content_type } };
}

function requirePresign({ presign }: Backend): void {
  if (presign) return;
  throw new Problem(
    400,
    "not_supported",
    "This backend hands out no presigned URLs, since they show its address: an administrator can allow it.",
  );
}

function requireUrlKey(key: string, method: "GET" | "PUT"): void {
  if (method === "PUT") requireWritableKey(key);
  requireKey(key);
  // Whoever follows the URL would resolve them, and the signature would be that of another path.
  if (!hasDotSegment(key)) return;
  throw new Problem(400, "invalid_key", 'A presigned URL cannot hold a key with a segment "." or "..".');
}

/** What is uploaded past this service would be past the quota too. */
function requireUnlimited({ connection, bucket }: BucketScope, ledger: QuotaLedger): void {
  if (!ledger.isLimited(connection.backend.id, bucket)) return;
  throw new Problem(
    400,
    "not_supported",
    "The bucket has a quota, which uploads to a presigned URL would get around.",
  );
}
