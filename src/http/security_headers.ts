/** One year, in seconds. */
const hstsMaxAge = 31_536_000;

/**
 * Sets the headers that every answer carries. Those a handler chose itself stay: an object's own policy is stricter than
 * a page's. `hsts` has browsers come to this host by TLS alone from now on (RFC 6797).
 */
export function setSecurityHeaders(headers: Headers, requestId: string, hsts: boolean): void {
  headers.set("x-request-id", requestId);
  headers.set("x-content-type-options", "nosniff");
  if (!headers.has("referrer-policy")) headers.set("referrer-policy", "same-origin");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (!headers.has("content-security-policy")) {
    headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
  }
  if (hsts) headers.set("strict-transport-security", `max-age=${hstsMaxAge}`);
}
