import { type ChecksumAlgorithm, checksumAlgorithms, checksumHeader } from "../../checksums/checksum.ts";
import type { HeaderList } from "../../http1/header_list.ts";
import type { ChunkSigning } from "../../sigv4/chunked.ts";
import { S3Error } from "../s3_error.ts";

/** What the signature of a request says about its body. */
export interface PayloadClaim {
  /** The declared `x-amz-content-sha256`; `undefined` when there is none. */
  readonly payload: string | undefined;
  /** What signatures of chunks continue from; needed where the body is declared to come in signed chunks. */
  readonly chunkSigning?: ChunkSigning;
}

/**
 * How a body comes: as it is, with or without a known SHA-256, or in aws-chunked form. The values that stand for these:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html
 */
export type PayloadMode =
  | { readonly kind: "exact"; readonly sha256: string }
  | { readonly kind: "unsigned" }
  | { readonly kind: "chunked"; readonly signing: ChunkSigning | undefined; readonly trailer: boolean };

/** What a request says of its body before that is read. */
export interface PayloadDeclaration {
  readonly mode: PayloadMode;
  /** Bytes of the content: without the framing of aws-chunked. */
  readonly length: number;
  /** The checksum that follows the body. */
  readonly trailer: ChecksumAlgorithm | undefined;
  /** Whether a header lets the upstream tell a changed or cut-off body. */
  readonly hasDigest: boolean;
}

/**
 * Finds out how a body comes and how much it is, reading nothing of it.
 *
 * @param contentLength bytes of the body as it is sent; `undefined` when it comes in the chunked transfer coding
 * @throws S3Error `MissingContentLength` when the length of the content is not known, `NotImplemented` for SigV4A,
 * `InvalidArgument`, `InvalidDigest`, `InvalidRequest` or `IncompleteBody` for declarations that cannot be right
 */
export function declarePayload(
  claim: PayloadClaim,
  headers: HeaderList,
  contentLength: number | undefined,
): PayloadDeclaration {
  const mode = payloadMode(claim);
  const length = mode.kind === "chunked" ? decodedLength(headers, contentLength) : contentLength;
  if (length === undefined) {
    throw new S3Error("MissingContentLength", "You must provide the Content-Length HTTP header.");
  }
  const trailer = declaredTrailer(headers, mode);
  return { mode, length, trailer, hasDigest: declaresDigest(headers, trailer) };
}

function payloadMode({ payload = "UNSIGNED-PAYLOAD", chunkSigning }: PayloadClaim): PayloadMode {
  switch (payload) {
    case "UNSIGNED-PAYLOAD":
      return { kind: "unsigned" };
    case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD":
    case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER":
      if (chunkSigning === undefined) {
        throw new S3Error("InvalidRequest", "A body in signed chunks needs a signature in the headers.");
      }
      return { kind: "chunked", signing: chunkSigning, trailer: payload.endsWith("-TRAILER") };
    case "STREAMING-UNSIGNED-PAYLOAD-TRAILER":
      return { kind: "chunked", signing: undefined, trailer: true };
  }
  if (/^[0-9a-f]{64}$/i.test(payload)) return { kind: "exact", sha256: payload.toLowerCase() };
  if (payload.startsWith("STREAMING-AWS4-ECDSA-")) {
    throw new S3Error("NotImplemented", "Signature Version 4A is not supported.", {
      result: "not_implemented",
    });
  }
  throw new S3Error(
    "InvalidArgument",
    "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING-… value or the SHA-256 of the body.",
  );
}

function decodedLength(headers: HeaderList, contentLength: number | undefined): number | undefined {
  const text = headers.get("x-amz-decoded-content-length");
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    throw new S3Error("InvalidArgument", "x-amz-decoded-content-length must be a number of bytes.");
  }
  const length = Number(text);
  if (contentLength !== undefined && length > contentLength) throw lengthMismatch();
  return length;
}

function declaredTrailer(headers: HeaderList, mode: PayloadMode): ChecksumAlgorithm | undefined {
  const name = headers.get("x-amz-trailer")?.toLowerCase();
  const takesTrailer = mode.kind === "chunked" && mode.trailer;
  if (name === undefined && !takesTrailer) return undefined;
  const algorithm = checksumAlgorithms.find((candidate) => checksumHeader(candidate) === name);
  if (!takesTrailer || algorithm === undefined) {
    throw new S3Error(
      "InvalidRequest",
      "x-amz-trailer must name one checksum, and x-amz-content-sha256 must announce a trailer.",
    );
  }
  return algorithm;
}

function declaresDigest(headers: HeaderList, trailer: ChecksumAlgorithm | undefined): boolean {
  const md5 = headers.get("content-md5");
  if (md5 !== null && !/^[A-Za-z0-9+/]{22}==$/.test(md5)) {
    throw new S3Error("InvalidDigest", "The Content-MD5 you specified is not valid.");
  }
  const inHeader = checksumAlgorithms.some((algorithm) => headers.has(checksumHeader(algorithm)));
  if (inHeader && trailer !== undefined) {
    throw new S3Error("InvalidRequest", "A checksum may come in a header or in the trailer, not in both.");
  }
  return inHeader || md5 !== null;
}

/** The answer for a body that is longer or shorter than it was said to be. */
export function lengthMismatch(): S3Error {
  return new S3Error(
    "IncompleteBody",
    "You did not provide the number of bytes specified by the headers of the request.",
  );
}
