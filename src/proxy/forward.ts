import type { ClientAnswer } from "../http1/client_answer.ts";
import type { RequestContext } from "./context.ts";
import { ask, relay } from "./relay.ts";
import { forwardedHeaders } from "./request_headers.ts";
import { type OperationServices, upstreamOf } from "./services.ts";
import { encodeKey } from "./target.ts";
import type { UpstreamBody } from "./upstreams.ts";

/** What goes to the upstream in place of, or besides, what the client has sent. */
export interface ForwardOptions {
  readonly body?: UpstreamBody;
  /** Value of `x-amz-copy-source`. */
  readonly copySource?: string;
  /** Headers that replace the client's. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Names of the client's headers that stay here. */
  readonly without?: readonly string[];
  readonly timeoutMs?: number;
}

/** Sends a request on to its backend, signed anew, and resolves when the answer begins. */
export async function forward(
  context: RequestContext,
  services: OperationServices,
  { body, copySource, headers = [], without = [], timeoutMs }: ForwardOptions = {},
): Promise<ClientAnswer> {
  const { head, target, operation, query } = context;
  const passed = forwardedHeaders(context.headers, operation, copySource);
  const dropped = [...without, ...headers.map(([name]) => name)];
  return await ask(context, upstreamOf(context, services), {
    method: head.method,
    bucket: target.bucket,
    encodedKey: encodeKey(target.key),
    query: query.forwarded(),
    headers: dropped.length === 0
      ? passed
      : [...[...passed].filter(([name]) => !dropped.includes(name)), ...headers],
    body,
    timeoutMs,
  });
}

/** Sends a request without a body on, and its answer back: reads, listings, and writes that count for no quota. */
export async function passThrough(context: RequestContext, services: OperationServices): Promise<void> {
  const answer = await forward(context, services);
  await relay(context, upstreamOf(context, services), answer);
}
