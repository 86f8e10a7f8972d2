import { isIP } from "node:net";
import type { Cidr } from "../config/cidr.ts";

/** Where a request came from, as far as it can be trusted. */
export interface ClientAddress {
  /** The client's IP address. */
  readonly ip: string;
  /** Whether the client's own connection was made over TLS. */
  readonly secure: boolean;
  /** The host (and port) the client asked for, or `null` when it sent none. */
  readonly host: string | null;
}

/**
 * Finds the client behind any reverse proxies. `X-Forwarded-For` is read from right to left for as long as the address
 * that vouches for the next one is in `trustedProxies`; an empty list trusts the immediate peer only, as specified.
 */
export function clientAddress(
  headers: Pick<Headers, "get">,
  peer: Deno.Addr,
  trustedProxies: readonly Cidr[],
): ClientAddress {
  const peerIp = "hostname" in peer ? unmapped(peer.hostname) : "127.0.0.1";
  const host = headers.get("host");
  const trusts = (ip: string) => trustedProxies.some((range) => range.contains(ip));
  if (trustedProxies.length > 0 && !trusts(peerIp)) return { ip: peerIp, secure: false, host };

  const forwarded = headers.get("x-forwarded-for")?.split(",") ?? [];
  let ip = peerIp;
  for (let index = forwarded.length - 1; index >= 0; index--) {
    const candidate = forwardedIp(forwarded[index]);
    if (candidate === null) break;
    ip = candidate;
    if (!trusts(ip)) break;
  }
  return {
    ip,
    secure: lastValue(headers.get("x-forwarded-proto"))?.toLowerCase() === "https",
    host: lastValue(headers.get("x-forwarded-host")) ?? host,
  };
}

/** The last entry of a comma-separated header: the one the nearest proxy wrote. */
function lastValue(header: string | null): string | undefined {
  return header?.split(",").at(-1)?.trim() || undefined;
}

/** `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::1` or `[2001:db8::1]:4711` → the address; anything else → `null`. */
function forwardedIp(entry: string): string | null {
  const match = /^\s*(?:\[([0-9a-fA-F:.]+)\](?::\d+)?|([0-9.]+)(?::\d+)?|([0-9a-fA-F:.]+))\s*$/.exec(entry);
  const ip = match?.[1] ?? match?.[2] ?? match?.[3];
  return ip === undefined || !isIP(ip) ? null : unmapped(ip);
}

/** IPv4 peers of a dual-stack socket appear as `::ffff:a.b.c.d`. */
function unmapped(ip: string): string {
  return ip.toLowerCase().startsWith("::ffff:") && ip.includes(".") ? ip.slice(7) : ip;
}
