import { createHash } from "node:crypto";
import { type Client, json, type RequestOptions } from "../support/http_client.ts";

/** Smallest size of all parts but the last, in bytes. */
export const partBytes = 5 << 20;

/** A part as a completion names it. */
export interface Part {
  readonly part_number: number;
  readonly etag: string;
}

/** An upload in parts over the API. */
export class Upload {
  constructor(
    readonly client: Client,
    /** Path of the bucket in the API. */
    readonly bucket: string,
    readonly key: string,
    readonly id: string,
  ) {}

  static async begin(client: Client, bucket: string, key: string, body: unknown = {}): Promise<Upload> {
    const path = `${bucket}/multipart?key=${encodeURIComponent(key)}`;
    const { upload_id } = await json(client.post(path, { json: body }), 201);
    return new Upload(client, bucket, key, upload_id);
  }

  /** Path of something of this upload, with more query parameters. */
  path(rest = "", query = ""): string {
    const key = encodeURIComponent(this.key);
    return `${this.bucket}/multipart${rest}?key=${key}&upload_id=${encodeURIComponent(this.id)}${query}`;
  }

  put(number: number | string, body: BodyInit, options: RequestOptions = {}): Promise<Response> {
    return this.client.put(this.path(`/parts/${number}`), { ...options, body });
  }

  /** Stores a part. */
  async send(number: number, content: BodyInit): Promise<Part> {
    const { part_number, etag } = await json(this.put(number, content));
    return { part_number, etag };
  }

  /** Numbers, ETags and sizes of the parts that are there. */
  async list(query = ""): Promise<{ part_number: number; etag: string; size: number }[]> {
    return (await json(this.client.get(this.path("/parts", query)))).parts;
  }

  complete(parts: unknown, query = ""): Promise<Response> {
    return this.client.post(this.path("/complete", query), { json: { parts } });
  }

  abort(): Promise<Response> {
    return this.client.delete(this.path());
  }
}

/** Bytes that differ from one `seed` to the other and do not repeat soon. */
export function pattern(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let index = 0, state = seed; index < size; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

/** MD5 in hexadecimal: the ETag of a part. */
export function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}

/** SHA-256 of an object as it is downloaded. */
export async function digestOf(client: Client, object: string): Promise<string> {
  const hash = createHash("sha256");
  const { body } = await client.get(object);
  for await (const piece of body ?? []) hash.update(piece);
  return hash.digest("hex");
}

/** SHA-256 of content that is in pieces. */
export function digest(...pieces: Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}
