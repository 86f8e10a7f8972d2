import assert from "node:assert/strict";
import { join } from "node:path";
import { encodePprof } from "../../src/profiling/pprof.ts";
import { skipWithout } from "../support/executables.ts";
import { pprofReport } from "../support/pprof.ts";

const frame = (name: string, file = "") => ({ name, file });

Deno.test({
  name: "Go's pprof reads what is encoded: stacks, values, times, names with signs of their own",
  ignore: skipWithout("go"),
  fn: async () => {
    const main = frame("main src/main.ts", "src/main.ts");
    const odd = frame("get [Symbol.iterator] <a>::b(c) é");
    const profile = encodePprof({
      sampleTypes: [{ type: "samples", unit: "count" }, { type: "cpu", unit: "nanoseconds" }],
      samples: [
        { stack: [odd, main], values: [2, 20_000_000] },
        { stack: [main], values: [1, 2 ** 40] },
      ],
      periodType: { type: "cpu", unit: "nanoseconds" },
      period: 10_000_000,
      startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      durationMs: 1500.5,
    });
    const directory = await Deno.makeTempDir({ prefix: "pprof-" });
    try {
      const path = join(directory, "profile");
      await Deno.writeFile(path, profile);
      const raw = await pprofReport("-raw", path);
      assert.match(
        raw,
        /^PeriodType: cpu nanoseconds\nPeriod: 10000000\nTime: 2026-01-02 03:04:05.*\nDuration: 1\.5/,
      );
      assert.match(raw, /^samples\/count cpu\/nanoseconds$/m);
      assert.match(raw, /^ +2 +20000000: 1 2 $/m);
      assert.match(raw, /^ +1 1099511627776: 2 $/m);
      assert.ok(raw.includes("get [Symbol.iterator] <a>::b(c) é"), raw);
      assert.match(raw, /main src\/main\.ts src\/main\.ts:0/);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
});
