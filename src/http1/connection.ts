import { Buffer } from "node:buffer";
import { releaseBlock, takeBlock } from "./blocks.ts";
import { Http1Error } from "./http1_error.ts";
import type { Watchdog, Watched } from "./watchdog.ts";

/** A stream of bytes both ways. */
export type Transport = Deno.TcpConn | Deno.TlsConn;

/** Size of the buffer that heads are read into, and of the one that they are written from, in bytes. */
const headBufferBytes = 16 * 1024;
const outputBytes = 8 * 1024;

const encoder = new TextEncoder();

/**
 * One side of an HTTP/1.1 connection: heads and bodies are read from it, and bytes written to it. Nothing is copied on the
 * way: what is read is a view of the connection's buffer, valid until the next read.
 */
export class Connection implements Watched {
  deadline = Infinity;
  readonly #transport: Transport;
  readonly #watchdog: Watchdog;
  readonly #headBuffer: Buffer = Buffer.allocUnsafeSlow(headBufferBytes);
  /** Where is read into: the buffer of heads, or a block while a body is read. */
  #buffer = this.#headBuffer;
  /** What was read and not taken yet: from `#start` to `#end`. */
  #start = 0;
  #end = 0;
  /** A read that was begun to notice when the peer goes away. */
  #ahead: Promise<number> | undefined;
  #output: Uint8Array | undefined;
  #closed = false;
  #expired = false;

  constructor(transport: Transport, watchdog: Watchdog) {
    this.#transport = transport;
    this.#watchdog = watchdog;
    if ("setNoDelay" in transport) transport.setNoDelay(true);
    watchdog.add(this);
  }

  /** Whether the connection was closed on this side. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Whether bytes have come that nobody has taken. */
  get hasInput(): boolean {
    return this.#start < this.#end;
  }

  /** Ends the connection if it is not done with what it waits for in `milliseconds`. */
  allow(milliseconds: number): void {
    this.deadline = this.#watchdog.now() + milliseconds;
  }

  /** Lets the connection wait as long as it takes. */
  allowEver(): void {
    this.deadline = Infinity;
  }

  /** Closes the connection because its time is over. */
  expire(): void {
    this.#expired = true;
    this.close();
  }

  /** Closes the connection; what waits for it fails. May be called again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#watchdog.remove(this);
    try {
      this.#transport.close();
    } catch {
      // The peer was faster.
    }
  }

  /** Tells the peer that nothing more will come, and goes on reading. */
  async closeWrite(): Promise<void> {
    await this.#transport.closeWrite();
  }

  /** Waits until something has come. Returns false at the end of the connection. */
  async waitForInput(): Promise<boolean> {
    return this.hasInput || await this.#fill() > 0;
  }

  /**
   * Reads the head of a message: everything before the first empty line, one character for each byte. `undefined` when the
   * connection ends before its first byte. Throws {@link Http1Error}.
   *
   * @param limit bytes that the head may have
   */
  async readHead(limit: number): Promise<string | undefined> {
    if (!await this.waitForInput()) return undefined;
    this.#useHeadBuffer();
    let head = "";
    while (true) {
      const seen = head.length;
      head += this.#buffer.toString("latin1", this.#start, this.#end);
      const end = head.indexOf("\r\n\r\n", Math.max(0, seen - 3));
      if (end >= 0 && end <= limit) {
        this.#start += end + 4 - seen;
        return head.slice(0, end);
      }
      if (head.length > limit) throw new Http1Error("too_large", "The head of the message is too large.");
      this.#start = this.#end = 0;
      if (await this.#fill() === 0) throw incomplete();
    }
  }

  /** Reads a line of at most `limit` bytes and returns it without its CRLF. Throws {@link Http1Error}. */
  async readLine(limit: number): Promise<string> {
    let line = "";
    while (true) {
      if (!await this.waitForInput()) throw incomplete();
      const end = this.#buffer.indexOf(0x0a, this.#start);
      const isWhole = end >= 0 && end < this.#end;
      const next = isWhole ? end + 1 : this.#end;
      line += this.#buffer.toString("latin1", this.#start, next);
      this.#start = next;
      if (line.length > limit + 2) throw new Http1Error("malformed", "A line of the body is too long.");
      if (!isWhole) continue;
      if (!line.endsWith("\r\n")) throw new Http1Error("malformed", "A line of the body must end in CRLF.");
      return line.slice(0, -2);
    }
  }

  /** Reads the next bytes, `limit` at most; none at the end of the connection. They are valid until the next read. */
  async read(limit: number): Promise<Uint8Array> {
    if (!this.hasInput) {
      if (limit > headBufferBytes && this.#buffer === this.#headBuffer && this.#ahead === undefined) {
        this.#buffer = takeBlock();
      }
      if (await this.#fill() === 0) return this.#buffer.subarray(0, 0);
    }
    return this.take(limit);
  }

  /** The bytes that have come and that nobody has taken, `limit` at most. They are valid until the next read. */
  take(limit: number): Uint8Array {
    const from = this.#start;
    this.#start = Math.min(this.#end, from + limit);
    return this.#buffer.subarray(from, this.#start);
  }

  /** Gives back the block that a body was read into. Views of it are void from now on. */
  endBody(): void {
    if (this.#buffer === this.#headBuffer || this.hasInput) return;
    this.#useHeadBuffer();
  }

  /** Reads ahead, so that `onEnd` is told when the peer goes away while nothing is read. */
  watch(onEnd: () => void): void {
    if (this.hasInput || this.#ahead !== undefined) return;
    this.#useHeadBuffer();
    const ahead = this.#receive();
    this.#ahead = ahead;
    const done = (count: number) => {
      if (this.#ahead === ahead) this.#ahead = undefined;
      if (count === 0) onEnd();
    };
    ahead.then(done, () => done(0));
  }

  /** Writes all of `bytes`. They must not be changed before that is done. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      let written = await this.#transport.write(bytes);
      while (written < bytes.length) written += await this.#transport.write(bytes.subarray(written));
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Writes a head, given as one character for each byte, and with it `body` where that is small. */
  async writeHead(head: string, body?: Uint8Array): Promise<void> {
    const bodyLength = body?.length ?? 0;
    if (head.length + bodyLength > outputBytes) {
      await this.write(latin1Bytes(head));
      if (body !== undefined && bodyLength > 0) await this.write(body);
      return;
    }
    const output = this.#output ??= new Uint8Array(outputBytes);
    encodeLatin1(head, output);
    if (body !== undefined) output.set(body, head.length);
    await this.write(output.subarray(0, head.length + bodyLength));
  }

  #useHeadBuffer(): void {
    if (this.#buffer === this.#headBuffer) return;
    const rest = this.#buffer.subarray(this.#start, this.#end);
    // A head that began in a block of a body: pipelined, and rare.
    if (rest.length > headBufferBytes) throw new Http1Error("malformed", "Too much was sent ahead.");
    this.#headBuffer.set(rest);
    releaseBlock(this.#buffer);
    this.#buffer = this.#headBuffer;
    this.#start = 0;
    this.#end = rest.length;
  }

  /** Reads into the empty buffer. Returns the number of bytes, 0 at the end of the connection. */
  async #fill(): Promise<number> {
    const ahead = this.#ahead;
    if (ahead === undefined) return await this.#receive();
    this.#ahead = undefined;
    return await ahead;
  }

  async #receive(): Promise<number> {
    try {
      const count = await this.#transport.read(this.#buffer) ?? 0;
      this.#start = 0;
      this.#end = count;
      return count;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): Http1Error {
    if (this.#expired) return new Http1Error("timeout", "The peer took too long.", error);
    if (this.#closed) return new Http1Error("aborted", "The connection was given up.", error);
    return new Http1Error("incomplete", "The connection broke off.", error);
  }
}

/** Writes text of one character for each byte into `output`, which must be long enough. */
function encodeLatin1(text: string, output: Uint8Array): void {
  const { read, written } = encoder.encodeInto(text, output);
  // As many bytes as characters: ASCII. That all was read has to be seen too, since `output` may end before other text does.
  if (read === text.length && written === text.length) return;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Cut to a byte it could become a line break.
    if (code > 0xff) throw new RangeError("a head holds a character that is no byte");
    output[index] = code;
  }
}

/** Text of one character for each byte, as bytes. */
function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  encodeLatin1(text, bytes);
  return bytes;
}

function incomplete(): Http1Error {
  return new Http1Error("incomplete", "The connection ended in the middle of a message.");
}
