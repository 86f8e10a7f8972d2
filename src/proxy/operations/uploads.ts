import { hasDotSegment } from "../../backends/names.ts";
import type { Reservation } from "../../quotas/reservation.ts";
import type { RequestContext } from "../context.ts";
import { forward } from "../forward.ts";
import { maxCollectedBytes, preparePayload } from "../payload/payload.ts";
import { declarePayload, type PayloadDeclaration } from "../payload/mode.ts";
import { ask, relay } from "../relay.ts";
import { reserved, settle } from "./reservations.ts";
import { S3Error } from "../s3_error.ts";
import { type OperationServices, upstreamOf } from "../services.ts";

/** Largest body of one request, in bytes: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maxUploadBytes = 5 * 1024 ** 3;

/** PutObject: stores the body as an object. */
export async function putObject(context: RequestContext, services: OperationServices): Promise<void> {
  const declaration = declareUpload(context);
  const { backend, target } = context;
  const reservation = await reserved(() =>
    services.ledger.reserve(backend, target.bucket, target.key, declaration.length)
  );
  await upload(context, services, { declaration, reservation });
}

/** UploadPart: stores the body as a part of a multipart upload. */
export async function uploadPart(context: RequestContext, services: OperationServices): Promise<void> {
  const declaration = declareUpload(context);
  const { backend, target } = context;
  const part = uploadPartOf(context);
  const reservation = await reserved(() =>
    services.ledger.reservePart(backend, target.bucket, part, declaration.length)
  );
  await upload(context, services, { declaration, reservation });
}

/** The part that a request is about. Throws {@link S3Error} `InvalidArgument`. */
export function uploadPartOf({ query, target }: RequestContext) {
  const text = query.get("partNumber") ?? "";
  const partNumber = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (partNumber < 1 || partNumber > 10_000) {
    throw new S3Error("InvalidArgument", "Part number must be an integer between 1 and 10000, inclusive.");
  }
  return { key: target.key, uploadId: uploadIdOf(query.get("uploadId")), partNumber };
}

/**
 * The id of an upload. Throws {@link S3Error} `InvalidArgument` for none, and for one that versitygw would take for the folder
 * of all uploads of its bucket.
 */
export function uploadIdOf(text: string | undefined): string {
  if (text && !hasDotSegment(text)) return text;
  throw new S3Error("InvalidArgument", "This operation needs the id of an upload.");
}

function declareUpload({ head, verified, exchange }: RequestContext): PayloadDeclaration {
  const claim = { payload: verified?.payload, chunkSigning: verified?.chunkSigning };
  // HTTP takes a request that says nothing of its body for one without a body; S3 wants that said.
  const saysLength = head.headers.has("content-length") || head.headers.has("transfer-encoding");
  const declaration = declarePayload(claim, head.headers, saysLength ? exchange.body.length : undefined);
  if (declaration.length > maxUploadBytes) {
    throw new S3Error("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size.");
  }
  return declaration;
}

interface Upload {
  readonly declaration: PayloadDeclaration;
  readonly reservation: Reservation;
}

async function upload(
  context: RequestContext,
  services: OperationServices,
  { declaration, reservation }: Upload,
): Promise<void> {
  let isSent = false;
  try {
    const { length, body, headers, payloadHash } = await preparePayload(
      declaration,
      context.exchange.body,
      declaration.length > maxCollectedBytes && await keepsCutOffBodies(context, services),
    );
    services.admission.requireStillAdmitted(context);
    isSent = body instanceof Uint8Array;
    const content = body instanceof Uint8Array ? body : watched(body, (sent) => {
      services.admission.requireStillAdmitted(context);
      isSent = sent >= length;
    });
    const answer = await forward(context, services, { body: { length, content, payloadHash }, headers });
    settle(reservation, answer);
    await relay(context, upstreamOf(context, services), answer);
  } catch (error) {
    // Whether the upstream has stored what it got whole, only it could have told.
    if (isSent) reservation.keep();
    else reservation.release();
    throw error;
  }
}

/** Whether the upstream has to be kept from making an object, or a part, of half a body. Asks it who it is, the first time. */
async function keepsCutOffBodies(context: RequestContext, services: OperationServices): Promise<boolean> {
  const upstream = upstreamOf(context, services);
  if (upstream.keepsCutOffBodies === undefined) {
    const { bucket } = context.target;
    const answer = await ask(context, upstream, {
      method: "HEAD",
      bucket,
      encodedKey: "",
      query: "",
      headers: [],
    });
    answer.cancel();
  }
  return upstream.keepsCutOffBodies ?? true;
}

/** Passes pieces on, each only after `onPiece` was told how many bytes it makes up together with those before. */
async function* watched(
  body: AsyncIterable<Uint8Array>,
  onPiece: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    onPiece(bytes);
    yield piece;
  }
}
