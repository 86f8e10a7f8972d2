import { Http1Client } from "../http1/client.ts";
import type { ClientAnswer } from "../http1/client_answer.ts";
import type { ClientCall } from "../http1/client_call.ts";
import type { HeaderList } from "../http1/header_list.ts";
import { Http1Error } from "../http1/http1_error.ts";
import type { Watchdog } from "../http1/watchdog.ts";
import { foreignAnswerProblem } from "./upstream_error.ts";
import type { UpstreamRequest } from "./upstream_http.ts";

/** Time to connect, in milliseconds. How long all the rest may take is for the request's signal to say. */
const connectTimeoutMs = 5_000;

/**
 * Sends a request over a connection of its own and resolves when the answer's head is there. The path goes over the wire as
 * it stands, the body from where it is, and an answer that comes before all of the body was sent ends the sending. Rejects
 * with `signal`'s reason, with what the body throws, or with what the transport reports.
 */
export async function exchange(request: UpstreamRequest, watchdog: Watchdog): Promise<Response> {
  const { signal, origin } = request;
  signal?.throwIfAborted();
  const client = new Http1Client(origin, watchdog, {
    connectTimeoutMs,
    idleTimeoutMs: Infinity,
    maxIdleConnections: 0,
  });
  const body = typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
  const content = body === null || body === undefined || body instanceof Uint8Array
    ? body ?? undefined
    : noted(body, request.onProgress);
  const call = client.call({
    method: request.method,
    target: request.query === "" ? request.path : `${request.path}?${request.query}`,
    headerLines: headerLines(request, body),
    body: content,
    repeatable: false,
    timeoutMs: Infinity,
  });
  signal?.addEventListener("abort", () => call.abort(), { once: true });
  try {
    return toResponse(await call.answer(), call);
  } catch (error) {
    call.abort();
    signal?.throwIfAborted();
    const isForeign = error instanceof Http1Error &&
      (error.failure === "malformed" || error.failure === "too_large");
    throw isForeign ? foreignAnswerProblem(502) : error;
  }
}

/** Tells `onProgress` each time the upstream has taken what was there. */
async function* noted(
  body: AsyncIterable<Uint8Array>,
  onProgress: (() => void) | undefined,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of body) {
    yield piece;
    onProgress?.();
  }
}

/** Values of `Headers` hold neither line breaks nor characters beyond Latin-1. */
function headerLines({ method, origin, headers }: UpstreamRequest, body: unknown): string {
  let lines = `host: ${new URL(origin).host}\r\nconnection: close\r\n`;
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`;
  if (!headers.has("content-length") && (method === "POST" || method === "PUT")) {
    lines += `content-length: ${body instanceof Uint8Array ? body.byteLength : 0}\r\n`;
  }
  return lines;
}

function toResponse(answer: ClientAnswer, call: ClientCall): Response {
  const { status, headers } = answer.head;
  if (answer.body === null || [204, 205, 304].includes(status)) {
    call.abort();
    return new Response(null, { status, headers: toHeaders(headers) });
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const piece = await answer.read();
      if (piece === undefined) controller.close();
      // A piece is valid only until the next is read, and who reads the stream may be behind.
      else controller.enqueue(piece.slice());
    },
    cancel: () => call.abort(),
  }, { highWaterMark: 0 });
  return new Response(body, { status, headers: toHeaders(headers) });
}

function toHeaders(list: HeaderList): Headers {
  const headers = new Headers();
  for (const [name, value] of list) {
    try {
      headers.append(name, value);
    } catch {
      throw foreignAnswerProblem(502);
    }
  }
  return headers;
}
