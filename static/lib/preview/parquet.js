// @ts-check
import { ThriftReader } from "./thrift.js";

/**
 * What the footer of a Parquet file says.
 *
 * @typedef {object} ParquetFooter
 * @property {number} rows
 * @property {number} rowGroups
 * @property {string} createdBy empty when not said
 * @property {{ name: string, type: string, optional: boolean, depth: number }[]} columns the schema's elements, in order
 */

/** https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift, `Type` and `ConvertedType`. */
const types = ["BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"];
const convertedTypes = [
  "UTF8",
  "MAP",
  "MAP_KEY_VALUE",
  "LIST",
  "ENUM",
  "DECIMAL",
  "DATE",
  "TIME_MILLIS",
  "TIME_MICROS",
  "TIMESTAMP_MILLIS",
  "TIMESTAMP_MICROS",
  "UINT_8",
  "UINT_16",
  "UINT_32",
  "UINT_64",
  "INT_8",
  "INT_16",
  "INT_32",
  "INT_64",
  "JSON",
  "BSON",
  "INTERVAL",
];

/** Bytes after the footer: its length and the mark. */
export const parquetTail = 8;

/**
 * The length of the footer, in bytes.
 *
 * @param {Uint8Array} tail the file's last 8 bytes
 * @returns {number | null} `null` for what is no Parquet file
 */
export function footerLength(tail) {
  if (tail.length < parquetTail || new TextDecoder().decode(tail.subarray(-4)) !== "PAR1") return null;
  return new DataView(tail.buffer, tail.byteOffset + tail.length - 8, 4).getUint32(0, true);
}

/**
 * Reads a footer.
 *
 * @param {Uint8Array} bytes
 * @returns {ParquetFooter | null} `null` for bytes that are none
 */
export function parquetFooter(bytes) {
  try {
    const meta = new ThriftReader(bytes).struct();
    return {
      rows: numberOf(meta.get(3)),
      rowGroups: Array.isArray(meta.get(4)) ? meta.get(4).length : 0,
      createdBy: textOf(meta.get(6)),
      columns: columnsOf(meta.get(2)),
    };
  } catch {
    return null;
  }
}

/** @param {unknown} schema the elements of the schema, which is a tree written from the top down */
function columnsOf(schema) {
  if (!Array.isArray(schema)) throw new RangeError("no schema");
  /** How many children each open element still waits for. @type {number[]} */
  const open = [];
  const columns = schema.map((element) => {
    while (open.at(-1) === 0) open.pop();
    const depth = open.length;
    if (depth > 0) open[depth - 1]--;
    const children = numberOf(element.get(5));
    if (children > 0) open.push(children);
    const converted = convertedTypes[element.get(6)];
    const type = children > 0 && converted === undefined ? "GROUP" : converted ?? types[element.get(1)] ?? "";
    return {
      name: textOf(element.get(4)),
      type,
      optional: element.get(3) === 1,
      depth: Math.max(0, depth - 1),
    };
  });
  return columns.slice(1);
}

/** @param {unknown} value */
function numberOf(value) {
  return typeof value === "number" ? value : 0;
}

/** @param {unknown} value */
function textOf(value) {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : "";
}
