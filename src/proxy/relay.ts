import type { ClientAnswer } from "../http1/client_answer.ts";
import { RequestBodyError } from "../http1/request_body.ts";
import type { HeaderList } from "../http1/header_list.ts";
import { Http1Error } from "../http1/http1_error.ts";
import type { LocalAnswer } from "./answer.ts";
import type { RequestContext } from "./context.ts";
import { maxErrorBytes, relayedError } from "./relayed_error.ts";
import { answerHeaders } from "./response_headers.ts";
import { S3Error } from "./s3_error.ts";
import type { Upstream, UpstreamRequest } from "./upstreams.ts";

/**
 * Sends a request to the upstream and resolves when its answer begins. A client that goes away ends the call. Throws
 * {@link S3Error}, or what the request's body throws.
 */
export async function ask(
  context: RequestContext,
  upstream: Upstream,
  request: UpstreamRequest,
): Promise<ClientAnswer> {
  const { exchange } = context;
  if (context.isGone || exchange.hasLeft) throw clientGone();
  const call = upstream.call(request);
  exchange.onGone = () => {
    context.isGone = true;
    call.abort();
  };
  const startedAt = performance.now();
  try {
    const answer = await call.answer();
    upstream.noteAnswer(answer.head.headers);
    return answer;
  } catch (error) {
    throw context.isGone ? clientGone() : asS3Error(error);
  } finally {
    context.upstreamMs = (context.upstreamMs ?? 0) + performance.now() - startedAt;
  }
}

/** Passes an answer on to the client as it comes: its error document in our words, everything else unchanged. */
export async function relay(
  context: RequestContext,
  upstream: Upstream,
  answer: ClientAnswer,
  extraHeaders: readonly (readonly [name: string, value: string])[] = [],
): Promise<void> {
  const { status, headers } = answer.head;
  if (isError(status)) return await relayError(context, upstream, answer);
  const lines = answerLines(context, headers) + headerLines(extraHeaders);
  context.status = status;
  if (answer.body === null) return await answerWithoutBody(context, status, lines, headers);
  await stream(context, answer, lines);
}

/** Passes an answer on whose document is changed on its way, and with it its length. */
export async function relayChanged(
  context: RequestContext,
  upstream: Upstream,
  answer: ClientAnswer,
  change: (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  if (isError(answer.head.status)) return await relayError(context, upstream, answer);
  const { status, headers } = answer.head;
  context.status = status;
  if (answer.body === null) {
    return await answerWithoutBody(context, status, answerLines(context, headers), headers);
  }
  await streamChanged(context, answer, change(answer));
}

/** Gives an answer that was made here. */
export async function answerLocally(context: RequestContext, answer: LocalAnswer): Promise<void> {
  context.status = answer.status;
  const lines = context.extraHeaderLines + headerLines(answer.headers);
  await context.exchange.answer(answer.status, lines, new TextEncoder().encode(answer.body));
}

/** Whether an upstream's answer is none that a client could do anything with as it is. */
function isError(status: number): boolean {
  return status >= 300 && status !== 304;
}

async function answerWithoutBody(
  { exchange }: RequestContext,
  status: number,
  lines: string,
  headers: HeaderList,
): Promise<void> {
  const length = headers.get("content-length");
  const isLength = length !== null && /^\d{1,15}$/.test(length);
  if (status === 204 || status === 304 || !isLength) return await exchange.answer(status, lines, null);
  await exchange.begin(status, lines, Number(length));
  await exchange.end();
}

/** Sends the answer's own body. Most are small and have come together with their head: those take no further wait. */
async function stream(context: RequestContext, answer: ClientAnswer, lines: string): Promise<void> {
  const { exchange, status } = context;
  try {
    await exchange.begin(status, lines, answer.body?.length, answer.readNow() ?? await answer.read());
    while (!answer.finish()) {
      const piece = await answer.read();
      if (piece !== undefined) await exchange.write(piece);
    }
  } catch (error) {
    return breakOff(context, answer, error);
  }
  await exchange.end();
}

/** Sends a body that was made of the answer's. */
async function streamChanged(
  context: RequestContext,
  answer: ClientAnswer,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { exchange, status } = context;
  try {
    await exchange.begin(status, answerLines(context, answer.head.headers), undefined);
    for await (const piece of body) await exchange.write(piece);
  } catch (error) {
    return breakOff(context, answer, error);
  }
  await exchange.end();
}

/** Ends an answer that cannot be completed. A short body must not be taken for a whole one. */
function breakOff(context: RequestContext, answer: ClientAnswer, error: unknown): void {
  const { exchange } = context;
  // Looked at before the connection is closed here.
  const isUpstream = !context.isGone && !exchange.isGone && error instanceof Http1Error &&
    error.failure !== "aborted";
  answer.cancel();
  exchange.destroy();
  context.result = isUpstream ? "upstream_error" : "client_gone";
  context.reason = "broken_off";
}

async function relayError(context: RequestContext, upstream: Upstream, answer: ClientAnswer): Promise<void> {
  const { status, headers } = answer.head;
  const body = new TextDecoder().decode(await readWhole(context, answer, maxErrorBytes));
  const failure = { status, headers, body, authority: upstream.authority };
  const local = relayedError(failure, context.answerContext);
  context.result = `upstream_${status}`;
  await answerLocally(context, local);
}

async function readWhole(context: RequestContext, answer: ClientAnswer, limit: number): Promise<Uint8Array> {
  try {
    return await answer.bytes(limit);
  } catch (error) {
    throw context.isGone ? clientGone() : asS3Error(error);
  }
}

function answerLines(context: RequestContext, upstream: HeaderList): string {
  let lines = context.extraHeaderLines;
  for (const [name, value] of answerHeaders(upstream, context.requestId)) {
    // The server frames the answer itself.
    if (name !== "content-length") lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Headers as they stand in the head of an answer, each with its CRLF. */
export function headerLines(headers: Iterable<readonly [name: string, value: string]>): string {
  let lines = "";
  for (const [name, value] of headers) lines += `${name}: ${value}\r\n`;
  return lines;
}

/** The error that nobody is told, since there is nobody any more. */
function clientGone(): S3Error {
  return new S3Error("IncompleteBody", "The client closed the connection.", { result: "client_gone" });
}

/** The error for a failure on the way to the upstream, or in reading the client's body. */
export function asS3Error(error: unknown): unknown {
  if (error instanceof RequestBodyError) return bodyError(error);
  if (!(error instanceof Http1Error)) return error;
  const options = { result: "upstream_error", reason: error.failure, cause: error } as const;
  return error.failure === "timeout"
    ? new S3Error("RequestTimeout", "The storage behind this endpoint did not answer in time.", {
      ...options,
      status: 504,
    })
    : new S3Error("ServiceUnavailable", "The storage behind this endpoint could not be reached.", {
      ...options,
      status: 502,
    });
}

function bodyError(error: RequestBodyError): S3Error {
  switch (error.failure) {
    case "timeout":
      return new S3Error("RequestTimeout", "The body of the request did not arrive in time.", {
        reason: "slow_body",
      });
    case "malformed":
      return new S3Error("InvalidRequest", "The transfer coding of the body is malformed.");
    default:
      return new S3Error("IncompleteBody", "The body is shorter than it was said to be.", {
        result: "client_gone",
      });
  }
}
