import { Connection } from "./connection.ts";
import { ServerExchange } from "./exchange.ts";
import type { ServerLimits } from "./server_limits.ts";
import { Http1Error } from "./http1_error.ts";
import { parseRequestHead } from "./message_head.ts";
import type { Watchdog } from "./watchdog.ts";

/** What a {@link Http1Server} works with. */
export interface Http1ServerOptions {
  readonly watchdog: Watchdog;
  readonly limits?: Partial<ServerLimits>;
  /** Answers a request; when it rejects, the connection is closed. */
  readonly handle: (exchange: ServerExchange) => Promise<void>;
  /** The answer to what is no valid request, as status, header lines and body. */
  readonly refuse: (error: Http1Error) => { status: number; headerLines: string; body: Uint8Array };
  /** Takes errors that nobody expected. */
  readonly onError: (error: unknown) => void;
}

const defaultLimits: ServerLimits = {
  maxHeadBytes: 32 * 1024,
  headTimeoutMs: 10_000,
  keepAliveMs: 75_000,
  idleTimeoutMs: 60_000,
  minBodyRate: 1024,
  slowBodyMs: 30_000,
  lingerMs: 5_000,
  maxConnections: 8192,
};

/** Pause after a failure to accept a connection, such as too many open files, in milliseconds. */
const acceptPauseMs = 100;

/**
 * An HTTP/1.1 server that hands on requests as they were on the wire: raw targets, every header line. Slow and ambiguous
 * clients are cut off.
 */
export class Http1Server {
  readonly #listener: Deno.TcpListener;
  readonly #options: Http1ServerOptions;
  readonly #limits: ServerLimits;
  readonly #connections = new Set<Connection>();
  /** Connections between two requests. */
  readonly #waiting = new Set<Connection>();
  #inFlight = 0;
  #idle: PromiseWithResolvers<void> | undefined;
  #draining = false;

  /** Starts listening; throws `Deno.errors.AddrInUse` and its kin. Requests are answered from {@link serve} on. */
  constructor(listen: Deno.ListenOptions & { transport?: "tcp" }, options: Http1ServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#listener = Deno.listen(listen);
  }

  /** Where it listens. */
  get address(): Deno.NetAddr {
    return this.#listener.addr;
  }

  /** Accepts connections until the server is drained. */
  async serve(): Promise<void> {
    while (!this.#draining) {
      try {
        const transport = await this.#listener.accept();
        if (this.#connections.size >= this.#limits.maxConnections) transport.close();
        else this.#serveConnection(transport);
      } catch (error) {
        if (this.#draining) return;
        this.#options.onError(error);
        await new Promise((resolve) => setTimeout(resolve, acceptPauseMs));
      }
    }
  }

  /**
   * Accepts no more, waits at most `timeoutMs` for requests in flight, and closes every connection. Returns how many requests
   * were cut off.
   */
  async drain(timeoutMs: number): Promise<number> {
    this.#draining = true;
    this.#listener.close();
    for (const connection of this.#waiting) connection.close();
    if (this.#inFlight > 0) {
      this.#idle = Promise.withResolvers();
      let timer: ReturnType<typeof setTimeout> | undefined;
      await Promise.race([
        this.#idle.promise,
        new Promise<void>((resolve) => timer = setTimeout(resolve, timeoutMs)),
      ]);
      clearTimeout(timer);
    }
    const cutOff = this.#inFlight;
    for (const connection of this.#connections) connection.close();
    return cutOff;
  }

  /** `undefined` for a connection that has ended already. */
  #open(transport: Deno.TcpConn): Connection | undefined {
    try {
      return new Connection(transport, this.#options.watchdog);
    } catch {
      transport.close();
      return undefined;
    }
  }

  async #serveConnection(transport: Deno.TcpConn): Promise<void> {
    const connection = this.#open(transport);
    if (connection === undefined) return;
    const peer = transport.remoteAddr.hostname;
    this.#connections.add(connection);
    try {
      for (let first = true; await this.#serveRequest(connection, peer, first); first = false);
    } catch (error) {
      if (!(error instanceof Http1Error)) this.#options.onError(error);
    } finally {
      this.#waiting.delete(connection);
      this.#connections.delete(connection);
      connection.close();
    }
  }

  /** Returns whether another request can follow. */
  async #serveRequest(connection: Connection, peer: string, first: boolean): Promise<boolean> {
    const { headTimeoutMs, keepAliveMs, maxHeadBytes } = this.#limits;
    this.#waiting.add(connection);
    connection.allow(first ? headTimeoutMs : keepAliveMs);
    if (!await connection.waitForInput() || this.#draining) return false;
    this.#waiting.delete(connection);
    connection.allow(headTimeoutMs);
    this.#inFlight++;
    try {
      const exchange = await this.#readRequest(connection, peer, maxHeadBytes);
      connection.allowEver();
      await this.#options.handle(exchange);
      return await exchange.settle() && !this.#draining;
    } finally {
      if (--this.#inFlight === 0) this.#idle?.resolve();
    }
  }

  async #readRequest(connection: Connection, peer: string, maxHeadBytes: number): Promise<ServerExchange> {
    try {
      const text = await connection.readHead(maxHeadBytes);
      if (text === undefined) throw new Http1Error("incomplete", "The connection ended.");
      return new ServerExchange(connection, parseRequestHead(text), peer, this.#limits);
    } catch (error) {
      if (error instanceof Http1Error && (error.failure === "malformed" || error.failure === "too_large")) {
        await this.#refuse(connection, error);
      }
      throw error;
    }
  }

  async #refuse(connection: Connection, error: Http1Error): Promise<void> {
    const { status, headerLines, body } = this.#options.refuse(error);
    const framing = `content-length: ${body.length}\r\nconnection: close\r\n`;
    connection.allow(this.#limits.headTimeoutMs);
    await connection.writeHead(`HTTP/1.1 ${status} Refused\r\n${headerLines}${framing}\r\n`, body);
    await connection.closeWrite();
    // Reading on for a moment lets the client see the answer instead of a reset.
    for (let total = 0; total < maxHeadBytesRefused;) {
      const { length } = await connection.read(maxHeadBytesRefused);
      if (length === 0) break;
      total += length;
    }
  }
}

/** How much of a refused request is read before the connection is closed, in bytes. */
const maxHeadBytesRefused = 1 << 20;
