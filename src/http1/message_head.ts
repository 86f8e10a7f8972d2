import { HeaderList } from "./header_list.ts";
import { Http1Error } from "./http1_error.ts";

/** The head of a request, as it was on the wire. */
export interface RequestHead {
  readonly method: string;
  /** The request target: path and query, still percent-encoded. */
  readonly target: string;
  /** Whether the client speaks HTTP/1.1; otherwise 1.0. */
  readonly isHttp11: boolean;
  readonly headers: HeaderList;
}

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly isHttp11: boolean;
  readonly headers: HeaderList;
}

/** How the end of a body is found (RFC 9112, section 6.3): after so many bytes, by its chunks, or with the connection. */
export type Framing = number | "chunked" | "close";

/** Most header lines of a message. */
const maxHeaderLines = 200;

/**
 * Parses the head of a request. Whatever two programs could read in two ways is refused: repeated or missing `Host`, a
 * target that is no path, folded lines, control characters. Throws {@link Http1Error}.
 */
export function parseRequestHead(text: string): RequestHead {
  const { first, headers } = splitHead(text);
  const methodEnd = first.indexOf(" ");
  const targetEnd = first.lastIndexOf(" ");
  const version = first.slice(targetEnd + 1);
  const method = first.slice(0, methodEnd);
  const target = first.slice(methodEnd + 1, targetEnd);
  if (methodEnd < 1 || targetEnd <= methodEnd || !/^[A-Z]{1,20}$/.test(method)) {
    throw malformed("The request line is malformed.");
  }
  const isHttp11 = version === "HTTP/1.1";
  if (!isHttp11 && version !== "HTTP/1.0") throw malformed("Only HTTP/1.1 is spoken here.");
  // RFC 9112, section 6.1: such a message is framed in a way that its version does not know.
  if (!isHttp11 && headers.has("transfer-encoding")) throw malformed("HTTP/1.0 has no transfer codings.");
  // An absolute target names a host of its own, which may be another one than `Host` does.
  if (target.charCodeAt(0) !== slash) throw malformed("The request target must be a path.");
  // RFC 3986: visible ASCII characters only.
  if (/[^\x21-\x7e]/.test(target)) {
    throw malformed("The request target holds characters that must be escaped.");
  }
  const hosts = headers.count("host");
  if (hosts > 1 || (hosts === 0 && isHttp11)) throw malformed("There must be exactly one Host header.");
  return { method, target, isHttp11, headers };
}

/** Parses the head of an answer. Throws {@link Http1Error}. */
export function parseAnswerHead(text: string): AnswerHead {
  const { first, headers } = splitHead(text);
  const isHttp11 = first.startsWith("HTTP/1.1 ");
  const status = Number(first.slice(9, 12));
  if ((!isHttp11 && !first.startsWith("HTTP/1.0 ")) || !(status >= 100 && status <= 599)) {
    throw malformed("The answer is not HTTP/1.1.");
  }
  return { status, isHttp11, headers };
}

/**
 * How the body that follows a head is framed. Throws {@link Http1Error} for what is ambiguous: a length beside a transfer
 * coding, several lengths, codings other than `chunked`.
 *
 * @param otherwise what holds when the head says nothing
 */
export function framingOf(headers: HeaderList, otherwise: Framing): Framing {
  const coding = headers.get("transfer-encoding");
  const length = headers.get("content-length");
  if (coding !== null) {
    if (length !== null) throw malformed("Content-Length and Transfer-Encoding exclude each other.");
    if (coding.toLowerCase() !== "chunked") {
      throw malformed("The only transfer coding known here is chunked.");
    }
    return "chunked";
  }
  if (length === null) return otherwise;
  if (!/^\d{1,15}$/.test(length)) throw malformed("Content-Length must be one number of bytes.");
  return Number(length);
}

/** Whether a header that is a list of tokens, such as `Connection`, has this one. */
export function hasToken(headers: HeaderList, name: string, token: string): boolean {
  const value = headers.get(name);
  return value !== null && value.toLowerCase().split(",").some((part) => part.trim() === token);
}

const slash = 0x2f;
const space = 0x20;
const tab = 0x09;

function splitHead(text: string): { first: string; headers: HeaderList } {
  // Checked at once: no control character but the line ends, so that no line can hide another.
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) throw malformed("The head holds control characters.");
  const lines = text.split("\r\n");
  if (lines.length > maxHeaderLines + 1) throw new Http1Error("too_large", "There are too many headers.");
  const headers = new HeaderList();
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index];
    const colon = line.indexOf(":");
    const name = headerName(line.slice(0, Math.max(0, colon)));
    if (name === undefined || line.includes("\r") || line.includes("\n")) {
      throw malformed("A header is malformed.");
    }
    headers.append(name, trimmed(line, colon + 1));
  }
  if (lines[0].includes("\r") || lines[0].includes("\n")) throw malformed("The first line is malformed.");
  return { first: lines[0], headers };
}

/** Names that most messages have, as they are mostly sent, each with its lower-case form. */
const usualNames = new Map([
  "Accept",
  "Accept-Encoding",
  "Accept-Ranges",
  "Amz-Sdk-Invocation-Id",
  "Amz-Sdk-Request",
  "Authorization",
  "Connection",
  "Content-Length",
  "Content-MD5",
  "Content-Range",
  "Content-Type",
  "Date",
  "ETag",
  "Expect",
  "Host",
  "If-None-Match",
  "Last-Modified",
  "Range",
  "Server",
  "Strict-Transport-Security",
  "Transfer-Encoding",
  "User-Agent",
  "Vary",
  "X-Amz-Checksum-Crc32",
  "X-Amz-Checksum-Mode",
  "X-Amz-Content-Sha256",
  "X-Amz-Date",
  "X-Amz-Id-2",
  "X-Amz-Request-Id",
  "X-Content-Type-Options",
  "X-Ratelimit-Limit",
  "X-Ratelimit-Remaining",
  "X-Xss-Protection",
].flatMap((name) => [name, name.toLowerCase()].map((form) => [form, name.toLowerCase()] as const)));

/** The lower-case name of a header; `undefined` for what is no token (RFC 9110, section 5.6.2). */
function headerName(sent: string): string | undefined {
  const usual = usualNames.get(sent);
  if (usual !== undefined) return usual;
  const name = sent.toLowerCase();
  return /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? name : undefined;
}

/** The rest of a line without the spaces and tabs around it. */
function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

function malformed(message: string): Http1Error {
  return new Http1Error("malformed", message);
}
