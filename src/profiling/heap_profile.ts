import { type HeapProfiler, Session } from "node:inspector/promises";
import { setTimeout } from "node:timers/promises";
import { conflict } from "../problem.ts";
import { frameOf } from "./call_frame.ts";
import type { Frame, StackProfile, StackSample } from "./pprof.ts";

/**
 * Bytes that are allocated between two samples, on average. A sample takes about 2 µs: where 50 MB are allocated in a
 * second of processor time, as when requests are answered, all of them take less than 1 % of it.
 */
const samplingInterval = 64 * 1024;

/** https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#method-startSampling */
interface SamplingParameters extends HeapProfiler.StartSamplingParameterType {
  readonly includeObjectsCollectedByMajorGC?: boolean;
  readonly includeObjectsCollectedByMinorGC?: boolean;
}

/** What the sampler follows. */
interface Mode {
  /** What pprof calls it. */
  readonly type: string;
  readonly parameters: SamplingParameters;
}

const inUse: Mode = { type: "inuse_space", parameters: { samplingInterval } };

const allocated: Mode = {
  type: "alloc_space",
  parameters: {
    samplingInterval,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  },
};

/**
 * Finds out by sampling which stacks allocate memory. V8 has one sampler: it follows what is in use, except while all
 * allocations are recorded, after which it begins anew.
 */
export class HeapSampler {
  readonly #clock: () => number;
  readonly #session = new Session();
  #mode = inUse;
  #startedAt = 0;

  /** `clock` tells milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#session.connect();
  }

  /** Begins to follow what is allocated and in use. */
  start(): Promise<void> {
    return this.#sample(inUse);
  }

  /**
   * What was allocated since the start, or since {@link HeapSampler.recordAllocations} was last done, and is still in use.
   * V8 collects garbage before it answers. Throws 409 `conflict` while all allocations are recorded.
   */
  async inUse(): Promise<StackProfile> {
    this.#requireIdle();
    return await this.#read();
  }

  /**
   * Records all that is allocated within `seconds`. Throws 409 `conflict` while that goes on for somebody else, and an
   * `AbortError` as soon as `signal` ends it.
   */
  async recordAllocations(seconds: number, signal: AbortSignal): Promise<StackProfile> {
    this.#requireIdle();
    try {
      await this.#sample(allocated);
      await setTimeout(seconds * 1000, undefined, { signal });
      return await this.#read();
    } finally {
      await this.#sample(inUse);
    }
  }

  /** Ends the sampling. */
  stop(): void {
    this.#session.disconnect();
  }

  #requireIdle(): void {
    if (this.#mode !== inUse) throw conflict("Allocations are being recorded. Try again when that is done.");
  }

  /** Forgets what was sampled before. Both calls are on their way at once, so that no other comes between them. */
  async #sample(mode: Mode): Promise<void> {
    this.#mode = mode;
    this.#startedAt = this.#clock();
    await Promise.all([
      this.#session.post("HeapProfiler.disable"),
      this.#session.post("HeapProfiler.startSampling", mode.parameters),
    ]);
  }

  async #read(): Promise<StackProfile> {
    const { type } = this.#mode;
    const { profile } = await this.#session.post("HeapProfiler.getSamplingProfile");
    return {
      sampleTypes: [{ type, unit: "bytes" }],
      samples: stackSamples(profile.head),
      periodType: { type: "space", unit: "bytes" },
      period: samplingInterval,
      startedAt: this.#startedAt,
      durationMs: this.#clock() - this.#startedAt,
    };
  }
}

/** The stacks of V8's tree that have memory of their own; `callers` are those of `node`, the innermost first. */
function stackSamples(
  { children }: HeapProfiler.SamplingHeapProfileNode,
  callers: readonly Frame[] = [],
): StackSample[] {
  return children.flatMap((child) => {
    const stack = [frameOf(child.callFrame), ...callers];
    const own = child.selfSize > 0 ? [{ stack, values: [child.selfSize] }] : [];
    return [...own, ...stackSamples(child, stack)];
  });
}
