/** Adds up what was copied of each part; what is copied once more does not count again. */
export class PartProgress {
  readonly #onProgress: ((bytes: number) => void) | undefined;
  readonly #reached = new Map<number, number>();

  constructor(onProgress: ((bytes: number) => void) | undefined) {
    this.#onProgress = onProgress;
  }

  /** A part was copied up to `bytes` bytes. */
  reach(partNumber: number, bytes: number): void {
    const before = this.#reached.get(partNumber) ?? 0;
    if (bytes <= before) return;
    this.#reached.set(partNumber, bytes);
    this.#onProgress?.(bytes - before);
  }
}
