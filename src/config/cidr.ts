import { isIPv4, isIPv6 } from "node:net";

/** A range of IP addresses. */
export interface Cidr {
  /** The range as the operator wrote it. */
  readonly text: string;
  /** Whether `address`, an IPv4 or IPv6 address, lies in the range; `false` for what is no address. */
  contains(address: string): boolean;
}

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a bare address, which is a range of one. IPv4-mapped IPv6 addresses
 * (`::ffff:10.0.0.1`, RFC 4291 section 2.5.5.2) count as IPv4, and an IPv6 range never holds an IPv4 address.
 * Returns `null` for anything else.
 */
export function parseCidr(text: string): Cidr | null {
  const [address, prefixText, ...rest] = text.split("/");
  const written = parseAddress(address);
  if (written === null || rest.length > 0) return null;
  if (prefixText !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(prefixText)) return null;
  let prefix = prefixText === undefined ? written.length * 8 : Number(prefixText);
  if (prefix > written.length * 8) return null;

  let base = written;
  if (isMapped(written) && prefix >= mappedPrefix.length * 8) {
    base = written.subarray(mappedPrefix.length);
    prefix -= mappedPrefix.length * 8;
  }
  return {
    text,
    contains(candidate) {
      const bytes = parseAddress(candidate);
      return bytes !== null && sharesPrefix(base, unmapped(bytes), prefix);
    },
  };
}

const mappedPrefix = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff);

function isMapped(bytes: Uint8Array): boolean {
  return bytes.length === 16 && mappedPrefix.every((byte, index) => bytes[index] === byte);
}

function unmapped(bytes: Uint8Array): Uint8Array {
  return isMapped(bytes) ? bytes.subarray(mappedPrefix.length) : bytes;
}

function sharesPrefix(base: Uint8Array, candidate: Uint8Array, prefix: number): boolean {
  if (base.length !== candidate.length) return false;
  const whole = prefix >> 3;
  for (let index = 0; index < whole; index++) {
    if (base[index] !== candidate[index]) return false;
  }
  const mask = (0xff00 >> (prefix & 7)) & 0xff;
  return mask === 0 || (base[whole] & mask) === (candidate[whole] & mask);
}

/** The 4 or 16 bytes of an address, or `null`. */
function parseAddress(text: string): Uint8Array | null {
  if (isIPv4(text)) return Uint8Array.from(text.split("."), Number);
  if (!isIPv6(text) || text.includes("%")) return null;
  const hexadecimal = text.replace(/[\d.]+$/, (tail) => tail.includes(".") ? ipv4Groups(tail) : tail);
  const [head, tail] = hexadecimal.split("::").map((half) => half === "" ? [] : half.split(":"));
  const groups = tail === undefined
    ? head
    : [...head, ...Array(8 - head.length - tail.length).fill("0"), ...tail];
  return Uint8Array.from(groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  }));
}

/** `192.0.2.1` as the last two groups of an IPv6 address: `c000:201`. */
function ipv4Groups(dotted: string): string {
  const [a, b, c, d] = dotted.split(".").map(Number);
  return `${(a << 8 | b).toString(16)}:${(c << 8 | d).toString(16)}`;
}
