import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Database } from "../../store/database.ts";

/** Bytes of an object: a whole file. */
export interface Segment {
  readonly blob: string;
  /** Bytes. */
  readonly size: number;
}

const readSize = 256 * 1024;

/**
 * Files of object bytes, named by random ids: keys may be longer than file names, and `a` and `a/b` may both be keys.
 *
 * A file that no row of the index refers to is in `unreferenced_blobs`, from before it is made until the transaction
 * that refers to it, and again from the transaction that drops the last reference. So whatever is listed there at start
 * is left over from a process that was killed, and goes.
 */
export class BlobStore {
  readonly #directory: string;
  readonly #database: Database;
  /** How many streams write or read a file. */
  readonly #uses = new Map<string, number>();

  private constructor(directory: string, database: Database) {
    this.#directory = directory;
    this.#database = database;
  }

  /** Opens the files under `directory`, which may not be there yet, and removes what a killed process left. */
  static async open(directory: string, database: Database): Promise<BlobStore> {
    const folders = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, "0"));
    await Promise.all(folders.map((folder) => Deno.mkdir(join(directory, folder), { recursive: true })));
    const store = new BlobStore(directory, database);
    await store.sweep();
    return store;
  }

  /**
   * Makes a file of what `fill` writes. It goes, unless {@link claim}ed while `use` runs.
   *
   * @returns what `use` returns
   */
  async create<Facts, Result>(
    fill: (write: (bytes: Uint8Array) => Promise<void>) => Promise<Facts>,
    use: (id: string, facts: Facts) => Result,
  ): Promise<Result> {
    const id = randomUUID();
    this.#database.run("INSERT INTO unreferenced_blobs (id) VALUES (?)", id);
    this.#hold(id);
    try {
      return use(id, await this.#write(id, fill));
    } finally {
      this.#letGo(id);
      await this.sweep();
    }
  }

  /** Says, inside a transaction, that the index refers to a file now. */
  claim(id: string): void {
    this.#database.run("DELETE FROM unreferenced_blobs WHERE id = ?", id);
  }

  /** Says, inside a transaction, that the index does not refer to a file any more; {@link sweep} then removes it. */
  abandon(id: string): void {
    this.#database.run("INSERT INTO unreferenced_blobs (id) VALUES (?)", id);
  }

  /** Removes the unreferenced files that nobody reads or writes. */
  async sweep(): Promise<void> {
    for (const row of this.#database.all("SELECT id FROM unreferenced_blobs")) {
      const id = String(row.id);
      if (this.#uses.has(id)) continue;
      try {
        await Deno.remove(this.#path(id));
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
      this.claim(id);
    }
  }

  /**
   * Streams `length` bytes from byte `start` of what the segments make when put together. The files stay until the stream
   * ends, even when the object is replaced meanwhile.
   */
  read(segments: readonly Segment[], start: number, length: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const extents = extentsOf(segments, start, length);
    for (const { blob } of extents) this.#hold(blob);
    const chunks = this.#chunks(extents);
    let released = false;
    const release = async () => {
      if (released) return;
      released = true;
      await chunks.return();
      for (const { blob } of extents) this.#letGo(blob);
      await this.sweep();
    };
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) return controller.enqueue(value);
          await release();
          controller.close();
        } catch (error) {
          await release();
          throw error;
        }
      },
      cancel: release,
    }, { highWaterMark: 1 });
  }

  async #write<Facts>(
    id: string,
    fill: (write: (bytes: Uint8Array) => Promise<void>) => Promise<Facts>,
  ): Promise<Facts> {
    const file = await Deno.open(this.#path(id), { createNew: true, write: true });
    try {
      return await fill(async (bytes) => {
        for (let written = 0; written < bytes.length;) written += await file.write(bytes.subarray(written));
      });
    } finally {
      file.close();
    }
  }

  async *#chunks(extents: readonly Extent[]): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    for (const { blob, start, length } of extents) {
      const file = await Deno.open(this.#path(blob));
      try {
        await file.seek(start, Deno.SeekMode.Start);
        for (let left = length; left > 0;) {
          const buffer = new Uint8Array(Math.min(left, readSize));
          const count = await file.read(buffer);
          if (count === null) throw new Error(`blob ${blob} is shorter than the index says`);
          left -= count;
          yield buffer.subarray(0, count);
        }
      } finally {
        file.close();
      }
    }
  }

  #path(id: string): string {
    return join(this.#directory, id.slice(0, 2), id);
  }

  #hold(id: string): void {
    this.#uses.set(id, (this.#uses.get(id) ?? 0) + 1);
  }

  #letGo(id: string): void {
    const left = (this.#uses.get(id) ?? 0) - 1;
    if (left > 0) this.#uses.set(id, left);
    else this.#uses.delete(id);
  }
}

/** A run of bytes of one file. */
interface Extent {
  readonly blob: string;
  readonly start: number;
  readonly length: number;
}

function extentsOf(segments: readonly Segment[], start: number, length: number): Extent[] {
  const extents: Extent[] = [];
  let offset = 0;
  for (const { blob, size } of segments) {
    const from = Math.max(start, offset);
    const to = Math.min(start + length, offset + size);
    if (from < to) extents.push({ blob, start: from - offset, length: to - from });
    offset += size;
  }
  return extents;
}
