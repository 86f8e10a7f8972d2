import assert from "node:assert/strict";
import { bucketName, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { plain, startRawUpstream } from "../support/raw_upstream.ts";
import { upstreamTest } from "../support/upstreams.ts";

upstreamTest(["minio"], "an archive begins before all of it is listed", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  try {
    await withBucket(proxy, async (test) => {
      await test.upload("a/1.txt", "first");
      await test.upload("b/1.txt", "second");
      proxy.rule({ matches: ({ query }) => query.get("prefix") === "b/", fault: { kind: "hang" } });
      const abort = new AbortController();
      const answer = await test.client.post(`/api/backends/main/buckets/${bucketName}/objects/zip`, {
        json: { prefixes: ["a/", "b/"] },
        signal: abort.signal,
      });
      const { value } = await answer.body?.getReader().read() ?? {};
      assert.match(new TextDecoder().decode(value), /a\/1\.txt.*first/s);
      abort.abort();
    });
  } finally {
    await proxy.stop();
  }
});

Deno.test("the backend's answers end when the client goes away", async () => {
  const upstream = startRawUpstream();
  const size = 1 << 30;
  const page =
    `<ListBucketResult><Contents><Key>a/large</Key><Size>${size}</Size></Contents></ListBucketResult>`;
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\netag: "x"\r\n\r\n`;
  upstream.set(({ target }) =>
    target.startsWith("/stored/a/large")
      ? { text: head, filler: 1 << 20, hold: true }
      : { text: plain("200 OK", page, { "content-type": "application/xml" }) }
  );
  try {
    await withProgram({ backends: [{ id: "raw", upstream }] }, async (program) => {
      const client = await program.signedIn();
      const abort = new AbortController();
      const path = "/api/backends/raw/buckets/stored/objects/zip?prefix=a/";
      const answer = await client.get(path, { signal: abort.signal });
      const reader = answer.body?.getReader();
      assert.equal(new TextDecoder().decode((await reader?.read())?.value).slice(0, 2), "PK");
      await until(() => upstream.open() > 0, { what: "the object to be asked for" });
      abort.abort();
      await reader?.closed.catch(() => {});
      await until(() => upstream.open() === 0, { what: "the backend's connection to end" });
    });
  } finally {
    await upstream.stop();
  }
});
