import { HeaderList } from "../../../src/http1/header_list.ts";
import { Signer, signingTime } from "../../../src/sigv4/sign.ts";
import type { Endpoint, EndpointKeys } from "../../support/endpoint.ts";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names are lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string;
  /** Bytes that the head declares; those of the body unless told. */
  readonly contentLength?: number;
  /** Value of `host`; the address of the endpoint unless told. */
  readonly host?: string;
}

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** The whole answer, head and body. */
  readonly text: string;
  /** Content of the element `Code` of an error document; empty for none. */
  readonly code: string;
}

/** A connection to the endpoint, kept from request to request, that shows what really goes over it. */
export class WireConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #host: string;
  readonly #buffer = new Uint8Array(256 * 1024);
  #rest: Uint8Array = new Uint8Array(0);

  private constructor(connection: Deno.TcpConn, host: string) {
    this.#connection = connection;
    this.#host = host;
  }

  /** Connects to a base URL. */
  static async open(url: string): Promise<WireConnection> {
    const { hostname, port, host } = new URL(url);
    return new WireConnection(await Deno.connect({ hostname, port: Number(port) }), host);
  }

  /** Sends a request, signed where there are keys, and reads the answer. */
  async exchange(request: WireRequest, keys?: EndpointKeys): Promise<WireAnswer> {
    await this.sendHead(request, keys);
    await this.write(bytesOf(request.body));
    return await this.read(request.method);
  }

  /** Sends the head of a request, signed where there are keys. */
  async sendHead(request: WireRequest, keys?: EndpointKeys): Promise<void> {
    const { method, target, host = this.#host, headers = {}, body, contentLength } = request;
    const lines = HeaderList.of([["host", host], ...Object.entries(headers)]);
    if (keys !== undefined) sign(lines, method, target, keys);
    const length = contentLength ?? bytesOf(body).length;
    if (length > 0 || method === "PUT" || method === "POST") lines.append("content-length", String(length));
    const head = [...lines].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    // One byte for each character, as header values are.
    const text = `${method} ${target} HTTP/1.1\r\n${head}\r\n`;
    await this.write(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let sent = 0; sent < bytes.length;) sent += await this.#connection.write(bytes.subarray(sent));
  }

  /** Reads an answer. Throws when the connection ends before it is complete. */
  async read(method = "GET"): Promise<WireAnswer> {
    const { status, headers, text } = await this.readHead();
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#body(method, status, headers)) pieces.push(piece.slice());
    const body = new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
    const content = new TextDecoder().decode(body);
    const code = /<Code>(\w+)<\/Code>/.exec(content)?.[1] ?? "";
    return { status, headers, body, text: text + content, code };
  }

  /** Reads the head of an answer, and leaves its body. */
  async readHead(): Promise<Pick<WireAnswer, "status" | "headers" | "text">> {
    let text = "";
    while (!text.endsWith("\r\n\r\n")) text += await this.#line();
    const [first, ...lines] = text.trimEnd().split("\r\n");
    const headers = new Headers(
      lines.map((
        line,
      ): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
    );
    return { status: Number(first.split(" ")[1]), headers, text };
  }

  /** Reads some bytes of a body; none at the end of the connection. */
  async readSome(limit: number): Promise<Uint8Array> {
    if (this.#rest.length === 0) {
      const count = await this.#connection.read(this.#buffer);
      if (count === null) return this.#rest;
      this.#rest = this.#buffer.subarray(0, count);
    }
    const piece = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  /** Closes the connection. May be called again. */
  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // Closed already.
    }
  }

  async *#body(method: string, status: number, headers: Headers): AsyncGenerator<Uint8Array> {
    if (method === "HEAD" || status === 204 || status === 304) return;
    if (headers.get("transfer-encoding") !== "chunked") {
      return yield* this.#bytes(Number(headers.get("content-length")));
    }
    for (let size = parseInt(await this.#line(), 16); size > 0; size = parseInt(await this.#line(), 16)) {
      yield* this.#bytes(size);
      await this.#line();
    }
    await this.#line();
  }

  async *#bytes(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0;) {
      const piece = await this.#need(left);
      left -= piece.length;
      yield piece;
    }
  }

  async #line(): Promise<string> {
    let line = "";
    while (!line.endsWith("\r\n")) line += String.fromCharCode(...await this.#need(1));
    return line;
  }

  async #need(limit: number): Promise<Uint8Array> {
    const piece = await this.readSome(limit);
    if (piece.length === 0) throw new Error("the connection ended in the middle of an answer");
    return piece;
  }
}

/** Sends one request over a connection of its own. */
export async function exchangeOnce(
  { url }: Pick<Endpoint, "url">,
  request: WireRequest,
  keys?: EndpointKeys,
): Promise<WireAnswer> {
  using connection = await WireConnection.open(url);
  return await connection.exchange(request, keys);
}

function sign(headers: HeaderList, method: string, target: string, keys: EndpointKeys): void {
  const [path, query = ""] = target.split("?");
  headers.append("x-amz-date", signingTime(Date.now()));
  if (!headers.has("x-amz-content-sha256")) headers.append("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
  const signer = new Signer({
    accessKeyId: keys.accessKey,
    secretKey: keys.secretKey,
    region: "us-east-1",
  });
  headers.append("authorization", signer.authorization({ method, path, query, headers }));
}

function bytesOf(body: WireRequest["body"] = ""): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}
