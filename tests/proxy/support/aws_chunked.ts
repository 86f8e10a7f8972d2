import { createHash } from "node:crypto";
import { scopeText, signingKey } from "../../../src/sigv4/canonical.ts";
import type { ChunkSigning } from "../../../src/sigv4/chunked.ts";

const scope = { date: "20130524", region: "us-east-1", service: "s3" };

/** A chain of chunk signatures to begin with. */
export const chunkSigning: ChunkSigning = {
  key: signingKey("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", scope),
  time: "20130524T000000Z",
  scope: scopeText(scope),
  seedSignature: "0".repeat(64),
};

/** How a body is to be encoded. */
export interface ChunkEncoding {
  readonly chunkSize: number;
  /** What the signatures of chunks follow from; without it there are none. */
  readonly signing?: ChunkSigning;
  /** Name and value, or nothing for a trailer without lines; `undefined` for no trailer at all. */
  readonly trailer?: readonly string[];
}

/** SHA-256 in hexadecimal. */
export function hexSha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Encodes a body as aws-chunked. */
export function encodeChunks(
  body: Uint8Array,
  { chunkSize, signing, trailer }: ChunkEncoding,
): Uint8Array {
  let previous = signing?.seedSignature ?? "";
  const sign = ({ key, time, scope }: ChunkSigning, kind: string, hashes: string[]) => {
    const text = [`AWS4-HMAC-SHA256-${kind}`, time, scope, previous, ...hashes].join("\n");
    return previous = key.hex(text);
  };
  const pieces: (Uint8Array | string)[] = [];
  for (let start = 0; start <= body.length; start += chunkSize) {
    const chunk = body.subarray(start, start + chunkSize);
    if (chunk.length > 0) pieces.push(header(chunk), chunk, "\r\n");
  }
  pieces.push(header(new Uint8Array(0)));
  if (trailer?.length === 2) pieces.push(`${trailer.join(":")}\r\n`);
  if (trailer !== undefined && signing !== undefined) {
    const signature = sign(signing, "TRAILER", [hexSha256(`${trailer.join(":")}
`)]);
    pieces.push(`x-amz-trailer-signature:${signature}
`);
  }
  pieces.push("\r\n");
  return concatenate(pieces);

  function header(chunk: Uint8Array): string {
    const extension = signing === undefined
      ? ""
      : `;chunk-signature=${sign(signing, "PAYLOAD", [hexSha256(""), hexSha256(chunk)])}`;
    return `${chunk.length.toString(16)}${extension}\r\n`;
  }
}

/** Takes a body apart that is aws-chunked without signatures. Throws when it is not whole. */
export function decodeUnsigned(encoded: Uint8Array): { bytes: Uint8Array; trailers: string[] } {
  const pieces: Uint8Array[] = [];
  let at = 0;
  const line = () => {
    const end = encoded.indexOf(10, at);
    if (end < 1 || encoded[end - 1] !== 13) throw new Error("a line is not complete");
    const text = new TextDecoder().decode(encoded.subarray(at, end - 1));
    at = end + 1;
    return text;
  };
  for (let size = parseInt(line(), 16); size !== 0; size = parseInt(line(), 16)) {
    pieces.push(encoded.subarray(at, at + size));
    at += size;
    if (line() !== "") throw new Error("a chunk has another length than it says");
  }
  const trailers: string[] = [];
  for (let text = line(); text !== ""; text = line()) trailers.push(text);
  if (at !== encoded.length) throw new Error("something follows the end");
  return { bytes: concatenate(pieces), trailers };
}

function concatenate(pieces: readonly (Uint8Array | string)[]): Uint8Array {
  const bytes = pieces.map((piece) => typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  const all = new Uint8Array(bytes.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of bytes) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
