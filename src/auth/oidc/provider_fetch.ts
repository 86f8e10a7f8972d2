import type { CustomFetchOptions } from "oauth4webapi";
import { errorMessage } from "../../error_message.ts";
import { OidcFailure } from "./failure.ts";

/** How long a request to the identity provider may take with its whole answer, in milliseconds. */
const timeout = 10_000;

/** The largest answer that is read, in bytes; key sets and claims are a hundredth of it. */
const maxBytes = 1 << 20;

/** Statuses of answers that must not have a body (https://fetch.spec.whatwg.org/#null-body-status). */
const withoutBody = [101, 204, 205, 304];

/**
 * `fetch` for requests to the identity provider: follows no redirect, is given up after a time, and reads no more than
 * there should be. Throws {@link OidcFailure} `provider_unavailable`, also for a status of 500 and above.
 */
export async function providerFetch(
  url: string,
  { method, headers, body }: CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeout);
  let response: Response;
  let content: Uint8Array<ArrayBuffer>;
  try {
    response = await fetch(url, { method, headers, body, redirect: "manual", signal });
    content = await readBounded(response);
  } catch (cause) {
    throw new OidcFailure("provider_unavailable", `The identity provider fails: ${errorMessage(cause)}`, {
      cause,
    });
  }
  const { status } = response;
  if (status >= 500) {
    throw new OidcFailure("provider_unavailable", `The identity provider answered with status ${status}.`);
  }
  return new Response(withoutBody.includes(status) ? null : content, { status, headers: response.headers });
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) throw new Error(`the answer is over ${maxBytes} bytes`);
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
