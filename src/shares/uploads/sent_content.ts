import { clientStalledProblem } from "../../backends/upstream_error.ts";

/** How long a sender may be waited for in all, in milliseconds, besides what the bytes take at {@link slowestSender}. */
const patienceMs = 60_000;

/** Least rate of a sender, in bytes a millisecond. */
const slowestSender = 4;

/**
 * Passes on what is sent and calls `check` with the size of each piece before that, and with 0 at the end: when it throws,
 * nothing of the file is stored. Throws 400 `bad_request` for a sender who is slower than 4 kB a second for long, and would
 * hold a place that others wait for; time in which the storage takes nothing does not count.
 */
export async function* sentContent(
  content: AsyncIterable<Uint8Array>,
  check: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  let waitedMs = 0;
  let received = 0;
  try {
    while (true) {
      const askedAt = performance.now();
      const { done, value } = await pieces.next();
      waitedMs += performance.now() - askedAt;
      const size = done ? 0 : value.byteLength;
      received += size;
      if (waitedMs > patienceMs + received / slowestSender) throw clientStalledProblem();
      check(size);
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}
