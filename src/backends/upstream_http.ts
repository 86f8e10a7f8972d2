import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A request to an upstream, ready to be sent: signed, its path and query as they go over the wire. */
export interface UpstreamRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Percent-encoded path. */
  readonly path: string;
  /** Percent-encoded query without its `?`. */
  readonly query: string;
  readonly headers: Headers;
  /** A stream needs a `content-length` header: S3 servers refuse chunked bodies. */
  readonly body?: ReadableStream<Uint8Array> | Uint8Array | string | null;
  readonly signal?: AbortSignal;
}

/** Largest body in memory that is left to `fetch`, in bytes. */
const maxCopiedBytes = 1 << 20;

/** Statuses whose answers have no body (Fetch standard, "null body status"). */
const bodyless = new Set([204, 205, 304]);

/**
 * Sends a request and resolves when the answer's headers are there. Bodies stream both ways with back-pressure, nothing
 * is decompressed and no redirect is followed. Rejects with whatever the transport reports.
 *
 * `fetch` passes bodies through at the least cost, but collapses `.` and `..` segments and copies bytes that are in memory.
 * Paths with such segments, and large bodies in memory, are sent by `node:http`, which keeps the path as it was signed and
 * writes bytes from where they are.
 */
export function sendUpstream(request: UpstreamRequest, client: Deno.HttpClient): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete("host");
  headers.set("accept-encoding", "identity");
  if (hasDotSegments(request.path) || copiedBytes(request.body) > maxCopiedBytes) {
    return sendByNode({ ...request, headers });
  }
  const query = request.query === "" ? "" : `?${request.query}`;
  return fetch(`${request.origin}${request.path}${query}`, {
    client,
    method: request.method,
    headers,
    body: request.body as BodyInit | null | undefined,
    redirect: "manual",
    signal: request.signal,
  });
}

/** How much of a body `fetch` would copy. */
function copiedBytes(body: UpstreamRequest["body"]): number {
  return body instanceof Uint8Array ? body.byteLength : 0;
}

/** Whether URL parsers would rewrite the path. */
function hasDotSegments(path: string): boolean {
  return /\/\.\.?(?:\/|$)/.test(path);
}

function sendByNode(request: UpstreamRequest): Promise<Response> {
  const { hostname, port, protocol } = new URL(request.origin);
  const send = protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = send({
      hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
      port,
      // A connection of its own: one that was kept could be closed by the server just as it is used again.
      agent: false,
      method: request.method,
      path: request.query === "" ? request.path : `${request.path}?${request.query}`,
      headers: Object.fromEntries(request.headers),
      signal: request.signal,
    }, (incoming) => resolve(toResponse(incoming, request.method)));
    outgoing.on("error", reject);
    if (request.body instanceof ReadableStream) {
      pipeline(Readable.fromWeb(request.body as never), outgoing).catch(reject);
    } else {
      outgoing.end(request.body ?? undefined);
    }
  });
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const status = incoming.statusCode ?? 502;
  const headers = new Headers();
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index], incoming.rawHeaders[index + 1]);
  }
  if (method === "HEAD" || bodyless.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
}
