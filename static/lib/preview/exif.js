// @ts-check

/**
 * What a camera wrote into a picture. What it did not write, or is not readable, is left out.
 *
 * @typedef {object} Exif
 * @property {string} [camera]
 * @property {string} [lens]
 * @property {string} [software]
 * @property {string} [taken] as the camera's clock showed it: `2026-11-21 18:05:30`
 * @property {number} [exposure] seconds
 * @property {number} [aperture] the f-number
 * @property {number} [iso]
 * @property {number} [focalLength] millimetres
 * @property {{ latitude: number, longitude: number }} [location] degrees, north and east positive
 */

/** Bytes from the beginning of a JPEG file in which its Exif segment is looked for; one takes 64 KiB at most. */
export const exifHead = 128 * 1024;

/** Entries of a directory, and characters of a text, that are read at most: what the file says is not to be trusted. */
const maxEntries = 256;
const maxText = 120;

/** Bytes of a value of each type of TIFF that is read: https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf, page 15. @type {Readonly<Record<number, number>>} */
const typeSizes = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 };

/** A directory of TIFF: the values of its entries by their tags. @typedef {Map<number, string | number[]>} Directory */

/**
 * Reads the Exif segment of a JPEG file: https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf.
 *
 * @param {Uint8Array} bytes the file's beginning
 * @returns {Exif | null} `null` where there is none
 */
export function readExif(bytes) {
  const segment = exifSegment(bytes);
  if (segment === null) return null;
  try {
    return exifOf(segment);
  } catch (error) {
    // It points to beyond its end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The TIFF data in the first Exif segment.
 * @param {Uint8Array} bytes
 */
function exifSegment(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff;) {
    const length = view.getUint16(at + 2);
    const isExif = bytes[at + 1] === 0xe1 &&
      String.fromCharCode(...bytes.subarray(at + 4, at + 10)) === "Exif\0\0";
    if (isExif) {
      const end = Math.min(bytes.length, at + 2 + length);
      return new DataView(bytes.buffer, bytes.byteOffset + at + 10, Math.max(0, end - at - 10));
    }
    // What comes from here on is the picture.
    if (bytes[at + 1] === 0xda || length < 2) return null;
    at += 2 + length;
  }
  return null;
}

/** @param {DataView} tiff */
function exifOf(tiff) {
  const little = tiff.getUint16(0) === 0x4949;
  const main = directory(tiff, tiff.getUint32(4, little), little);
  const below = (/** @type {number} */ tag) => {
    const at = number(main, tag);
    return at === undefined ? new Map() : directory(tiff, at, little);
  };
  const details = below(0x8769);
  const place = below(0x8825);
  const [make, model] = [text(main, 0x010f), text(main, 0x0110)];
  /** @type {Exif} */
  const exif = {
    camera: model && make && !model.startsWith(make) ? `${make} ${model}` : model ?? make,
    lens: text(details, 0xa434),
    software: text(main, 0x0131),
    taken: dateText(text(details, 0x9003) ?? text(main, 0x0132)),
    exposure: number(details, 0x829a),
    aperture: number(details, 0x829d),
    iso: number(details, 0x8827),
    focalLength: number(details, 0x920a),
    location: locationOf(place),
  };
  return Object.values(exif).every((value) => value === undefined) ? null : exif;
}

/**
 * @param {DataView} tiff
 * @param {number} start
 * @param {boolean} little
 * @returns {Directory}
 */
function directory(tiff, start, little) {
  /** @type {Directory} */
  const found = new Map();
  const count = Math.min(maxEntries, tiff.getUint16(start, little));
  for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
    const type = tiff.getUint16(at + 2, little);
    const size = typeSizes[type];
    if (size === undefined) continue;
    const length = Math.min(maxText, tiff.getUint32(at + 4, little));
    const from = size * length > 4 ? tiff.getUint32(at + 8, little) : at + 8;
    const values = Array.from({ length }, (_, index) => valueAt(tiff, from + index * size, type, little));
    const isText = type === 2;
    found.set(
      tiff.getUint16(at, little),
      isText ? String.fromCharCode(...values).replace(/\0.*$/s, "").trim() : values,
    );
  }
  return found;
}

/**
 * @param {DataView} tiff
 * @param {number} at
 * @param {number} type
 * @param {boolean} little
 */
function valueAt(tiff, at, type, little) {
  if (type === 3) return tiff.getUint16(at, little);
  if (type === 4) return tiff.getUint32(at, little);
  if (type === 5) return tiff.getUint32(at, little) / tiff.getUint32(at + 4, little);
  return tiff.getUint8(at);
}

/**
 * @param {Directory} entries
 * @param {number} tag
 */
function text(entries, tag) {
  const value = entries.get(tag);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * @param {Directory} entries
 * @param {number} tag
 */
function number(entries, tag) {
  const value = entries.get(tag);
  return typeof value === "object" && Number.isFinite(value[0]) ? value[0] : undefined;
}

/**
 * `2026:11:21 18:05:30` as it is usually written.
 * @param {string | undefined} written
 */
function dateText(written) {
  const found = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(written ?? "");
  return found === null ? undefined : `${found[1]}-${found[2]}-${found[3]} ${found[4]}`;
}

/** @param {Directory} place */
function locationOf(place) {
  const latitude = degrees(place, 2, text(place, 1) === "S");
  const longitude = degrees(place, 4, text(place, 3) === "W");
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/**
 * @param {Directory} place
 * @param {number} tag of degrees, minutes and seconds
 * @param {boolean} isNegative
 */
function degrees(place, tag, isNegative) {
  const value = place.get(tag);
  if (typeof value !== "object" || value.length < 3) return undefined;
  const sum = value[0] + value[1] / 60 + value[2] / 3600;
  return Number.isFinite(sum) ? (isNegative ? -sum : sum) : undefined;
}
