// @ts-check

/**
 * What copies take over from their sources besides the content, as the API takes it.
 * @typedef {object} CopyAttributes
 * @property {boolean} keep_metadata
 * @property {boolean} keep_tags
 * @property {string} [storage_class] in place of the class of the source, or of the usual one on another backend
 */

/** What is copied unless the user says otherwise. @type {CopyAttributes} */
export const everything = { keep_metadata: true, keep_tags: true };

/**
 * Whether copies are as their sources.
 * @param {CopyAttributes} attributes
 */
export function isEverything({ keep_metadata, keep_tags, storage_class }) {
  return keep_metadata && keep_tags && storage_class === undefined;
}
