/** How many archives may be under way. */
export interface ArchiveLimits {
  readonly total: number;
  readonly perClient: number;
}

/**
 * Places for archives that strangers have made. Each keeps the names of all its entries, up to hundreds of megabytes of them,
 * for as long as its reader takes: without a bound, some readers of a large folder would take the memory from everyone.
 */
export class ArchivePlaces {
  readonly #limits: ArchiveLimits;
  readonly #byClient = new Map<string, number>();
  #taken = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** Takes a place for a client and returns what frees it, once; `null` when there is none. */
  take(client: string): (() => void) | null {
    const { total, perClient } = this.#limits;
    const own = this.#byClient.get(client) ?? 0;
    if (this.#taken >= total || own >= perClient) return null;
    this.#taken++;
    this.#byClient.set(client, own + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#taken--;
      const left = (this.#byClient.get(client) ?? 1) - 1;
      if (left === 0) this.#byClient.delete(client);
      else this.#byClient.set(client, left);
    };
  }
}

/** An answer's body that calls `onOver` once it has ended, failed or is not wanted any more. */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  onOver: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        onOver();
        throw error;
      }
      onOver();
      controller.close();
    },
    async cancel(reason) {
      onOver();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
