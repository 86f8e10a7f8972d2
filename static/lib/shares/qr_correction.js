// @ts-check

// The Reed-Solomon code of QR codes, by ISO/IEC 18004:2015.

/** Powers of 2 in GF(256) over x⁸ + x⁴ + x³ + x² + 1, and the exponent of each number but 0. */
const { powers, exponents } = galoisField();

/**
 * Splits codewords into blocks, adds the correction of each, and interleaves them (7.6).
 *
 * @param {number[]} data
 * @param {number} correction codewords a block
 * @param {number} count of blocks
 */
export function withCorrection(data, correction, count) {
  const short = Math.floor(data.length / count);
  const shortBlocks = count - data.length % count;
  /** @type {number[][]} */
  const blocks = [];
  for (let from = 0; blocks.length < count;) {
    const length = blocks.length < shortBlocks ? short : short + 1;
    blocks.push(data.slice(from, from + length));
    from += length;
  }
  return interleaved(blocks).concat(interleaved(blocks.map((block) => remainder(block, correction))));
}

/** @param {number[][]} blocks */
function interleaved(blocks) {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from(
    { length: longest },
    (_, index) => blocks.flatMap((block) => block.slice(index, index + 1)),
  ).flat();
}

/**
 * The Reed-Solomon correction of a block: the remainder of its division by the generator polynomial (7.5.2).
 * @param {number[]} block
 * @param {number} length
 */
function remainder(block, length) {
  let generator = [1];
  for (let root = 0; root < length; root++) {
    generator = [...generator, 0].map((coefficient, index) =>
      coefficient ^ multiplied(generator[index - 1] ?? 0, powers[root])
    );
  }
  const rest = [...block, ...Array.from({ length }, () => 0)];
  for (let at = 0; at < block.length; at++) {
    const factor = rest[at];
    generator.forEach((coefficient, index) => rest[at + index] ^= multiplied(coefficient, factor));
  }
  return rest.slice(block.length);
}

/**
 * @param {number} a
 * @param {number} b
 */
function multiplied(a, b) {
  return a === 0 || b === 0 ? 0 : powers[(exponents[a] + exponents[b]) % 255];
}

function galoisField() {
  const powers = [];
  const exponents = Array.from({ length: 256 }, () => 0);
  for (let exponent = 0, value = 1; exponent < 255; exponent++) {
    powers.push(value);
    exponents[value] = exponent;
    value <<= 1;
    if (value > 255) value ^= 0b1_0001_1101;
  }
  return { powers, exponents };
}
