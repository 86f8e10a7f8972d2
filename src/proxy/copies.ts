import type { RequestContext } from "./context.ts";
import { authorizeCopySource, type CopySource, formatCopySource, parseCopySource } from "./copy_source.ts";
import { forward } from "./forward.ts";
import { ask, relayChanged } from "./relay.ts";
import { S3Error } from "./s3_error.ts";
import { type OperationServices, upstreamOf } from "./services.ts";
import { encodeKey } from "./target.ts";
import { reserved, settle, uploadPartOf } from "./uploads.ts";
import type { Reservation } from "../quotas/reservation.ts";
import { encodeRfc3986 } from "../sigv4/canonical.ts";
import { rewriteResult } from "./multipart.ts";

/** Time for an upstream to copy, in milliseconds. */
export const copyTimeoutMs = 10 * 60_000;

/** CopyObject: the upstream copies one object in scope to another. */
export async function copyObject(context: RequestContext, services: OperationServices): Promise<void> {
  const { backend, target } = context;
  await copy(
    context,
    services,
    (bytes) => services.ledger.reserve(backend, target.bucket, target.key, bytes),
  );
}

/** UploadPartCopy: the upstream copies an object in scope, or a range of it, into a part. */
export async function uploadPartCopy(context: RequestContext, services: OperationServices): Promise<void> {
  const { backend, target } = context;
  const part = uploadPartOf(context);
  await copy(context, services, (bytes) => services.ledger.reservePart(backend, target.bucket, part, bytes));
}

async function copy(
  context: RequestContext,
  services: OperationServices,
  reserve: (bytes: number) => Reservation | Promise<Reservation>,
): Promise<void> {
  if (context.exchange.body.length !== 0) {
    throw new S3Error("InvalidRequest", "A copy has no body of its own.");
  }
  const source = authorizedSource(context);
  const isLimited = services.ledger.isLimited(context.backend, context.target.bucket);
  const bytes = isLimited ? await copiedBytes(context, services, source) : 0;
  const reservation = await reserved(() => reserve(bytes));
  try {
    const answer = await forward(context, services, {
      copySource: formatCopySource(source),
      timeoutMs: copyTimeoutMs,
    });
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
    // Whether an answer that broke off was a success, nobody knows.
    reservation.keep();
  }
}

function authorizedSource({ headers, credential, backend }: RequestContext): CopySource {
  const source = parseCopySource(headers.get("x-amz-copy-source") ?? "");
  if (credential === undefined) throw new S3Error("AccessDenied", "A copy has to be signed.");
  authorizeCopySource(source, credential, backend);
  return source;
}

/** How much a copy will store: the size of its source or of the range that is copied. */
async function copiedBytes(
  context: RequestContext,
  services: OperationServices,
  { bucket, key, versionId }: CopySource,
): Promise<number> {
  const range = context.headers.get("x-amz-copy-source-range");
  const bounds = range === null ? null : /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range);
  if (bounds !== null) return Math.max(0, Number(bounds[2]) - Number(bounds[1]) + 1);
  const answer = await ask(context, upstreamOf(context, services), {
    method: "HEAD",
    bucket,
    encodedKey: encodeKey(key),
    query: versionId === undefined ? "" : `versionId=${encodeRfc3986(versionId)}`,
    headers: [],
  });
  // What cannot be read cannot be copied either: the upstream will say so.
  return answer.head.status === 200 ? Number(answer.head.headers.get("content-length") ?? 0) : 0;
}
