import type { BucketScope } from "../backends/bucket_scope.ts";
import { Problem } from "../problem.ts";
import { type Disposition, objectHeaders } from "./object_headers.ts";

/** Which object is asked for, and how. */
export interface DownloadQuery {
  readonly key: string;
  readonly versionId?: string;
  readonly disposition: Disposition;
}

/** Conditions that the backend judges (RFC 9110, section 13.1). */
const conditions = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];

/**
 * Answers a GET or HEAD for an object with the backend's own answer, whose body is passed through: 200, 206 for a single
 * range, 304. Throws 404 `not_found`, 412 `precondition_failed`, 416 `bad_range`. Should the backend fail before the
 * body is complete, the client's connection breaks too.
 */
export async function downloadObject(
  scope: BucketScope,
  query: DownloadQuery,
  request: Request,
): Promise<Response> {
  const upstream = await fetchObject(scope, query, request, upstreamHeaders(request.headers));
  const headers = objectHeaders(upstream.headers, query.key, query.disposition);
  if (upstream.status === 304) {
    for (const name of ["content-length", "content-type", "content-disposition"]) headers.delete(name);
  }
  return new Response(upstream.body, { status: upstream.status, headers });
}

async function fetchObject(scope: BucketScope, query: DownloadQuery, request: Request, headers: Headers) {
  const send = () =>
    scope.connection.send({
      method: request.method === "HEAD" ? "HEAD" : "GET",
      bucket: scope.bucket,
      key: query.key,
      query: { versionId: query.versionId },
      headers,
      signal: request.signal,
    });
  try {
    return await send();
  } catch (error) {
    // An If-Range that no longer holds asks for the whole object.
    if (!request.headers.has("if-range") || !(error instanceof Problem) || error.status !== 412) throw error;
    for (const name of ["range", "if-match", "if-unmodified-since"]) headers.delete(name);
    return await send();
  }
}

function upstreamHeaders(client: Headers): Headers {
  const headers = new Headers();
  for (const name of conditions) {
    const value = client.get(name);
    if (value !== null) headers.set(name, value);
  }
  const range = client.get("range");
  if (range === null || !isSingleRange(range)) return headers;
  headers.set("range", range);
  const ifRange = client.get("if-range");
  // S3 has no If-Range: the same is said by a precondition, and a second request should that fail.
  if (ifRange?.startsWith('"')) headers.set("if-match", ifRange);
  else if (ifRange?.startsWith("W/")) headers.delete("range");
  else if (ifRange) headers.set("if-unmodified-since", ifRange);
  return headers;
}

/** Other ranges are ignored, as RFC 9110 section 14.2 allows: several at once, and those in other units. */
function isSingleRange(range: string): boolean {
  return /^bytes=(?:\d+-\d*|-\d+)$/.test(range.trim());
}
