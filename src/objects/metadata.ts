import { Buffer } from "node:buffer";
import { Problem } from "../problem.ts";

/** Most bytes that names and values of user metadata may have together, as S3 has it. */
const maxMetadataBytes = 2048;

const headerPrefix = "x-amz-meta-";

/**
 * The headers that store user metadata with an object. Values that are not ASCII are put as RFC 2047 words, the form in
 * which S3 itself hands them out. Throws 400 `invalid_metadata`.
 */
export function metadataHeaders(metadata: ReadonlyMap<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  let bytes = 0;
  for (const [name, value] of metadata) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
      throw invalidMetadata(`The metadata name "${name}" is not one that a header can have.`);
    }
    // deno-lint-ignore no-control-regex -- these are what is looked for
    if (/[\x00-\x1f\x7f]/.test(value)) {
      throw invalidMetadata(`The metadata "${name}" holds a control character.`);
    }
    const header = headerPrefix + name.toLowerCase();
    headers[header] = /^[\x20-\x7e]*$/.test(value) ? value.trim() : encodeWord(value);
    bytes += name.length + headers[header].length;
  }
  if (bytes > maxMetadataBytes) throw invalidMetadata(`Metadata may have ${maxMetadataBytes} bytes at most.`);
  return headers;
}

/** The user metadata among an object's headers. */
export function readMetadata(headers: Headers): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (name.startsWith(headerPrefix)) metadata[name.slice(headerPrefix.length)] = decodeWord(value);
  }
  return metadata;
}

/** Checks a content type for use in a header. Throws 400 `invalid_metadata`. */
export function requireContentType(value: string): void {
  if (value.length > 255 || !/^[\w.+-]+\/[\w.+*-]+(?:\s*;[\x20-\x7e]*)?$/.test(value)) {
    throw invalidMetadata("The content type is not one such as text/plain.");
  }
}

function invalidMetadata(message: string): Problem {
  return new Problem(400, "invalid_metadata", message);
}

function encodeWord(value: string): string {
  return `=?UTF-8?B?${Buffer.from(value, "utf8").toString("base64")}?=`;
}

function decodeWord(value: string): string {
  return value.replaceAll(
    /=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/gi,
    (_, text) => Buffer.from(text, "base64").toString(),
  );
}
