import { clientGoneProblem, clientStalledProblem, timeoutProblem } from "../backends/upstream_error.ts";
import { Problem } from "../problem.ts";

/** How long a backend may send nothing of an object while its client is ready to take it, in milliseconds. */
const upstreamIdleMs = 30_000;

/** The same for a client that uploads: less than the 30 seconds after which MinIO gives up, and would be blamed. */
const clientIdleMs = 25_000;

/** How much of a refused upload is still taken in, in bytes, and how long that may take, in milliseconds. */
const discardedBytes = 32 << 20;
const discardMs = 5_000;

/** Most bytes of an upload that are read at once. */
const readBytes = 256 * 1024;

/**
 * Passes on the body of a backend's answer. It fails when the backend pauses for longer than `idleMs`; a client that takes
 * it slowly may do so for ever. Ending it ends the backend's answer.
 */
export function passBody(
  body: ReadableStream<Uint8Array>,
  idleMs = upstreamIdleMs,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let passedOn: ArrayBufferLike | undefined;
  return new ReadableStream({
    async pull(controller) {
      // The piece before has been written. Freed now, its memory does not pile up until the collector comes.
      if (passedOn instanceof ArrayBuffer) passedOn.transfer(0);
      const { done, value } = await within(idleMs, reader.read(), () => {
        reader.cancel().catch(() => {});
        return timeoutProblem();
      });
      if (done) return controller.close();
      passedOn = value.buffer;
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/**
 * The body of an upload. Each piece is valid only until the next is asked for. Throws 400 `bad_request` when the client
 * pauses for longer than `idleMs`, or goes away before all of the body, `size` bytes if that is known, was there. When
 * nobody wants the rest, that is discarded as by {@link discardBody}.
 */
export async function* uploadedBytes(
  body: ReadableStream<Uint8Array> | null,
  size?: number,
  idleMs = clientIdleMs,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let isOver = false;
  const reader = body === null ? null : pieceReader(body);
  try {
    while (reader !== null) {
      const piece = await within(idleMs, reader.read(), clientStalledProblem);
      if (piece === undefined) {
        isOver = true;
        break;
      }
      received += piece.byteLength;
      yield piece;
    }
  } catch (error) {
    isOver = true;
    throw error instanceof Problem ? error : clientGoneProblem();
  } finally {
    if (!isOver && reader !== null) await discard(reader);
    reader?.cancel().catch(() => {});
  }
  if (size !== undefined && received !== size) throw clientGoneProblem();
}

/**
 * Takes in, up to a bound, what the client of a refused upload is still sending. An answer to it would get lost otherwise: a
 * connection that is closed before all was read is reset.
 */
export async function discardBody(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (body === null || body.locked) return;
  const reader = pieceReader(body);
  await discard(reader);
  reader.cancel().catch(() => {});
}

async function discard(reader: PieceReader): Promise<void> {
  const deadline = performance.now() + discardMs;
  try {
    for (let left = discardedBytes; left > 0;) {
      const piece = await within(deadline - performance.now(), reader.read(), clientStalledProblem);
      if (piece === undefined) return;
      left -= piece.byteLength;
    }
  } catch {
    // It is gone, or too slow to be waited for.
  }
}

/** Reads one piece after the other; `undefined` is the end. */
interface PieceReader {
  read(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

/** Reads into one buffer, again and again, where it can: fresh buffers would pile up faster than they are collected. */
function pieceReader(body: ReadableStream<Uint8Array>): PieceReader {
  const byteReader = openByteReader(body);
  if (byteReader === null) {
    const reader = body.getReader();
    return { read: async () => (await reader.read()).value, cancel: () => reader.cancel() };
  }
  let buffer = new ArrayBuffer(readBytes);
  return {
    async read() {
      const { done, value } = await byteReader.read(new Uint8Array(buffer));
      if (done || value === undefined) return undefined;
      buffer = value.buffer;
      return value;
    },
    cancel: () => byteReader.cancel(),
  };
}

/** `null` for a body that arrived whole together with its head: the runtime makes no byte stream of that. */
function openByteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

/** What `promise` gives, or the error that `onLate` returns when it takes longer than `ms`. */
async function within<T>(ms: number, promise: Promise<T>, onLate: () => Problem): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => timer = setTimeout(() => reject(onLate()), ms));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
