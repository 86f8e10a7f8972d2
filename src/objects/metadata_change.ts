import { badRequest } from "../problem.ts";
import type { ReplacedMetadata } from "./copy.ts";
import { encodeMetadata, invalidMetadata, requireContentType } from "./metadata.ts";

/** Longest value of a content header that is taken, in characters. */
const maxHeaderLength = 1024;

/** What is to be changed about an object besides its content. What is `undefined` stays, what is empty goes. */
export interface MetadataChange {
  readonly metadata?: ReadonlyMap<string, string>;
  readonly contentType?: string;
  readonly cacheControl?: string;
  readonly contentDisposition?: string;
  readonly contentEncoding?: string;
  readonly contentLanguage?: string;
  /** A time in RFC 3339, or a date as HTTP has it. */
  readonly expires?: string;
}

/**
 * Checks a change and puts it into the form of headers. Throws 400 `invalid_metadata`, or `bad_request` when nothing is to
 * be changed.
 */
export function replacedMetadata(change: MetadataChange): ReplacedMetadata {
  if (Object.values(change).every((value) => value === undefined)) {
    throw badRequest("There is nothing to change.");
  }
  const { contentType, contentEncoding, expires } = change;
  if (contentType !== undefined) requireContentType(contentType);
  // S3 takes the content of what says so for chunks with signatures.
  if (/\baws-chunked\b/i.test(contentEncoding ?? "")) {
    throw invalidMetadata("content_encoding must not be aws-chunked.");
  }
  const headers = {
    "content-type": contentType,
    "cache-control": headerText("cache_control", change.cacheControl),
    "content-disposition": headerText("content_disposition", change.contentDisposition),
    "content-encoding": headerText("content_encoding", contentEncoding),
    "content-language": headerText("content_language", change.contentLanguage),
    "expires": expires && httpDate(expires),
  };
  return {
    metadata: change.metadata && encodeMetadata(change.metadata),
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  };
}

function headerText(field: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value.length > maxHeaderLength) {
    throw invalidMetadata(`${field} must not have more than ${maxHeaderLength} characters.`);
  }
  if (!/^[\x20-\x7e]*$/.test(value)) {
    throw invalidMetadata(`${field} consists of printable ASCII characters.`);
  }
  return value.trim();
}

/** https://www.rfc-editor.org/rfc/rfc3339#section-5.6, and the one date format of RFC 9110, section 5.6.7, that is sent. */
const timeFormats = [
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i,
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
];

function httpDate(text: string): string {
  const time = timeFormats.some((format) => format.test(text)) ? Date.parse(text) : NaN;
  if (Number.isNaN(time)) throw invalidMetadata("expires is not a time such as 2030-01-31T00:00:00Z.");
  return new Date(time).toUTCString();
}
