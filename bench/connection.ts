/** A request made beforehand, and what has to come back. */
export interface Exchange {
  /** Request line and headers; with the body behind them when that is small. */
  readonly head: Uint8Array<ArrayBuffer>;
  /** Sent after {@link head}. */
  readonly body?: Uint8Array<ArrayBuffer>;
  /** An answer to HEAD has no body, whatever its length says. */
  readonly isHead: boolean;
  /** The status that counts as a success. */
  readonly status: number;
  /** The body that a right answer has. */
  readonly content?: Uint8Array;
}

/** An answer whose body was read to its end. */
export interface Answer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  /** Bytes of the body. */
  readonly length: number;
}

const bufferBytes = 1 << 18;
const maximumHeadBytes = 1 << 13;
const emptyLine = "\r\n\r\n";
const lineFeed = 10;
const latin1 = new TextDecoder("latin1");

/**
 * A keep-alive HTTP/1.1 connection that does as little as a client can: the requests are bytes already, and of an
 * answer it reads the status and where it ends. What it costs is the same whoever answers.
 */
export class Connection implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #buffer = new Uint8Array(bufferBytes);
  #start = 0;
  #end = 0;
  #closing = false;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(hostname: string, port: number): Promise<Connection> {
    const connection = await Deno.connect({ hostname, port });
    connection.setNoDelay(true);
    return new Connection(connection);
  }

  /** Whether the server has said that it closes the connection. */
  get isClosing(): boolean {
    return this.#closing;
  }

  /**
   * Sends a request and reads its answer to the end.
   *
   * @param sink takes the body when it is wanted
   */
  async send(exchange: Exchange, sink?: Uint8Array[]): Promise<Answer> {
    await this.#write(exchange.head);
    if (exchange.body !== undefined) await this.#write(exchange.body);
    const head = await this.#readHead();
    const status = Number(head.slice(9, 12));
    if (/\r\nconnection: *close/i.test(head)) this.#closing = true;
    if (exchange.isHead || status === 204 || status === 304) return { status, head, length: 0 };
    const [, declared] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
    if (declared !== undefined) {
      await this.#take(Number(declared), sink);
      return { status, head, length: Number(declared) };
    }
    if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`no length in: ${head}`);
    return { status, head, length: await this.#takeChunks(sink) };
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  async #write(data: Uint8Array): Promise<void> {
    for (let written = 0; written < data.length;) {
      written += await this.#connection.write(written === 0 ? data : data.subarray(written));
    }
  }

  /** Reads more behind what is unread. */
  async #fill(): Promise<void> {
    if (this.#start === this.#end) {
      this.#start = this.#end = 0;
    } else if (this.#end === bufferBytes) {
      if (this.#start === 0) throw new Error("a line of an answer does not end");
      this.#buffer.copyWithin(0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    const count = await this.#connection.read(this.#buffer.subarray(this.#end));
    if (count === null) throw new Error("the connection was closed before the answer's end");
    this.#end += count;
  }

  async #readHead(): Promise<string> {
    for (;;) {
      const unread = this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + maximumHeadBytes));
      const text = latin1.decode(unread);
      const end = text.indexOf(emptyLine);
      if (end >= 0) {
        this.#start += end + emptyLine.length;
        return text.slice(0, end);
      }
      if (text.length === maximumHeadBytes) throw new Error("the head of an answer does not end");
      await this.#fill();
    }
  }

  async #take(length: number, sink?: Uint8Array[]): Promise<void> {
    for (let left = length; left > 0;) {
      if (this.#start === this.#end) await this.#fill();
      const count = Math.min(left, this.#end - this.#start);
      sink?.push(this.#buffer.slice(this.#start, this.#start + count));
      this.#start += count;
      left -= count;
    }
  }

  async #takeChunks(sink?: Uint8Array[]): Promise<number> {
    for (let total = 0;;) {
      const size = parseInt(await this.#readLine(), 16);
      if (Number.isNaN(size)) throw new Error("malformed chunk");
      if (size === 0) {
        while (await this.#readLine() !== "");
        return total;
      }
      await this.#take(size, sink);
      await this.#readLine();
      total += size;
    }
  }

  async #readLine(): Promise<string> {
    for (;;) {
      const end = this.#buffer.subarray(this.#start, this.#end).indexOf(lineFeed);
      if (end >= 0) {
        const line = latin1.decode(this.#buffer.subarray(this.#start, this.#start + end - 1));
        this.#start += end + 1;
        return line;
      }
      await this.#fill();
    }
  }
}
