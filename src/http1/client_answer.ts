import type { Body } from "./body.ts";
import type { ClientCall } from "./client_call.ts";
import { Http1Error } from "./http1_error.ts";
import type { AnswerHead } from "./message_head.ts";

/** An answer whose head is there and whose body is still to come. */
export class ClientAnswer implements AsyncIterable<Uint8Array> {
  readonly #call: ClientCall;

  /** `body` is `null` when there is none. */
  constructor(readonly head: AnswerHead, readonly body: Body | null, call: ClientCall) {
    this.#call = call;
  }

  /** The next piece of the body, or `undefined` at its end, with which the connection goes back to the pool. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.body === null) return undefined;
    try {
      this.#call.beginRead();
      const piece = await this.body.read();
      if (piece === undefined) this.#call.finish(this);
      else this.#call.endRead();
      return piece;
    } catch (error) {
      this.#call.abort();
      throw error;
    }
  }

  /** What is there already of the next piece; `undefined` when that has to be waited for. */
  readNow(): Uint8Array | undefined {
    return this.body?.readNow();
  }

  /** Gives the connection back to the pool when all of the body was read, and its last piece used. Returns whether it was. */
  finish(): boolean {
    if (this.body !== null && !this.body.ended) return false;
    this.#call.finish(this);
    return true;
  }

  /** Reads the whole body. Throws {@link Http1Error} `too_large` beyond `limit` bytes. */
  async bytes(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (let piece = await this.read(); piece !== undefined; piece = await this.read()) {
      size += piece.length;
      if (size > limit) {
        this.#call.abort();
        throw new Http1Error("too_large", "The answer is too large.");
      }
      // It may be a Buffer, whose `slice` does not copy.
      pieces.push(new Uint8Array(piece));
    }
    return joined(pieces, size);
  }

  /** The pieces of the body, each valid until the next. Who stops early gives the rest up. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    let ended = false;
    try {
      for (let piece = await this.read(); piece !== undefined; piece = await this.read()) yield piece;
      ended = true;
    } finally {
      if (!ended) this.#call.abort();
    }
  }

  /** Gives the rest of the answer up. */
  cancel(): void {
    this.#call.abort();
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}
