import { upstreamProblem } from "../backends/upstream_error.ts";
import { passBody } from "../objects/body.ts";
import type { CopySource } from "../objects/copy.ts";
import { Problem } from "../problem.ts";
import { type PartRange, rangeOf } from "./part_plan.ts";
import type { SourceObject } from "./source_object.ts";

/**
 * The content of a source, or of a part of it, as it comes. A piece is valid until the next is asked for. Throws 412
 * `precondition_failed` for a source that has changed, 502 `backend_error` for one that is not of the size it should be of.
 */
export async function readContent(
  { connection, bucket, key, versionId }: CopySource,
  { etag, size }: SourceObject,
  signal: AbortSignal,
  part?: PartRange,
): Promise<AsyncIterable<Uint8Array>> {
  const headers = new Headers({ "if-match": etag });
  if (part !== undefined) headers.set("range", rangeOf(part));
  const response = await connection.send({
    method: "GET",
    bucket,
    key,
    query: { versionId },
    headers,
    signal,
  });
  if (response.headers.get("content-length") !== String(part?.size ?? size)) {
    await response.body?.cancel();
    throw wrongSize();
  }
  return response.body === null ? noContent() : ofSize(passBody(response.body), part?.size ?? size);
}

async function* ofSize(content: ReadableStream<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const piece of readable(content)) {
    received += piece.length;
    if (received > size) throw wrongSize();
    yield piece;
  }
  if (received < size) throw wrongSize();
}

/** The content, whose breaking off is a problem of the backend. */
async function* readable(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw upstreamProblem(error);
  }
}

async function* noContent(): AsyncGenerator<Uint8Array> {}

function wrongSize(): Problem {
  return new Problem(502, "backend_error", "The backend sent another amount of bytes than it has announced.");
}
