/** Memory that all archives share for what they read ahead: their readers may be slow, and nobody waits for those. */
export class ReadAheadMemory {
  #free: number;

  /** `bytes` is the most that is taken at once. */
  constructor(bytes: number) {
    this.#free = bytes;
  }

  /** Takes some bytes, if there are as many. Returns whether there were. */
  take(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#free += bytes;
  }
}

/** What one archive has of it. */
export class ReadAheadShare {
  readonly #memory: ReadAheadMemory;
  #taken = 0;
  #isClosed = false;

  constructor(memory: ReadAheadMemory) {
    this.#memory = memory;
  }

  /** Takes some bytes, if there are as many. Returns whether there were. */
  take(bytes: number): boolean {
    if (this.#isClosed || !this.#memory.take(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    if (this.#isClosed) return;
    this.#taken -= bytes;
    this.#memory.give(bytes);
  }

  /** Gives back all there is; nothing more can be taken. */
  close(): void {
    this.#memory.give(this.#taken);
    this.#taken = 0;
    this.#isClosed = true;
  }
}
