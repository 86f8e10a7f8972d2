/** Something that is ended when it takes too long. */
export interface Watched {
  /** Milliseconds since the epoch; `Infinity` while there is no hurry. */
  readonly deadline: number;
  /** Told once the deadline has passed. */
  expire(): void;
}

/** How often deadlines are looked at, in milliseconds. */
const intervalMs = 250;

/** Watches the deadlines of many connections with one timer: to set a deadline costs no more than to store a number. */
export class Watchdog {
  readonly #clock: () => number;
  readonly #watched = new Set<Watched>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `clock` is in milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Now, in milliseconds since the epoch. */
  now(): number {
    return this.#clock();
  }

  /** Starts watching. */
  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => this.#look(), intervalMs);
  }

  /** Stops watching. */
  remove(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const now = this.#clock();
    for (const watched of this.#watched) if (watched.deadline <= now) watched.expire();
  }
}
