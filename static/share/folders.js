// @ts-check
/// <reference lib="dom" />

/** @import { Found } from "./row.js" */

/**
 * The files in what was dropped, with the folders that they are in.
 * @param {readonly FileSystemEntry[]} entries
 * @param {number} most beyond that many the rest is not looked for
 * @returns {Promise<{ found: Found[], unread: boolean }>} `unread` when some could not be read
 */
export async function filesIn(entries, most) {
  /** @type {Found[]} */
  const found = [];
  let unread = false;
  for (const entry of entries) {
    try {
      await walk(entry, "", found, most);
    } catch {
      unread = true;
    }
  }
  return { found, unread };
}

/**
 * @param {FileSystemEntry} entry
 * @param {string} folder
 * @param {Found[]} found
 * @param {number} most
 */
async function walk(entry, folder, found, most) {
  if (!entry.isDirectory) {
    const file = await new Promise((resolve, reject) =>
      /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject)
    );
    found.push({ file, folder });
    return;
  }
  const inside = folder === "" ? entry.name : `${folder}/${entry.name}`;
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  while (found.length <= most) {
    // A reader hands out a folder in batches until an empty one.
    /** @type {FileSystemEntry[]} */
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, inside, found, most);
  }
}
