import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { RunResult } from "../../bench/report.ts";
import { runChild } from "../support/child.ts";
import { skipUpstream } from "../support/upstreams.ts";

Deno.test({
  name: "the benchmark drives the endpoint and the upstream without a single failure",
  ignore: skipUpstream("minio"),
  async fn() {
    const script = fileURLToPath(new URL("../../bench/s3_endpoint.ts", import.meta.url));
    const file = await Deno.makeTempFile({ suffix: ".json" });
    try {
      const options = ["--cases=get-1kib,put-1kib", "--rounds=1", "--seconds=0.3", `--json=${file}`];
      const run = await runChild([Deno.execPath(), "run", "--quiet", "--allow-all", script, ...options]);
      assert.equal(run.code, 0, run.stderr);
      assert.match(run.stdout, /^No request failed\.$/m);
      const { cases, alone, peakResident }: RunResult = JSON.parse(await Deno.readTextFile(file));
      for (const { benchCase, direct, endpoint } of [...cases, ...alone]) {
        for (const side of [direct, endpoint]) {
          assert.ok(side !== undefined && side.steps > 0, benchCase.name);
          assert.deepEqual(side.messages, [], benchCase.name);
        }
      }
      assert.deepEqual(cases.map(({ benchCase }) => benchCase.name), ["get-1kib", "put-1kib"]);
      assert.ok(peakResident > 0);
    } finally {
      await Deno.remove(file);
    }
  },
});
