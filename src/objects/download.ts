import type { BucketScope } from "../backends/bucket_scope.ts";
import { Problem } from "../problem.ts";
import { passBody } from "./body.ts";
import { type Disposition, objectHeaders } from "./object_headers.ts";

/** Which object is asked for, and how. */
export interface DownloadQuery {
  readonly key: string;
  readonly versionId?: string;
  readonly disposition: Disposition;
}

/** Request headers that {@link downloadObject} heeds, for the OpenAPI document. */
export const downloadHeaders = {
  "Range": "A single range of bytes",
  "If-Range": "ETag or time for which the range is asked",
  "If-Match": "ETag that the object must have",
  "If-None-Match": "ETag that the object must not have",
  "If-Modified-Since": "Time since which the object must have changed",
  "If-Unmodified-Since": "Time since which the object must not have changed",
};

/** Conditions that the backend judges (RFC 9110, section 13.1). */
const conditions = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since"];

/**
 * Answers a GET or HEAD for an object with the backend's own answer, whose body is passed through: 200, 206 for a single
 * range, 304. Throws 404 `not_found`, 412 `precondition_failed`, 416 `bad_range`. Should the backend fail or pause for too
 * long before the body is complete, the client's connection breaks too.
 */
export async function downloadObject(
  scope: BucketScope,
  query: DownloadQuery,
  request: Request,
): Promise<Response> {
  const upstream = await fetchObject(scope, query, request);
  const headers = objectHeaders(upstream.headers, query.key, query.disposition);
  if (upstream.status === 304) {
    for (const name of ["content-length", "content-type", "content-disposition"]) headers.delete(name);
  }
  const body = upstream.body === null ? null : passBody(upstream.body);
  return new Response(body, { status: upstream.status, headers });
}

async function fetchObject(scope: BucketScope, query: DownloadQuery, request: Request): Promise<Response> {
  const { method, signal } = request;
  const headers = new Headers();
  for (const name of conditions) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const send = () =>
    scope.connection.send({
      method: method === "HEAD" ? "HEAD" : "GET",
      bucket: scope.bucket,
      key: query.key,
      query: { versionId: query.versionId },
      headers,
      signal,
    });
  const range = request.headers.get("range");
  const ifRange = request.headers.get("if-range");
  // Range is defined for GET only (RFC 9110, section 14.2).
  if (method !== "GET" || range === null || !isSingleRange(range)) return await send();
  headers.set("range", range);
  if (ifRange === null) return await send();

  // S3 has no If-Range: whether it holds is seen by the answer, and if it does not, the whole object is asked for.
  const part = await send().catch((error) => {
    if (error instanceof Problem && error.status === 416) return error;
    throw error;
  });
  if (part instanceof Response) {
    if (holdsFor(ifRange, part.headers) || part.status !== 206) return part;
    await part.body?.cancel();
  }
  headers.delete("range");
  const whole = await send();
  if (part instanceof Response || !holdsFor(ifRange, whole.headers)) return whole;
  await whole.body?.cancel();
  throw part;
}

/** RFC 9110, section 13.1.5: the very ETag, which is never a weak one, or the very date. */
function holdsFor(ifRange: string, answer: Headers): boolean {
  const validator = ifRange.trim();
  return !validator.startsWith("W/") &&
    (validator === answer.get("etag") || validator === answer.get("last-modified"));
}

/** Other ranges are ignored, as RFC 9110 has it: several at once, other units (14.2), and a last before the first (14.1.1). */
function isSingleRange(range: string): boolean {
  const [match, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  if (match === undefined || (first === "" && last === "")) return false;
  return first === "" || last === "" || Number(first) <= Number(last);
}
