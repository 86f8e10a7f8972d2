/** Bytes of a mebibyte. */
export const mebibyte = 1 << 20;

/** Bytes of a size such as `256MiB`. Throws when `option` has something else. */
export function parseSize(option: string, text: string): number {
  const match = /^(\d+)(MiB|GiB)$/.exec(text);
  if (match === null) throw new Error(`--${option}: ${text} is not a size such as 256MiB or 5GiB`);
  return Number(match[1]) * (match[2] === "GiB" ? 1024 : 1) * mebibyte;
}
