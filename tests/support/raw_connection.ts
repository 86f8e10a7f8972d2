import { Buffer } from "node:buffer";

/** An answer as it came over the wire; one character for each byte. */
export interface WireAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

/** A connection on which a test says what it likes, byte by byte, and reads one answer after another. */
export class RawConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #buffer = new Uint8Array(64 * 1024);
  #received = "";

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Connects to host and port of `url`. */
  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    return new RawConnection(await Deno.connect({ hostname, port: Number(port) }));
  }

  /** Sends bytes, or text of one character for each byte. */
  async send(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
    for (let sent = 0; sent < bytes.length;) sent += await this.#connection.write(bytes.subarray(sent));
  }

  /** Reads the next answer, an interim one included. Throws when the connection ends before it is whole. */
  async answer({ isHead = false }: { isHead?: boolean } = {}): Promise<WireAnswer> {
    const head = await this.#until("\r\n\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (isHead || status < 200 || status === 204 || status === 304) return { status, head, body: "" };
    if (/^transfer-encoding: chunked\r$/im.test(head)) return { status, head, body: await this.#chunks() };
    const length = /^content-length: (\d+)\r$/im.exec(head)?.[1];
    return {
      status,
      head,
      body: length === undefined ? await this.rest() : await this.#take(Number(length)),
    };
  }

  /** Everything up to the end of the connection, however that comes. */
  async rest(): Promise<string> {
    try {
      while (await this.#fill());
    } catch {
      // Reset.
    }
    const text = this.#received;
    this.#received = "";
    return text;
  }

  /** Says that nothing more will come. */
  async closeWrite(): Promise<void> {
    await this.#connection.closeWrite();
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // Closed already.
    }
  }

  async #chunks(): Promise<string> {
    let body = "";
    while (true) {
      const size = parseInt(await this.#until("\r\n"), 16);
      const chunk = await this.#take(size + 2);
      if (size === 0) return body;
      body += chunk.slice(0, -2);
    }
  }

  async #until(mark: string): Promise<string> {
    let end: number;
    while ((end = this.#received.indexOf(mark)) < 0) await this.#require();
    return await this.#take(end + mark.length);
  }

  async #take(count: number): Promise<string> {
    while (this.#received.length < count) await this.#require();
    const text = this.#received.slice(0, count);
    this.#received = this.#received.slice(count);
    return text;
  }

  async #require(): Promise<void> {
    if (!await this.#fill()) throw new Error(`the connection ended after ${JSON.stringify(this.#received)}`);
  }

  async #fill(): Promise<boolean> {
    const count = await this.#connection.read(this.#buffer);
    if (count === null) return false;
    this.#received += Buffer.from(this.#buffer.buffer, 0, count).toString("latin1");
    return true;
  }
}

/** Sends `data` on a connection of its own and reads everything that comes back. */
export async function exchangeRaw(url: string, data: string | Uint8Array): Promise<string> {
  using connection = await RawConnection.open(url);
  await connection.send(data).catch(() => {});
  return await connection.rest();
}
