import type { ClientAddress } from "./client_address.ts";

/**
 * Scheme, host and port under which a client reaches the program, without a trailing slash: `publicOrigin`, that of
 * `server.public_url`, or, where there is none, what the client asked for.
 */
export function ownOrigin({ host, secure }: ClientAddress, publicOrigin: string | null): string {
  if (publicOrigin !== null) return publicOrigin;
  const url = `${secure ? "https" : "http"}://${host}`;
  // The host is whatever the client or a proxy wrote: only what a URL's authority can be may come back in one.
  return host !== null && /^[A-Za-z0-9.:_[\]-]+$/.test(host) && URL.canParse(url)
    ? new URL(url).origin
    : "http://localhost";
}

/** The origin of `server.public_url`, or `null` where that is empty. */
export function originOf(publicUrl: string): string | null {
  return publicUrl === "" ? null : new URL(publicUrl).origin;
}
