import { HeaderList } from "../http1/header_list.ts";

/**
 * Headers of HTTP that S3 answers with. Others are the upstream's own business, and its proxies' names and addresses are often
 * among them.
 */
const passed: ReadonlySet<string> = new Set([
  "accept-ranges",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-length",
  "content-range",
  "content-type",
  "etag",
  "expires",
  "last-modified",
  "retry-after",
]);

/** Headers of S3 that tell of the upstream, not of the bucket or object. */
const internal: ReadonlySet<string> = new Set([
  "x-amz-request-id",
  "x-amz-id-2",
  "x-amz-cf-id",
  "x-amz-cf-pop",
]);

/**
 * The headers of an upstream's answer that the client gets, with the endpoint's own request id. `Date`, `Connection` and
 * `Transfer-Encoding` are for the server to add, the headers of CORS for `cors.ts`.
 */
export function answerHeaders(upstream: HeaderList, requestId: string): HeaderList {
  const headers = new HeaderList();
  headers.append("x-amz-request-id", requestId);
  for (const [name, value] of upstream) {
    if (passed.has(name) || (name.startsWith("x-amz-") && !internal.has(name))) headers.append(name, value);
  }
  return headers;
}
