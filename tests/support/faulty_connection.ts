import { type FaultRules, type ProxiedRequest, readTarget, type RequestFault } from "./fault_rules.ts";
import {
  answerFraming,
  endsConnection,
  type MessageHead,
  MessageReader,
  requestFraming,
  statusOf,
} from "./http_framing.ts";

/** What the connections of a proxy share. */
export interface ProxyState {
  readonly target: URL;
  readonly rules: FaultRules;
  /** Where requests are recorded. */
  readonly requests: ProxiedRequest[];
}

/** How often a slow body gets on, in milliseconds. */
const slowStepMs = 20;

/** What becomes of the client's connection after an answer: `ended` after all of it, `cut` at once. */
type Outcome = "open" | "ended" | "cut";

/** A request under way. */
interface Exchange {
  readonly head: MessageHead;
  readonly record: { -readonly [Name in keyof ProxiedRequest]: ProxiedRequest[Name] };
  readonly fault: RequestFault | undefined;
}

/** A client's connection to a fault proxy. */
export class FaultyConnection {
  readonly #client: Deno.TcpConn;
  readonly #state: ProxyState;
  readonly #reader: MessageReader;
  readonly #closing = new AbortController();

  constructor(client: Deno.TcpConn, state: ProxyState) {
    this.#client = client;
    this.#state = state;
    this.#reader = new MessageReader(client);
  }

  /** Ends the connection, and what is under way on it. */
  close(): void {
    this.#closing.abort();
    close(this.#client);
  }

  /** Takes whatever comes; gives the answer, if any, once something came. */
  async stall(bytes: Uint8Array | undefined): Promise<void> {
    if (await this.#reader.peek() && bytes !== undefined) await writeAll(this.#client, bytes);
    await this.#reader.drain();
  }

  /** Forwards one request after the other. `fault` is what happens to those that no rule has one for. */
  async forward(fault?: RequestFault): Promise<void> {
    while (true) {
      const head = await this.#reader.readHead();
      if (head === undefined) return;
      const [method, target] = head.startLine;
      const record = { method, ...readTarget(target), headers: head.headers, bytes: 0, isForwarded: false };
      this.#state.requests.push(record);
      const exchange = { head, record, fault: await this.#state.rules.apply(record) ?? fault };
      if (!await this.#exchange(exchange)) return;
    }
  }

  /** Whether the connection goes on after it. */
  async #exchange(exchange: Exchange): Promise<boolean> {
    const { fault } = exchange;
    if (fault?.kind === "refuse") return false;
    const isLocal = fault?.kind === "hang" || fault?.kind === "status" ||
      fault?.kind === "reset" && fault.afterBytes === undefined;
    if (!isLocal) return await this.#relay(exchange);
    await this.#dropBody(exchange);
    if (fault.kind === "hang") await this.#reader.drain();
    if (fault.kind !== "status") return false;
    await writeAll(this.#client, refusal(fault.status, fault.code, exchange.record.method));
    return true;
  }

  async #dropBody({ head, record }: Exchange): Promise<void> {
    if (head.headers.has("expect")) {
      await writeAll(this.#client, new TextEncoder().encode("HTTP/1.1 100 Continue\r\n\r\n"));
    }
    for await (const { length } of this.#reader.readBody(requestFraming(head))) record.bytes += length;
  }

  /** Sends a request on and its answer back, over a connection of their own. */
  async #relay(exchange: Exchange): Promise<boolean> {
    const { hostname, port } = this.#state.target;
    const server = await Deno.connect({ hostname, port: Number(port) });
    const closeServer = () => close(server);
    this.#closing.signal.addEventListener("abort", closeServer);
    try {
      exchange.record.isForwarded = true;
      let isSent = false;
      const sending = this.#sendRequest(exchange, server).then(() => void (isSent = true));
      const answering = this.#sendAnswer(exchange, server);
      answering.catch(() => {});
      // A client that goes away ends the request; what it sends beyond that is its next one.
      const watching = sending.then(() => this.#reader.peek()).then((isOpen) => isOpen ? answering : "cut");
      watching.catch(() => {});
      const outcome = await Promise.race([answering, watching]);
      if (outcome === "cut" || !isSent && exchange.head.headers.has("expect")) return false;
      if (outcome === "ended") await this.#client.closeWrite();
      await sending;
      if (outcome === "ended") await this.#reader.drain();
      return outcome === "open";
    } finally {
      this.#closing.signal.removeEventListener("abort", closeServer);
      closeServer();
    }
  }

  async #sendRequest({ head, record, fault }: Exchange, server: Deno.TcpConn): Promise<void> {
    const limit = fault?.kind === "reset" ? fault.afterBytes ?? 0 : Infinity;
    // An upstream that takes no more has answered before the end; the rest is read all the same.
    let isTaken = await tryWrite(server, head.bytes);
    for await (const bytes of this.#reader.readBody(requestFraming(head))) {
      const part = bytes.subarray(0, limit - record.bytes);
      record.bytes += bytes.length;
      if (isTaken) isTaken = await this.#paced(part, fault, (piece) => tryWrite(server, piece));
      if (record.bytes >= limit) throw new Deno.errors.ConnectionReset();
    }
    if (limit !== Infinity) throw new Deno.errors.ConnectionReset();
  }

  async #sendAnswer({ record, fault }: Exchange, server: Deno.TcpConn): Promise<Outcome> {
    const reader = new MessageReader(server);
    const limit = fault?.kind === "truncated" ? fault.afterBytes : Infinity;
    while (true) {
      const head = await reader.readHead();
      if (head === undefined) return "cut";
      const isInterim = statusOf(head) < 200;
      if (!isInterim) record.status = statusOf(head);
      const isLost = fault?.kind === "lost_answer" && !isInterim;
      if (!isLost) await writeAll(this.#client, head.bytes);
      let count = 0;
      for await (const bytes of reader.readBody(answerFraming(record.method, head))) {
        const part = bytes.subarray(0, limit - count);
        count += bytes.length;
        if (!isLost) await this.#paced(part, fault, (piece) => writeAll(this.#client, piece));
        if (count >= limit) return "cut";
      }
      if (isInterim) continue;
      if (isLost || limit !== Infinity) return "cut";
      return endsConnection(head) ? "ended" : "open";
    }
  }

  /** Writes bytes as fast as the fault lets them pass. Whether the last of them was taken. */
  async #paced<Result>(
    bytes: Uint8Array,
    fault: RequestFault | undefined,
    write: (piece: Uint8Array) => Promise<Result>,
  ): Promise<Result> {
    if (fault?.kind !== "slow") return await write(bytes);
    const pieceBytes = Math.max(1, Math.round(fault.bytesPerSecond * slowStepMs / 1000));
    for (let start = 0;; start += pieceBytes) {
      const piece = bytes.subarray(start, start + pieceBytes);
      await pause(1000 * piece.length / fault.bytesPerSecond, this.#closing.signal);
      const result = await write(piece);
      if (start + pieceBytes >= bytes.length) return result;
    }
  }
}

function refusal(status: number, code: string, method: string): Uint8Array {
  const body =
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  const head = [
    `HTTP/1.1 ${status} Refused`,
    "content-type: application/xml",
    `content-length: ${body.length}`,
  ];
  return new TextEncoder().encode([...head, "", method === "HEAD" ? "" : body].join("\r\n"));
}

/** Waits; throws when `signal` is aborted meanwhile. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const end = () => resolve();
  signal.addEventListener("abort", end);
  await promise;
  signal.removeEventListener("abort", end);
  clearTimeout(timer);
  signal.throwIfAborted();
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) written += await to.write(bytes.subarray(written));
}

/** Whether the other side has taken all bytes. */
async function tryWrite(to: Deno.TcpConn, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeAll(to, bytes);
    return true;
  } catch {
    return false;
  }
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // Closed already.
  }
}
