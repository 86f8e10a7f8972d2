import { z } from "zod";
import { parseCidr } from "./cidr.ts";
import { parseDuration } from "./duration.ts";
import { isHostname, parseListenAddress } from "./listen_address.ts";

/** A value that `parse` understands; where it answers `null`, the value breaks `rule`. */
function parsed<T>(parse: (text: string) => T | null, rule: string, { secret = false } = {}) {
  return z.unknown().transform((value, context): T => {
    const result = typeof value === "string" ? parse(value) : null;
    if (result !== null) return result;
    const message = value === "" ? "must not be empty" : value === undefined ? "is required" : rule;
    context.addIssue({ code: "custom", message, params: { secret }, input: value });
    return z.NEVER;
  });
}

/** A duration in milliseconds. A bare number other than 0 is refused, since it has no unit. */
const duration = z.preprocess(
  (value) => value === 0 ? "0" : value,
  parsed(parseDuration, "is not a duration such as 30m, 8h or 1h30m"),
);

/** Longest delay that a runtime timer takes, in milliseconds: it fires at once beyond 2^31 - 1. */
const longestTimer = 2 ** 31 - 1;
const fitsTimer = (milliseconds: number) => milliseconds <= longestTimer;

/** A duration above zero, in milliseconds. */
export const positiveDuration = duration.refine((milliseconds) => milliseconds > 0, "must be more than zero");

/** A duration of zero or more, in milliseconds. */
export const durationOrZero = duration.refine((milliseconds) => milliseconds >= 0, "must not be negative");

/** A duration of zero or more that a timer can run for. */
export const timeout = durationOrZero.refine(fitsTimer, "is longer than 24 days");

/** The time between two runs of a task; a negative one means that it never runs. */
export const interval = duration
  .refine((milliseconds) => milliseconds !== 0, "must not be zero (a negative duration means never)")
  .refine(fitsTimer, "is longer than 24 days");

/** A listen address that must be there. */
export const listenAddress = parsed(
  parseListenAddress,
  "is not an address such as :8080, 127.0.0.1:8080 or [::1]:8080",
);

/** A listen address, or `null` for an empty one. */
export const optionalListenAddress = z.preprocess(
  (value) => value === "" ? null : value,
  listenAddress.nullable(),
);

/** A range of addresses. */
export const cidr = parsed(parseCidr, "is not a range of addresses such as 10.0.0.0/8 or fd00::/8");

/** A host name, in lower case. */
export const hostname = parsed(
  (text) => isHostname(text) ? text.toLowerCase() : null,
  "is not a host name such as s3.example.com",
);

/** The name of an environment variable, or empty. The value is not repeated: it may be a secret put in its place. */
export const variableName = parsed(
  (text) => /^(?:[A-Za-z_][A-Za-z0-9_]*)?$/.test(text) ? text : null,
  "is not the name of an environment variable (the secret itself must not be in the file)",
  { secret: true },
);

/** An http(s) URL without user name, query and fragment, or `null`. */
function parseHttpUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) return null;
  return url.username || url.password || /[?#]/.test(text) ? null : url;
}

/** The first segments of the dashboard's own paths: a path below which it is must not begin with one, or be taken for it. */
export const ownSegments: readonly string[] = [
  "admin",
  "api",
  "auth",
  "b",
  "credentials",
  "healthz",
  "login",
  "me",
  "metrics",
  "readyz",
  "s",
  "search",
  "settings",
  "shares",
  "static",
  "transfers",
];

/** The path of an http(s) URL as it is written, without what parsers make of `..`. */
function writtenPath(url: string): string {
  return url.replace(/^https?:\/\/[^/\\]*/i, "");
}

/**
 * An http(s) URL without a slash at the end, or empty. Its path is matched byte for byte against what proxies and browsers
 * send, and stands in cookies. The value is not repeated while it may hold a password.
 */
export const publicUrl = parsed(
  (text) => text === "" || parseHttpUrl(text) !== null ? text.replace(/\/+$/, "") : null,
  "is not an http(s) URL, or has a user name, a query or a fragment",
  { secret: true },
).refine(
  (url) => /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/.test(writtenPath(url)),
  'has a path with something besides letters, digits, "-", "_", "." and "~" between its slashes',
).refine(
  (url) => !ownSegments.includes(writtenPath(url).split("/")[1]),
  "has a path that begins like one of the dashboard itself; put it below another one, such as /storage",
);

/** The identifier of an identity provider, or empty. As it is written: with a slash more or less it is another one. */
export const issuerUrl = parsed(
  (text) => text === "" || parseHttpUrl(text) !== null ? text : null,
  "is not an http(s) URL, or has a user name, a query or a fragment",
  { secret: true },
);

/** Scheme, host and port of an upstream, or empty. The value is not repeated: it may hold a password. */
export const endpoint = parsed(
  (text) => {
    if (text === "") return "";
    const url = parseHttpUrl(text);
    return url?.pathname === "/" ? url.origin : null;
  },
  "is not an http(s) URL of scheme, host and port alone, such as https://s3.example.com:9000",
  { secret: true },
);
