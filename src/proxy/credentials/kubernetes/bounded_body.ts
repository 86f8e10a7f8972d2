/** A body, or a line of it, is longer than it may be. */
export class TooLongError extends Error {
  override readonly name = "TooLongError";

  constructor(what: string, maxBytes: number) {
    super(`${what} is longer than ${maxBytes} bytes`);
  }
}

const lineFeed = 0x0a;

/**
 * The lines of a body, without their ends and without empty ones. What comes after the last line feed is dropped, since a
 * connection that broke in the middle of a line leaves it behind. Throws {@link TooLongError}.
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<string> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const add = (part: Uint8Array) => {
    pending.push(part);
    pendingBytes += part.length;
    if (pendingBytes > maxLineBytes) throw new TooLongError("a line of the answer", maxLineBytes);
  };
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = decode(pending);
      pending = [];
      pendingBytes = 0;
      if (line !== "") yield line;
    }
    add(chunk.subarray(start));
  }
}

/** All of a body. Throws {@link TooLongError}. */
export async function readText(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLongError("the answer", maxBytes);
    chunks.push(chunk);
  }
  return decode(chunks);
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
