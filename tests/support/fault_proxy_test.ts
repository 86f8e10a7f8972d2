import assert from "node:assert/strict";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { type Fault, type FaultProxy, startFaultProxy } from "./fault_proxy.ts";
import type { RequestFault } from "./fault_rules.ts";
import { answerFraming, MessageReader, statusOf } from "./http_framing.ts";
import { s3Client } from "./s3_client.ts";
import { type Upstream, upstreamTest } from "./upstreams.ts";

upstreamTest(["embedded"], "the fault proxy does to requests what it is told", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  const outcome = async (fault: Fault) => {
    proxy.set(fault);
    // Only what hangs is given up.
    const signal = fault === "hang" ? AbortSignal.timeout(500) : undefined;
    try {
      const answer = await fetch(proxy.endpoint, { signal });
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

const bucket = "test-bucket";

/** Runs `body` with a proxy in front of an upstream that has one bucket. */
async function withProxy(
  upstream: Upstream,
  body: (proxy: FaultProxy, s3: S3Client) => Promise<void>,
): Promise<void> {
  const proxy = startFaultProxy(upstream);
  using s3 = s3Client(proxy);
  try {
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    proxy.clear();
    await body(proxy, s3);
  } finally {
    await proxy.stop();
  }
}

/** `done`, the status and code of a refusal, or `broken` when no whole answer came. */
async function outcomeOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return "done";
  } catch (error) {
    if (!(error instanceof S3ServiceException)) return "broken";
    return `${error.$metadata.httpStatusCode} ${error.name}`;
  }
}

upstreamTest(
  ["minio", "versitygw"],
  "the fault proxy does to single requests what rules say",
  async (upstream) => {
    await withProxy(upstream, async (proxy, s3) => {
      const put = (Key: string, bytes = 1000) =>
        outcomeOf(s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: new Uint8Array(bytes) })));
      const get = async (Key: string) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
        return await Body?.transformToByteArray();
      };
      const exists = (Key: string) =>
        outcomeOf(s3.send(new HeadObjectCommand({ Bucket: bucket, Key }))).then((outcome) =>
          outcome === "done"
        );
      const failing = async (fault: RequestFault, work: () => Promise<string>) => {
        const rule = proxy.rule({ matches: ({ key }) => key !== "", fault });
        const outcome = await work();
        assert.ok(rule.applied >= 1);
        rule.remove();
        return outcome;
      };

      assert.equal(await put("a b/ü+%.txt", 200_000), "done");
      assert.deepEqual(
        proxy.requests.map(({ method, bucket, key, bytes, isForwarded, status }) => ({
          method,
          bucket,
          key,
          isWhole: bytes >= 200_000,
          isForwarded,
          status,
        })),
        [{ method: "PUT", bucket, key: "a b/ü+%.txt", isWhole: true, isForwarded: true, status: 200 }],
      );
      assert.equal((await get("a b/ü+%.txt"))?.length, 200_000);

      assert.equal(await failing({ kind: "refuse" }, () => put("refused")), "broken");
      assert.equal(await failing({ kind: "reset" }, () => put("reset", 200_000)), "broken");
      assert.equal(
        await failing({ kind: "reset", afterBytes: 100_000 }, () => put("cut", 200_000)),
        "broken",
      );
      assert.equal(proxy.requests.at(-1)?.isForwarded, true);
      assert.equal(
        await failing({ kind: "status", status: 503, code: "SlowDown" }, () => put("full")),
        "503 SlowDown",
      );
      assert.equal(proxy.requests.at(-1)?.isForwarded, false);
      assert.equal(await failing({ kind: "lost_answer" }, () => put("lost")), "broken");
      assert.deepEqual(await Promise.all(["refused", "reset", "full", "lost"].map(exists)), [
        false,
        false,
        false,
        true,
      ]);

      assert.equal(await put("whole", 200_000), "done");
      const truncated = failing({ kind: "truncated", afterBytes: 1000 }, () => outcomeOf(get("whole")));
      assert.equal(await truncated, "broken");
      const started = performance.now();
      assert.equal(
        await failing({ kind: "slow", bytesPerSecond: 1_000_000 }, () => outcomeOf(get("whole"))),
        "done",
      );
      assert.ok(performance.now() - started >= 200);
    });
  },
);

upstreamTest(["embedded"], "rules of the fault proxy count requests and call back", async (upstream) => {
  await withProxy(upstream, async (proxy, s3) => {
    const list = () => outcomeOf(s3.send(new ListObjectsV2Command({ Bucket: bucket })));
    const fault = { kind: "status", status: 500, code: "InternalError" } as const;
    const rule = proxy.rule({ matches: ({ query }) => query.has("list-type"), from: 2, count: 2, fault });
    const outcomes = [await list(), await list(), await list(), await list()];
    assert.deepEqual(outcomes, ["done", "500 InternalError", "500 InternalError", "done"]);
    assert.equal(rule.applied, 2);
    assert.equal(proxy.requests.length, 4);

    proxy.clear();
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    proxy.rule({
      onRequest() {
        reached.resolve();
        return held.promise;
      },
    });
    const listing = list();
    await reached.promise;
    assert.equal(proxy.requests[0].isForwarded, false);
    held.resolve();
    assert.equal(await listing, "done");
  });
});

upstreamTest(
  ["minio"],
  "the fault proxy forwards chunked bodies and waits for 100 Continue",
  async (upstream) => {
    await withProxy(upstream, async (proxy) => {
      const connection = await Deno.connect({ port: Number(new URL(proxy.endpoint).port) });
      try {
        const send = (text: string) => connection.write(new TextEncoder().encode(text));
        const reader = new MessageReader(connection);
        const answer = async () => {
          const head = await reader.readHead();
          assert.ok(head !== undefined);
          for await (const _ of reader.readBody(answerFraming("PUT", head)));
          return statusOf(head);
        };
        const head = `PUT /${bucket}/key HTTP/1.1\r\nhost: upstream\r\n`;
        await send(`${head}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`);
        assert.equal(await answer(), 411);
        assert.equal(proxy.requests[0].bytes, "5\r\nhello\r\n0\r\n\r\n".length);
        proxy.rule({ fault: { kind: "status", status: 503, code: "SlowDown" } });
        await send(`${head}content-length: 5\r\nexpect: 100-continue\r\n\r\n`);
        assert.equal(await answer(), 100);
        await send("hello");
        assert.equal(await answer(), 503);
      } finally {
        connection.close();
      }
    });
  },
);
