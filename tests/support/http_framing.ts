/** The head of a request or an answer. */
export interface MessageHead {
  /** As it came, with the empty line at its end. */
  readonly bytes: Uint8Array;
  /** The three words of the first line; the last may be missing. */
  readonly startLine: readonly string[];
  readonly headers: Headers;
}

/** How the body of a message ends (RFC 9112, section 6): after some bytes, with the last chunk, or with the connection. */
export type BodyFraming = number | "chunked" | "connection";

/** How the body of a request ends. */
export function requestFraming({ headers }: MessageHead): BodyFraming {
  if (isChunked(headers)) return "chunked";
  return Number(headers.get("content-length") ?? 0);
}

/** How the body of the answer to a request of this method ends. */
export function answerFraming(method: string, answer: MessageHead): BodyFraming {
  const status = statusOf(answer);
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return 0;
  if (isChunked(answer.headers)) return "chunked";
  const length = answer.headers.get("content-length");
  return length === null ? "connection" : Number(length);
}

/** Status of an answer. */
export function statusOf({ startLine }: MessageHead): number {
  return Number(startLine[1]);
}

/** Whether the connection is to be closed after this message. */
export function endsConnection({ startLine, headers }: MessageHead): boolean {
  return /\bclose\b/i.test(headers.get("connection") ?? "") || startLine.includes("HTTP/1.0");
}

function isChunked(headers: Headers): boolean {
  return /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "");
}

const bufferBytes = 64 * 1024;

/** Reads the messages that come over a connection, one after the other; their bytes are those that came. */
export class MessageReader {
  readonly #connection: Deno.TcpConn;
  readonly #buffer = new Uint8Array(bufferBytes);
  #start = 0;
  #end = 0;
  #reading: Promise<boolean> | undefined;

  constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** The next head, or `undefined` when the connection has ended. */
  async readHead(): Promise<MessageHead | undefined> {
    if (!await this.peek()) return undefined;
    const bytes = await this.#through("\r\n\r\n");
    const [first, ...lines] = new TextDecoder("latin1").decode(bytes).trimEnd().split("\r\n");
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    return { bytes, startLine: first.split(" "), headers };
  }

  /**
   * The bytes of a body, those that frame its chunks included. Each piece is done with when the next is asked for. Throws
   * when the connection ends before the body does.
   */
  async *readBody(framing: BodyFraming): AsyncGenerator<Uint8Array> {
    if (framing === "connection") {
      while (await this.peek()) yield this.#take(bufferBytes);
    } else if (framing === "chunked") yield* this.#readChunks();
    else yield* this.#readBytes(framing);
  }

  /** Waits until there is more to read; `false` when the connection has ended. */
  peek(): Promise<boolean> {
    if (this.#start < this.#end) return Promise.resolve(true);
    return this.#fill();
  }

  /** Reads and drops all there is, until the connection ends. */
  async drain(): Promise<void> {
    while (await this.peek()) this.#take(bufferBytes);
  }

  async *#readBytes(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0;) {
      if (!await this.peek()) throw new Deno.errors.UnexpectedEof();
      const bytes = this.#take(left);
      left -= bytes.length;
      yield bytes;
    }
  }

  async *#readChunks(): AsyncGenerator<Uint8Array> {
    while (true) {
      const line = await this.#through("\r\n");
      const size = parseInt(new TextDecoder().decode(line), 16);
      yield line;
      if (size === 0) break;
      yield* this.#readBytes(size + 2);
    }
    while (true) {
      const trailer = await this.#through("\r\n");
      yield trailer;
      if (trailer.length === 2) return;
    }
  }

  /** Takes at most `count` of the bytes that are there. */
  #take(count: number): Uint8Array {
    const bytes = this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + count));
    this.#start += bytes.length;
    return bytes;
  }

  /** A copy of all up to and with `delimiter`. */
  async #through(delimiter: string): Promise<Uint8Array> {
    const wanted = new TextEncoder().encode(delimiter);
    while (true) {
      const found = indexOf(this.#buffer.subarray(this.#start, this.#end), wanted);
      if (found !== -1) return this.#take(found + wanted.length).slice();
      if (!await this.#fill()) throw new Deno.errors.UnexpectedEof();
    }
  }

  /** Reads more behind what is there. A read that is under way is shared. */
  #fill(): Promise<boolean> {
    this.#reading ??= this.#readMore().finally(() => this.#reading = undefined);
    return this.#reading;
  }

  async #readMore(): Promise<boolean> {
    this.#buffer.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    if (this.#end === bufferBytes) throw new Error("a line is longer than the buffer");
    const count = await this.#connection.read(this.#buffer.subarray(this.#end));
    this.#end += count ?? 0;
    return count !== null;
  }
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let start = bytes.indexOf(wanted[0]); start !== -1; start = bytes.indexOf(wanted[0], start + 1)) {
    if (wanted.every((byte, offset) => bytes[start + offset] === byte)) return start;
  }
  return -1;
}
