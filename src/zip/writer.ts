import { crc32 } from "node:zlib";
import {
  descriptor,
  directoryEnd,
  type DirectoryEntry,
  directoryHeader,
  localHeader,
  needsZip64,
  streamedHeader,
  type ZipEntry,
} from "./records.ts";

/**
 * Makes a zip file of entries that are added one after the other. All of its methods return what comes next in the file.
 * The central directory is all that is kept, as the bytes it will have: about a hundred for each entry.
 */
export class ZipWriter {
  readonly #directory = new ByteStore();
  #entries = 0;
  #offset = 0;

  /** Entries so far. */
  get entries(): number {
    return this.#entries;
  }

  /** Adds a folder, whose name ends in `/`. */
  addFolder(entry: ZipEntry): Uint8Array {
    return this.addFile(entry, new Uint8Array(0));
  }

  /** Adds a file that is in memory. */
  addFile(entry: ZipEntry, content: Uint8Array): Uint8Array {
    const crc = crc32(content);
    const header = localHeader(entry, crc, content.length);
    this.#list({ ...entry, crc, size: content.length, offset: this.#offset, hasDescriptor: false });
    const bytes = new Uint8Array(header.length + content.length);
    bytes.set(header);
    bytes.set(content, header.length);
    return this.#passed(bytes);
  }

  /**
   * Adds a file whose content is still to come. `expectedSize`, in bytes, must not be less than what comes; leave it out when
   * it is not known. A piece of the content is valid until the next is asked for.
   *
   * Throws what `content` throws, but only once the entry was ended. That gets a CRC that is not the one of the bytes that
   * came: whoever unpacks the archive is told that this file is damaged, and does not take a part of it for all of it, while
   * the other files remain good.
   */
  async *addStream(
    entry: ZipEntry,
    content: AsyncIterable<Uint8Array>,
    expectedSize = Infinity,
  ): AsyncGenerator<Uint8Array, void> {
    const offset = this.#offset;
    const isZip64 = needsZip64(expectedSize);
    yield this.#passed(streamedHeader(entry, isZip64));
    let crc = 0;
    let size = 0;
    let failure: { readonly error: unknown } | undefined;
    try {
      for await (const piece of content) {
        crc = crc32(piece, crc);
        size += piece.length;
        yield this.#passed(piece);
      }
    } catch (error) {
      failure = { error };
      crc = ~crc >>> 0;
    }
    yield this.#passed(descriptor(crc, size, isZip64));
    this.#list({ ...entry, crc, size, offset, hasDescriptor: true });
    if (failure !== undefined) throw failure.error;
  }

  /** Ends the archive. */
  *finish(): Generator<Uint8Array> {
    const { size } = this.#directory;
    yield* this.#directory.chunks();
    yield directoryEnd({ entries: this.#entries, offset: this.#offset, size });
  }

  #list(entry: DirectoryEntry): void {
    this.#entries++;
    this.#directory.append(directoryHeader(entry));
  }

  #passed(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.length;
    return bytes;
  }
}

const chunkBytes = 64 * 1024;

/** Bytes that grow at their end. Small arrays of their own would take several times the memory. */
class ByteStore {
  readonly #full: Uint8Array[] = [];
  #last = new Uint8Array(chunkBytes);
  #used = 0;
  size = 0;

  /** Adds at most {@link chunkBytes} bytes. */
  append(bytes: Uint8Array): void {
    if (this.#used + bytes.length > chunkBytes) {
      this.#full.push(this.#last.subarray(0, this.#used));
      this.#last = new Uint8Array(chunkBytes);
      this.#used = 0;
    }
    this.#last.set(bytes, this.#used);
    this.#used += bytes.length;
    this.size += bytes.length;
  }

  /** All bytes, in order. */
  *chunks(): Generator<Uint8Array> {
    yield* this.#full;
    if (this.#used > 0) yield this.#last.subarray(0, this.#used);
  }
}
