import assert from "node:assert/strict";
import { join } from "node:path";
import { Backoff } from "../../src/proxy/credentials/kubernetes/backoff.ts";
import { readLines, readText, TooLongError } from "../../src/proxy/credentials/kubernetes/bounded_body.ts";
import type { KubernetesServer } from "../support/kubernetes_server.ts";
import {
  appears,
  credential,
  disappears,
  following,
  ids,
  quick,
  unforgiving,
  watchOpens,
} from "../support/kubernetes_source.ts";
import { until } from "../support/poll.ts";

Deno.test("a watch that ends is resumed where it was, also in the middle of a line", async () => {
  const prepare = (server: KubernetesServer) => server.put(credential("a"));
  await following({ prepare }, async ({ server, source }) => {
    for (const how of ["in order", "in a line"] as const) {
      await watchOpens(server);
      const version = server.bookmark();
      server.put(credential("seen"));
      await appears(source, "seen");
      server.endWatches(how);
      server.remove("seen");
      await disappears(source, "seen");
      const { kind, query } = server.requests.at(-1)!;
      assert.equal(kind, "watch");
      assert.equal(Number(query.get("resourceVersion")), Number(version) + 1);
      assert.ok(source.find("ID-a"));
    }
    assert.equal(server.requests.filter(({ kind }) => kind === "list").length, 1);
  });
});

Deno.test("a bookmark is enough to resume after older changes are gone", async () => {
  await following({}, async ({ server }) => {
    await watchOpens(server);
    const version = server.bookmark();
    server.endWatches("in order");
    await until(() => server.requests.at(-1)?.query.get("resourceVersion") === version, {
      what: "a resumed watch",
    });
    assert.equal(server.requests.filter(({ kind }) => kind === "list").length, 1);
  });
});

for (const how of ["status", "event"] as const) {
  Deno.test(`when changes are gone (as ${how}), a new list shows which Secrets are`, async () => {
    const prepare = (server: KubernetesServer) => {
      server.put(credential("stays"));
      server.put(credential("goes"));
    };
    await following({ prepare, timings: unforgiving }, async ({ server, source, log }) => {
      await watchOpens(server);
      server.put(credential("later"));
      await appears(source, "later");
      if (how === "event") server.faults.watch.push("error event");
      let changes = 0;
      source.onChange(() => changes++);
      server.endWatches("in order");
      server.remove("goes");
      server.put(credential("comes"));
      server.compact();
      await appears(source, "comes");
      await watchOpens(server);
      server.compact();
      server.endWatches("in order");
      await until(() => server.requests.filter(({ kind }) => kind === "list").length === 5, {
        what: "a third list",
      });
      await watchOpens(server);
      assert.equal(changes, 1);
      assert.deepEqual(ids(source), ["ID-comes", "ID-later", "ID-stays"]);
      assert.equal(log.filter((line) => line.includes("cannot be followed")).length, 0);
    });
  });
}

Deno.test("a server that says gone to each watch is not asked without a pause", async () => {
  const timings = { ...unforgiving, settled: 60_000 };
  const prepare = (server: KubernetesServer) => server.faults.watch.push({ status: 410 }, { status: 410 });
  await following({ prepare, timings }, async ({ server, log }) => {
    await until(() => log.find((line) => line.includes('"retry_ms":60000')), { what: "a pause" });
    assert.deepEqual(server.requests.map(({ kind }) => kind), ["list", "watch"]);
  });
});

Deno.test("faults of the API server change nothing that is known, and pass", async () => {
  const prepare = (server: KubernetesServer) => {
    server.put(credential("a"));
    server.faults.list.push({ status: 500 }, { status: 410 }, "garbage", {
      status: 302,
      headers: { location: "/" },
    });
    server.faults.watch.push({ status: 429, headers: { "retry-after": "0" } }, "garbage", "long line", {
      status: 500,
    });
  };
  await following({ prepare }, async ({ server, source, log }) => {
    await watchOpens(server);
    assert.deepEqual(ids(source), ["ID-a"]);
    assert.deepEqual([...server.faults.list, ...server.faults.watch], []);
    server.put(credential("b"));
    await appears(source, "b");
    assert.equal(log.filter((line) => line.includes("cannot be followed")).length, 8);
    assert.match(log.join("\n"), /answered 302/);
    assert.equal(server.requests.filter(({ kind }) => kind === "list").length, 5);
    assert.ok(!log.join("\n").includes("leak"));
  });
});

Deno.test("after three failures in a row the Secrets are listed anew", async () => {
  const failure = { status: 500 };
  const prepare = (server: KubernetesServer) => server.faults.watch.push(failure, failure, failure);
  await following({ prepare, timings: { ...quick, settled: 60_000 } }, async ({ server }) => {
    await watchOpens(server);
    const kinds = server.requests.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["list", "watch", "watch", "watch", "list", "watch"]);
  });
});

Deno.test("pauses grow with each failure up to the longest, and are not all the same", () => {
  const numbers = [0, 0.5, 0.5, 0.5, 0.5, 0, 0.5];
  const backoff = new Backoff({ min: 800, max: 5000 }, () => numbers.shift() ?? assert.fail());
  assert.deepEqual([1, 2, 3, 4, 5].map(() => backoff.next()), [800, 2000, 2900, 2900, 2900]);
  assert.equal(backoff.failures, 5);
  backoff.reset();
  assert.deepEqual([1, 2].map(() => backoff.next()), [800, 2000]);
});

Deno.test("an answer is read whatever its chunks are, up to its limit", async () => {
  const text = "first\n\nsch\u00f6n \u{1f642}\nunfinished";
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const body = () => ReadableStream.from(chunksOf(bytes, size));
    assert.deepEqual(await Array.fromAsync(readLines(body(), 11)), ["first", "sch\u00f6n \u{1f642}"]);
    assert.equal(await readText(body(), bytes.length), text);
    await assert.rejects(Array.fromAsync(readLines(body(), 10)), TooLongError);
    await assert.rejects(readText(body(), bytes.length - 1), TooLongError);
  }
});

function* chunksOf(bytes: Uint8Array, size: number): Iterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

Deno.test("Retry-After is heeded", async () => {
  const timings = { ...quick, firstSync: 5, backoff: { min: 2, max: 60_000 } };
  const prepare = (server: KubernetesServer) =>
    server.faults.list.push({ status: 429, headers: { "retry-after": "7" } });
  await following({ prepare, timings }, async ({ log }) => {
    await until(() => log.find((line) => line.includes('"retry_ms":7000')), { what: "the pause asked for" });
  });
});

Deno.test("a watch that falls silent is given up", async () => {
  const timings = { ...quick, requests: { list: 10_000, watch: 1, watchSlack: 200 } };
  const prepare = (server: KubernetesServer) => server.faults.watch.push("hang");
  await following({ prepare, timings }, async ({ server, source }) => {
    await watchOpens(server);
    assert.ok(server.requests.filter(({ kind }) => kind === "watch").length > 1);
    const open = server.requests.length;
    await until(() => server.requests.length > open, { what: "a watch in place of the idle one" });
    server.put(credential("a"));
    await appears(source, "a");
  });
});

Deno.test("while the API server is away the last known Secrets count", async () => {
  const prepare = (server: KubernetesServer) => {
    server.put(credential("a"));
    server.put(credential("b"));
  };
  await following({ prepare }, async ({ server, source, log }) => {
    await watchOpens(server);
    await server.goAway();
    await until(() => log.filter((line) => line.includes("cannot be followed")).length > 4, {
      what: "attempts",
    });
    assert.deepEqual(ids(source), ["ID-a", "ID-b"]);
    assert.match(log.join("\n"), /connection refused/i);
    server.remove("a");
    server.compact();
    server.comeBack();
    await disappears(source, "a");
    assert.deepEqual(ids(source), ["ID-b"]);
  });
});

Deno.test("a token that was refused is read again at once", async () => {
  const prepare = (server: KubernetesServer) => {
    server.token = "second-token";
    server.onUnauthorized = () => Deno.writeTextFileSync(join(server.directory, "token"), "second-token\n");
    server.put(credential("a"));
  };
  await following({ prepare, timings: unforgiving }, async ({ server, source }) => {
    assert.ok(source.find("ID-a"));
    await watchOpens(server);
    await server.writeToken("third-token");
    server.token = "third-token";
    server.onUnauthorized = () => assert.fail("the old token was used");
    server.endWatches("in order");
    server.put(credential("b"));
    await appears(source, "b");
  });
});

Deno.test("a start without an API server goes on in the background", async () => {
  const prepare = (server: KubernetesServer) => {
    server.put(credential("a"));
    server.faults.list.push("hang");
  };
  const timings = { ...quick, firstSync: 20, requests: { ...quick.requests, list: 700 } };
  await following({ prepare, timings }, async ({ source, log }) => {
    assert.equal(source.isSynced, false);
    assert.equal(source.size, 0);
    assert.ok(log.some((line) => line.includes("not known yet")));
    await appears(source, "a");
    assert.equal(source.isSynced, true);
  });
});

Deno.test("stopping ends requests and pauses at once", async () => {
  for (const fault of ["hang", { status: 500 }] as const) {
    const prepare = (server: KubernetesServer) => server.faults.list.push(fault);
    await following({ prepare, timings: { ...unforgiving, firstSync: 20 } }, async ({ source }) => {
      const begun = performance.now();
      await source.stop();
      // The request would end after ten seconds, the pause after a minute.
      assert.ok(performance.now() - begun < 5_000);
    });
  }
});
