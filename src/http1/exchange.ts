import type { Connection } from "./connection.ts";
import { hasToken, type RequestHead } from "./message_head.ts";
import { RequestBody } from "./request_body.ts";
import type { ServerLimits } from "./server_limits.ts";

/** A body that was refused unread is read on so far, so that the client sees why instead of a reset. */
const lingerBytes = 64 << 20;

const reasons: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  204: "No Content",
  206: "Partial Content",
  303: "See Other",
  304: "Not Modified",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  411: "Length Required",
  412: "Precondition Failed",
  416: "Range Not Satisfiable",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  507: "Insufficient Storage",
};

let second = { at: NaN, text: "" };

/** Now, as HTTP writes it (RFC 9110, section 5.6.7). */
function httpDate(): string {
  const at = Math.floor(Date.now() / 1000);
  if (second.at !== at) second = { at, text: new Date(at * 1000).toUTCString() };
  return second.text;
}

/** A request to a server, and its answer. */
export class ServerExchange {
  readonly request: RequestHead;
  readonly body: RequestBody;
  /** Address of the other end of the connection. */
  readonly peer: string;
  /** Called when the client goes away before its answer is complete. */
  onGone: (() => void) | undefined;
  readonly #connection: Connection;
  readonly #limits: ServerLimits;
  #keepAlive: boolean;
  /** The answer has been begun, and its framing. */
  #answering: "no" | "length" | "chunked" | "close" | "done" = "no";
  #bytesOut = 0;
  #isPeerGone = false;

  constructor(connection: Connection, request: RequestHead, peer: string, limits: ServerLimits) {
    this.request = request;
    this.peer = peer;
    this.#connection = connection;
    this.#limits = limits;
    this.#keepAlive = request.isHttp11 && !hasToken(request.headers, "connection", "close");
    this.body = new RequestBody(connection, request, limits);
    if (this.body.ended) this.#watch();
  }

  /** Bytes of the answer's body that were sent. */
  get bytesOut(): number {
    return this.#bytesOut;
  }

  /** Whether the answer has begun, so that no other can be given. */
  get answered(): boolean {
    return this.#answering !== "no";
  }

  /** Whether the connection is gone. */
  get isGone(): boolean {
    return this.#connection.isClosed;
  }

  /** Whether the client has gone, or at least will send nothing more. */
  get hasLeft(): boolean {
    return this.#isPeerGone || this.#connection.isClosed;
  }

  /**
   * Answers at once.
   *
   * @param headerLines header lines, each with its CRLF, without those of the framing
   * @param body the whole body; for HEAD its length is told and it is left out
   */
  async answer(status: number, headerLines: string, body: Uint8Array | null): Promise<void> {
    const isBodyless = status === 204 || status === 304;
    const length = isBodyless ? "" : `content-length: ${body?.length ?? 0}\r\n`;
    const content = this.request.method === "HEAD" || isBodyless ? undefined : body ?? undefined;
    this.#answering = "length";
    const head = this.#head(status, headerLines + length);
    await this.#writeHead(head, content);
    this.#bytesOut = content?.length ?? 0;
    this.#answering = "done";
  }

  /**
   * Begins an answer that is sent piece by piece. With a `length`, exactly so many bytes must follow, none for HEAD.
   *
   * @param headerLines header lines, each with its CRLF, without those of the framing
   * @param first bytes that are there already
   */
  async begin(
    status: number,
    headerLines: string,
    length: number | undefined,
    first?: Uint8Array,
  ): Promise<void> {
    if (length !== undefined) {
      this.#answering = "length";
      const head = this.#head(status, `${headerLines}content-length: ${length}\r\n`);
      await this.#writeHead(head, first);
      this.#bytesOut += first?.length ?? 0;
      return;
    }
    if (!this.request.isHttp11) this.#keepAlive = false;
    this.#answering = this.request.isHttp11 ? "chunked" : "close";
    const coding = this.request.isHttp11 ? "transfer-encoding: chunked\r\n" : "";
    const head = this.#head(status, headerLines + coding);
    await this.#writeHead(head);
    if (first !== undefined) await this.write(first);
  }

  /** Sends the next bytes of the answer. */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    this.#bytesOut += bytes.length;
    const connection = this.#connection;
    connection.allow(this.#limits.idleTimeoutMs);
    if (this.#answering === "chunked") {
      await connection.writeHead(`${bytes.length.toString(16)}\r\n`);
      await connection.write(bytes);
      await connection.writeHead("\r\n");
    } else {
      await connection.write(bytes);
    }
    connection.allowEver();
  }

  /** Ends the answer. */
  async end(): Promise<void> {
    if (this.#answering === "chunked") await this.#writeHead("0\r\n\r\n");
    this.#answering = "done";
  }

  /** Breaks the connection, so that nobody takes what was sent for the whole answer. */
  destroy(): void {
    this.#connection.close();
  }

  /**
   * Brings the connection into a state for the next request, if there can be one. Returns whether there can. For the server
   * only.
   */
  async settle(): Promise<boolean> {
    this.onGone = undefined;
    if (this.#connection.isClosed) return false;
    if (this.#answering !== "done") {
      this.#connection.close();
      return false;
    }
    if (this.#keepAlive && this.body.ended) {
      // Who refused the last piece did not come back for the end.
      this.body.release();
      return true;
    }
    await this.#linger();
    this.#connection.close();
    return false;
  }

  #watch(): void {
    this.#connection.watch(() => {
      this.#isPeerGone = true;
      const { onGone } = this;
      this.onGone = undefined;
      onGone?.();
    });
  }

  async #writeHead(head: string, body?: Uint8Array): Promise<void> {
    this.#connection.allow(this.#limits.idleTimeoutMs);
    await this.#connection.writeHead(head, body);
    this.#connection.allowEver();
  }

  #head(status: number, headerLines: string): string {
    // What is left of a body cannot be told from the next request once nobody reads it.
    if (!this.body.ended) this.#keepAlive = false;
    const connection = this.#keepAlive ? "" : "connection: close\r\n";
    const reason = reasons[status] ?? "Status";
    return `HTTP/1.1 ${status} ${reason}\r\ndate: ${httpDate()}\r\n${headerLines}${connection}\r\n`;
  }

  async #linger(): Promise<void> {
    this.#connection.allow(this.#limits.lingerMs);
    try {
      await this.#connection.closeWrite();
      await this.body.settled();
      // The reader that was waited for has lifted the deadline.
      this.#connection.allow(this.#limits.lingerMs);
      let total = 0;
      while (total < lingerBytes) {
        const { length } = await this.#connection.read(lingerBytes);
        if (length === 0) return;
        total += length;
      }
    } catch {
      // It was a courtesy.
    }
  }
}
