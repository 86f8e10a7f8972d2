import assert from "node:assert/strict";
import { type ChecksumAlgorithm, startChecksum } from "../../../src/checksums/checksum.ts";
import { HeaderList } from "../../../src/http1/header_list.ts";
import { maxCollectedBytes, preparePayload } from "../../../src/proxy/payload/payload.ts";
import { declarePayload } from "../../../src/proxy/payload/mode.ts";
import { chunkSigning, encodeChunks } from "./aws_chunked.ts";
import { reusedPieces } from "./pieces.ts";

/** A body as a client sends it. */
export interface Upload {
  readonly payload?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Bytes of each piece of the body. */
  readonly step?: number;
  /** The declared Content-Length; `null` when there is none. */
  readonly contentLength?: number | null;
  readonly keepsCutOff?: boolean;
}

/** What reaches the upstream. */
export interface Arrived {
  readonly declared: number;
  readonly bytes: Uint8Array;
  readonly headers: Record<string, string>;
  readonly payloadHash: string;
  readonly wasCollected: boolean;
}

const arrivedBeforeFailure = new WeakMap<Error, number>();

/** Sends a body through as the endpoint does. */
export async function upload(
  { payload, headers = {}, body, step = 65_536, contentLength = body.length, keepsCutOff = true }: Upload,
): Promise<Arrived> {
  const list = HeaderList.of(Object.entries(headers));
  const declaration = declarePayload({ payload, chunkSigning }, list, contentLength ?? undefined);
  const prepared = await preparePayload(declaration, reusedPieces(body, step), keepsCutOff);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of prepared.body instanceof Uint8Array ? [prepared.body] : prepared.body) {
      pieces.push(piece.slice());
      size += piece.length;
    }
  } catch (error) {
    if (error instanceof Error) arrivedBeforeFailure.set(error, size);
    throw error;
  }
  const bytes = new Uint8Array(size);
  let filled = 0;
  for (const piece of pieces) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return {
    declared: prepared.length,
    bytes,
    headers: Object.fromEntries(prepared.headers),
    payloadHash: prepared.payloadHash,
    wasCollected: prepared.body instanceof Uint8Array,
  };
}

/** Uploads what must be refused, and tells how many bytes would have gone upstream before. */
export async function refused(request: Upload, code: string): Promise<number> {
  let bytes = 0;
  await assert.rejects(upload(request), (error: Error & { code?: string }) => {
    assert.equal(error.code, code, error.message);
    bytes = arrivedBeforeFailure.get(error) ?? 0;
    return true;
  });
  return bytes;
}

/** Bodies of every size that matters. */
export const small = new TextEncoder().encode("123456789");
export const large = new Uint8Array(3 * maxCollectedBytes + 4711).map((_, index) =>
  index * 31 + (index >> 9)
);
export const bodies = [new Uint8Array(0), small, large];

/** The checksum of `bytes` in base64. */
export function checksumOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array): string {
  const checksum = startChecksum(algorithm);
  checksum.update(bytes);
  return checksum.value();
}

/** Headers that declare a checksum behind the body. */
export function trailerHeaders(algorithm: ChecksumAlgorithm, bytes: Uint8Array): Record<string, string> {
  return {
    "x-amz-decoded-content-length": String(bytes.length),
    "x-amz-trailer": `x-amz-checksum-${algorithm}`,
  };
}

/** Uploads with a checksum trailer; `change` says what of it is not as it should be. */
export function trailerUpload(
  bytes: Uint8Array,
  change: { signed?: boolean; value?: string; algorithm?: ChecksumAlgorithm; chunkSize?: number } = {},
): Upload & { headers: Record<string, string> } {
  const { signed = false, algorithm = "crc32", chunkSize = 65_536 } = change;
  const value = change.value ?? checksumOf(algorithm, bytes);
  return {
    payload: signed ? "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" : "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    headers: trailerHeaders(algorithm, bytes),
    body: encodeChunks(bytes, {
      chunkSize,
      signing: signed ? chunkSigning : undefined,
      trailer: [`x-amz-checksum-${algorithm}`, value],
    }),
  };
}
