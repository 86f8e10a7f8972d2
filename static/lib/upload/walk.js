// @ts-check
/// <reference lib="dom" />
import { wholeLimit } from "./part_plan.js";

/**
 * A file, or an empty folder, and its path below what was picked or dropped; folders are parted by `/`, and that of an
 * empty one ends with it.
 *
 * @typedef {object} FoundFile
 * @property {File | null} file `null` for an empty folder
 * @property {string} path
 * @property {FileSystemFileHandle | null} [handle] by which the browser finds the file again after a reload
 */

/**
 * The files of a file input, those of a picked folder with their paths.
 *
 * @param {Iterable<File>} files
 * @returns {FoundFile[]}
 */
export function pickedFiles(files) {
  return Array.from(files, (file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/**
 * The files that were pasted. Screenshots have no name of their own and get one by the moment.
 *
 * @param {readonly File[]} files
 * @param {Date} now
 * @returns {FoundFile[]}
 */
export function pastedFiles(files, now) {
  const stamp = now.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", "-");
  return files.map((file, index) => {
    const nameless = /^image\.\w+$/.test(file.name);
    const copy = index === 0 ? "" : ` (${index})`;
    const path = nameless ? `screenshot ${stamp}${copy}.${file.name.slice(6)}` : file.name;
    return { file, path };
  });
}

/**
 * Something that was dropped. By a handle the browser finds a file again after a reload, where it has them.
 * @typedef {object} Dropped
 * @property {FileSystemEntry | null} entry
 * @property {File | null} file
 * @property {Promise<FileSystemHandle | null> | undefined} handle never rejects
 */

/**
 * Everything that was dropped, folders walked through.
 *
 * @param {readonly Dropped[]} dropped
 * @returns {Promise<FoundFile[]>}
 */
export async function droppedFiles(dropped) {
  /** @type {FoundFile[]} */
  const found = [];
  for (const { entry, file, handle } of dropped) {
    const known = await handle ?? null;
    if (entry?.isDirectory) {
      /** @type {FoundFile[]} */
      const inside = [];
      await walk(entry, "", inside);
      for (const each of inside) found.push({ ...each, handle: await handleInside(known, each) });
    } else if (file) {
      const own = known?.kind === "file" ? /** @type {FileSystemFileHandle} */ (known) : null;
      found.push({ file, path: file.name, handle: own });
    }
  }
  return found;
}

/**
 * The handle of a file in a dropped folder. Small files are sent at once and need none.
 *
 * @param {FileSystemHandle | null} folder
 * @param {FoundFile} found
 * @returns {Promise<FileSystemFileHandle | null>}
 */
async function handleInside(folder, { file, path }) {
  if (folder?.kind !== "directory" || file === null || file.size <= wholeLimit) return null;
  try {
    const [, ...names] = path.split("/");
    const name = names.pop() ?? "";
    let inner = /** @type {FileSystemDirectoryHandle} */ (folder);
    for (const each of names) inner = await inner.getDirectoryHandle(each);
    return await inner.getFileHandle(name);
  } catch {
    return null;
  }
}

/**
 * @param {FileSystemEntry} entry
 * @param {string} folder
 * @param {FoundFile[]} found
 */
async function walk(entry, folder, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) =>
      /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject)
    );
    found.push({ file, path: folder + entry.name });
    return;
  }
  const path = `${folder}${entry.name}/`;
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (let empty = true;; empty = false) {
    // A reader hands out a folder in batches (of 100 in Chromium) until an empty one.
    /** @type {FileSystemEntry[]} */
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) {
      if (empty) found.push({ file: null, path });
      return;
    }
    for (const child of batch) await walk(child, path, found);
  }
}
