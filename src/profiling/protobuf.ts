/** The wire types that are written here: https://protobuf.dev/programming-guides/encoding/#structure */
const wireType = { varint: 0, lengthDelimited: 2 } as const;

const encoder = new TextEncoder();

/** Writes one message in the wire format of Protocol Buffers. */
export class ProtobufMessage {
  readonly #bytes: number[] = [];

  /** Writes an `int64`, `uint64` or `bool` field. `value` is a whole number that is not negative. */
  integer(field: number, value: number): void {
    this.#tag(field, wireType.varint);
    this.#varint(value);
  }

  /** Writes a repeated integer field in packed form. */
  integers(field: number, values: Iterable<number>): void {
    const packed = new ProtobufMessage();
    for (const value of values) packed.#varint(value);
    this.message(field, packed);
  }

  /** Writes a `string` field. */
  string(field: number, value: string): void {
    this.#lengthDelimited(field, encoder.encode(value));
  }

  /** Writes a field whose value is a message of its own. */
  message(field: number, message: ProtobufMessage): void {
    this.#lengthDelimited(field, message.#bytes);
  }

  /** The message so far. */
  bytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes);
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type);
  }

  #lengthDelimited(field: number, content: ArrayLike<number> & Iterable<number>): void {
    this.#tag(field, wireType.lengthDelimited);
    this.#varint(content.length);
    for (const byte of content) this.#bytes.push(byte);
  }

  /** Seven bits a byte, the lowest first. Division is exact above 2^32 too, where the operators on bits are not. */
  #varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes.push(rest % 0x80 + 0x80);
    this.#bytes.push(rest);
  }
}
