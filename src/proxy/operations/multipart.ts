import { checksumAlgorithms, checksumHeader } from "../../checksums/checksum.ts";
import { HeaderList } from "../../http1/header_list.ts";
import type { RequestContext } from "../context.ts";
import { maxCompleteBytes, parseCompleteRequest } from "./complete_request.ts";
import { forwardDocument, receiveDocument } from "./documents.ts";
import { forward } from "../forward.ts";
import { passListing } from "./listings.ts";
import { relay } from "../relay.ts";
import { reserved, underReservation } from "./reservations.ts";
import { relayResult, resultTimeoutMs } from "./results.ts";
import { type OperationServices, upstreamOf } from "../services.ts";
import { uploadIdOf } from "./uploads.ts";

const checksumHeaders = new Set(checksumAlgorithms.map(checksumHeader));

/** CompleteMultipartUpload: the upstream makes an object of the parts. */
export async function completeUpload(context: RequestContext, services: OperationServices): Promise<void> {
  const { backend, target, query } = context;
  const uploadId = uploadIdOf(query.get("uploadId"));
  // The checksums among the headers are of the object that comes out, which the upstream compares, not of the document.
  const digests = HeaderList.of([...context.head.headers].filter(([name]) => !checksumHeaders.has(name)));
  const document = await receiveDocument(context, maxCompleteBytes, digests);
  const partNumbers = parseCompleteRequest(document);
  const reservation = await reserved(() =>
    services.ledger.reserveCompletion(backend, target.bucket, { key: target.key, uploadId, partNumbers })
  );
  await underReservation(reservation, async () => {
    const answer = await forwardDocument(context, services, document, { timeoutMs: resultTimeoutMs });
    await relayResult(context, services, answer, reservation);
  });
}

/** ListParts: what was uploaded of an object. */
export async function listParts(context: RequestContext, services: OperationServices): Promise<void> {
  // What is no id of an upload must not be asked for, either.
  uploadIdOf(context.query.get("uploadId"));
  await passListing(context, services);
}

/** AbortMultipartUpload: the upstream forgets the parts. */
export async function abortUpload(context: RequestContext, services: OperationServices): Promise<void> {
  const { backend, target, query } = context;
  const uploadId = uploadIdOf(query.get("uploadId"));
  const answer = await forward(context, services);
  const { status } = answer.head;
  if (status < 300 || status === 404) {
    services.ledger.abortUpload(backend, target.bucket, { key: target.key, uploadId });
  }
  await relay(context, upstreamOf(context, services), answer);
}
