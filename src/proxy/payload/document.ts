import { createHash } from "node:crypto";
import { checksumAlgorithms, checksumHeader, startChecksum } from "../../checksums/checksum.ts";
import type { HeaderList } from "../../http1/header_list.ts";
import { collect, type IncomingBody } from "./payload.ts";
import type { PayloadDeclaration } from "./mode.ts";
import { S3Error } from "../s3_error.ts";

/**
 * Reads the XML document of a request, such as DeleteObjects or CompleteMultipartUpload, and verifies everything that was
 * declared of it, `Content-MD5` and checksum headers included, as it is acted upon here.
 *
 * @param limit most bytes that it may have
 * @throws S3Error `MaxMessageLengthExceeded` for a longer one
 */
export async function readDocument(
  declaration: PayloadDeclaration,
  headers: HeaderList,
  body: IncomingBody,
  limit: number,
): Promise<Uint8Array> {
  if (declaration.length > limit) {
    throw new S3Error("MaxMessageLengthExceeded", `The document of a request has ${limit} bytes at most.`);
  }
  const { bytes } = await collect(declaration, body);
  const md5 = headers.get("content-md5");
  if (md5 !== null && md5 !== contentMd5(bytes)) {
    throw badDigest("Content-MD5");
  }
  for (const algorithm of checksumAlgorithms) {
    const declared = headers.get(checksumHeader(algorithm));
    if (declared === null) continue;
    const checksum = startChecksum(algorithm);
    checksum.update(bytes);
    if (declared !== checksum.value()) throw badDigest(algorithm.toUpperCase());
  }
  return bytes;
}

/** The `Content-MD5` of a document; of all digests that DeleteObjects demands one of, every server knows this one. */
export function contentMd5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("base64");
}

function badDigest(what: string): S3Error {
  return new S3Error("BadDigest", `The ${what} you specified did not match what was received.`, {
    reason: "checksum",
  });
}
