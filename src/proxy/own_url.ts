import type { RequestContext } from "./context.ts";
import { encodeKey } from "./target.ts";

/** URL of the request's bucket, as its client addresses this endpoint, with a slash at its end. */
export function bucketUrl({ head, target }: RequestContext): string {
  const host = head.headers.get("host") ?? "";
  return target.virtualHosted ? `http://${host}/` : `http://${host}/${target.bucket}/`;
}

/** URL of the request's object, as its client addresses this endpoint. */
export function objectUrl(context: RequestContext): string {
  return bucketUrl(context) + encodeKey(context.target.key);
}
