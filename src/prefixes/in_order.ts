/** Tells a job what came of something; called in the order in which the things were listed. */
export type Report = () => void;

/** How {@link handleInOrder} goes about it. */
export interface HandlingOptions<Unit> {
  /** How many are handled together. */
  readonly concurrency: number;
  /** Aborted when nothing more is to be begun. */
  readonly stopping: AbortSignal;
  /** What it throws ends it all. */
  handle(unit: Unit): Promise<Report>;
}

/** So many wait at most for one that was begun before them, so that memory stays flat. */
const maxWaiting = 1000;

/**
 * Handles what `units` yields, several at once, and reports in order what came of it: what was reported is all that came
 * before. Resolves when everything that was begun has ended; throws the first error then.
 */
export async function handleInOrder<Unit>(
  units: AsyncIterable<Unit> | Iterable<Unit>,
  options: HandlingOptions<Unit>,
): Promise<void> {
  const run = new OrderedRun(options);
  try {
    for await (const unit of units) {
      await run.untilFree();
      if (run.isOver) break;
      run.begin(unit);
    }
  } catch (error) {
    run.fail(error);
  }
  await run.untilDone();
}

/** Something that was begun; with a report when it has ended. */
interface Begun {
  report?: Report;
}

class OrderedRun<Unit> {
  readonly #options: HandlingOptions<Unit>;
  readonly #begun: Begun[] = [];
  #running = 0;
  #failure: { readonly error: unknown } | undefined;
  #change = Promise.withResolvers<void>();

  constructor(options: HandlingOptions<Unit>) {
    this.#options = options;
  }

  /** Whether nothing more is to be begun. */
  get isOver(): boolean {
    return this.#failure !== undefined || this.#options.stopping.aborted;
  }

  begin(unit: Unit): void {
    const begun: Begun = {};
    this.#begun.push(begun);
    this.#running++;
    void this.#handle(unit, begun);
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  async untilFree(): Promise<void> {
    const { concurrency } = this.#options;
    while (this.#running >= concurrency || this.#begun.length >= maxWaiting) {
      if (this.#running === 0) return;
      await this.#change.promise;
    }
  }

  async untilDone(): Promise<void> {
    while (this.#running > 0) await this.#change.promise;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #handle(unit: Unit, begun: Begun): Promise<void> {
    try {
      begun.report = await this.#options.handle(unit);
      while (this.#begun[0]?.report !== undefined) this.#begun.shift()?.report?.();
    } catch (error) {
      this.fail(error);
    } finally {
      this.#running--;
      this.#change.resolve();
      this.#change = Promise.withResolvers();
    }
  }
}
