/** Beyond so many characters, failures are only counted. */
const maxCharacters = 8 << 20;

const heading = "These objects could not be read, or not to their end. Each line: key, code, reason.\n\n";

/** The text that tells what of a selection could not be read. */
export class FailureList {
  #text = heading;
  #unlisted = 0;

  get isEmpty(): boolean {
    return this.#text === heading;
  }

  /** Notes one failure. The key is written as a JSON string: it may hold line breaks. */
  add(key: string, code: string, message: string): void {
    if (this.#text.length < maxCharacters) this.#text += `${JSON.stringify(key)}\t${code}\t${message}\n`;
    else this.#unlisted++;
  }

  /** The text in UTF-8. */
  toBytes(): Uint8Array {
    const rest = this.#unlisted === 0 ? "" : `\n… and ${this.#unlisted} more.\n`;
    return new TextEncoder().encode(this.#text + rest);
  }
}
