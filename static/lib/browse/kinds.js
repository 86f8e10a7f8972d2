// @ts-check

/** @import { Entry } from "./entries.js" */

/** @typedef {"folder" | "image" | "video" | "audio" | "document" | "archive" | "other"} Kind */

/** @type {readonly Kind[]} */
export const kinds = ["folder", "image", "video", "audio", "document", "archive", "other"];

const patterns = /** @type {const} */ ([
  ["image", /\.(?:avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp)$/i],
  ["video", /\.(?:avi|m4v|mkv|mov|mp4|mpe?g|ogv|webm)$/i],
  ["audio", /\.(?:aac|flac|m4a|mp3|og[ag]|opus|wav)$/i],
  ["archive", /\.(?:7z|br|bz2|gz|jar|rar|tar|tgz|xz|zip|zst)$/i],
  [
    "document",
    /\.(?:css|csv|docx?|html?|js|json|log|md|odt|parquet|pdf|pptx?|rtf|sql|tsv|txt|xlsx?|xml|ya?ml)$/i,
  ],
]);

/**
 * What kind of thing a row is: by the name's extension, since a listing does not tell content types.
 *
 * @param {Pick<Entry, "folder" | "name">} entry
 * @returns {Kind}
 */
export function kindOf({ folder, name }) {
  if (folder) return "folder";
  return patterns.find(([, pattern]) => pattern.test(name))?.[0] ?? "other";
}

/**
 * The ending of a name, such as `csv`; empty without one.
 *
 * @param {string} name
 */
export function extensionOf(name) {
  return /[^.]\.([a-z0-9]{1,8})$/i.exec(name)?.[1].toLowerCase() ?? "";
}
