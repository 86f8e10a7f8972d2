// @ts-check

/** Addresses that only their own network reaches: RFC 1918, RFC 3927, RFC 4193, RFC 4291, RFC 6598. */
const privateAddress =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0$|\[(?:::1|f[cd]|fe[89ab]))/i;

/**
 * Whether a host is reached from its own computer or network only, as far as its name shows: a private address, a name
 * without a dot, or one below a name that is not public.
 *
 * @param {string} hostname as `URL` has it: an IPv6 address in brackets
 */
export function isPrivateHost(hostname) {
  if (privateAddress.test(hostname)) return true;
  if (hostname.startsWith("[")) return false;
  return !hostname.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa|svc|test)$/i.test(hostname);
}
