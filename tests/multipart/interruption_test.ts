import assert from "node:assert/strict";
import { backendId, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { cutOff } from "../support/handmade_upload.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { digest, digestOf, partBytes, pattern, Upload } from "./upload.ts";

const content = [1, 2, 3].map((seed) => pattern(partBytes, seed));

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "a part that the client cuts off is none, and takes no room",
  async (upstream) => {
    await withBucket(upstream, async (bucket) => {
      const { client } = bucket;
      const quota = `${bucket.bucket}/quota`;
      await json(client.put(quota, { json: { soft_bytes: 0, hard_bytes: 200 << 20 } }));
      const upload = await Upload.begin(client, bucket.bucket, "cut");
      const kept = await upload.send(1, content[0]);
      for (const [length, sent] of [[1000, 500], [20 << 20, 12 << 20], [20 << 20, (20 << 20) - 1]]) {
        for (const number of [1, 2]) {
          const path = upload.path(`/parts/${number}`);
          const part = { method: "PUT", path, type: "application/octet-stream", length } as const;
          await cutOff(bucket, part, { sent, route: "/multipart/parts" });
        }
      }
      assert.deepEqual(
        (await upload.list()).map(({ part_number, etag, size }) => [part_number, etag, size]),
        [
          [1, kept.etag, partBytes],
        ],
      );
      assert.equal((await json(client.get(quota))).usage_bytes, partBytes);
      const last = await upload.send(2, content[1]);
      assert.equal((await json(upload.complete([kept, last]))).size, 2 * partBytes);
      assert.equal(await digestOf(client, bucket.object("cut")), digest(content[0], content[1]));
    });
  },
);

upstreamTest(["minio", "versitygw"], "an upload goes on after the program was killed", async (upstream) => {
  await withBucket(upstream, async ({ client, program, bucket }) => {
    const quota = { soft_bytes: 0, hard_bytes: 4 * partBytes };
    await json(client.put(`${bucket}/quota`, { json: quota }));
    const begun = await Upload.begin(client, bucket, "resumed", { content_type: "text/plain" });
    await Promise.all([1, 2].map((number) => begun.send(number, content[number - 1])));
    program.child.signal("SIGKILL");
    await program.child.exited;
    const { directory } = program;
    await withProgram({ directory, backends: [{ id: backendId, upstream }] }, async (again) => {
      const upload = new Upload(await again.signedIn(), bucket, "resumed", begun.id);
      await goesOn(upload);
    });
  });
});

async function goesOn(upload: Upload): Promise<void> {
  const { client, bucket, id } = upload;
  const { uploads } = await json(client.get(`${bucket}/multipart`));
  assert.deepEqual(uploads.map(({ key, upload_id }: Listed) => [key, upload_id]), [["resumed", id]]);
  const parts = (await upload.list()).map(({ part_number, etag }) => ({ part_number, etag }));
  assert.deepEqual(parts.map(({ part_number }) => part_number), [1, 2]);
  const usage = async () => (await json(client.get(`${bucket}/quota`))).usage_bytes;
  const last = await upload.send(3, content[2]);
  assert.equal(await usage(), 3 * partBytes);
  assert.equal(await refusal(upload.put(4, new Uint8Array(partBytes + 1))), "507 quota_exceeded");
  await json(upload.complete([...parts, last]));
  assert.equal(await digestOf(client, `${bucket}/object?key=resumed`), digest(...content));
  assert.equal((await json(client.get(`${bucket}/object/info?key=resumed`))).content_type, "text/plain");
  assert.equal(await usage(), 3 * partBytes);
  assert.deepEqual((await json(client.get(`${bucket}/multipart`))).uploads, []);
}

interface Listed {
  readonly key: string;
  readonly upload_id: string;
}

upstreamTest(
  ["minio", "versitygw"],
  "an upstream that fails leaves an upload as it was",
  async (upstream) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, async ({ client, bucket, object }) => {
        const upload = await Upload.begin(client, bucket, "faults");
        const first = await upload.send(1, content[0]);
        const ofPart = ({ query, method }: { query: URLSearchParams; method: string }) =>
          method === "PUT" && query.has("partNumber");
        const broken = [
          [{ kind: "status", status: 503, code: "SlowDown" }, "502 backend_error"],
          [{ kind: "status", status: 403, code: "AccessDenied" }, "403 forbidden"],
          [{ kind: "reset", afterBytes: 1 << 20 }, "502 backend_error"],
        ] as const;
        for (const [fault, expected] of broken) {
          proxy.rule({ matches: ofPart, fault });
          assert.equal(await refusal(upload.put(2, content[1])), expected, fault.kind);
          proxy.clear();
          assert.equal((await upload.list()).length, 1);
        }
        const second = await upload.send(2, content[1]);
        const ofCompletion = ({ query, method }: { query: URLSearchParams; method: string }) =>
          method === "POST" && query.has("uploadId");
        proxy.rule({ matches: ofCompletion, fault: { kind: "status", status: 500, code: "InternalError" } });
        assert.equal(await refusal(upload.complete([first, second])), "502 backend_error");
        proxy.clear();
        assert.equal((await upload.list()).length, 2);
        assert.equal(await status(client.get(object("faults"))), 404);
        const ofListing = ({ query, method }: { query: URLSearchParams; method: string }) =>
          method === "GET" && query.has("uploadId");
        proxy.rule({ matches: ofListing, fault: { kind: "truncated", afterBytes: 50 } });
        assert.equal(await refusal(upload.complete([first, second])), "502 backend_error");
        assert.equal(await refusal(client.get(upload.path("/parts"))), "502 backend_error");
        proxy.clear();
        await json(upload.complete([first, second]));
        assert.equal(await digestOf(client, object("faults")), digest(content[0], content[1]));
      });
    } finally {
      await proxy.stop();
    }
  },
);
