// @ts-check
/// <reference lib="dom" />

/**
 * A file and its path below what was picked or dropped; folders are parted by `/`.
 *
 * @typedef {{ file: File, path: string }} FoundFile
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
 * Everything that was dropped, folders walked through. Must be called before the drop event's handler returns: the
 * browser empties the transfer afterwards.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<FoundFile[]>}
 */
export async function droppedFiles(transfer) {
  const items = Array.from(transfer.items).filter((item) => item.kind === "file");
  const sources = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  /** @type {FoundFile[]} */
  const found = [];
  for (const { entry, file } of sources) {
    if (entry) await walk(entry, "", found);
    else if (file) found.push({ file, path: file.name });
  }
  return found;
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
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  while (true) {
    // A reader hands out a folder in batches (of 100 in Chromium) until an empty one.
    /** @type {FileSystemEntry[]} */
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return;
    for (const child of batch) await walk(child, `${folder}${entry.name}/`, found);
  }
}
