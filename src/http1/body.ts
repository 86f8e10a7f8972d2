import type { Connection } from "./connection.ts";
import { Http1Error } from "./http1_error.ts";
import type { Framing } from "./message_head.ts";

/** Most bytes that are handed on at once; the connection's block is the real bound. */
const pieceBytes = 1 << 20;

/** Most bytes of a line between chunks, with any extension, and most trailing header lines. */
const maxLineBytes = 4096;
const maxTrailers = 64;

/** The body of a message, read piece by piece. Each piece is valid until the next is asked for. */
export class Body implements AsyncIterable<Uint8Array> {
  readonly #connection: Connection;
  readonly #framing: Framing;
  /** Bytes that are left of the body or, of a chunked one, of the chunk. */
  #left: number;
  #betweenChunks = false;
  #ended = false;

  constructor(connection: Connection, framing: Framing) {
    this.#connection = connection;
    this.#framing = framing;
    this.#left = typeof framing === "number" ? framing : 0;
    if (framing === 0) this.#end();
  }

  /** Length in bytes, as far as it was said. */
  get length(): number | undefined {
    return typeof this.#framing === "number" ? this.#framing : undefined;
  }

  /** Whether all of it was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the connection can be used again after it. */
  get delimited(): boolean {
    return this.#framing !== "close";
  }

  /** What is there already of the next piece; `undefined` when that has to be waited for. */
  readNow(): Uint8Array | undefined {
    if (typeof this.#framing !== "number" || !this.#connection.hasInput) return undefined;
    const piece = this.#connection.take(this.#left);
    this.#left -= piece.length;
    this.#ended = this.#left === 0;
    return piece;
  }

  /** The next piece, or `undefined` at the end. Throws {@link Http1Error}. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined;
    if (this.#framing === "close") return await this.#readToEnd();
    if (this.#framing === "chunked" && this.#left === 0) {
      await this.#nextChunk();
      if (this.#left === 0) return this.#end();
    }
    const piece = await this.#connection.read(Math.min(this.#left, pieceBytes));
    if (piece.length === 0) {
      throw new Http1Error("incomplete", "The connection ended in the middle of a body.");
    }
    this.#left -= piece.length;
    if (this.#left === 0 && this.#framing !== "chunked") this.#ended = true;
    return piece;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (let piece = await this.read(); piece !== undefined; piece = await this.read()) yield piece;
    this.release();
  }

  /** Gives back what the body was read into; for after the last piece was used. */
  release(): void {
    if (this.#ended) this.#connection.endBody();
  }

  async #readToEnd(): Promise<Uint8Array | undefined> {
    const piece = await this.#connection.read(pieceBytes);
    return piece.length === 0 ? this.#end() : piece;
  }

  /** RFC 9112, section 7.1. */
  async #nextChunk(): Promise<void> {
    if (this.#betweenChunks && await this.#connection.readLine(0) !== "") throw malformed();
    const line = await this.#connection.readLine(maxLineBytes);
    const size = /^([0-9a-fA-F]{1,12})[ \t]*(?:;|$)/.exec(line)?.[1];
    if (size === undefined) throw malformed();
    this.#left = parseInt(size, 16);
    this.#betweenChunks = true;
    if (this.#left > 0) return;
    for (let count = 0; await this.#connection.readLine(maxLineBytes) !== ""; count++) {
      if (count === maxTrailers) throw malformed();
    }
  }

  #end(): undefined {
    this.#ended = true;
    return undefined;
  }
}

function malformed(): Http1Error {
  return new Http1Error("malformed", "The chunks of the body are malformed.");
}
