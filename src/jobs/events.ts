import type { Job } from "./job.ts";

/** Least time between two events, in milliseconds. */
const eventPauseMs = 200;

/** Pause after which a comment keeps proxies from closing the connection, in milliseconds. */
const keepAliveMs = 15_000;

/** After this long, in milliseconds, the client has to come again, so that its session is looked at again. */
const maxStreamMs = 5 * 60_000;

/** What {@link jobEvents} needs. */
export interface JobEventsOptions {
  /** The job, which changes as it gets on. */
  readonly job: Job;
  /** Whether the client may still see it. */
  readonly isAllowed: () => boolean;
  readonly toJson: (job: Job) => unknown;
  /** Calls the listener on each change until the returned function is called; `undefined` when there will be none. */
  readonly subscribe: (listener: () => void) => (() => void) | undefined;
}

/**
 * The server-sent events of a job (https://html.spec.whatwg.org/multipage/server-sent-events.html): `progress` at once and
 * after changes, then `end`, after which the stream closes. A client that reads slowly misses states in between.
 */
export function jobEvents(options: JobEventsOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let unsubscribe: (() => void) | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isChanged = false;
  let isOver = false;

  const finish = () => {
    isOver = true;
    unsubscribe?.();
    clearTimeout(pause);
    for (const timer of timers) clearInterval(timer);
  };

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const close = () => {
        finish();
        controller.close();
      };
      const show = () => {
        pause = undefined;
        if (isOver || !isChanged) return;
        if (!options.isAllowed()) return close();
        const { job } = options;
        const hasEnded = job.finishedAt !== undefined;
        // A client that does not read gets the next state when it does, but always the last.
        if (!hasEnded && (controller.desiredSize ?? 0) <= 0) return wait();
        isChanged = false;
        send(`event: ${hasEnded ? "end" : "progress"}\ndata: ${JSON.stringify(options.toJson(job))}\n\n`);
        if (hasEnded) close();
        else wait();
      };
      const wait = () => pause ??= setTimeout(show, eventPauseMs);
      const changed = () => {
        isChanged = true;
        if (options.job.finishedAt !== undefined) show();
        else wait();
      };
      timers.add(setInterval(() => send(": keep-alive\n\n"), keepAliveMs));
      timers.add(setTimeout(close, maxStreamMs));
      send("retry: 1000\n\n");
      unsubscribe = options.subscribe(changed);
      isChanged = true;
      show();
    },
    cancel: finish,
  }, { highWaterMark: 8 });
}
