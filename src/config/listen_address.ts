import { isIPv4, isIPv6 } from "node:net";

/** Where a listener binds. */
export interface ListenAddress {
  /** A name or an IP address without brackets; `::` takes IPv4 and IPv6 on every interface. */
  readonly hostname: string;
  /** 0 to 65535; 0 lets the system choose a free port. */
  readonly port: number;
  /** The address as the operator wrote it. */
  readonly text: string;
}

/**
 * Parses `host:port`, `[IPv6]:port` or `:port`, which means every interface. Returns `null` for anything else.
 */
export function parseListenAddress(text: string): ListenAddress | null {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  if (match === null) return null;
  const [, bracketed, plain, digits] = match;
  const port = Number(digits);
  if (port > 65535) return null;
  if (bracketed !== undefined) return isIPv6(bracketed) ? { hostname: bracketed, port, text } : null;
  if (plain === "") return { hostname: "::", port, text };
  return isHostname(plain) ? { hostname: plain, port, text } : null;
}

/**
 * Whether two listeners would compete for one port. Port 0 never competes: each listener gets a port of its own.
 */
export function addressesCollide(first: ListenAddress, second: ListenAddress): boolean {
  if (first.port !== second.port || first.port === 0) return false;
  if (first.hostname.toLowerCase() === second.hostname.toLowerCase()) return true;
  return coversAll(first.hostname, second.hostname) || coversAll(second.hostname, first.hostname);
}

/** Whether a name or an IP address without brackets leads to this machine from itself only. */
export function isLoopback(hostname: string): boolean {
  return hostname.toLowerCase() === "localhost" || hostname === "::1" ||
    (isIPv4(hostname) && hostname.startsWith("127."));
}

/** The URL by which this machine reaches a listener that is bound to the address, without a slash at its end. */
export function listenerUrl({ hostname, port }: Pick<ListenAddress, "hostname" | "port">): string {
  const host = hostname === "::" || hostname === "0.0.0.0" ? "localhost" : hostname;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Whether a listener on every interface, `wildcard`, also takes what is meant for `hostname`. */
function coversAll(wildcard: string, hostname: string): boolean {
  return wildcard === "::" || (wildcard === "0.0.0.0" && !isIPv6(hostname));
}

/** RFC 1123 section 2.1: dotted labels of letters, digits and hyphens; all digits and dots is an IPv4 address. */
export function isHostname(text: string): boolean {
  if (/^[\d.]+$/.test(text)) return isIPv4(text);
  return text.length <= 253 && /^(?!-)[A-Za-z0-9-]{1,63}(?:\.(?!-)[A-Za-z0-9-]{1,63})*$/.test(text);
}
