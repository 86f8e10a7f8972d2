import type { Problem } from "../problem.ts";
import { clientGoneProblem, timeoutProblem } from "./upstream_error.ts";

/** Time for a control call, and for a streaming request until its answer begins or its body moves on, in milliseconds. */
const answerTimeoutMs = 15_000;

/** How long a call may take, and whose going away ends it. */
export interface DeadlineOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until the answer must have begun, or more of the body be taken; {@link answerTimeoutMs} unless told. */
  readonly timeoutMs?: number;
}

/** Ends a request when its time is over or its client is gone, and tells which of the two it was. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  /** `undefined` once the time was stopped. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reason: Problem | undefined;
  readonly #client: AbortSignal | undefined;
  readonly #onGone = () => this.#end(clientGoneProblem());

  constructor({ signal, timeoutMs = answerTimeoutMs }: DeadlineOptions) {
    this.#timeoutMs = timeoutMs;
    this.#timer = this.#start();
    this.#client = signal;
    if (signal?.aborted) this.#onGone();
    signal?.addEventListener("abort", this.#onGone, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the request was ended, if it was. */
  reason(): Problem | undefined {
    return this.#reason;
  }

  /** Gives all of the time again, unless it was stopped. */
  restart(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  /** Stops the time; the client's going away still counts. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Stops the time for a request that is over: a signal that lives on does not keep it in memory. */
  dispose(): void {
    this.clear();
    this.#client?.removeEventListener("abort", this.#onGone);
  }

  #start(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#end(timeoutProblem()), this.#timeoutMs);
  }

  #end(reason: Problem): void {
    this.#reason ??= reason;
    this.#controller.abort(reason);
  }
}
