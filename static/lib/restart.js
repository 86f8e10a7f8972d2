// @ts-check

/** How long a restart of the service is waited out, in milliseconds. */
const maxRestart = 60_000;

/** What the service answers while it ends and while it starts. */
const restartCodes = ["shutting_down", "store_unavailable"];

/** @type {(restarting: boolean) => void} */
let sayRestart = () => {};

/** Requests that wait for the service to be there again. */
let waiting = 0;

/**
 * Sets what tells the user that the service is restarting, and that it is there again.
 * @param {(restarting: boolean) => void} say
 */
export function onRestart(say) {
  sayRestart = say;
}

/** How one request sits out a restart of the service: it waits as long as it is told to, and then may be sent again. */
export class RestartWait {
  #allowed;
  /** When it began to wait; 0 while it does not. */
  #since = 0;
  /** Seconds. */
  #retryAfter = 0;

  /** @param {boolean} allowed whether the request may be sent again */
  constructor(allowed) {
    this.#allowed = allowed;
  }

  /**
   * Waits if `error` is that of a restart, in the middle of which there is no answer at all. Resolves with whether to
   * send the request again. Rejects when `signal` aborts.
   * @param {Pick<import("./api.js").ApiError, "code" | "retryAfter">} error
   * @param {AbortSignal} [signal]
   */
  async wait({ code, retryAfter }, signal) {
    const first = this.#since === 0;
    const restarting = restartCodes.includes(code) ? retryAfter > 0 : code === "network" && !first;
    if (!this.#allowed || !restarting || (!first && performance.now() - this.#since > maxRestart)) {
      this.end();
      return false;
    }
    if (first) {
      this.#since = performance.now();
      if (++waiting === 1) sayRestart(true);
    }
    this.#retryAfter = retryAfter || this.#retryAfter;
    await pause(this.#retryAfter * 1000, signal);
    return true;
  }

  /** The restart is over for this request, whatever came of it. */
  end() {
    if (this.#since === 0) return;
    this.#since = 0;
    if (--waiting === 0) sayRestart(false);
  }
}

/**
 * @param {number} duration milliseconds
 * @param {AbortSignal} [signal] rejects with its reason
 * @returns {Promise<void>}
 */
function pause(duration, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, duration);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
