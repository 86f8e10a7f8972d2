import { answerBody, readHead } from "./http1_answer.ts";
import { Http1Connection } from "./http1_connection.ts";
import type { UpstreamRequest } from "./upstream_http.ts";

/**
 * Sends a request over a connection of its own and resolves when the answer's head is there. The path goes over the wire as
 * it stands, the body from where it is, and an answer that comes before all of the body was sent ends the sending. Rejects
 * with `signal`'s reason, with what the body throws, or with what the transport reports.
 */
export async function exchange(request: UpstreamRequest): Promise<Response> {
  const { signal } = request;
  const connection = await Http1Connection.open(request.origin, signal);
  const sending = new Sending(request, connection);
  try {
    const head = await readHead(connection);
    const body = answerBody(connection, request.method, head);
    if (body === null) connection.close();
    return new Response(body, head);
  } catch (error) {
    connection.close();
    signal?.throwIfAborted();
    throw sending.sourceFailure?.error ?? error;
  } finally {
    sending.stop();
  }
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

  constructor(request: UpstreamRequest, connection: Http1Connection) {
    this.#connection = connection;
    this.#send(request).catch(() => {});
  }

  /** Sends no more. */
  stop(): void {
    this.#stopped = true;
  }

  async #send(request: UpstreamRequest): Promise<void> {
    await this.#connection.write(requestHead(request));
    for await (const piece of this.#pieces(request.body)) {
      if (this.#stopped) return;
      await this.#connection.write(piece, request.onProgress);
    }
  }

  async *#pieces(body: UpstreamRequest["body"]): AsyncGenerator<Uint8Array> {
    if (typeof body === "string") return yield new TextEncoder().encode(body);
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
function requestHead({ method, origin, path, query, headers }: UpstreamRequest): Uint8Array {
  const target = query === "" ? path : `${path}?${query}`;
  const lines = [`${method} ${target} HTTP/1.1`, `host: ${new URL(origin).host}`, "connection: close"];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return Uint8Array.from(`${lines.join("\r\n")}\r\n\r\n`, (character) => character.charCodeAt(0));
}
