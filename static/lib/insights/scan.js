// @ts-check

/** @typedef {{ count: number, bytes: number }} Amount */
/** @typedef {"image" | "video" | "audio" | "document" | "data" | "archive" | "code" | "other"} TypeGroup */
/** @typedef {"day" | "week" | "month" | "quarter" | "year" | "older"} AgeGroup */

/**
 * What a scan has found so far.
 * @typedef {object} Composition
 * @property {Amount} total
 * @property {ReadonlyMap<string, Amount>} folders by their prefix; objects outside of any have the empty one
 * @property {ReadonlyMap<TypeGroup, Amount>} types
 * @property {ReadonlyMap<AgeGroup, Amount>} ages by when they were stored
 */

/** @type {Composition} */
export const emptyComposition = {
  total: { count: 0, bytes: 0 },
  folders: new Map(),
  types: new Map(),
  ages: new Map(),
};

/**
 * A composition as a page carries it.
 * @typedef {object} CompositionEntries
 * @property {Amount} total
 * @property {ReadonlyArray<[string, Amount]>} folders
 * @property {ReadonlyArray<[TypeGroup, Amount]>} types
 * @property {ReadonlyArray<[AgeGroup, Amount]>} ages
 */

/**
 * What was found of a bucket by when its page was made, and the token of what follows.
 * @typedef {{ composition: CompositionEntries, next: string | undefined }} FirstScan
 */

/** Ages up to these days. */
const ages = /** @type {const} */ ([["day", 1], ["week", 7], ["month", 30], ["quarter", 90], ["year", 365]]);

/** Ages from the youngest on. */
export const ageGroups = /** @type {readonly AgeGroup[]} */ ([...ages.map(([age]) => age), "older"]);

/** @type {Readonly<Record<Exclude<TypeGroup, "other">, string>>} */
const extensions = {
  image: "jpg jpeg png gif webp avif svg bmp tif tiff heic ico raw psd",
  video: "mp4 mkv mov avi webm m4v mpg mpeg ts",
  audio: "mp3 wav flac ogg m4a aac opus",
  document: "pdf doc docx xls xlsx ppt pptx odt ods odp rtf epub txt md",
  data: "csv tsv json jsonl ndjson parquet avro orc xml yaml yml sqlite db log",
  archive: "zip gz tgz tar bz2 xz zst 7z rar iso dmg img",
  code: "js ts jsx tsx mjs css html htm py go rs java c h cpp rb php sh sql wasm map",
};

const groupOfExtension = new Map(
  Object.entries(extensions).flatMap(([group, list]) =>
    list.split(" ").map((extension) => [extension, /** @type {TypeGroup} */ (group)])
  ),
);

/**
 * What kind of content a key promises by its extension; a compressed one is an archive.
 * @param {string} key
 * @returns {TypeGroup}
 */
export function typeGroupOf(key) {
  const extension = /\.([^./]+)$/.exec(key)?.[1].toLowerCase() ?? "";
  return groupOfExtension.get(extension) ?? "other";
}

/**
 * How old an object is.
 * @param {number} storedAt milliseconds since the epoch
 * @param {number} now likewise
 * @returns {AgeGroup}
 */
export function ageGroupOf(storedAt, now) {
  return ages.find(([, days]) => now - storedAt < days * 86_400_000)?.[0] ?? "older";
}

/**
 * A composition with some more objects.
 * @param {Composition} composition
 * @param {ReadonlyArray<{ key: string, size: number, last_modified: string }>} objects
 * @param {number} now milliseconds since the epoch
 * @returns {Composition}
 */
export function withObjects(composition, objects, now) {
  const folders = new Map(composition.folders);
  const types = new Map(composition.types);
  const found = new Map(composition.ages);
  let { count, bytes } = composition.total;
  for (const { key, size, last_modified } of objects) {
    count++;
    bytes += size;
    add(folders, key.slice(0, key.indexOf("/") + 1), size);
    add(types, typeGroupOf(key), size);
    add(found, ageGroupOf(Date.parse(last_modified), now), size);
  }
  return { total: { count, bytes }, folders, types, ages: found };
}

/**
 * @template Name
 * @param {Map<Name, Amount>} amounts
 * @param {Name} name
 * @param {number} size
 */
function add(amounts, name, size) {
  const { count, bytes } = amounts.get(name) ?? { count: 0, bytes: 0 };
  amounts.set(name, { count: count + 1, bytes: bytes + size });
}

/**
 * The largest amounts, and the others together.
 * @param {ReadonlyMap<string, Amount>} amounts
 * @param {number} most
 * @returns {{ largest: Array<[string, Amount]>, others: Amount & { names: number } }}
 */
export function largestOf(amounts, most) {
  const sorted = [...amounts].sort(([, one], [, other]) =>
    other.bytes - one.bytes || other.count - one.count
  );
  const rest = sorted.slice(most);
  return {
    largest: sorted.slice(0, most),
    others: {
      names: rest.length,
      count: rest.reduce((sum, [, { count }]) => sum + count, 0),
      bytes: rest.reduce((sum, [, { bytes }]) => sum + bytes, 0),
    },
  };
}

/**
 * A composition as a page can carry it.
 * @param {Composition} composition
 * @returns {CompositionEntries}
 */
export function toEntries({ total, folders, types, ages }) {
  return { total, folders: [...folders], types: [...types], ages: [...ages] };
}

/**
 * The composition that a page carries.
 * @param {CompositionEntries} entries
 * @returns {Composition}
 */
export function fromEntries({ total, folders, types, ages }) {
  return { total, folders: new Map(folders), types: new Map(types), ages: new Map(ages) };
}
