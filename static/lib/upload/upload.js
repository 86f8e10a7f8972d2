// @ts-check

/** @import { ConflictChoice } from "./conflict.js" */
/** @import { StoredPart } from "./part_plan.js" */

/**
 * What is to become of the files of one drop or choice.
 *
 * @typedef {object} Batch
 * @property {number} id
 * @property {string} backend its id
 * @property {string} bucket
 * @property {string} prefix the folder they were sent into
 * @property {ConflictChoice | null} choice what is done about names that are taken; `null` asks
 * @property {string} contentType for all files; empty: each file's own
 * @property {string} storageClass empty for the backend's usual one
 * @property {Readonly<Record<string, string>>} tags
 *
 * @typedef {"waiting" | "sending" | "paused" | "asking" | "done" | "failed" | "cancelled" | "skipped"} UploadState
 *
 * An upload in parts that has begun on the server.
 * @typedef {object} PartedUpload
 * @property {string} key for which the parts are stored
 * @property {string} uploadId
 * @property {number} partSize bytes
 * @property {Map<number, StoredPart> | null} stored the parts that the server has; `null` when it has yet to be asked
 *
 * @typedef {object} Upload
 * @property {number} id
 * @property {Batch} batch
 * @property {Blob | null} file `null` for an empty folder
 * @property {number} size bytes
 * @property {string} key where it goes; changes when both objects are kept
 * @property {string} wantedKey where it was meant to go
 * @property {number} round goes up with each batch that is added while nothing is under way
 * @property {UploadState} state
 * @property {number} sent bytes
 * @property {number} retries since it last made progress
 * @property {number} notBefore milliseconds since the epoch; when a retry is due
 * @property {ConflictChoice | null} choice
 * @property {number} copies names tried beside the wanted one
 * @property {string} error what went wrong, for people
 * @property {boolean} restarted whether it had to begin anew, since the server no longer knew of it
 * @property {PartedUpload | null} parted
 * @property {string} rowId under which it is remembered beyond this page; empty when it is not
 * @property {FileSystemFileHandle | null} handle by which the browser finds the file again
 *
 * A file that is to be uploaded.
 * @typedef {Pick<Upload, "file" | "key"> & Partial<Pick<Upload, "handle" | "parted" | "rowId" | "state">>} NewUpload
 */

/** @type {ReadonlySet<UploadState>} */
const open = new Set(["waiting", "sending", "asking"]);

/**
 * Whether an upload goes on by itself, or once a question is answered.
 * @param {Upload} upload
 */
export function isOpen({ state }) {
  return open.has(state);
}

/**
 * Whether an upload is over, well or not.
 * @param {Upload} upload
 */
export function isFinished({ state }) {
  return !open.has(state) && state !== "paused";
}

/**
 * Where a batch goes, for people.
 * @param {Pick<Batch, "bucket" | "prefix">} batch
 */
export function placeOf({ bucket, prefix }) {
  return prefix === "" ? bucket : `${bucket}/${prefix}`;
}
