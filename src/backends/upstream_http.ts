import type { Watchdog } from "../http1/watchdog.ts";
import { exchange } from "./http1_exchange.ts";
import { errorTexts, foreignAnswerProblem } from "./upstream_error.ts";

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
  /**
   * Pieces need a `content-length` header, since S3 servers refuse chunked bodies; each is done with when the next is asked
   * for.
   */
  readonly body?: AsyncIterable<Uint8Array> | Uint8Array | string | null;
  /** Whether the answer's body is needed as it was stored, compressed or not. */
  readonly verbatim?: boolean;
  /** Told whenever the upstream has taken some of the pieces. */
  readonly onProgress?: () => void;
  readonly signal?: AbortSignal;
}

/** What requests go over: the connection pool of `fetch`, and the watchdog of the connections of our own. */
export interface UpstreamTransport {
  readonly client: Deno.HttpClient;
  readonly watchdog: Watchdog;
}

/** Largest body in memory that is left to `fetch`, in bytes. */
const maxCopiedBytes = 1 << 20;

/**
 * Sends a request and resolves when the answer's head is there. Bodies stream both ways with back-pressure, and no redirect
 * is followed. Rejects with whatever the transport reports, or a `Problem` for an answer with a status that HTTP does not
 * have.
 *
 * `fetch` keeps connections and passes answers through at the least cost, but it collapses `.` and `..` segments, copies
 * bytes that are in memory, and stalls on bodies that come piece by piece. Requests with one of these go by
 * {@link exchange}. So do those that must not be repeated, since a kept connection may be closed by the server just as it
 * is used again; the others are then sent once more (RFC 9110, section 9.2.2).
 */
export async function sendUpstream(
  request: UpstreamRequest,
  { client, watchdog }: UpstreamTransport,
): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete("host");
  headers.set("accept-encoding", "identity");
  const prepared = { ...request, headers };
  const { body, method } = request;
  if (method === "POST" || hasDotSegments(request.path) || !isSmall(body)) {
    return await exchange(prepared, watchdog);
  }
  const query = request.query === "" ? "" : `?${request.query}`;
  let response: Response;
  try {
    response = await fetch(`${request.origin}${request.path}${query}`, {
      client,
      method,
      headers,
      body,
      redirect: "manual",
      signal: request.signal,
    });
  } catch (error) {
    if (wasClosed(error)) return await exchange(prepared, watchdog);
    throw error;
  }
  if (response.status >= 200 && response.status <= 599) return await asStored(response, prepared, watchdog);
  await response.body?.cancel();
  throw foreignAnswerProblem(response.status);
}

/** Whether a connection ended without an answer. */
function wasClosed(error: unknown): boolean {
  return error instanceof TypeError &&
    /connection closed before|connection reset|connection error|broken pipe/i.test(
      errorTexts(error).join(" "),
    );
}

/**
 * Up to Deno 2.6 `fetch` decompresses whatever was asked for, and takes away the headers that told of it. An object that
 * has no length for that reason is asked for once more.
 */
async function asStored(
  response: Response,
  request: UpstreamRequest,
  watchdog: Watchdog,
): Promise<Response> {
  const mayBeDecompressed = request.verbatim && response.ok && !response.headers.has("content-length");
  if (!mayBeDecompressed) return response;
  await response.body?.cancel();
  return await exchange(request, watchdog);
}

function isSmall(body: UpstreamRequest["body"]): body is Uint8Array<ArrayBuffer> | string | null | undefined {
  if (body === null || body === undefined || typeof body === "string") return true;
  return body instanceof Uint8Array && body.byteLength <= maxCopiedBytes;
}

/** Whether URL parsers would rewrite the path. */
function hasDotSegments(path: string): boolean {
  return /\/\.\.?(?:\/|$)/.test(path);
}
