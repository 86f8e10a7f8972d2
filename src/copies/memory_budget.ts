/** Bounds how many bytes of objects are held in memory at once, whoever copies how many of them. */
export class MemoryBudget {
  #free: number;
  readonly #waiting: { readonly bytes: number; readonly begin: () => void }[] = [];

  /** `bytes` is the most that is held at once. */
  constructor(bytes: number) {
    this.#free = bytes;
  }

  /** Runs what holds `bytes`, once there is room for them: first come, first served. More than fits never begins. */
  async hold<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || bytes > this.#free) {
      await new Promise<void>((begin) => this.#waiting.push({ bytes, begin }));
    } else this.#free -= bytes;
    try {
      return await work();
    } finally {
      this.#free += bytes;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    while (this.#waiting.length > 0 && this.#waiting[0].bytes <= this.#free) {
      const next = this.#waiting.shift();
      this.#free -= next?.bytes ?? 0;
      next?.begin();
    }
  }
}
