// @ts-check
/// <reference lib="dom" />

/** Bytes at the beginning of a file that tell it from others of its name and size. */
const headBytes = 64 * 1024;

/**
 * The SHA-256 of a file's beginning, in hexadecimal; empty where browsers do not offer it, as on pages that came
 * unencrypted from another host. Rejects when the file cannot be read.
 *
 * @param {Blob} file
 */
export async function fingerprint(file) {
  const head = await file.slice(0, headBytes).arrayBuffer();
  if (globalThis.crypto?.subtle === undefined) return "";
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", head));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * What is remembered of a file, by which it is known again.
 * @typedef {{ name: string, size: number, lastModified: number, fingerprint: string }} FileFacts
 */

/**
 * How a file differs from the one that is remembered; `null` when it is the same. One that was written since is not: only
 * its beginning could be compared.
 *
 * @param {FileFacts} remembered
 * @param {FileFacts} file
 * @returns {"name" | "size" | "content" | "date" | null}
 */
export function differenceOf(remembered, file) {
  if (remembered.name !== file.name) return "name";
  if (remembered.size !== file.size) return "size";
  if (remembered.lastModified !== file.lastModified) return "date";
  return remembered.fingerprint === file.fingerprint ? null : "content";
}
