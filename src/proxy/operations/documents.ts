import type { ClientAnswer } from "../../http1/client_answer.ts";
import type { HeaderList } from "../../http1/header_list.ts";
import { sha256Hex } from "../../sigv4/canonical.ts";
import type { RequestContext } from "../context.ts";
import { forward } from "../forward.ts";
import { contentMd5, readDocument } from "../payload/document.ts";
import { declarePayload } from "../payload/mode.ts";
import { relay } from "../relay.ts";
import { type OperationServices, upstreamOf } from "../services.ts";

/** Longest set of tags that is taken, in bytes: ten of full length, escaped. */
const maxTaggingBytes = 64 * 1024;

/**
 * Reads the XML document that is a request's body, verified like any body and against its digests. Throws an `S3Error`.
 *
 * @param digests the headers that say what the document has to be
 */
export async function receiveDocument(
  context: RequestContext,
  limit: number,
  digests: HeaderList = context.head.headers,
): Promise<Uint8Array> {
  const { verified, head, exchange } = context;
  const claim = { payload: verified?.payload, chunkSigning: verified?.chunkSigning };
  const declaration = declarePayload(claim, head.headers, exchange.body.length);
  return await readDocument(declaration, digests, exchange.body, limit);
}

/** What {@link forwardDocument} may be told. */
export interface DocumentOptions {
  /** Headers of the client that do not hold for the document that is sent. */
  readonly without?: readonly string[];
  readonly timeoutMs?: number;
}

/** Sends a document on, the client's or one that was made of it. */
export async function forwardDocument(
  context: RequestContext,
  services: OperationServices,
  document: Uint8Array,
  { without, timeoutMs }: DocumentOptions = {},
): Promise<ClientAnswer> {
  services.admission.requireStillAdmitted(context);
  return await forward(context, services, {
    body: { length: document.length, content: document, payloadHash: sha256Hex(document) },
    // DeleteObjects demands a checksum; of all kinds there are, this is the one that every server knows.
    headers: [["content-md5", contentMd5(document)]],
    without,
    timeoutMs,
  });
}

/** PutObjectTagging: sets the tags of an object. */
export async function putTagging(context: RequestContext, services: OperationServices): Promise<void> {
  const document = await receiveDocument(context, maxTaggingBytes);
  const answer = await forwardDocument(context, services, document);
  await relay(context, upstreamOf(context, services), answer);
}
