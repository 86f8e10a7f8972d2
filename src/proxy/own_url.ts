import type { RequestContext } from "./context.ts";
import { encodeKey } from "./target.ts";

/** URL of the request's object, as its client addresses this endpoint. */
export function objectUrl({ head, target, isSecure }: RequestContext): string {
  const host = head.headers.get("host") ?? "";
  const path = target.virtualHosted ? "" : `/${target.bucket}`;
  return `${isSecure ? "https" : "http"}://${host}${path}/${encodeKey(target.key)}`;
}
