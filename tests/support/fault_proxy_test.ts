import assert from "node:assert/strict";
import { type Fault, startFaultProxy } from "./fault_proxy.ts";
import { upstreamTest } from "./upstreams.ts";

upstreamTest(["embedded"], "the fault proxy does to requests what it is told", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  const outcome = async (fault: Fault) => {
    proxy.set(fault);
    try {
      const answer = await fetch(proxy.endpoint, { signal: AbortSignal.timeout(500) });
      await answer.body?.cancel();
      return `${answer.status} ${answer.headers.get("content-type")}`;
    } catch (error) {
      return (error as Error).name;
    }
  };
  try {
    assert.equal(await outcome("none"), "403 application/xml");
    assert.equal(await outcome("refuse"), "TypeError");
    await assert.rejects(
      Deno.connect({ port: Number(new URL(proxy.endpoint).port) }),
      Deno.errors.ConnectionRefused,
    );
    assert.equal(await outcome("hang"), "TimeoutError");
    assert.equal(await outcome("html"), "200 text/html");
    assert.equal(await outcome("unavailable"), "503 text/plain");
    assert.equal(await outcome("none"), "403 application/xml");
  } finally {
    await proxy.stop();
  }
});
