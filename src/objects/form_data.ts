import { Buffer } from "node:buffer";
import { badRequest } from "../problem.ts";

/** Most bytes that the headers of one part may have, and the blanks behind a boundary. */
const maxHeaderBytes = 8 * 1024;
const maxPaddingBytes = 256;

/** Most bytes in front of the first boundary and behind the last one, which mean nothing (RFC 2046, section 5.1.1). */
const maxOutsideBytes = 8 * 1024;

/**
 * One part of a form. Its content must be read before the next part is asked for; what is left of it is skipped. Each piece
 * of the content is valid only until the next is asked for.
 */
export interface FormPart {
  readonly name: string;
  /** The name of the file that the content is of. */
  readonly filename?: string;
  readonly contentType?: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * The boundary of a `multipart/form-data` content type, or `null` for another type. Throws 400 `bad_request` when the
 * boundary is missing or longer than RFC 2046 allows.
 */
export function formBoundary(contentType: string | null): string | null {
  if (!/^multipart\/form-data(?:$|[\s;])/i.test(contentType ?? "")) return null;
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))(?:$|[\s;])/i.exec(contentType ?? "");
  if (match === null) {
    throw badRequest("The Content-Type multipart/form-data needs a boundary of 1 to 70 characters.");
  }
  return match[1] ?? match[2];
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) part by part as it arrives; no more than a piece of the network is held.
 * Throws 400 `bad_request` for a body that is malformed or ends before its last boundary.
 */
export async function* readForm(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const reader = new FormReader(body, boundary);
  await reader.skipPreamble();
  while (await reader.nextPart()) {
    const headers = await reader.headers();
    yield { ...describePart(headers), content: reader.content() };
    await reader.skipContent();
  }
}

/** Reads a form field as text. Throws 400 `bad_request` beyond `maxBytes` or when it is not UTF-8. */
export async function readField({ name, content }: FormPart, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maxBytes) throw badRequest(`${name}: is longer than ${maxBytes} bytes`, { field: name });
    chunks.push(chunk.slice());
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw badRequest(`${name}: is not UTF-8 text`, { field: name });
  }
}

/** What follows the last boundary. */
const endMark = Buffer.from("--");

/** Cuts a stream of bytes at the boundaries of a form. */
class FormReader {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #delimiter: Buffer;
  /** What was read but not taken yet. Begins with a line break, so that the first boundary looks like all the others. */
  #buffer = Buffer.from("\r\n");
  #store = Buffer.alloc(0);
  #inContent = true;

  constructor(body: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = body[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  }

  /** The bytes up to the next boundary, as they arrive. */
  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#inContent) {
      const end = this.#buffer.indexOf(this.#delimiter);
      if (end >= 0) this.#inContent = false;
      // Without a boundary in sight all is content but what may be the beginning of one.
      const bytes = this.#take(
        end >= 0 ? end : Math.max(0, this.#buffer.length - this.#delimiter.length + 1),
      );
      if (end >= 0) this.#take(this.#delimiter.length);
      if (bytes.length > 0) yield bytes;
      if (this.#inContent) await this.#fill();
    }
  }

  /** Reads on to just behind the first boundary. */
  async skipPreamble(): Promise<void> {
    let size = 0;
    for await (const { length } of this.content()) {
      size += length;
      if (size > maxOutsideBytes) throw badRequest("The form does not begin with its boundary.");
    }
  }

  /** Reads on to just behind the next boundary. */
  async skipContent(): Promise<void> {
    while (this.#inContent) await this.content().next();
  }

  /** Whether a part follows the boundary that was just read, rather than the end of the form. */
  async nextPart(): Promise<boolean> {
    while (this.#buffer.length < 2) await this.#fill();
    if (this.#buffer.subarray(0, 2).equals(endMark)) {
      await this.#skipEpilogue();
      return false;
    }
    // Blanks there are transport padding (RFC 2046, section 5.1.1).
    const padding = await this.#takeBefore("\r\n", maxPaddingBytes);
    if (!/^[ \t]*$/.test(padding ?? "-")) {
      throw badRequest("A boundary of the form is not followed by a line break.");
    }
    return true;
  }

  /** The header lines of a part. */
  async headers(): Promise<string[]> {
    const lines = (await this.#takeBefore("\r\n\r\n", maxHeaderBytes))?.split("\r\n");
    if (lines === undefined) throw badRequest("The headers of a form field are too long.");
    this.#inContent = true;
    return lines;
  }

  async #skipEpilogue(): Promise<void> {
    let size = this.#buffer.length;
    while (size <= maxOutsideBytes) {
      const { done, value } = await this.#source.next();
      if (done) return;
      size += value.byteLength;
    }
    throw badRequest("The form goes on behind its last boundary.");
  }

  /** The text in front of `mark`, which is taken too; `undefined` when the next `limit` bytes do not hold it. */
  async #takeBefore(mark: string, limit: number): Promise<string | undefined> {
    let end: number;
    while ((end = this.#buffer.indexOf(mark)) < 0 && this.#buffer.length <= limit) await this.#fill();
    if (end < 0 || end > limit) return undefined;
    const text = this.#take(end).toString("utf8");
    this.#take(mark.length);
    return text;
  }

  #take(count: number): Buffer {
    const bytes = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return bytes;
  }

  /** Reads on. What was taken before is no longer valid: the same store is used again and again. */
  async #fill(): Promise<void> {
    const { done, value } = await this.#source.next();
    if (done) throw badRequest("The form ends before its last boundary.");
    const kept = this.#buffer.length;
    const size = kept + value.byteLength;
    const store = size <= this.#store.length ? this.#store : Buffer.alloc(size);
    store.set(this.#buffer);
    store.set(value, kept);
    this.#store = store;
    this.#buffer = store.subarray(0, size);
  }
}

function describePart(headers: readonly string[]): Omit<FormPart, "content"> {
  const value = (name: string) =>
    headers.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1).trim();
  const parameters = dispositionParameters(value("content-disposition") ?? "");
  const name = parameters.get("name");
  if (name === undefined) throw badRequest("Each form field needs a Content-Disposition with a name.");
  return { name, filename: parameters.get("filename"), contentType: value("content-type") };
}

/** The parameters of a part's `Content-Disposition` (RFC 7578, section 4.2; RFC 2183, section 2); the first of each name. */
function dispositionParameters(disposition: string): Map<string, string> {
  const found = new Map<string, string>();
  const [type] = disposition.split(";", 1);
  if (type.trim().toLowerCase() !== "form-data") return found;
  const parameters = disposition.slice(type.length);
  for (
    const [, name, quoted, token] of parameters.matchAll(
      /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^\s;"]+))/g,
    )
  ) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, token ?? unescapeName(quoted));
  }
  return found;
}

/** Browsers write quotes and line breaks of names in this form (HTML standard, "multipart form data"), others `\"`. */
function unescapeName(name: string): string {
  return name.replaceAll('\\"', '"').replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
}
