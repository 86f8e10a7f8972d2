import { Problem } from "../problem.ts";

/** Longest key and prefix, in bytes of UTF-8: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const maxKeyBytes = 1024;

/**
 * Checks the name of a bucket that is to be created against
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html. Throws 400 `invalid_bucket_name` with the
 * broken rule.
 */
export function requireNewBucketName(name: string): void {
  const rule = brokenBucketRule(name);
  if (rule !== undefined) throw new Problem(400, "invalid_bucket_name", `A bucket name ${rule}.`);
}

/** Whether {@link requireNewBucketName} accepts a name. */
export function isNewBucketName(name: string): boolean {
  return brokenBucketRule(name) === undefined;
}

/**
 * Whether a bucket of this name may exist. Wider than {@link requireNewBucketName}, since old buckets and other servers
 * have upper case, underscores and up to 255 characters, but never anything that would change the request's path.
 */
export function isBucketName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/.test(name);
}

/** Checks the name of a bucket with {@link isBucketName}. Throws 400 `invalid_bucket_name`. */
export function requireBucketName(name: string): void {
  if (!isBucketName(name)) {
    throw new Problem(400, "invalid_bucket_name", "This is not the name of a bucket.");
  }
}

/**
 * Checks an object's key: 1 to 1,024 bytes of UTF-8 without NUL, and no `..` that would lead out of its bucket on a server
 * that takes keys for file names. Throws 400 `invalid_key`.
 */
export function requireKey(key: string): void {
  const fault = key === "" ? "must not be empty" : textFault(key) ?? (leavesBucket(key) ? climbs : undefined);
  if (fault !== undefined) throw new Problem(400, "invalid_key", `A key ${fault}.`);
}

/**
 * Checks the key of an object that is to be written or deleted: besides {@link requireKey}, it has no segment `.` or `..`.
 * Servers that take keys for file names would resolve it and change another object than the one that is named, and nothing
 * in their answers tells. Throws 400 `invalid_key`.
 */
export function requireWritableKey(key: string): void {
  requireKey(key);
  if (hasDotSegment(key)) {
    throw new Problem(
      400,
      "invalid_key",
      'A key that is written or deleted must not have a segment "." or "..".',
    );
  }
}

/** Checks the prefix of a listing, which may be empty. Throws 400 `invalid_prefix`. */
export function requirePrefix(prefix: string): void {
  const fault = textFault(prefix);
  if (fault !== undefined) throw new Problem(400, "invalid_prefix", `A prefix ${fault}.`);
}

/** Whether a key or a prefix has a segment `.` or `..`. */
export function hasDotSegment(text: string): boolean {
  return /(?:^|\/)\.\.?(?:\/|$)/.test(text);
}

const climbs = 'must not lead out of its bucket by ".."';

function leavesBucket(key: string): boolean {
  let depth = 0;
  for (const segment of key.split("/")) {
    if (segment === "..") depth--;
    else if (segment !== "" && segment !== ".") depth++;
    if (depth < 0) return true;
  }
  return false;
}

function textFault(text: string): string | undefined {
  if (text.includes("\0")) return "must not hold a NUL character";
  if (!text.isWellFormed()) return "must be valid Unicode";
  if (new TextEncoder().encode(text).byteLength > maxKeyBytes) {
    return `must not be longer than ${maxKeyBytes} bytes of UTF-8`;
  }
}

const reservedPrefixes = ["xn--", "sthree-", "amzn-s3-demo-"];
const reservedSuffixes = ["-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"];

function brokenBucketRule(name: string): string | undefined {
  if (name.length < 3 || name.length > 63) return "has 3 to 63 characters";
  if (!/^[a-z0-9.-]+$/.test(name)) return "consists of lower-case letters, digits, dots and hyphens";
  if (!/^[a-z0-9].*[a-z0-9]$/.test(name)) return "begins and ends with a letter or digit";
  if (name.includes("..")) return "must not have two dots in a row";
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return "must not look like an IP address";
  const reserved = reservedPrefixes.find((prefix) => name.startsWith(prefix)) ??
    reservedSuffixes.find((suffix) => name.endsWith(suffix));
  if (reserved !== undefined) return `must not use the reserved "${reserved}"`;
}
