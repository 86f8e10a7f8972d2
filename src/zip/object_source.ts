import { setTimeout as delay } from "node:timers/promises";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { type LinkedSignal, linkSignal, withLinkedSignal } from "../backends/linked_signal.ts";
import { requireKey } from "../backends/names.ts";
import { foreignAnswerProblem, transportProblem } from "../backends/upstream_error.ts";
import { passBody } from "../objects/body.ts";
import { Problem } from "../problem.ts";
import type { ReadAheadShare } from "./read_ahead_memory.ts";

/** Largest object that is read ahead into memory, in bytes. */
export const maxSmallBytes = 1 << 20;

/** Pauses before an object that broke off is asked for again, in milliseconds. Any progress gives all of them back. */
const retryPausesMs = [100, 400, 1_500];

/** An object as its backend begins to send it. */
interface OpenObject {
  /** Bytes; `undefined` when the backend does not say. */
  readonly size?: number;
  readonly etag: string;
  readonly modifiedAt: Date;
  readonly body: ReadableStream<Uint8Array>;
}

/** A small object, read. */
export interface SmallObject {
  readonly content: Uint8Array;
  readonly modifiedAt: Date;
}

/** A large object, whose content comes as it is asked for; each piece is valid until the next is. */
export interface LargeObject {
  /** Bytes; `undefined` when the backend does not say. */
  readonly size?: number;
  readonly modifiedAt: Date;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Reads an object whole, into memory that is taken from `memory`; `undefined` for one that is larger than
 * {@link maxSmallBytes}, or when there is no memory left. One that breaks off is asked for once
 * more. Throws what the backend says.
 */
export async function readSmallObject(
  scope: BucketScope,
  key: string,
  memory: ReadAheadShare,
  signal: AbortSignal,
): Promise<SmallObject | undefined> {
  requireKey(key);
  const attempt = () => withLinkedSignal(signal, (linked) => readOnce(scope, key, memory, linked));
  try {
    return await attempt();
  } catch (error) {
    if (signal.aborted || !mayPass(error)) throw error;
    await delay(retryPausesMs[0], undefined, { signal });
    return await attempt();
  }
}

async function readOnce(
  scope: BucketScope,
  key: string,
  memory: ReadAheadShare,
  signal: AbortSignal,
): Promise<SmallObject | undefined> {
  const { size = Infinity, modifiedAt, body } = await open(scope, key, signal);
  if (size > maxSmallBytes || !memory.take(size)) {
    await body.cancel();
    return undefined;
  }
  try {
    return { content: await readContent(body, size), modifiedAt };
  } catch (error) {
    memory.give(size);
    throw error;
  }
}

async function readContent(body: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array> {
  const content = new Uint8Array(size);
  let filled = 0;
  for await (const piece of passBody(body)) {
    if (filled + piece.length > size) throw foreignAnswerProblem(200);
    content.set(piece, filled);
    filled += piece.length;
  }
  if (filled < size) throw brokenOff();
  return content;
}

/** Begins to read an object. Throws what the backend says, {@link LargeObject.content} also when it breaks off for good. */
export async function openLargeObject(
  scope: BucketScope,
  key: string,
  signal: AbortSignal,
): Promise<LargeObject> {
  requireKey(key);
  const link = linkSignal(signal);
  try {
    const opened = await open(scope, key, link.signal);
    const { size, modifiedAt } = opened;
    return { size, modifiedAt, content: new ObjectReader(scope, key, opened, link).pieces() };
  } catch (error) {
    link.unlink();
    throw error;
  }
}

/** Reads the content of an object; where it breaks off, asks for the rest of that very object. */
class ObjectReader {
  #offset = 0;
  #failures = 0;

  constructor(
    readonly scope: BucketScope,
    readonly key: string,
    readonly opened: OpenObject,
    readonly link: LinkedSignal,
  ) {}

  async *pieces(): AsyncGenerator<Uint8Array, void> {
    const { size = Infinity, body } = this.opened;
    let rest: ReadableStream<Uint8Array> | undefined = body;
    try {
      while (rest !== undefined) {
        try {
          for await (const piece of passBody(rest)) {
            if (this.#offset + piece.length > size) throw foreignAnswerProblem(200);
            this.#offset += piece.length;
            this.#failures = 0;
            yield piece;
          }
          if (size !== Infinity && this.#offset < size) throw brokenOff();
          rest = undefined;
        } catch (error) {
          rest = await this.#reopen(error);
        }
      }
    } finally {
      this.link.unlink();
    }
  }

  async #reopen(error: unknown): Promise<ReadableStream<Uint8Array>> {
    const { opened: { size, etag }, link: { signal } } = this;
    const isFinal = signal.aborted || size === undefined || this.#failures === retryPausesMs.length;
    if (isFinal || !mayPass(error)) throw error;
    await delay(retryPausesMs[this.#failures++], undefined, { signal });
    try {
      return (await open(this.scope, this.key, signal, { offset: this.#offset, etag })).body;
    } catch (again) {
      return await this.#reopen(again);
    }
  }
}

/** Where the rest of an object begins that broke off, and which object that was. */
interface Continuation {
  /** Bytes. */
  readonly offset: number;
  /** With its quotes. */
  readonly etag: string;
}

async function open(
  { connection, bucket }: BucketScope,
  key: string,
  signal: AbortSignal,
  rest?: Continuation,
): Promise<OpenObject> {
  const headers = rest === undefined ? undefined : { range: `bytes=${rest.offset}-`, "if-match": rest.etag };
  const { status, headers: answered, body } = await connection.send({
    method: "GET",
    bucket,
    key,
    headers,
    signal,
  });
  const etag = answered.get("etag") ?? "";
  const isExpected = rest === undefined ? status === 200 : status === 206 && etag === rest.etag &&
    answered.get("content-range")?.startsWith(`bytes ${rest.offset}-`);
  if (!isExpected) {
    await body?.cancel();
    throw foreignAnswerProblem(status);
  }
  const length = answered.get("content-length");
  const modified = Date.parse(answered.get("last-modified") ?? "");
  return {
    size: length === null ? undefined : Number(length),
    etag,
    modifiedAt: new Date(Number.isNaN(modified) ? 0 : modified),
    body: body ?? ReadableStream.from<Uint8Array>([]),
  };
}

/** Whether asking again may help: the backend or the connection to it failed, and it did not refuse. */
function mayPass(error: unknown): boolean {
  return !(error instanceof Problem) || error.status >= 500;
}

function brokenOff(): Problem {
  return transportProblem(new Error("the body is shorter than its length"));
}
