// @ts-check
/// <reference lib="dom" />

/** @import { FileFacts } from "./fingerprint.js" */

/**
 * An upload in parts that outlives the page.
 *
 * @typedef {FileFacts & {
 *   id: string, userId: string, backend: string, bucket: string, prefix: string, key: string, uploadId: string,
 *   partSize: number, contentType: string, storageClass: string, tags: Readonly<Record<string, string>>, replace: boolean,
 *   begunAt: number, handle: FileSystemFileHandle | null
 * }} UploadRow
 */

const databaseName = "transfers";
const storeName = "uploads";

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

/**
 * Remembers an upload, or what has changed of it. Does nothing where the browser keeps no data, as in private windows.
 * @param {UploadRow} row
 */
export async function rememberUpload(row) {
  await change((rows) => rows.put(row)).catch(async () => {
    // Some browsers cannot keep handles.
    await change((rows) => rows.put({ ...row, handle: null })).catch(() => {});
  });
}

/** @param {string} id */
export async function forgetUpload(id) {
  await change((rows) => rows.delete(id)).catch(() => {});
}

/**
 * The uploads that a user has begun and not ended, oldest first.
 * @param {string} userId
 * @returns {Promise<UploadRow[]>}
 */
export async function rememberedUploads(userId) {
  try {
    const database = await open();
    const rows = await answerOf(database.transaction(storeName).objectStore(storeName).getAll());
    return rows.filter((/** @type {UploadRow} */ row) => row.userId === userId)
      .sort((/** @type {UploadRow} */ a, /** @type {UploadRow} */ b) => a.begunAt - b.begunAt);
  } catch {
    return [];
  }
}

/** @param {(rows: IDBObjectStore) => IDBRequest} act */
async function change(act) {
  const database = await open();
  await answerOf(act(database.transaction(storeName, "readwrite").objectStore(storeName)));
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  if (opened === null) {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: "id" });
    opened = answerOf(request);
    opened.catch(() => opened = null);
  }
  return opened;
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function answerOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
