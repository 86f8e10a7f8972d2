import type { ClientAnswer } from "../../http1/client_answer.ts";
import type { Reservation } from "../../quotas/reservation.ts";
import { rewriteCompleteResult } from "./complete_result.ts";
import type { RequestContext } from "../context.ts";
import { objectUrl } from "../own_url.ts";
import { relayChanged } from "../relay.ts";
import { settle } from "./reservations.ts";
import { type OperationServices, upstreamOf } from "../services.ts";

/** Time for an upstream to copy an object or to join its parts, in milliseconds. */
export const resultTimeoutMs = 10 * 60_000;

/**
 * Passes on the answer of an operation that may fail after its status was sent: a copy, or the end of a multipart upload. By what
 * it says in the end, `reservation` is committed or released.
 */
export async function relayResult(
  context: RequestContext,
  services: OperationServices,
  answer: ClientAnswer,
  reservation: Reservation,
): Promise<void> {
  if (answer.head.status >= 300) settle(reservation, answer);
  const end = (isSuccess: boolean) => isSuccess ? reservation.commit() : reservation.release();
  const upstream = upstreamOf(context, services);
  await relayChanged(context, upstream, answer, (body) => rewritten(context, body, upstream.authority, end));
}

/** The document with the endpoint's own address in it. `onEnd` is told whether it was a success. */
async function* rewritten(
  context: RequestContext,
  body: AsyncIterable<Uint8Array>,
  authority: string,
  onEnd: (isSuccess: boolean) => void,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let text = "";
  const result = rewriteCompleteResult(body, {
    location: objectUrl(context),
    authority,
    context: context.answerContext,
  });
  for await (const piece of result) {
    text += decoder.decode(piece, { stream: true });
    yield piece;
  }
  const isSuccess = !/<Error[\s>]/.test(text);
  if (!isSuccess) context.result = "upstream_error";
  onEnd(isSuccess);
}
