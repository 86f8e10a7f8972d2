import type { ActiveJob } from "./active_job.ts";

/** Jobs that run at once, in all and of one user. */
const maxRunning = 8;
const maxRunningOfUser = 4;

/** Jobs that no request waits for: some run, the others wait for their turn. */
export class JobQueue {
  readonly #waiting: ActiveJob[] = [];
  readonly #running = new Set<ActiveJob>();

  /** Those that wait, in the order in which they came. */
  get waiting(): readonly ActiveJob[] {
    return this.#waiting;
  }

  get running(): ReadonlySet<ActiveJob> {
    return this.#running;
  }

  /** Lets a job wait. */
  add(job: ActiveJob): void {
    this.#waiting.push(job);
  }

  /**
   * Takes the job whose turn it is, which counts as running from now on; `undefined` when none may begin. It is the one that
   * waits longest of those whose users have the fewest running, so that nobody keeps others waiting.
   */
  next(): ActiveJob | undefined {
    if (this.#running.size >= maxRunning) return undefined;
    const running = new Map<string, number>();
    for (const { job: { userId } } of this.#running) running.set(userId, (running.get(userId) ?? 0) + 1);
    const runningOf = ({ job }: ActiveJob) => running.get(job.userId) ?? 0;
    const fewest = Math.min(...this.#waiting.map(runningOf));
    if (fewest >= maxRunningOfUser) return undefined;
    const [next] = this.#waiting.splice(this.#waiting.findIndex((job) => runningOf(job) === fewest), 1);
    this.#running.add(next);
    return next;
  }

  /** Forgets a job that has ended. Returns whether it was here. */
  delete(job: ActiveJob): boolean {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    return this.#running.delete(job) || place >= 0;
  }
}
