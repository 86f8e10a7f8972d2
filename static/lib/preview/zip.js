// @ts-check

/**
 * An entry of a zip archive as the archive itself describes it: nothing of it need be true.
 *
 * @typedef {object} ZipEntry
 * @property {string} name
 * @property {boolean} folder
 * @property {number} size bytes after unpacking
 * @property {number} packed bytes in the archive
 * @property {boolean} encrypted
 */

/** Bytes at the end of an archive in which its end record can lie: the record and the longest comment. */
export const zipTail = 22 + 65_535;

const endSignature = 0x06054b50;
const locator64Signature = 0x07064b50;
const end64Signature = 0x06064b50;
const entrySignature = 0x02014b50;

/**
 * Where the list of an archive's entries is. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.14 to 4.3.16.
 *
 * @param {Uint8Array} tail the last bytes of the archive, {@link zipTail} or all of it
 * @param {number} size bytes of the whole archive
 * @returns {{ offset: number, length: number, count: number } | { end64: number } | null} `end64` is the offset of the
 *   zip64 end record, which tells it in place of the tail; `null` for what is no zip archive
 */
export function findDirectory(tail, size) {
  const view = viewOf(tail);
  for (let at = tail.length - 22; at >= 0; at--) {
    if (view.getUint32(at, true) !== endSignature || at + 22 + view.getUint16(at + 20, true) > tail.length) {
      continue;
    }
    const [count, length, offset] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ];
    if (offset === 0xffffffff || count === 0xffff || length === 0xffffffff) {
      if (at < 20 || view.getUint32(at - 20, true) !== locator64Signature) return null;
      const end64 = Number(view.getBigUint64(at - 12, true));
      return end64 + 56 <= size ? { end64 } : null;
    }
    return offset + length <= size ? { offset, length, count } : null;
  }
  return null;
}

/**
 * What the 56 bytes of a zip64 end record say, as {@link findDirectory} does.
 *
 * @param {Uint8Array} record
 * @param {number} size bytes of the whole archive
 * @returns {{ offset: number, length: number, count: number } | null}
 */
export function directoryOf64(record, size) {
  const view = viewOf(record);
  if (record.length < 56 || view.getUint32(0, true) !== end64Signature) return null;
  const [count, length, offset] = [32, 40, 48].map((at) => Number(view.getBigUint64(at, true)));
  return offset + length <= size ? { offset, length, count } : null;
}

/**
 * The entries in the bytes of a directory, as far as they are whole.
 *
 * @param {Uint8Array} directory its beginning, or all of it
 * @param {number} limit entries
 * @returns {ZipEntry[]}
 */
export function zipEntries(directory, limit) {
  const view = viewOf(directory);
  /** @type {ZipEntry[]} */
  const entries = [];
  let at = 0;
  while (
    entries.length < limit && at + 46 <= directory.length && view.getUint32(at, true) === entrySignature
  ) {
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const end = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (end > directory.length) break;
    const flags = view.getUint16(at + 8, true);
    const name = nameOf(directory.subarray(at + 46, nameEnd), (flags & 0x800) !== 0);
    const packed = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const wide = wideSizes(view, nameEnd, nameEnd + view.getUint16(at + 30, true), { size, packed });
    entries.push({ name, folder: name.endsWith("/"), encrypted: (flags & 1) !== 0, ...wide });
    at = end;
  }
  return entries;
}

/**
 * The sizes of an entry; those that do not fit into 32 bits stand in its extra field (APPNOTE 4.5.3).
 *
 * @param {DataView} view
 * @param {number} from
 * @param {number} to
 * @param {{ size: number, packed: number }} narrow
 */
function wideSizes(view, from, to, { size, packed }) {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let field = at + 4;
    const wide = (/** @type {number} */ value) => {
      if (value !== 0xffffffff || field + 8 > to) return value;
      field += 8;
      return Number(view.getBigUint64(field - 8, true));
    };
    return { size: wide(size), packed: wide(packed) };
  }
  return { size, packed };
}

/**
 * A name as UTF-8 where the entry says so or it is; the code page of old archives otherwise is taken for Latin.
 *
 * @param {Uint8Array} bytes
 * @param {boolean} utf8
 */
function nameOf(bytes, utf8) {
  try {
    return new TextDecoder("utf-8", { fatal: !utf8 }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** @param {Uint8Array} bytes */
function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
