// @ts-check

/** A value of Thrift's compact protocol; a struct has its fields by their numbers. @typedef {any} ThriftValue */

/** How deep structs and lists may lie in each other, and how many values there may be: the bytes are anyone's. */
const maxDepth = 16;
const maxValues = 500_000;

/**
 * Reads one struct in Thrift's compact protocol.
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export class ThriftReader {
  #at = 0;
  #values = 0;
  #bytes;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  /**
   * The fields of the struct that begins here. Throws `RangeError` for bytes that are none.
   *
   * @param {number} [depth]
   * @returns {Map<number, ThriftValue>}
   */
  struct(depth = 0) {
    if (depth > maxDepth) throw new RangeError("too deep");
    const fields = new Map();
    for (let id = 0;;) {
      const header = this.#byte();
      if (header === 0) return fields;
      id = header >> 4 === 0 ? this.#zigzag() : id + (header >> 4);
      fields.set(id, this.#value(header & 15, depth, true));
    }
  }

  /**
   * @param {number} type
   * @param {number} depth
   * @param {boolean} field whether it is a field: a boolean's value is then its type
   * @returns {ThriftValue}
   */
  #value(type, depth, field) {
    if (++this.#values > maxValues) throw new RangeError("too many values");
    switch (type) {
      case 1:
      case 2:
        return field ? type === 1 : this.#byte() === 1;
      case 3:
        return this.#byte();
      case 4:
      case 5:
      case 6:
        return this.#zigzag();
      case 7:
        this.#take(8);
        return null;
      case 8:
        return this.#take(this.#varint());
      case 9:
      case 10:
        return this.#list(depth + 1);
      case 12:
        return this.struct(depth + 1);
      default:
        throw new RangeError(`unknown type ${type}`);
    }
  }

  /** @param {number} depth */
  #list(depth) {
    const header = this.#byte();
    const length = header >> 4 === 15 ? this.#varint() : header >> 4;
    const values = [];
    for (let index = 0; index < length; index++) values.push(this.#value(header & 15, depth, false));
    return values;
  }

  #byte() {
    if (this.#at >= this.#bytes.length) throw new RangeError("the bytes end");
    return this.#bytes[this.#at++];
  }

  /** @param {number} length */
  #take(length) {
    if (this.#at + length > this.#bytes.length) throw new RangeError("the bytes end");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #varint() {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError("a number is too long");
  }

  #zigzag() {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
