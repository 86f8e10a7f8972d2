import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runChild } from "../support/child.ts";
import { skipUpstream } from "../support/upstreams.ts";

async function outputOf(script: string, ...options: string[]): Promise<string> {
  const path = fileURLToPath(new URL(`../../bench/${script}`, import.meta.url));
  const run = await runChild([Deno.execPath(), "run", "--quiet", "--allow-all", path, ...options]);
  assert.equal(run.code, 0, run.stderr);
  return run.stdout;
}

Deno.test({
  name: "the benchmark of prefixes copies and deletes every key",
  ignore: skipUpstream("minio"),
  async fn() {
    const output = await outputOf("prefix_jobs.ts", "--keys=1100", "--sample=100");
    assert.match(output, /^copy-prefix +1100 objects in .+ directly.+ events, [\d.]+\/s$/m);
    assert.match(output, /^delete-prefix +1100 objects in .+ directly.+ events, [\d.]+\/s$/m);
  },
});

Deno.test({
  name: "the benchmark of transfers finds the whole object at every target",
  ignore: skipUpstream("minio") || skipUpstream("versitygw"),
  async fn() {
    const output = await outputOf("transfer.ts", "--size=70MiB", "--part-size=16MiB");
    assert.match(output, /^MinIO to versitygw 70MiB: .+ piped.+ events$/m);
    assert.match(output, /^MinIO to minio +70MiB: .+ piped.+ events$/m);
  },
});
