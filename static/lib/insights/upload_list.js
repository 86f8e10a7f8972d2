// @ts-check

/**
 * An upload that was begun and neither completed nor aborted.
 * @typedef {{ key: string, upload_id: string, initiated: string, bytes?: number }} Upload
 */

/**
 * A page of unfinished uploads, as the API answers it.
 * @typedef {object} UploadPage
 * @property {readonly Upload[]} uploads
 * @property {boolean} is_truncated
 * @property {string} [next_key_marker]
 * @property {string} [next_upload_id_marker]
 */

/** Uploads that are asked for at once. */
export const uploadsPerPage = 100;

/**
 * Where the next page begins, `null` after the last one.
 * @param {UploadPage} page
 */
export function markersOf({ is_truncated, next_key_marker, next_upload_id_marker }) {
  return is_truncated ? { key_marker: next_key_marker, upload_id_marker: next_upload_id_marker } : null;
}
