import { ClientCall, type ClientRequest } from "./client_call.ts";
import { connect } from "./connect.ts";
import { Connection } from "./connection.ts";
import { Http1Error } from "./http1_error.ts";
import type { Watchdog } from "./watchdog.ts";

/** What bounds a {@link Http1Client}; times are milliseconds. */
export interface ClientLimits {
  readonly connectTimeoutMs: number;
  /** How long the other side may pause within a body. */
  readonly idleTimeoutMs: number;
  /** How long an unused connection is kept. */
  readonly keepAliveMs: number;
  readonly maxIdleConnections: number;
}

const defaultLimits: ClientLimits = {
  connectTimeoutMs: 5_000,
  idleTimeoutMs: 60_000,
  keepAliveMs: 55_000,
  maxIdleConnections: 256,
};

/** Sends requests to one origin over connections that are kept. */
export class Http1Client {
  readonly #origin: URL;
  readonly #watchdog: Watchdog;
  readonly limits: ClientLimits;
  /** The most recently used one is the last. */
  readonly #idle: Connection[] = [];
  #closed = false;

  constructor(origin: string, watchdog: Watchdog, limits: Partial<ClientLimits> = {}) {
    this.#origin = new URL(origin);
    this.#watchdog = watchdog;
    this.limits = { ...defaultLimits, ...limits };
  }

  /** Starts a request. */
  call(request: ClientRequest): ClientCall {
    return new ClientCall(this, request);
  }

  /** Closes the connections that are not in use, and every other one once its call has ended. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  /** A kept connection, if there is one that was not closed. */
  takeIdle(): Connection | undefined {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (!connection.hasInput) {
        connection.allowEver();
        return connection;
      }
      // Nobody has asked for what came: it must not be taken for the answer to the next request.
      connection.close();
    }
    return undefined;
  }

  /** Opens a connection. Throws {@link Http1Error} `unreachable`. */
  async open(): Promise<Connection> {
    const transport = await connect(this.#origin, this.limits.connectTimeoutMs).catch((error) => {
      throw new Http1Error("unreachable", "No connection could be made.", error);
    });
    return new Connection(transport, this.#watchdog);
  }

  /** Keeps a connection for the next call. */
  keep(connection: Connection): void {
    if (this.#closed || this.#idle.length >= this.limits.maxIdleConnections) return connection.close();
    this.#idle.push(connection);
    connection.allow(this.limits.keepAliveMs);
    connection.watch(() => this.#drop(connection));
  }

  #drop(connection: Connection): void {
    const index = this.#idle.indexOf(connection);
    // One that is in use again tells its user itself.
    if (index < 0) return;
    this.#idle.splice(index, 1);
    connection.close();
  }
}
