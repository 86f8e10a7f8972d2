import type { ClientAddress } from "../../http/client_address.ts";

/** Where the S3 endpoint listens and what it is called. */
export interface EndpointAddress {
  /** Name or IP address it is bound to. */
  readonly hostname: string;
  readonly port: number;
  /** Host names under which buckets are addressed, the first the one to tell. */
  readonly hostSuffixes: readonly string[];
  /** Host name of `server.public_url`, or `null`. */
  readonly publicHostname: string | null;
}

/**
 * The URL by which a client of the dashboard most likely reaches the S3 endpoint, without a trailing slash. The listener
 * itself speaks plain HTTP; a client that came over TLS came through a proxy, which then also has the endpoint's host name.
 */
export function endpointUrl(client: ClientAddress, address: EndpointAddress): string {
  const [suffix] = address.hostSuffixes;
  if (suffix !== undefined && client.secure) return `https://${suffix}`;
  const hostname = suffix ?? boundHostname(address.hostname) ?? address.publicHostname ??
    requestedHostname(client) ?? "localhost";
  return `http://${hostname}:${address.port}`;
}

/** The host name of a listener's address, in brackets for IPv6; `null` for every interface. */
function boundHostname(hostname: string): string | null {
  if (hostname === "::" || hostname === "0.0.0.0") return null;
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function requestedHostname({ host }: ClientAddress): string | null {
  const url = `http://${host}`;
  return host !== null && URL.canParse(url) ? new URL(url).hostname : null;
}
