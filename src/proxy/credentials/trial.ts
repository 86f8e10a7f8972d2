import { z } from "zod";
import { exchange } from "../../backends/http1_exchange.ts";
import { Watchdog } from "../../http1/watchdog.ts";
import { emptyHash, encodeRfc3986 } from "../../sigv4/canonical.ts";
import { Signer } from "../../sigv4/sign.ts";
import type { VirtualCredential } from "./source.ts";

/** What became of a trial, as the API shows it. */
export const trialSchema = z.strictObject({
  ok: z.boolean(),
  bucket: z.string(),
  status: z.int().meta({ description: "Of the S3 endpoint's answer; 0 when there was none" }),
  code: z.string().meta({ description: "The S3 error's code; empty when all went well" }),
  message: z.string(),
  request_id: z.string(),
  duration_ms: z.int(),
});

/** What became of a trial. */
export type Trial = z.output<typeof trialSchema>;

/** Where {@link tryCredential} sends its request. */
export interface TrialTarget {
  /** URL of the S3 endpoint as this program itself reaches it, without a trailing slash. */
  readonly url: string;
  readonly bucket: string;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Milliseconds after which a trial counts as failed: the endpoint itself waits longer for a slow backend. */
const timeout = 15_000;

/** Any region will do: the endpoint takes the one that was signed for. */
const region = "us-east-1";

/**
 * Lists one object with a credential through the S3 endpoint, as any client would: signed, over its listener, held against
 * its scope and sent on to the backend. Never throws: a failure is the result. It goes there by a connection of our own:
 * `fetch` would hand it to the proxy that the environment may name, which has no way to this machine's own ports.
 */
export async function tryCredential(
  { accessKeyId, secretKey, prefix }: VirtualCredential,
  { url, bucket, signal, clock }: TrialTarget,
): Promise<Trial> {
  const startedAt = clock();
  const query = `list-type=2&max-keys=1&prefix=${encodeRfc3986(prefix)}`;
  const address = new URL(`${url}/${bucket}?${query}`);
  const headers = new Headers({ host: address.host });
  const request = { method: "GET", path: address.pathname, query, headers };
  new Signer({ accessKeyId, secretKey, region }).sign(request, emptyHash, startedAt);
  const about = (result: Pick<Trial, "ok" | "status" | "code" | "message" | "request_id">) => ({
    ...result,
    bucket,
    duration_ms: Math.max(0, Math.round(clock() - startedAt)),
  });
  headers.delete("host");
  const deadline = AbortSignal.timeout(timeout);
  try {
    const answer = await exchange(
      { ...request, origin: address.origin, signal: AbortSignal.any([signal, deadline]) },
      new Watchdog(clock),
    );
    const text = await answer.text();
    const { status } = answer;
    const requestId = answer.headers.get("x-amz-request-id") ?? "";
    if (answer.ok) return about({ ok: true, status, code: "", message: "", request_id: requestId });
    const code = elementText(text, "Code") || "UnexpectedAnswer";
    return about({ ok: false, status, code, message: elementText(text, "Message"), request_id: requestId });
  } catch {
    const isLate = deadline.aborted;
    const code = isLate ? "Timeout" : "NoAnswer";
    const message = isLate
      ? `There was no answer within ${timeout / 1000} seconds.`
      : "The S3 endpoint could not be reached.";
    return about({ ok: false, status: 0, code, message, request_id: "" });
  }
}

/** The text of an element of the endpoint's own error documents, which are flat. */
function elementText(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'").replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
