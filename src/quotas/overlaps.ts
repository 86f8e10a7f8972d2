/** Tells which of the things that are under way had their name to themselves from their beginning to their end. */
export class Overlaps {
  readonly #running = new Map<string, { count: number; overlapped: boolean }>();

  /** Whether nothing is under way. */
  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  /** Begins something that {@link end} ends. */
  begin(name: string): void {
    const running = this.#running.get(name);
    if (running === undefined) {
      this.#running.set(name, { count: 1, overlapped: false });
    } else {
      running.count++;
      running.overlapped = true;
    }
  }

  /** Ends what {@link begin} began and returns whether it was alone all the time. */
  end(name: string): boolean {
    const running = this.#running.get(name);
    if (running === undefined) return false;
    if (--running.count === 0) this.#running.delete(name);
    return !running.overlapped;
  }

  /** Whether anything of this name is under way. */
  has(name: string): boolean {
    return this.#running.has(name);
  }
}
