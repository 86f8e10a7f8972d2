/**
 * Compares two keys in the order in which S3 lists them, that of their UTF-8 bytes, which is the order of their code points:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html. Below 0, 0 or above 0, as for `sort`.
 */
export function compareKeys(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return one.length - other.length;
}

/** Half of a character above U+FFFF, whose halves are numbered below other characters. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
