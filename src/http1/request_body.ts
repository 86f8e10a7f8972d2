import { Body } from "./body.ts";
import type { Connection } from "./connection.ts";
import { Http1Error, type Http1Failure } from "./http1_error.ts";
import { framingOf, hasToken, type RequestHead } from "./message_head.ts";
import type { ServerLimits } from "./server_limits.ts";

/** The body of a request cannot be read: by the client's fault, other than what happens on the way to an upstream. */
export class RequestBodyError extends Error {
  override readonly name = "RequestBodyError";
  constructor(readonly failure: Http1Failure, cause: Http1Error) {
    super(cause.message, { cause });
  }
}

/** The body of a request. A client that waits for leave to send it gets that with the first read. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #connection: Connection;
  readonly #body: Body;
  readonly #limits: ServerLimits;
  #awaitsContinue: boolean;
  #bytesIn = 0;
  /** Milliseconds spent waiting for the client. */
  #waitedMs = 0;
  #reading: Promise<Uint8Array | undefined> | undefined;

  constructor(connection: Connection, request: RequestHead, limits: ServerLimits) {
    this.#connection = connection;
    this.#limits = limits;
    this.#body = new Body(connection, framingOf(request.headers, 0));
    this.#awaitsContinue = request.isHttp11 && hasToken(request.headers, "expect", "100-continue");
  }

  /** Length in bytes; `undefined` for one that comes in chunks. */
  get length(): number | undefined {
    return this.#body.length;
  }

  /** Whether all of it was read. */
  get ended(): boolean {
    return this.#body.ended;
  }

  /** Bytes that were read. */
  get bytesIn(): number {
    return this.#bytesIn;
  }

  /**
   * The next piece, valid until the one after it is asked for, or `undefined` at the end. Throws {@link RequestBodyError}.
   */
  async read(): Promise<Uint8Array | undefined> {
    try {
      return await (this.#reading = this.#next());
    } catch (error) {
      throw error instanceof Http1Error ? new RequestBodyError(error.failure, error) : error;
    } finally {
      this.#reading = undefined;
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    if (this.#awaitsContinue) {
      this.#awaitsContinue = false;
      if (!this.ended && !this.#connection.hasInput) {
        await this.#connection.writeHead("HTTP/1.1 100 Continue\r\n\r\n");
      }
    }
    const startedAt = performance.now();
    this.#connection.allow(this.#limits.idleTimeoutMs);
    const piece = await this.#body.read();
    this.#connection.allowEver();
    if (piece === undefined) return undefined;
    this.#bytesIn += piece.length;
    this.#waitedMs += performance.now() - startedAt;
    const { slowBodyMs, minBodyRate } = this.#limits;
    if (this.#waitedMs > slowBodyMs && this.#bytesIn * 1000 < this.#waitedMs * minBodyRate) {
      this.#connection.close();
      throw new Http1Error("timeout", "The body comes too slowly.");
    }
    return piece;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (let piece = await this.read(); piece !== undefined; piece = await this.read()) yield piece;
    this.release();
  }

  /** Gives back what the body was read into; for after the last piece was used. */
  release(): void {
    this.#body.release();
  }

  /** Waits until nobody reads any more; whether that went well is for the reader to know. */
  async settled(): Promise<void> {
    await this.#reading?.catch(() => {});
  }
}
