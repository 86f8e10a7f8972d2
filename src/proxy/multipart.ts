import { checksumAlgorithms, checksumHeader } from "../checksums/checksum.ts";
import { HeaderList } from "../http1/header_list.ts";
import type { RequestContext } from "./context.ts";
import { maxCompleteBytes, parseCompleteRequest } from "./complete_request.ts";
import { rewriteCompleteResult } from "./complete_result.ts";
import { forwardDocument, receiveDocument } from "./documents.ts";
import { forward } from "./forward.ts";
import { objectUrl } from "./own_url.ts";
import { relay, relayChanged } from "./relay.ts";
import { type OperationServices, upstreamOf } from "./services.ts";
import { reserved, settle, uploadIdOf } from "./uploads.ts";

/** Time for an upstream to put the parts of an upload together, in milliseconds. */
const completeTimeoutMs = 10 * 60_000;

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
  try {
    const answer = await forwardDocument(context, services, document, { timeoutMs: completeTimeoutMs });
    if (answer.head.status >= 300) settle(reservation, answer);
    await relayChanged(
      context,
      upstreamOf(context, services),
      answer,
      (body) =>
        rewriteResult(
          context,
          services,
          body,
          (isSuccess) => isSuccess ? reservation.commit() : reservation.release(),
        ),
    );
  } finally {
    reservation.keep();
  }
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

/**
 * The document of an operation that may fail after its status was sent, with the endpoint's own address in it.
 *
 * @param onEnd told whether it was a success
 */
export async function* rewriteResult(
  context: RequestContext,
  services: OperationServices,
  body: AsyncIterable<Uint8Array>,
  onEnd: (isSuccess: boolean) => void,
): AsyncGenerator<Uint8Array> {
  const { head, target, requestId } = context;
  const decoder = new TextDecoder();
  let text = "";
  const rewritten = rewriteCompleteResult(body, {
    location: objectUrl(context),
    authority: upstreamOf(context, services).authority,
    context: { method: head.method, path: head.path, bucket: target.bucket, requestId },
  });
  for await (const piece of rewritten) {
    text += decoder.decode(piece, { stream: true });
    yield piece;
  }
  const isSuccess = !/<Error[\s>]/.test(text);
  if (!isSuccess) context.result = "upstream_error";
  onEnd(isSuccess);
}
