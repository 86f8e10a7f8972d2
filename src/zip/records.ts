/*
 * The records of a zip file as https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (6.3) describes them; the numbers
 * in comments are its sections. All numbers are little-endian. Content is stored as it is: most large objects are compressed
 * already, and a size that is known beforehand needs no second look.
 */

/** The largest values of the 32-bit and 16-bit fields; these values themselves say that the true one is in a zip64 record. */
const max32 = 0xffffffff;
const max16 = 0xffff;

/** Versions of the format that a reader must know (4.4.3): 2.0 has folders, 4.5 has zip64. */
const basicVersion = 20;
const zip64Version = 45;

/** "Made by" Unix, which is what gives the external attributes their meaning as a file mode (4.4.2). */
const madeByUnix = 3 << 8;

/** General purpose flags (4.4.4): the descriptor comes after the content; the name is UTF-8. */
const descriptorFlag = 1 << 3;
const utf8Flag = 1 << 11;

/** Modes of regular files and folders, as of stat(2), and the folder flag of MS-DOS (4.4.15). */
const fileAttributes = 0o100644 << 16 >>> 0;
const folderAttributes = (0o040755 << 16 | 0x10) >>> 0;

/** An entry of the archive. */
export interface ZipEntry {
  /** Path in the archive; that of a folder ends in `/`. */
  readonly name: string;
  readonly modifiedAt: Date;
}

/** An entry as the central directory lists it. */
export interface DirectoryEntry extends ZipEntry {
  /** Whether CRC and size follow the content instead of standing in front of it. */
  readonly hasDescriptor: boolean;
  readonly crc: number;
  /** Bytes. */
  readonly size: number;
  /** Where its local header begins, in bytes from the beginning of the archive. */
  readonly offset: number;
}

/** Whether a size or an offset, in bytes, needs a zip64 field. */
export function needsZip64(value: number): boolean {
  return value >= max32;
}

/** The header in front of content whose CRC and size are known (4.3.7). */
export function localHeader(entry: ZipEntry, crc: number, size: number): Uint8Array {
  return header(entry, { flags: utf8Flag, crc, size, isZip64: false });
}

/**
 * The header in front of content that a {@link descriptor} follows. With `isZip64` the sizes of that have 64 bits: readers
 * tell by the zip64 field of this header (4.3.9.2).
 */
export function streamedHeader(entry: ZipEntry, isZip64: boolean): Uint8Array {
  return header(entry, { flags: utf8Flag | descriptorFlag, crc: 0, size: 0, isZip64 });
}

/** What follows streamed content (4.3.9), with the signature that all readers expect. */
export function descriptor(crc: number, size: number, isZip64: boolean): Uint8Array {
  const record = new Record(isZip64 ? 24 : 16).uint32(0x08074b50).uint32(crc);
  return isZip64 ? record.uint64(size).uint64(size).bytes : record.uint32(size).uint32(size).bytes;
}

/** An entry's header in the central directory (4.3.12). */
export function directoryHeader(entry: DirectoryEntry): Uint8Array {
  const { name, modifiedAt, crc, size, offset, hasDescriptor } = entry;
  const nameBytes = new TextEncoder().encode(name);
  // Only the fields that overflow stand in the zip64 extra field, in this order (4.5.3).
  const wide = [...(needsZip64(size) ? [size, size] : []), ...(needsZip64(offset) ? [offset] : [])];
  const zip64Length = wide.length === 0 ? 0 : 4 + 8 * wide.length;
  const version = zip64Length === 0 ? basicVersion : zip64Version;
  const record = new Record(46 + nameBytes.length + timestampLength + zip64Length)
    .uint32(0x02014b50)
    .uint16(madeByUnix | version)
    .uint16(version)
    .uint16(hasDescriptor ? utf8Flag | descriptorFlag : utf8Flag)
    .uint16(0)
    .uint32(dosTime(modifiedAt))
    .uint32(crc)
    .uint32(Math.min(size, max32))
    .uint32(Math.min(size, max32))
    .uint16(nameBytes.length)
    .uint16(timestampLength + zip64Length)
    .uint16(0)
    .uint16(0)
    .uint16(0)
    .uint32(name.endsWith("/") ? folderAttributes : fileAttributes)
    .uint32(Math.min(offset, max32))
    .append(nameBytes)
    .append(timestamp(modifiedAt));
  if (zip64Length > 0) record.uint16(0x0001).uint16(8 * wide.length);
  for (const value of wide) record.uint64(value);
  return record.bytes;
}

/** What the end of an archive tells about its central directory. */
export interface DirectoryPlace {
  readonly entries: number;
  /** Bytes. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
}

/** The end of an archive (4.3.14 to 4.3.16): zip64 records only where the others cannot hold a number. */
export function directoryEnd({ entries, offset, size }: DirectoryPlace): Uint8Array {
  const isZip64 = entries >= max16 || needsZip64(offset) || needsZip64(size);
  const record = new Record(isZip64 ? 56 + 20 + 22 : 22);
  if (isZip64) {
    record.uint32(0x06064b50).uint64(56 - 12)
      .uint16(madeByUnix | zip64Version).uint16(zip64Version)
      .uint32(0).uint32(0)
      .uint64(entries).uint64(entries)
      .uint64(size).uint64(offset);
    record.uint32(0x07064b50).uint32(0).uint64(offset + size).uint32(1);
  }
  return record.uint32(0x06054b50).uint16(0).uint16(0)
    .uint16(Math.min(entries, max16)).uint16(Math.min(entries, max16))
    .uint32(Math.min(size, max32)).uint32(Math.min(offset, max32))
    .uint16(0).bytes;
}

interface LocalHeaderFields {
  readonly flags: number;
  readonly crc: number;
  readonly size: number;
  readonly isZip64: boolean;
}

function header(
  { name, modifiedAt }: ZipEntry,
  { flags, crc, size, isZip64 }: LocalHeaderFields,
): Uint8Array {
  const nameBytes = new TextEncoder().encode(name);
  const zip64Length = isZip64 ? 20 : 0;
  const record = new Record(30 + nameBytes.length + timestampLength + zip64Length)
    .uint32(0x04034b50)
    .uint16(isZip64 ? zip64Version : basicVersion)
    .uint16(flags)
    .uint16(0)
    .uint32(dosTime(modifiedAt))
    .uint32(crc)
    .uint32(isZip64 ? max32 : size)
    .uint32(isZip64 ? max32 : size)
    .uint16(nameBytes.length)
    .uint16(timestampLength + zip64Length)
    .append(nameBytes)
    .append(timestamp(modifiedAt));
  if (isZip64) record.uint16(0x0001).uint16(16).uint64(size).uint64(size);
  return record.bytes;
}

const timestampLength = 9;

/** The "extended timestamp" extra field of Info-ZIP: seconds since the epoch in UTC, which MS-DOS times do not know. */
function timestamp(at: Date): Uint8Array {
  const seconds = Math.floor(at.getTime() / 1000);
  return new Record(timestampLength).uint16(0x5455).uint16(5).uint8(1)
    .uint32(Math.min(Math.max(seconds, 0), 0x7fffffff)).bytes;
}

/** Date and time of MS-DOS (4.4.6), in UTC: from 1980 to 2107, in steps of two seconds. */
function dosTime(at: Date): number {
  const clamped = new Date(Math.min(Math.max(at.getTime(), Date.UTC(1980, 0)), Date.UTC(2107, 11, 31)));
  const date = (clamped.getUTCFullYear() - 1980) << 9 | (clamped.getUTCMonth() + 1) << 5 |
    clamped.getUTCDate();
  const time = clamped.getUTCHours() << 11 | clamped.getUTCMinutes() << 5 | clamped.getUTCSeconds() >> 1;
  return (date << 16 | time) >>> 0;
}

/** Bytes of a fixed number that are filled from the beginning. */
class Record {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #length = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
  }

  uint8(value: number): this {
    this.#view.setUint8(this.#advance(1), value);
    return this;
  }

  uint16(value: number): this {
    this.#view.setUint16(this.#advance(2), value, true);
    return this;
  }

  uint32(value: number): this {
    this.#view.setUint32(this.#advance(4), value, true);
    return this;
  }

  uint64(value: number): this {
    this.#view.setBigUint64(this.#advance(8), BigInt(value), true);
    return this;
  }

  append(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.#advance(bytes.length));
    return this;
  }

  /** Where the next `count` bytes go. */
  #advance(count: number): number {
    const at = this.#length;
    this.#length += count;
    return at;
  }
}
