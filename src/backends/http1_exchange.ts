import { answerBody, readHead } from "./http1_answer.ts";
import { Http1Connection } from "./http1_connection.ts";
import type { UpstreamRequest } from "./upstream_http.ts";

/**
 * Sends a request over a connection of its own and resolves when the answer's head is there. The path goes over the wire as
 * it stands, the body from where it is, and an answer that comes before all of the body was sent ends the sending. Rejects
 * with `signal`'s reason, with what the body throws, or with what the transport reports.
 */
export async function exchange(asked: UpstreamRequest): Promise<Response> {
  const { signal } = asked;
  const body = typeof asked.body === "string" ? new TextEncoder().encode(asked.body) : asked.body;
  const request = { ...asked, body };
  const connection = await Http1Connection.open(request.origin, signal);
  const sending = new Sending(request, connection);
  try {
    const head = await readHead(connection);
    const content = answerBody(connection, request.method, head);
    if (content === null) connection.close();
    return new Response(content, head);
  } catch (error) {
    connection.close();
    signal?.throwIfAborted();
    throw sending.sourceFailure?.error ?? error;
  } finally {
    sending.stop();
  }
}

/** A request whose body, if it is in memory, is bytes. */
interface PreparedRequest extends UpstreamRequest {
  readonly body?: Exclude<UpstreamRequest["body"], string>;
}

/**
 * A request on its way. That it cannot be sent is no failure yet: a server that refuses may close before it has read
 * everything, and what it said counts.
 */
class Sending {
  /** What the body threw, if it did. */
  sourceFailure: { readonly error: unknown } | undefined;
  readonly #connection: Http1Connection;
  #stopped = false;

  constructor(request: PreparedRequest, connection: Http1Connection) {
    this.#connection = connection;
    this.#send(request).catch(() => {});
  }

  /** Sends no more. */
  stop(): void {
    this.#stopped = true;
  }

  async #send(request: PreparedRequest): Promise<void> {
    await this.#connection.write(requestHead(request));
    for await (const piece of this.#pieces(request.body)) {
      if (this.#stopped) return;
      await this.#connection.write(piece, request.onProgress);
    }
  }

  async *#pieces(body: PreparedRequest["body"]): AsyncGenerator<Uint8Array> {
    if (body instanceof Uint8Array) return yield body;
    try {
      yield* body ?? [];
    } catch (error) {
      this.sourceFailure = { error };
      this.#connection.close();
    }
  }
}

/** Request line and headers as bytes. Values of `Headers` hold neither line breaks nor characters beyond Latin-1. */
function requestHead({ method, origin, path, query, headers, body }: PreparedRequest): Uint8Array {
  const target = query === "" ? path : `${path}?${query}`;
  const lines = [`${method} ${target} HTTP/1.1`, `host: ${new URL(origin).host}`, "connection: close"];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (!headers.has("content-length") && (method === "POST" || method === "PUT")) {
    lines.push(`content-length: ${body instanceof Uint8Array ? body.byteLength : 0}`);
  }
  return Uint8Array.from(`${lines.join("\r\n")}\r\n\r\n`, (character) => character.charCodeAt(0));
}
