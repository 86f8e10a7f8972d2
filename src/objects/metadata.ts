import { Buffer } from "node:buffer";
import { Problem } from "../problem.ts";
import { isMediaType } from "./media_type.ts";

/** Most bytes that names and values of user metadata may have together, as S3 has it. */
const maxMetadataBytes = 2048;

const headerPrefix = "x-amz-meta-";

/**
 * User metadata as it is stored: names in lower case, and values that a header cannot hold as RFC 2047 words, the form in which S3
 * itself hands them out. Throws 400 `invalid_metadata`.
 */
export function encodeMetadata(metadata: ReadonlyMap<string, string>): Record<string, string> {
  const encoded = new Map<string, string>();
  let bytes = 0;
  for (const [name, value] of metadata) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
      throw invalidMetadata(`The metadata name "${name}" is not one that a header can have.`);
    }
    // deno-lint-ignore no-control-regex -- these are what is looked for
    if (/[\x00-\x1f\x7f]/.test(value)) {
      throw invalidMetadata(`The metadata "${name}" holds a control character.`);
    }
    const text = isPlain(value) ? value : encodeWord(value);
    if (encoded.has(name.toLowerCase())) throw invalidMetadata(`The metadata "${name}" stands twice.`);
    encoded.set(name.toLowerCase(), text);
    bytes += name.length + text.length;
  }
  if (bytes > maxMetadataBytes) throw invalidMetadata(`Metadata may have ${maxMetadataBytes} bytes at most.`);
  return Object.fromEntries(encoded);
}

/** The headers that carry metadata which {@link encodeMetadata} made. */
export function metadataHeaders(encoded: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(encoded).map(([name, value]) => [headerPrefix + name, value]));
}

/** The user metadata among an object's headers, by its name without their common prefix. */
export function readMetadata(headers: Headers): Record<string, string> {
  const found = [...headers].filter(([name]) => name.startsWith(headerPrefix));
  return Object.fromEntries(
    found.map(([name, value]) => [name.slice(headerPrefix.length), decodeWord(value)]),
  );
}

/** Checks a content type for use in a header. Throws 400 `invalid_metadata`. */
export function requireContentType(value: string): void {
  if (!isMediaType(value)) {
    throw invalidMetadata("The content type is not one such as text/plain.");
  }
}

/** 400 `invalid_metadata`. */
export function invalidMetadata(message: string): Problem {
  return new Problem(400, "invalid_metadata", message);
}

/** Whether a header gives a value back as it is: printable ASCII without blanks around it, nothing like an encoded word. */
function isPlain(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value) && value === value.trim() && !value.includes("=?");
}

function encodeWord(value: string): string {
  return `=?UTF-8?B?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

/** Decodes the encoded words of a value, in both encodings of RFC 2047; S3 chooses one. */
function decodeWord(value: string): string {
  return value
    .replaceAll(/(=\?UTF-8\?[BQ]\?[^?\s]*\?=)\s+(?==\?UTF-8\?[BQ]\?)/gi, "$1")
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?\s]*)\?=/gi, (_, encoding: string, text: string) => {
      const bytes = encoding.toUpperCase() === "B" ? Buffer.from(text, "base64") : decodeQ(text);
      return bytes.toString();
    });
}

/** RFC 2047, section 4.2. */
function decodeQ(text: string): Buffer {
  const latin1 = text.replaceAll("_", " ")
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(latin1, "latin1");
}
