import { createHash, createHmac } from "node:crypto";
import { HmacKey } from "./hmac_key.ts";

/*
 * The parts of AWS Signature Version 4 that signer and verifier share, as
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html gives them.
 */

/** The headers of a request, by lower-case name; the characters of values stand for bytes (Latin-1). */
export interface HeaderSource {
  /** The value of a header, those of several lines joined by commas, or `null`. */
  get(name: string): string | null;
  /** The names of all headers. */
  keys(): Iterable<string>;
}

/** A request as it was, or will be, on the wire: nothing decoded, nothing normalised. */
export interface WireRequest<Source extends HeaderSource = HeaderSource> {
  readonly method: string;
  /** The raw path, still percent-encoded, without the query. */
  readonly path: string;
  /** The raw query without its `?`; empty when there is none. */
  readonly query: string;
  readonly headers: Source;
}

/** Day, region and service that a signature is bound to. */
export interface CredentialScope {
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

/** Name of the only algorithm there is here. */
export const algorithm = "AWS4-HMAC-SHA256";

/** The scope in the form that goes into credentials and strings to sign. */
export function scopeText(scope: CredentialScope): string {
  return `${scope.date}/${scope.region}/${scope.service}/aws4_request`;
}

/** SHA-256 as lower-case hexadecimal digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** SHA-256 of nothing, in hexadecimal. */
export const emptyHash = sha256Hex("");

/** The key that signs everything in `scope`, derived from the secret key. */
export function signingKey(secretKey: string, scope: CredentialScope): HmacKey {
  const parts = [scope.date, scope.region, scope.service, "aws4_request"];
  return new HmacKey(parts.reduce<Uint8Array>(
    (key, part) => createHmac("sha256", key).update(part).digest(),
    new TextEncoder().encode(`AWS4${secretKey}`),
  ));
}

/** Percent-encodes everything but RFC 3986's unreserved characters, with upper-case digits, as S3 demands. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The canonical request: what a signature is about.
 *
 * @param signedHeaders lower-case names in ascending order
 * @param payloadHash value of `x-amz-content-sha256`
 * @param omittedParameter query parameter left out: the signature itself, in presigned URLs
 */
export function canonicalRequest(
  request: WireRequest,
  signedHeaders: readonly string[],
  payloadHash: string,
  omittedParameter?: string,
): string {
  const { method, headers, query } = request;
  const path = request.path === "" ? "/" : request.path;
  let text = `${method}\n${path}\n${query === "" ? "" : canonicalQuery(query, omittedParameter)}\n`;
  for (const name of signedHeaders) text += `${name}:${canonicalHeaderValue(headers.get(name))}\n`;
  return `${text}\n${signedHeaders.join(";")}\n${payloadHash}`;
}

/** The text that is signed for a canonical request. `time` is `YYYYMMDD'T'HHMMSS'Z'`. */
export function stringToSign(time: string, scope: CredentialScope, canonical: string): string {
  return `${algorithm}\n${time}\n${scopeText(scope)}\n${hashOfBytes(canonical)}`;
}

/**
 * A query with names and values encoded anew and in ascending order of their encoded form. A `+` counts as a space, as
 * it does for S3. Throws a `URIError` for a malformed percent escape.
 */
export function canonicalQuery(query: string, omittedParameter?: string): string {
  const pairs = query.split("&").filter((part) => part !== "").map((part) => {
    const [name, ...value] = part.split("=");
    return [decodeQueryPart(name), decodeQueryPart(value.join("="))];
  });
  return pairs
    .filter(([name]) => name !== omittedParameter)
    .map((pair) => pair.map(encodeRfc3986))
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map((pair) => pair.join("="))
    .join("&");
}

function decodeQueryPart(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

/** Outer white space is dropped and inner runs become one space. */
function canonicalHeaderValue(value: string | null): string {
  if (value === null) return "";
  // Not all that `trim` takes away: the last byte of a letter in UTF-8 may look like a no-break space.
  const trimmed = isBlankAt(value, 0) || isBlankAt(value, value.length - 1)
    ? value.replace(/^[ \t]+|[ \t]+$/g, "")
    : value;
  return trimmed.includes("  ") || trimmed.includes("\t") ? trimmed.replace(/[ \t]+/g, " ") : trimmed;
}

function isBlankAt(text: string, index: number): boolean {
  return text[index] === " " || text[index] === "\t";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** SHA-256 of text whose characters stand for bytes. Only ASCII is the same in UTF-8, which is hashed without a detour. */
function hashOfBytes(text: string): string {
  const hash = createHash("sha256");
  return (isAscii.test(text) ? hash.update(text) : hash.update(text, "latin1")).digest("hex");
}

// deno-lint-ignore no-control-regex -- all of ASCII is meant
const isAscii = /^[\x00-\x7f]*$/;
