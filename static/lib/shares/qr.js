// @ts-check
import { withCorrection } from "./qr_correction.js";
import { penalty } from "./qr_penalty.js";

// QR codes by ISO/IEC 18004:2015: byte mode, error correction level M (which survives the loss of 15 %), versions 1 to
// 10, which hold up to 213 bytes.

/**
 * Error correction codewords a block and number of blocks at level M, by version (table 9).
 * @type {ReadonlyArray<readonly [number, number]>}
 */
const blocksOf = [[10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5]];

/** Codewords in all, by version (table 1). */
const codewordsOf = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];

/**
 * Rows and columns on which alignment patterns are centred, by version (annex E).
 * @type {ReadonlyArray<readonly number[]>}
 */
const alignmentsOf = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

/**
 * Which modules a mask turns over (table 10).
 * @type {ReadonlyArray<(row: number, column: number) => boolean>}
 */
const masks = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => row * column % 2 + row * column % 3 === 0,
  (row, column) => (row * column % 2 + row * column % 3) % 2 === 0,
  (row, column) => ((row + column) % 2 + row * column % 3) % 2 === 0,
];

/**
 * The modules of a QR code, row by row, `true` for dark; without the quiet zone of four modules that has to go round it.
 *
 * @param {string} text
 * @returns {boolean[][] | null} `null` for a text of more than 213 bytes
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  if (version === 0) return null;
  const { modules, fixed } = framework(version);
  placeData(modules, fixed, withCorrection(dataCodewords(bytes, version), ...blocksOf[version - 1]));
  let best = modules;
  let least = Infinity;
  masks.forEach((mask, number) => {
    const candidate = modules.map((line, row) =>
      line.map((dark, column) => dark !== (!fixed[row][column] && mask(row, column)))
    );
    placeFormat(candidate, number);
    const found = penalty(candidate);
    if (found >= least) return;
    least = found;
    best = candidate;
  });
  return best;
}

/** @param {number} version */
function dataLength(version) {
  const [correction, blocks] = blocksOf[version - 1];
  return codewordsOf[version - 1] - correction * blocks;
}

/** @param {number} version */
function lengthBits(version) {
  return version < 10 ? 8 : 16;
}

/**
 * The smallest version that holds so many bytes, 0 when none does.
 * @param {number} length
 */
function versionFor(length) {
  const fits = (/** @type {number} */ version) =>
    4 + lengthBits(version) + length * 8 <= dataLength(version) * 8;
  return codewordsOf.map((_, index) => index + 1).find(fits) ?? 0;
}

/**
 * The text as codewords: mode, length, bytes, end, padding (7.4).
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function dataCodewords(bytes, version) {
  /** @type {number[]} */
  const bits = [];
  const append = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push(value >> bit & 1);
  };
  const length = dataLength(version);
  append(0b0100, 4);
  append(bytes.length, lengthBits(version));
  for (const byte of bytes) append(byte, 8);
  append(0, Math.min(4, length * 8 - bits.length));
  append(0, (8 - bits.length % 8) % 8);
  for (let pad = 0xec; bits.length < length * 8; pad ^= 0xec ^ 0x11) append(pad, 8);
  return Array.from(
    { length },
    (_, index) => bits.slice(index * 8, index * 8 + 8).reduce((value, bit) => value << 1 | bit, 0),
  );
}

/**
 * The patterns that every code of a version has (6.3), and which modules belong to them or are kept for format and version.
 * @param {number} version
 */
function framework(version) {
  const size = version * 4 + 17;
  const grid = () => Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const modules = grid();
  const fixed = grid();
  const set = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ dark) => {
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    modules[row][column] = dark;
    fixed[row][column] = true;
  };
  /** Squares inside each other around a centre: of each ring, by its distance, whether it is dark. */
  const rings = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean[]} */ dark) => {
    const reach = dark.length - 1;
    for (let down = -reach; down <= reach; down++) {
      for (let right = -reach; right <= reach; right++) {
        set(row + down, column + right, dark[Math.max(Math.abs(down), Math.abs(right))]);
      }
    }
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  // A finder and the light line around it; then the room of the format beside each.
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    rings(row, column, [true, true, false, true, false]);
  }
  for (let at = 0; at < 9; at++) {
    for (const [row, column] of [[8, at], [at, 8]]) if (!fixed[row][column]) set(row, column, false);
    if (at < 8) set(8, size - 1 - at, false);
    if (at < 8) set(size - 1 - at, 8, at === 7);
  }
  const alignments = alignmentsOf[version - 1];
  const last = alignments.at(-1);
  for (const row of alignments) {
    for (const column of alignments) {
      const inFinder = row === 6 && column === 6 || row === 6 && column === last ||
        row === last && column === 6;
      if (!inFinder) rings(row, column, [true, false, true]);
    }
  }
  if (version >= 7) placeVersion(set, version, size);
  return { modules, fixed };
}

/**
 * The version and its correction, twice (7.10).
 * @param {(row: number, column: number, dark: boolean) => void} set
 * @param {number} version
 * @param {number} size
 */
function placeVersion(set, version, size) {
  const bits = version << 12 | checkBits(version << 12, 0b1_1111_0010_0101);
  for (let bit = 0; bit < 18; bit++) {
    const dark = (bits >> bit & 1) === 1;
    set(Math.floor(bit / 3), size - 11 + bit % 3, dark);
    set(size - 11 + bit % 3, Math.floor(bit / 3), dark);
  }
}

/**
 * The correction level and the mask, with their own correction, twice (7.9).
 * @param {boolean[][]} modules
 * @param {number} mask
 */
function placeFormat(modules, mask) {
  const size = modules.length;
  // Level M is 00. The pattern keeps the format from being all light.
  const bits = (mask << 10 | checkBits(mask << 10, 0b101_0011_0111)) ^ 0b101_0100_0001_0010;
  for (let bit = 0; bit < 15; bit++) {
    const dark = (bits >> bit & 1) === 1;
    // Beside the upper left finder, down from the top and then to the left, past the timing patterns.
    if (bit < 8) modules[bit < 6 ? bit : bit + 1][8] = dark;
    else modules[8][bit === 8 ? 7 : 14 - bit] = dark;
    if (bit < 8) modules[8][size - 1 - bit] = dark;
    else modules[size - 15 + bit][8] = dark;
  }
}

/**
 * The remainder of a division of polynomials over GF(2) (annex C).
 * @param {number} value
 * @param {number} divisor
 */
function checkBits(value, divisor) {
  let rest = value;
  while (Math.clz32(rest) <= Math.clz32(divisor)) rest ^= divisor << Math.clz32(divisor) - Math.clz32(rest);
  return rest;
}

/**
 * Puts the codewords into the modules that are free: in pairs of columns from the right, up and down in turns (7.7.3).
 * @param {boolean[][]} modules
 * @param {boolean[][]} fixed
 * @param {number[]} codewords
 */
function placeData(modules, fixed, codewords) {
  const size = modules.length;
  let bit = 0;
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const row = upwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (fixed[row][column]) continue;
        modules[row][column] = (codewords[bit >> 3] >> 7 - (bit & 7) & 1) === 1;
        bit++;
      }
    }
    upwards = !upwards;
  }
}
