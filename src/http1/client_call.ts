import { Body } from "./body.ts";
import type { Http1Client } from "./client.ts";
import { ClientAnswer } from "./client_answer.ts";
import type { Connection } from "./connection.ts";
import { Http1Error } from "./http1_error.ts";
import { type AnswerHead, framingOf, hasToken, parseAnswerHead } from "./message_head.ts";

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

const maxHeadBytes = 64 * 1024;
const maxInterimAnswers = 10;

/** Statuses whose answers have no body (RFC 9110, section 6.4.1). */
function isBodyless(method: string, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

/** One request and its answer. */
export class ClientCall {
  readonly #client: Http1Client;
  readonly #request: ClientRequest;
  #connection: Connection | undefined;
  #aborted = false;
  #sent = false;
  #isAnswered = false;
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
    this.#isAnswered = true;
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
    try {
      while (true) {
        // The pace of the source is the source's own business.
        this.#allowSending(connection, Infinity);
        const { done, value } = await this.#nextPiece(connection, pieces);
        if (connection.isClosed || this.#connection !== connection) return;
        this.#allowSending(connection, this.#request.timeoutMs);
        if (done) break;
        this.#allowSending(connection, this.#client.limits.idleTimeoutMs);
        await connection.write(value);
      }
      this.#sent = true;
    } finally {
      await pieces.return?.();
    }
  }

  /** Sets the deadline for what is sent. Once the answer has begun, the deadlines are those of its reader. */
  #allowSending(connection: Connection, milliseconds: number): void {
    if (!this.#isAnswered) connection.allow(milliseconds);
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
