/**
 * The headers of one message in the order they came, repetitions included. Names are lower-case; values hold one
 * character for each byte (Latin-1), without the white space around them.
 */
export class HeaderList implements Iterable<readonly [name: string, value: string]> {
  readonly #names: string[] = [];
  readonly #values: string[] = [];

  /** Makes a list of pairs; the names must be lower-case. */
  static of(pairs: Iterable<readonly [name: string, value: string]>): HeaderList {
    const list = new HeaderList();
    for (const [name, value] of pairs) list.append(name, value);
    return list;
  }

  /** Number of header lines. */
  get size(): number {
    return this.#names.length;
  }

  /** Adds a line; `name` must be lower-case. */
  append(name: string, value: string): void {
    this.#names.push(name);
    this.#values.push(value);
  }

  /** The value of a header, those of several lines joined by commas (RFC 9110, section 5.3), or `null`. */
  get(name: string): string | null {
    const first = this.#names.indexOf(name);
    if (first < 0) return null;
    let value = this.#values[first];
    for (let at = this.#names.indexOf(name, first + 1); at >= 0; at = this.#names.indexOf(name, at + 1)) {
      value += `,${this.#values[at]}`;
    }
    return value;
  }

  /** Whether there is such a header. */
  has(name: string): boolean {
    return this.#names.includes(name);
  }

  /** How many lines the header has. */
  count(name: string): number {
    let count = 0;
    for (const other of this.#names) if (other === name) count++;
    return count;
  }

  /** The name of each line. */
  keys(): Iterable<string> {
    return this.#names;
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (let index = 0; index < this.#names.length; index++) yield [this.#names[index], this.#values[index]];
  }
}
