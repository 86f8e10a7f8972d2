import type { ClientAnswer } from "../../http1/client_answer.ts";
import type { HeaderList } from "../../http1/header_list.ts";
import type { RequestContext } from "../context.ts";
import { authorizeCopySource, type CopySource, formatCopySource, parseCopySource } from "../copy_source.ts";
import { forward } from "../forward.ts";
import { ask, relay } from "../relay.ts";
import { reserved, underReservation } from "./reservations.ts";
import { relayResult, resultTimeoutMs } from "./results.ts";
import { S3Error } from "../s3_error.ts";
import { type OperationServices, upstreamOf } from "../services.ts";
import { encodeKey } from "../target.ts";
import { uploadPartOf } from "./uploads.ts";
import type { Reservation } from "../../quotas/reservation.ts";
import { encodeRfc3986 } from "../../sigv4/canonical.ts";

/** CopyObject: the upstream copies one object in scope to another. */
export async function copyObject(context: RequestContext, services: OperationServices): Promise<void> {
  const { backend, target, headers } = context;
  if (headers.has("x-amz-copy-source-range")) {
    throw new S3Error("InvalidArgument", "Only a part of a multipart upload can be a range of its source.");
  }
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
  const measured = isLimited ? await measure(context, services, source) : unmeasured;
  if ("refusal" in measured) return await relay(context, upstreamOf(context, services), measured.refusal);
  const reservation = await reserved(() => reserve(measured.bytes));
  await underReservation(reservation, async () => {
    services.admission.requireStillAdmitted(context);
    authorizedSource(context);
    const answer = await forward(context, services, {
      copySource: formatCopySource(source),
      headers: measured.headers,
      timeoutMs: resultTimeoutMs,
    });
    await relayResult(context, services, answer, reservation);
  });
}

function authorizedSource({ headers, credential, backend }: RequestContext): CopySource {
  const source = parseCopySource(headers.get("x-amz-copy-source") ?? "");
  if (credential === undefined) throw new S3Error("AccessDenied", "A copy has to be signed.");
  authorizeCopySource(source, credential, backend);
  return source;
}

/** How much a copy will store, and the headers that keep it from becoming more. */
interface MeasuredCopy {
  readonly bytes: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const unmeasured: MeasuredCopy = { bytes: 0, headers: [] };

/** Looks at the source of a copy. A source that cannot be looked at cannot be copied under a quota. */
async function measure(
  context: RequestContext,
  services: OperationServices,
  { bucket, key, versionId }: CopySource,
): Promise<MeasuredCopy | { readonly refusal: ClientAnswer }> {
  const range = context.headers.get("x-amz-copy-source-range");
  const bounds = range === null ? null : /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range);
  if (bounds !== null) return { bytes: Math.max(0, Number(bounds[2]) - Number(bounds[1]) + 1), headers: [] };
  const answer = await ask(context, upstreamOf(context, services), {
    method: "HEAD",
    bucket,
    encodedKey: encodeKey(key),
    query: versionId === undefined ? "" : `versionId=${encodeRfc3986(versionId)}`,
    headers: sourceEncryption(context.headers),
  });
  const { status, headers } = answer.head;
  if (status !== 200) return { refusal: answer };
  const etag = headers.get("etag");
  const isConditional = context.headers.has("x-amz-copy-source-if-match") || etag === null;
  // Otherwise a larger object could take its place before the copy begins.
  const condition = isConditional ? [] : [["x-amz-copy-source-if-match", etag] as const];
  return { bytes: Number(headers.get("content-length") ?? 0), headers: condition };
}

const sourcePrefix = "x-amz-copy-source-server-side-encryption-customer-";

/** The client's key of an encrypted source, as it is given to read that object. */
function* sourceEncryption(headers: HeaderList): Generator<readonly [name: string, value: string]> {
  for (const [name, value] of headers) {
    if (name.startsWith(sourcePrefix)) {
      yield [`x-amz-server-side-encryption-customer-${name.slice(sourcePrefix.length)}`, value];
    }
  }
}
