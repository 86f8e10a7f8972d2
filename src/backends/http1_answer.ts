import type { Http1Connection } from "./http1_connection.ts";
import { foreignAnswerProblem } from "./upstream_error.ts";

/** Most bytes that the head of an answer may have, and most interim answers (1xx) before the final one. */
const maxHeadBytes = 64 * 1024;
const maxInterimAnswers = 10;

/** Most bytes that are handed on at once. */
const blockBytes = 256 * 1024;

/** Statuses whose answers have no body (Fetch standard, "null body status"). */
const bodyless = new Set([204, 205, 304]);

/** Status and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
}

/** Reads the head of the final answer. Throws a `Problem` when what came is not HTTP, or a switch to another protocol. */
export async function readHead(connection: Http1Connection): Promise<AnswerHead> {
  for (let count = 0; count < maxInterimAnswers; count++) {
    const text = await connection.readThrough("\r\n\r\n", maxHeadBytes);
    const head = text === undefined ? undefined : parseHead(text);
    if (head === undefined || head.status === 101) break;
    if (head.status >= 200) return head;
  }
  throw foreignAnswerProblem(502);
}

/** The body that follows a head (RFC 9112, section 6.3), or `null`. The connection is closed at its end. */
export function answerBody(
  connection: Http1Connection,
  method: string,
  { status, headers }: AnswerHead,
): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (method === "HEAD" || bodyless.has(status)) return null;
  const blocks = framedBlocks(connection, headers);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await blocks.next();
        if (!done) return controller.enqueue(value);
        connection.close();
        controller.close();
      } catch (error) {
        connection.close();
        throw error;
      }
    },
    cancel: () => connection.close(),
  }, { highWaterMark: 0 });
}

function parseHead(text: string): AnswerHead | undefined {
  const [first, ...lines] = text.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]);
  // `Response` takes no others, and RFC 9110 knows none above 599.
  if (!(status >= 100 && status <= 599)) return undefined;
  const headers = new Headers();
  for (const line of lines) {
    const [, name, value] = /^([^\s:]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    try {
      headers.append(name, value);
    } catch {
      return undefined;
    }
  }
  return { status, headers };
}

async function* framedBlocks(
  connection: Http1Connection,
  headers: Headers,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const coding = headers.get("transfer-encoding");
  const length = headers.get("content-length");
  if (coding !== null) {
    if (coding.toLowerCase() !== "chunked") throw brokenOff();
    return yield* chunkedBlocks(connection);
  }
  if (length !== null) {
    if (!/^\d{1,15}$/.test(length)) throw brokenOff();
    return yield* blocksOf(connection, Number(length));
  }
  while (true) {
    const block = await connection.read(blockBytes);
    if (block.length === 0) return;
    yield block;
  }
}

/** RFC 9112, section 7.1. */
async function* chunkedBlocks(
  connection: Http1Connection,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  while (true) {
    const line = await connection.readThrough("\r\n", maxHeadBytes);
    const size = /^([0-9a-fA-F]{1,12})[ \t]*(?:;|$)/.exec(line ?? "")?.[1];
    if (size === undefined) throw brokenOff();
    if (/^0+$/.test(size)) return;
    yield* blocksOf(connection, parseInt(size, 16));
    if (await connection.readThrough("\r\n", 2) !== "") throw brokenOff();
  }
}

async function* blocksOf(
  connection: Http1Connection,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  for (let left = size; left > 0;) {
    const block = await connection.read(Math.min(left, blockBytes));
    if (block.length === 0) throw brokenOff();
    left -= block.length;
    yield block;
  }
}

function brokenOff(): Error {
  return new Error("the connection was closed before the answer was complete");
}
