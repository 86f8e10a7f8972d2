/** How much of something may be under way at once, such as a number of downloads or of bytes in memory. */
export interface PlaceLimits {
  readonly total: number;
  readonly perClient: number;
}

/**
 * Room for what strangers have under way and what takes memory for as long as they take: archives, which keep the names of
 * all their entries, and uploads, which keep parts. Without a bound, a few would take the memory from everyone.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Takes one place for a client, or as much room as told, and returns what frees it, once; `null` when there is none. */
  take(client: string, room = 1): (() => void) | null {
    const { total, perClient } = this.#limits;
    const own = this.#byClient.get(client) ?? 0;
    if (this.#taken + room > total || own + room > perClient) return null;
    this.#taken += room;
    this.#byClient.set(client, own + room);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#taken -= room;
      const left = (this.#byClient.get(client) ?? room) - room;
      if (left === 0) this.#byClient.delete(client);
      else this.#byClient.set(client, left);
    };
  }
}
