import { Buffer } from "node:buffer";
import type { Answer, Connection, Exchange } from "./connection.ts";
import { makeContents } from "./content.ts";
import { RequestFactory, type Side } from "./signed_exchange.ts";

/** An object that a run has written. */
export interface WrittenObject {
  /** Percent-encoded path. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** What the workers of a case do, prepared for one side. */
export interface Workload {
  /** Step number `index` of the run, on a connection of the worker's own. Throws when an answer is not the right one. */
  step(connection: Connection, index: number): Promise<void>;
  /** Does the first steps and compares the content of every answer. Returns how many steps it did. */
  check(connection: Connection): Promise<number>;
  /** What step `index` wrote. */
  written?(index: number): WrittenObject;
}

/** Makes request number `index`, signed at `time` (milliseconds since the epoch). */
export type MakeExchange = (factory: RequestFactory, index: number, time: number) => PooledExchange;

/** A request of a pool. */
export interface PooledExchange extends Exchange {
  /** What it writes, when it does. */
  readonly writes?: WrittenObject;
}

/** Steps whose answers are compared byte by byte. */
const checkedSteps = 64;

/** Requests are signed at times this far apart, so that no two of a pool have the same signature. */
const signatureIntervalMs = 1_000;
const oldestSignatureMs = 300_000;

const partCount = 8;
const partBytes = 8 << 20;

/** Sends requests that were made beforehand, one after the other and then over again. */
export class PooledExchanges implements Workload {
  readonly #pool: readonly PooledExchange[];
  readonly written?: (index: number) => WrittenObject;

  constructor(side: Side, now: number, size: number, make: MakeExchange) {
    const factory = new RequestFactory(side);
    const pool = Array.from(
      { length: size },
      (_, index) => make(factory, index, now - index * signatureIntervalMs % oldestSignatureMs),
    );
    this.#pool = pool;
    if (pool.some(({ writes }) => writes !== undefined)) {
      this.written = (index) => {
        const { writes } = pool[index % size];
        if (writes === undefined) throw new Error(`request ${index} writes nothing`);
        return writes;
      };
    }
  }

  async step(connection: Connection, index: number): Promise<void> {
    const exchange = this.#pool[index % this.#pool.length];
    requireAnswer(await connection.send(exchange), exchange);
  }

  async check(connection: Connection): Promise<number> {
    const checked = this.#pool.slice(0, checkedSteps);
    for (const exchange of checked) await sendChecked(connection, exchange);
    return checked.length;
  }
}

/** Uploads objects in parts, each object by one worker on one connection. */
export class MultipartUploads implements Workload {
  readonly #factory: RequestFactory;
  readonly #prefix: string;
  readonly #parts = makeContents(partCount, partBytes, 1_000);
  readonly #content = Buffer.concat(this.#parts.map(({ bytes }) => bytes));

  /** @param prefix path of the objects without the number each ends in */
  constructor(side: Side, prefix: string) {
    this.#factory = new RequestFactory(side);
    this.#prefix = prefix;
  }

  async step(connection: Connection, index: number): Promise<void> {
    const path = this.#path(index);
    const uploadId = readElement(await this.#post(connection, path, "uploads="), "UploadId");
    const upload = `uploadId=${encodeURIComponent(uploadId)}`;
    let xml = "";
    for (const [part, { bytes, hash }] of this.#parts.entries()) {
      const query = `partNumber=${part + 1}&${upload}`;
      const put = { method: "PUT", path, query, body: bytes, bodyHash: hash, status: 200 };
      const exchange = this.#factory.signed(put, Date.now());
      const answer = await connection.send(exchange);
      requireAnswer(answer, exchange);
      const [, entityTag] = /\r\netag: *(\S+)/i.exec(answer.head) ?? [];
      xml += `<Part><PartNumber>${part + 1}</PartNumber><ETag>${entityTag}</ETag></Part>`;
    }
    const completion = `<CompleteMultipartUpload>${xml}</CompleteMultipartUpload>`;
    readElement(await this.#post(connection, path, upload, completion), "ETag");
  }

  async check(connection: Connection): Promise<number> {
    await this.step(connection, 0);
    return 1;
  }

  written(index: number): WrittenObject {
    return { path: this.#path(index), content: this.#content };
  }

  /** A worker overwrites what it wrote before: the runs do not fill the disk. */
  #path(index: number): string {
    return `${this.#prefix}/${index % 16}`;
  }

  async #post(connection: Connection, path: string, query: string, text = ""): Promise<string> {
    const body = new TextEncoder().encode(text);
    const exchange = this.#factory.signed({ method: "POST", path, query, body, status: 200 }, Date.now());
    const parts: Uint8Array<ArrayBuffer>[] = [];
    requireAnswer(await connection.send(exchange, parts), exchange);
    return await new Blob(parts).text();
  }
}

/** Sends a request and compares the content of its answer. Throws when it is not the right one. */
export async function sendChecked(connection: Connection, exchange: Exchange): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  requireAnswer(await connection.send(exchange, parts), exchange);
  if (exchange.content === undefined || exchange.isHead) return;
  if (Buffer.compare(Buffer.concat(parts), exchange.content) !== 0) {
    throw new Error("the body is not the object's content");
  }
}

function requireAnswer({ status, head, length }: Answer, expected: Exchange): void {
  if (status !== expected.status) throw new Error(`${status} in place of ${expected.status}: ${head}`);
  if (expected.content !== undefined && !expected.isHead && length !== expected.content.length) {
    throw new Error(`a body of ${length} bytes in place of ${expected.content.length}`);
  }
}

function readElement(xml: string, name: string): string {
  const [, text] = new RegExp(`<${name}>([^<]+)</${name}>`).exec(xml) ?? [];
  if (text === undefined) throw new Error(`no ${name} in: ${xml}`);
  return text;
}
