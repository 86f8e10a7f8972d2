// @ts-check
import { signal } from "@preact/signals";

/** What is under way at a time: the server and its backend have others to serve too. */
const concurrency = 4;

/**
 * Does the same to many things, a few at a time. What fails is kept and does not hold up the rest.
 * @template Item
 */
export class BulkRun {
  state = signal(/** @type {"ready" | "running" | "stopped" | "done"} */ ("ready"));
  done = signal(0);
  failures = signal(/** @type {{ item: Item, message: string }[]} */ ([]));
  total = signal(0);
  #work;

  /** @param {(item: Item) => Promise<unknown>} work */
  constructor(work) {
    this.#work = work;
  }

  /**
   * Goes through the items. Resolves when nothing is under way any more.
   * @param {readonly Item[]} items
   */
  async start(items) {
    const waiting = [...items];
    this.total.value = items.length;
    this.done.value = 0;
    this.failures.value = [];
    this.state.value = "running";
    const worker = async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        await this.#try(item);
        if (this.state.value === "stopped") return;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    if (this.state.value === "running") this.state.value = "done";
  }

  /** Begins nothing more; what is under way ends as it does. */
  stop() {
    if (this.state.value === "running") this.state.value = "stopped";
  }

  /** Goes once more through what failed. */
  async retry() {
    await this.start(this.failures.value.map(({ item }) => item));
  }

  /** @param {Item} item */
  async #try(item) {
    try {
      await this.#work(item);
      this.done.value++;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.failures.value = [...this.failures.value, { item, message }];
    }
  }
}
