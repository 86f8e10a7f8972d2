const mebibyte = 1 << 20;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const maxParts = 10_000;

/** Smallest part but for the last, in bytes. */
export const minPartBytes = 5 * mebibyte;

/** Largest object that one request copies or stores, and largest part, in bytes. */
export const maxRequestBytes = 5 * 1024 * mebibyte;

/** A piece of an object that is copied on its own. */
export interface PartRange {
  /** From 1 on. */
  readonly number: number;
  /** Offset of its first byte. */
  readonly start: number;
  /** In bytes. */
  readonly size: number;
}

/** Cuts an object of `size` bytes into parts of at least `preferredBytes` each, the last of which may be smaller. */
export function* planParts(size: number, preferredBytes: number): Generator<PartRange, undefined> {
  const needed = Math.ceil(size / maxParts / mebibyte) * mebibyte;
  const partBytes = Math.max(preferredBytes, needed);
  let number = 0;
  for (let start = 0; start < size; start += partBytes) {
    yield { number: ++number, start, size: Math.min(partBytes, size - start) };
  }
}

/** The value of a `Range` header for a part. */
export function rangeOf({ start, size }: PartRange): string {
  return `bytes=${start}-${start + size - 1}`;
}
