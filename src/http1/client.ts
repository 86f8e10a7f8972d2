import { Body } from "./body.ts";
import { Connection, type Transport } from "./connection.ts";
import { Http1Error } from "./http1_error.ts";
import { type AnswerHead, framingOf, hasToken, parseAnswerHead } from "./message_head.ts";
import type { Watchdog } from "./watchdog.ts";

/** A request to be sent as it stands. */
export interface ClientRequest {
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly target: string;
  /** Header lines, `host` and `content-length` among them, each with its CRLF; one character for each byte. */
  readonly headerLines: string;
  /** Pieces are each done with when the next is asked for. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Whether a second attempt does no harm: the first one met a connection that the server had just closed. */
  readonly repeatable: boolean;
  /** Milliseconds until the answer has to begin, counted from the last byte of the body that was sent. */
  readonly timeoutMs: number;
}

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

const maxHeadBytes = 64 * 1024;
const maxInterimAnswers = 10;

/** Statuses whose answers have no body (RFC 9110, section 6.4.1). */
function isBodyless(method: string, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

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
      pieces.push(piece.slice());
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

/** One request and its answer. */
export class ClientCall {
  readonly #client: Http1Client;
  readonly #request: ClientRequest;
  #connection: Connection | undefined;
  #aborted = false;
  #sent = false;
  /** What the source of the body threw, if it did. */
  #sourceFailure: { readonly error: unknown } | undefined;

  constructor(client: Http1Client, request: ClientRequest) {
    this.#client = client;
    this.#request = request;
  }

  /** Gives the call up: the upstream's connection is closed, and what waits for the call fails. */
  abort(): void {
    this.#aborted = true;
    this.#connection?.close();
  }

  /**
   * Sends the request and resolves when the answer's head is there; an answer that comes before all of the body was sent
   * ends the sending. Throws {@link Http1Error}, or what the body's source threw.
   */
  async answer(): Promise<ClientAnswer> {
    const idle = this.#client.takeIdle();
    if (idle !== undefined) {
      const answer = await this.#attempt(idle, this.#request.repeatable);
      if (answer !== undefined) return answer;
    }
    const connection = await this.#client.open();
    const answer = await this.#attempt(connection, false);
    if (answer === undefined) throw new Http1Error("incomplete", "The connection ended without an answer.");
    return answer;
  }

  /** Called by the answer before it waits for a piece of its body. */
  beginRead(): void {
    this.#connection?.allow(this.#client.limits.idleTimeoutMs);
  }

  /** Called by the answer when a piece has come: how fast it is used is the user's own business. */
  endRead(): void {
    this.#connection?.allowEver();
  }

  /** Called by the answer when its body was read. */
  finish({ head, body }: ClientAnswer): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    body?.release();
    const isReusable = this.#sent && body?.delimited !== false && head.isHttp11 && !connection.isClosed &&
      !connection.hasInput && !hasToken(head.headers, "connection", "close");
    if (isReusable) this.#client.keep(connection);
    else connection.close();
  }

  /** `undefined` when the connection turned out to be stale and `mayRepeat` holds. */
  async #attempt(connection: Connection, mayRepeat: boolean): Promise<ClientAnswer | undefined> {
    if (this.#aborted) {
      connection.close();
      throw new Http1Error("aborted", "The call was given up.");
    }
    this.#connection = connection;
    try {
      await this.#send(connection);
      const head = await this.#readHead(connection);
      if (head === undefined) {
        connection.close();
        if (mayRepeat) return undefined;
        throw new Http1Error("incomplete", "The connection ended without an answer.");
      }
      return this.#answered(connection, head);
    } catch (error) {
      connection.close();
      if (this.#sourceFailure !== undefined) throw this.#sourceFailure.error;
      const isStale = mayRepeat && error instanceof Http1Error && error.failure === "incomplete" &&
        !this.#aborted;
      if (isStale) return undefined;
      throw error;
    }
  }

  #answered(connection: Connection, head: AnswerHead): ClientAnswer {
    const isBare = isBodyless(this.#request.method, head.status);
    const body = isBare ? null : new Body(connection, framingOf(head.headers, "close"));
    connection.allowEver();
    const answer = new ClientAnswer(head, body, this);
    if (body === null) this.finish(answer);
    return answer;
  }

  async #send(connection: Connection): Promise<void> {
    const { method, target, headerLines, body, timeoutMs } = this.#request;
    connection.allow(timeoutMs);
    const head = `${method} ${target} HTTP/1.1\r\n${headerLines}\r\n`;
    if (body === undefined || body instanceof Uint8Array) {
      await connection.writeHead(head, body);
      this.#sent = true;
      return;
    }
    await connection.writeHead(head);
    // Sent beside the wait for the answer: a server that refuses does so before it has read everything.
    this.#sendPieces(connection, body).catch(() => {});
  }

  async #sendPieces(connection: Connection, body: AsyncIterable<Uint8Array>): Promise<void> {
    const pieces = body[Symbol.asyncIterator]();
    while (true) {
      // The pace of the source is the source's own business.
      connection.allowEver();
      const { done, value } = await this.#nextPiece(connection, pieces);
      if (connection.isClosed || this.#connection !== connection) return void await pieces.return?.();
      connection.allow(this.#request.timeoutMs);
      if (done) break;
      connection.allow(this.#client.limits.idleTimeoutMs);
      await connection.write(value);
    }
    this.#sent = true;
  }

  async #nextPiece(connection: Connection, pieces: AsyncIterator<Uint8Array>) {
    try {
      return await pieces.next();
    } catch (error) {
      this.#sourceFailure = { error };
      connection.close();
      throw error;
    }
  }

  async #readHead(connection: Connection): Promise<AnswerHead | undefined> {
    for (let count = 0; count < maxInterimAnswers; count++) {
      const text = await connection.readHead(maxHeadBytes);
      if (text === undefined) return undefined;
      const head = parseAnswerHead(text);
      if (head.status >= 200) return head;
    }
    throw new Http1Error("malformed", "The answer does not come to an end.");
  }
}

/** Connects, and with TLS shakes hands, in `timeoutMs` altogether. */
async function connect({ protocol, hostname, port }: URL, timeoutMs: number): Promise<Transport> {
  const secure = protocol === "https:";
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error("the time is over")), timeoutMs);
  try {
    const plain = await Deno.connect({
      hostname: host,
      port: port === "" ? (secure ? 443 : 80) : Number(port),
      signal: controller.signal,
    });
    return secure ? await encrypt(plain, host, controller.signal) : plain;
  } finally {
    clearTimeout(timer);
  }
}

async function encrypt(plain: Deno.TcpConn, hostname: string, signal: AbortSignal): Promise<Deno.TlsConn> {
  plain.setNoDelay(true);
  const encrypted = await Deno.startTls(plain, { hostname, alpnProtocols: ["http/1.1"] });
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([encrypted.handshake(), aborted.promise]);
    return encrypted;
  } catch (error) {
    encrypted.close();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
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
