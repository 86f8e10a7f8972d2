import { type Profiler, Session } from "node:inspector/promises";
import { setTimeout } from "node:timers/promises";
import { conflict } from "../problem.ts";
import { frameOf } from "./call_frame.ts";
import type { Frame, StackProfile, StackSample } from "./pprof.ts";

/** Microseconds between two samples: a hundred a second, as Go's profiler takes them. */
const samplingInterval = 10_000;

const nanosecondsPerMicrosecond = 1000;

/** Records where the processor time of the event loop goes, one profile at a time. Costs nothing until then. */
export class CpuProfiler {
  readonly #clock: () => number;
  #recording = false;

  /** `clock` tells milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * Records for `seconds`. Throws 409 `conflict` while another profile is recorded, and an `AbortError` as soon as `signal`
   * ends it.
   */
  async record(seconds: number, signal: AbortSignal): Promise<StackProfile> {
    if (this.#recording) throw conflict("A CPU profile is being recorded. Try again when it is done.");
    this.#recording = true;
    const session = new Session();
    session.connect();
    try {
      const startedAt = this.#clock();
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: samplingInterval });
      await session.post("Profiler.start");
      await setTimeout(seconds * 1000, undefined, { signal });
      const { profile } = await session.post("Profiler.stop");
      return toStackProfile(profile, startedAt);
    } finally {
      // Also ends a recording that was broken off.
      session.disconnect();
      this.#recording = false;
    }
  }
}

/** Sums up V8's call tree by stack. What was measured while nothing ran is left out. */
function toStackProfile({ nodes, samples = [], startTime, endTime }: Profiler.Profile, startedAt: number) {
  const duration = endTime - startTime;
  // The sampler comes late on a busy machine, so that the interval that was asked for would count too little.
  const period = Math.round(duration * nanosecondsPerMicrosecond / Math.max(1, samples.length));
  return {
    sampleTypes: [{ type: "samples", unit: "count" }, { type: "cpu", unit: "nanoseconds" }],
    samples: stackSamples(nodes, period),
    periodType: { type: "cpu", unit: "nanoseconds" },
    period,
    startedAt,
    durationMs: duration / 1000,
  } satisfies StackProfile;
}

function stackSamples(nodes: readonly Profiler.ProfileNode[], period: number): StackSample[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, frameOf(callFrame)]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  return nodes.flatMap(({ id, hitCount = 0 }) => {
    const frame = frames.get(id);
    if (hitCount === 0 || frame === undefined || frame.name === "(idle)") return [];
    const stack: Frame[] = [frame];
    for (let up = parents.get(id); up !== undefined; up = parents.get(up)) {
      const caller = frames.get(up);
      if (caller !== undefined && parents.has(up)) stack.push(caller);
    }
    return [{ stack, values: [hitCount, hitCount * period] }];
  });
}
