// @ts-check

/** A name and a value that are being edited. @typedef {{ name: string, value: string }} Pair */

/** Limits of S3: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html. Lengths are in UTF-16 units. */
export const maxTags = 10;
const maxTagName = 128;
const maxTagValue = 256;
const tagCharacters = /^[\p{L}\p{N}\p{Zs}_.:/=+\-@]*$/u;

/** Most bytes of user metadata, names and values together: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html. */
export const maxMetadataBytes = 2048;

/**
 * What is wrong with a pair; each has a text of its own.
 * @typedef {NameFault | ValueFault} PairFault
 * @typedef {"no_name" | "twice" | "name_too_long" | "name_characters" | "reserved" | "header_name"} NameFault
 * @typedef {"value_too_long" | "value_characters" | "control"} ValueFault
 */

/** @type {ReadonlySet<PairFault>} */
const valueFaults = new Set(/** @type {const} */ (["value_too_long", "value_characters", "control"]));

/**
 * Which of both a fault is about.
 *
 * @param {PairFault} fault
 * @returns {"name" | "value"}
 */
export function faultyPart(fault) {
  return valueFaults.has(fault) ? "value" : "name";
}

/**
 * The pairs of a text: one a line, as `name=value` or `name: value`; a line without either is a name.
 *
 * @param {string} text
 * @returns {Pair[]}
 */
export function pairsOf(text) {
  return text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "").map((line) => {
    const [, name, value] = /^([^=:]*?)\s*(?:[=:]\s*(.*))?$/.exec(line) ?? ["", line, ""];
    return { name, value: value ?? "" };
  });
}

/**
 * What pairs stand for. Those without a name and a value are only empty rows.
 *
 * @param {readonly Pair[]} pairs
 * @returns {Record<string, string>}
 */
export function recordOf(pairs) {
  return Object.fromEntries(pairs.filter(isFilled).map(({ name, value }) => [name, value]));
}

/** @param {Pair} pair */
function isFilled({ name, value }) {
  return name !== "" || value !== "";
}

/**
 * @param {Readonly<Record<string, string>>} record
 * @returns {Pair[]}
 */
export function pairsFrom(record) {
  return Object.entries(record).map(([name, value]) => ({ name, value }));
}

/**
 * Whether two sets of names and values are the same, whatever their order.
 *
 * @param {Readonly<Record<string, string>>} one
 * @param {Readonly<Record<string, string>>} other
 */
export function sameRecords(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && one[name] === other[name]);
}

/**
 * What is wrong with tags, by row.
 *
 * @param {readonly Pair[]} pairs
 * @returns {Map<number, PairFault>}
 */
export function tagFaults(pairs) {
  return faultsOf(pairs, (name) => name, ({ name, value }) => {
    if (/^aws:/i.test(name)) return "reserved";
    if (name.length > maxTagName) return "name_too_long";
    if (value.length > maxTagValue) return "value_too_long";
    if (!tagCharacters.test(name)) return "name_characters";
    return tagCharacters.test(value) ? null : "value_characters";
  });
}

/**
 * What is wrong with user metadata, by row.
 *
 * @param {readonly Pair[]} pairs
 * @returns {Map<number, PairFault>}
 */
export function metadataFaults(pairs) {
  return faultsOf(pairs, (name) => name.toLowerCase(), ({ name, value }) => {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return "header_name";
    return /\p{Cc}/u.test(value) ? "control" : null;
  });
}

/**
 * @param {readonly Pair[]} pairs
 * @param {(name: string) => string} identity what must not stand twice
 * @param {(pair: Pair) => PairFault | null} judge
 */
function faultsOf(pairs, identity, judge) {
  /** @type {Map<number, PairFault>} */
  const faults = new Map();
  const seen = new Set();
  for (const [index, pair] of pairs.entries()) {
    if (!isFilled(pair)) continue;
    const fault = pair.name === "" ? "no_name" : seen.has(identity(pair.name)) ? "twice" : judge(pair);
    if (fault !== null) faults.set(index, fault);
    seen.add(identity(pair.name));
  }
  return faults;
}

/**
 * Bytes that user metadata takes. A value that a header cannot hold is stored as an encoded word of base64 (RFC 2047).
 *
 * @param {Readonly<Record<string, string>>} metadata
 */
export function metadataBytes(metadata) {
  return Object.entries(metadata).reduce((sum, [name, value]) => sum + name.length + storedLength(value), 0);
}

/** @param {string} value */
function storedLength(value) {
  if (/^[\x20-\x7e]*$/.test(value) && value === value.trim() && !value.includes("=?")) return value.length;
  return "=?UTF-8?B??=".length + 4 * Math.ceil(new TextEncoder().encode(value).length / 3);
}
