// @ts-check

/**
 * A row of the browser: an object, or a folder (a common prefix, whose key ends in the delimiter).
 *
 * @typedef {object} Entry
 * @property {string} key
 * @property {string} name what of the key is shown below the open prefix; empty when the key has two delimiters in a row
 * @property {boolean} folder
 * @property {number} size bytes; 0 for a folder
 * @property {number} modified milliseconds since the epoch; 0 for a folder
 * @property {string} storageClass
 * @property {string} [owner] if it was asked for, and is known
 */

/**
 * One page of a listing, as the API answers.
 *
 * @typedef {object} ListingPage
 * @property {string} prefix
 * @property {string[]} common_prefixes
 * @property {{ key: string, size: number, storage_class?: string, last_modified?: string, owner?: string }[]} objects
 * @property {boolean} is_truncated
 * @property {string} [next_continuation_token]
 */

/**
 * The class of an object for which none is said: S3 leaves it out of an object's head when it is this one.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
 */
export const defaultClass = "STANDARD";

/** @typedef {"name" | "size" | "modified" | "class"} SortField */
/** @typedef {{ field: SortField, descending: boolean }} Sort */

/**
 * The rows of a page. The marker object that some clients write for a folder has the open prefix as its key and no
 * bytes; it is left out, since it would show as a nameless row of the folder that it stands for.
 *
 * @param {ListingPage} page
 * @param {string} prefix the open folder: names are shown without it
 * @returns {{ folders: Entry[], objects: Entry[] }}
 */
export function entriesOf(page, prefix) {
  const folders = page.common_prefixes.map((key) => ({
    key,
    name: key.slice(prefix.length, -1),
    folder: true,
    size: 0,
    modified: 0,
    storageClass: "",
  }));
  const objects = page.objects
    .filter((object) => object.key !== prefix || object.size > 0)
    .map((object) => ({
      key: object.key,
      name: object.key.slice(prefix.length),
      folder: false,
      size: object.size,
      modified: Date.parse(object.last_modified ?? "") || 0,
      storageClass: object.storage_class || defaultClass,
      owner: object.owner,
    }));
  return { folders, objects };
}

/**
 * Compares two keys in the order that S3 lists them: by UTF-8 bytes, which is by code point. JavaScript's own `<`
 * compares UTF-16 units, which differs only where one side has a surrogate.
 *
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
export function compareKeys(a, b) {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === right) continue;
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

/** @type {Record<SortField, (a: Entry, b: Entry) => number>} */
const comparisons = {
  name: (a, b) => compareKeys(a.key, b.key),
  size: (a, b) => a.size - b.size,
  modified: (a, b) => a.modified - b.modified,
  class: (a, b) => compareKeys(a.storageClass, b.storageClass),
};

/**
 * A comparison for one sort order; equal rows stand in name order.
 *
 * @param {Sort} sort
 * @returns {(a: Entry, b: Entry) => number}
 */
export function comparator({ field, descending }) {
  const compare = comparisons[field];
  const sign = descending ? -1 : 1;
  return (a, b) => sign * compare(a, b) || compareKeys(a.key, b.key);
}

/**
 * Two sorted lists as one. Merging keeps a long, sorted list sorted as pages come in, without sorting it all again.
 *
 * @param {readonly Entry[]} left
 * @param {readonly Entry[]} right
 * @param {(a: Entry, b: Entry) => number} compare
 * @returns {Entry[]}
 */
export function merged(left, right, compare) {
  if (left.length === 0 || right.length === 0) return [...left, ...right];
  if (compare(left[left.length - 1], right[0]) <= 0) return left.concat(right);
  const result = new Array(left.length + right.length);
  let l = 0;
  let r = 0;
  for (let i = 0; i < result.length; i++) {
    const takeLeft = r >= right.length || (l < left.length && compare(left[l], right[r]) <= 0);
    result[i] = takeLeft ? left[l++] : right[r++];
  }
  return result;
}

/**
 * Whether a row's name holds `text`, upper and lower case alike.
 *
 * @param {Pick<Entry, "name">} entry
 * @param {string} text in lower case
 */
export function nameContains(entry, text) {
  return entry.name.toLowerCase().includes(text);
}

/**
 * A storage class as words: `STANDARD_IA` → `Standard IA`.
 *
 * @param {string} storageClass
 */
export function storageClassName(storageClass) {
  return storageClass.split("_").map((word) =>
    word.length <= 2 ? word : word[0] + word.slice(1).toLowerCase()
  ).join(" ");
}
