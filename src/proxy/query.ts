import { encodeRfc3986 } from "../sigv4/canonical.ts";
import { S3Error } from "./s3_error.ts";

/** Parameters that sign a presigned request; S3 takes their names as they are written here only. */
const signatureParameters: ReadonlySet<string> = new Set([
  "X-Amz-Algorithm",
  "X-Amz-Content-Sha256",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-Security-Token",
  "X-Amz-Signature",
  "X-Amz-SignedHeaders",
]);

/** Most parameters of a query. They are looked through one by one, by requests that nobody has signed too. */
const maxParameters = 256;

/** The parameters of a query, decoded once, in the order they came. */
export class QueryList {
  private constructor(readonly names: readonly string[], readonly values: readonly string[]) {}

  static readonly #empty = new QueryList([], []);

  /**
   * Parses a raw query, without its `?`. A `+` is a space, as it is for S3. Throws {@link S3Error} `InvalidURI` for a
   * malformed escape and `InvalidArgument` for a parameter that comes twice: servers disagree about which of them counts, and for
   * a header of the answer that no header can be.
   */
  static parse(query: string): QueryList {
    if (query === "") return QueryList.#empty;
    const names: string[] = [];
    const values: string[] = [];
    const parts = query.split("&");
    if (parts.length > maxParameters) {
      throw new S3Error("InvalidURI", `The query of a request has ${maxParameters} parameters at most.`);
    }
    for (const part of parts) {
      if (part === "") continue;
      const equals = part.indexOf("=");
      const name = decode(equals < 0 ? part : part.slice(0, equals));
      if (names.includes(name)) {
        throw new S3Error("InvalidArgument", "A parameter of the query comes more than once.");
      }
      const value = equals < 0 ? "" : decode(part.slice(equals + 1));
      // What stands there becomes a header of the answer, and with a line break in it two.
      if (name.startsWith("response-") && /\p{Cc}/u.test(value)) {
        throw new S3Error("InvalidArgument", `${name} holds a control character.`);
      }
      names.push(name);
      values.push(value);
    }
    return new QueryList(names, values);
  }

  /** Whether there is such a parameter, with a value or without. */
  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** The value of a parameter, empty when it was given without one; `undefined` when there is none. */
  get(name: string): string | undefined {
    const index = this.names.indexOf(name);
    return index < 0 ? undefined : this.values[index];
  }

  /**
   * What goes on to the upstream: everything but the signature, `x-id`, which only repeats the operation's name, and headers
   * that stand in the query (see {@link isHeaderParameter}). Encoded anew and sorted, that is, already in the canonical form
   * that is signed.
   */
  forwarded(): string {
    if (this.names.length === 0) return "";
    const parts: [name: string, value: string][] = [];
    for (const [index, name] of this.names.entries()) {
      if (isSignatureParameter(name) || name === "x-id" || isHeaderParameter(name)) continue;
      parts.push([encodeRfc3986(name), encodeRfc3986(this.values[index])]);
    }
    parts.sort(([a], [b]) => a < b ? -1 : 1);
    return parts.map((part) => part.join("=")).join("&");
  }
}

/** Whether a parameter belongs to the signature of a presigned request. */
export function isSignatureParameter(name: string): boolean {
  return signatureParameters.has(name);
}

/**
 * Whether a parameter is a header that an SDK has put into the query of a presigned URL, such as `x-amz-acl`. S3 takes it for
 * the header, so it has to be judged like one.
 */
export function isHeaderParameter(name: string): boolean {
  return name.length > 6 && name.slice(0, 6).toLowerCase() === "x-amz-" && !signatureParameters.has(name);
}

function decode(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) {
    requireAscii(spaced);
    return spaced;
  }
  requireAscii(spaced);
  let decoded: string;
  try {
    decoded = decodeURIComponent(spaced);
  } catch {
    throw invalidQuery();
  }
  if (decoded.includes("\0")) throw invalidQuery();
  return decoded;
}

function requireAscii(text: string): void {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code >= 0x7f) throw invalidQuery();
  }
}

function invalidQuery(): S3Error {
  return new S3Error("InvalidURI", "The query of the request is not percent-encoded UTF-8.");
}
