/** Most bytes that are written at once. */
const writeBytes = 256 * 1024;

/** Most bytes that are read at once while a line is looked for. */
const lineBytes = 16 * 1024;

/** A TCP or TLS connection that lines and blocks of bytes are read from. */
export class Http1Connection {
  readonly #connection: Deno.TcpConn | Deno.TlsConn;
  /** What came and was not taken yet. */
  #buffer = new Uint8Array(0);

  private constructor(connection: Deno.TcpConn | Deno.TlsConn) {
    this.#connection = connection;
  }

  /** Connects to an origin. When `signal` ends, the connection is closed, and what waits for it is rejected. */
  static async open(origin: string, signal: AbortSignal | undefined): Promise<Http1Connection> {
    signal?.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    signal?.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    const connecting = connect(new URL(origin)).then((connection) => {
      const opened = new Http1Connection(connection);
      signal?.addEventListener("abort", () => opened.close(), { once: true });
      if (signal?.aborted) opened.close();
      return opened;
    });
    return await Promise.race([connecting, aborted.promise]);
  }

  /** Closes the connection; may be called again. */
  close(): void {
    try {
      this.#connection.close();
    } catch {
      // Closed already.
    }
  }

  /** Writes all of `bytes`, telling `onProgress` each time the other side has taken some. */
  async write(bytes: Uint8Array, onProgress?: () => void): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      written += await this.#connection.write(bytes.subarray(written, written + writeBytes));
      onProgress?.();
    }
  }

  /** The next bytes, `limit` at most; none at the end of the connection. */
  async read(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#buffer.length === 0) return await this.#receive(limit);
    const taken = this.#buffer.slice(0, limit);
    this.#buffer = this.#buffer.subarray(taken.length);
    return taken;
  }

  /**
   * The bytes before the next `end`, as Latin-1; `end` is skipped. `undefined` when the next `limit` bytes do not hold it.
   * Throws when the connection ends before.
   */
  async readThrough(end: string, limit: number): Promise<string | undefined> {
    const mark = Array.from(end, (character) => character.charCodeAt(0));
    let searched = 0;
    while (true) {
      const index = this.#find(mark, searched);
      if (index > limit) return undefined;
      if (index >= 0) {
        const text = new TextDecoder("latin1").decode(this.#buffer.subarray(0, index));
        this.#buffer = this.#buffer.subarray(index + end.length);
        return text;
      }
      if (this.#buffer.length > limit + end.length) return undefined;
      // The mark may have begun in what is there already.
      searched = Math.max(0, this.#buffer.length - end.length + 1);
      const more = await this.#receive(lineBytes);
      if (more.length === 0) throw new Error("the connection was closed before the answer was complete");
      const joined = new Uint8Array(this.#buffer.length + more.length);
      joined.set(this.#buffer);
      joined.set(more, this.#buffer.length);
      this.#buffer = joined;
    }
  }

  #find(mark: readonly number[], from: number): number {
    for (let at = this.#buffer.indexOf(mark[0], from); at >= 0; at = this.#buffer.indexOf(mark[0], at + 1)) {
      if (mark.every((byte, offset) => this.#buffer[at + offset] === byte)) return at;
    }
    return -1;
  }

  async #receive(limit: number): Promise<Uint8Array<ArrayBuffer>> {
    const block = new Uint8Array(limit);
    return block.subarray(0, await this.#connection.read(block) ?? 0);
  }
}

async function connect({ protocol, hostname, port }: URL): Promise<Deno.TcpConn | Deno.TlsConn> {
  const secure = protocol === "https:";
  const address = {
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 443 : 80) : Number(port),
  };
  const plain = await Deno.connect(address);
  plain.setNoDelay(true);
  if (!secure) return plain;
  const encrypted = await Deno.startTls(plain, { hostname: address.hostname, alpnProtocols: ["http/1.1"] });
  try {
    await encrypted.handshake();
    return encrypted;
  } catch (error) {
    encrypted.close();
    throw error;
  }
}
