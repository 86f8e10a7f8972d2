// @ts-check

const mebibyte = 2 ** 20;

/** Files up to this size, in bytes, are sent as one body; larger ones in parts, so that they can be resumed. */
export const wholeLimit = 8 * mebibyte;

/** Bytes of a part, unless the file or the line needs larger ones. */
const usualPart = 16 * mebibyte;

/** The largest part that S3 takes, in bytes: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const largestPart = 5 * 2 ** 30;

/** Parts of an upload at most. S3 takes 10,000; some are kept back. */
const mostParts = 9000;

/** Parts that may be sent as fast as the line allows. Of more, no more than so many a minute, for the API's rate limit. */
const unpacedParts = 256;
const partsPerMinute = 300;

/**
 * The bytes of a part; every part of a file but the last has the same size.
 *
 * @param {number} size bytes of the file
 * @param {number} [bytesPerSecond] how fast the line was lately, 0 when that is not known
 */
export function partSizeFor(size, bytesPerSecond = 0) {
  const paced = size > unpacedParts * usualPart ? bytesPerSecond * 60 / partsPerMinute : 0;
  const least = Math.max(usualPart, size / mostParts, paced);
  return Math.min(largestPart, Math.ceil(least / mebibyte) * mebibyte);
}

/**
 * A part: its number, counted from 1, and where its bytes are in the file.
 * @typedef {{ number: number, start: number, end: number }} Part
 */

/**
 * The parts of a file.
 *
 * @param {number} size bytes of the file
 * @param {number} partSize
 * @returns {Part[]}
 */
export function partsOf(size, partSize) {
  return Array.from({ length: Math.max(1, Math.ceil(size / partSize)) }, (_, index) => ({
    number: index + 1,
    start: index * partSize,
    end: Math.min(size, (index + 1) * partSize),
  }));
}

/**
 * A part that the server has.
 * @typedef {{ etag: string, size: number }} StoredPart
 */

/**
 * The parts that are still to be sent. A stored one of another size is sent again.
 *
 * @param {readonly Part[]} parts
 * @param {ReadonlyMap<number, StoredPart>} stored by number
 */
export function missingParts(parts, stored) {
  return parts.filter(({ number, start, end }) => stored.get(number)?.size !== end - start);
}
