import { createHash } from "node:crypto";
import { makeContents } from "./content.ts";
import { mebibyte } from "./sizes.ts";

const [{ bytes: chunk }] = makeContents(1, mebibyte, 1);

/** The n-th mebibyte of the object: all look random, and no two are the same. */
function numberedChunk(index: number): Uint8Array<ArrayBuffer> {
  const numbered = chunk.slice();
  new DataView(numbered.buffer).setUint32(0, index);
  return numbered;
}

/** `length` bytes of the object from `start` on; both are whole mebibytes. */
export function contentRange(start: number, length: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(length);
  for (let offset = 0; offset < length; offset += mebibyte) {
    content.set(numberedChunk((start + offset) / mebibyte), offset);
  }
  return content;
}

/**
 * The ETag of the object in parts of `partBytes`, without quotes: the MD5 of the parts' MD5s and their count. Without
 * `partBytes` that of an object put in one piece.
 */
export function contentETag(size: number, partBytes?: number): string {
  if (partBytes === undefined) return hashRange(0, size).toString("hex");
  const whole = createHash("md5");
  let count = 0;
  for (let start = 0; start < size; start += partBytes) {
    whole.update(hashRange(start, Math.min(partBytes, size - start)));
    count++;
  }
  return `${whole.digest("hex")}-${count}`;
}

function hashRange(start: number, length: number) {
  const hash = createHash("md5");
  for (let offset = 0; offset < length; offset += mebibyte) {
    hash.update(numberedChunk((start + offset) / mebibyte));
  }
  return hash.digest();
}
