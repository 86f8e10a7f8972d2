/** How long a task waits for its turn, and what it ends in when it does not come. */
export interface QueueOptions {
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** The error of a task that was never begun. */
  timeoutError(): Error;
}

/** Runs what is done under one name one after the other; under different names at once. */
export class NamedQueue {
  readonly #options: QueueOptions;
  readonly #last = new Map<string, Promise<void>>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Runs `task` when everything before it under this name has ended, be it well or not. */
  run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const result = before === undefined ? task() : this.#turn(before).then(task);
    const ended = Promise.allSettled([before, result]).then(() => {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    });
    this.#last.set(name, ended);
    return result;
  }

  async #turn(before: Promise<void>): Promise<void> {
    const { timeoutMs, timeoutError } = this.#options;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(timeoutError()), timeoutMs);
    try {
      await Promise.race([before, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
