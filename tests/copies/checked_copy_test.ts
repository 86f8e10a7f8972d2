import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type ApiError, json, refusal } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { plain, startRawUpstream } from "../support/raw_upstream.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import type { ProxiedRequest } from "../support/fault_rules.ts";
import { brokenTest, copied, copyEnd, copyTest } from "./copy_stage.ts";

upstreamTest(["minio", "versitygw"], "a copy that differs from its source is removed", async (upstream) => {
  const raw = startRawUpstream();
  using sdk = s3Client(upstream);
  const backends = [{ id: "from", upstream: raw }, { id: "to", upstream }];
  try {
    await withProgram({ backends }, async (program) => {
      const client = await program.signedIn();
      const target = await copyEnd("to", "target-bucket", sdk);
      const deleted: string[] = [];
      const serve = (content: string, etag: string) =>
        raw.set(({ method, target }) => {
          if (method === "DELETE") deleted.push(target);
          if (target.includes("tagging")) return { text: plain("501 Not Implemented", "") };
          const headers = { etag: `"${etag}"`, "content-type": "text/plain" };
          const text = plain("200 OK", content, headers);
          return { text: method === "HEAD" ? text.slice(0, -content.length) : text };
        });
      const copy = (move: boolean) =>
        client.post("/api/backends/from/buckets/source-bucket/object/copy", {
          json: { src_key: "a", dst_key: "b", dst_backend: "to", dst_bucket: target.bucket, move },
        });
      const md5 = (content: string) => createHash("md5").update(content).digest("hex");
      serve("content", md5("another"));
      const answer = await copy(true);
      assert.equal(answer.status, 502);
      const { error } = await answer.json() as ApiError;
      assert.match(error.message, /not the same as its source/);
      assert.deepEqual(await target.keys(), []);
      assert.deepEqual(deleted, []);

      // An ETag that is no MD5 says nothing, and tags that a backend does not have are not missed.
      serve("content", "another-kind-of-etag");
      await copied(copy(true));
      assert.deepEqual(await target.keys(), ["b"]);
      assert.equal(deleted.length, 1);
    });
  } finally {
    await raw.stop();
  }
});

brokenTest("an object that somebody else stores in the place of a copy stays", async (stage, proxies) => {
  const { source, target, copy } = stage;
  await source.put("a", "content");
  proxies.target.rule({
    matches: ({ method, key }: ProxiedRequest) => method === "HEAD" && key === "b",
    count: 1,
    onRequest: () => target.put("b", "of somebody else"),
  });
  assert.equal(await refusal(copy({ src_key: "a", dst_key: "b", move: true })), "409 conflict");
  assert.equal(new TextDecoder().decode(await target.read("b")), "of somebody else");
  assert.deepEqual(await source.keys(), ["a"]);
}, [["minio", "versitygw"]]);

// MinIO deletes whatever is there.
brokenTest("a source that somebody changes at the last moment stays", async (stage, proxies) => {
  const { source, target, copy } = stage;
  await source.put("a", "content");
  proxies.source.rule({
    matches: ({ method, key }: ProxiedRequest) => method === "DELETE" && key === "a",
    count: 1,
    onRequest: () => source.put("a", "changed"),
  });
  const answer = await copy({ src_key: "a", dst_key: "b", move: true });
  const { error } = await answer.json() as ApiError;
  assert.deepEqual([answer.status, error.code], [409, "conflict"]);
  assert.match(error.message, /was copied, but its source was not deleted/);
  assert.equal(new TextDecoder().decode(await source.read("a")), "changed");
  assert.deepEqual(await target.keys(), ["b"]);
}, [["versitygw", "minio"]]);

brokenTest("two moves against each other lose nothing", async ({ source, target, client, copy }, proxies) => {
  await source.put("a", "content");
  const json = { src_key: "b", dst_key: "a", dst_backend: "from", dst_bucket: source.bucket, move: true };
  const moveBack = () => client.post(`${target.path}/object/copy`, { json });
  let back = "";
  proxies.source.rule({
    matches: ({ method, key }: ProxiedRequest) => method === "DELETE" && key === "a",
    count: 1,
    onRequest: async () => {
      back = await refusal(moveBack());
    },
  });
  await copied(copy({ src_key: "a", dst_key: "b", move: true }));
  assert.equal(back, "409 conflict");
  assert.deepEqual([await source.keys(), await target.keys()], [[], ["b"]]);
  await copied(moveBack());
  assert.deepEqual([await source.keys(), await target.keys()], [["a"], []]);
}, [["minio", "versitygw"]]);

copyTest("copies are on record, and only writers make them", async ({ program, source, copy, client }) => {
  await source.put("a", "content");
  await copied(copy({ src_key: "a", dst_key: "b" }));
  await copied(copy({ src_key: "a", dst_key: "c", dst_backend: "to", move: true }));
  assert.equal(await refusal(copy({ src_key: "a", dst_key: "d" })), "404 not_found");
  const { events } = await json(client.get("/api/admin/audit?action=object.*&limit=10"));
  // deno-lint-ignore no-explicit-any -- what was answered is what is looked at
  const records = events.map(({ action, backend, bucket, key, status, detail }: any) => ({
    ...{ action, backend, bucket, key, status },
    ...{ dst_key: detail.dst_key, dst_backend: detail.dst_backend, size: detail.size, move: detail.move },
  }));
  const common = { backend: "from", bucket: source.bucket, key: "a" };
  const target = { dst_backend: "from", move: false };
  assert.deepEqual(records.reverse(), [
    { ...common, ...target, action: "object.copy", status: "ok", dst_key: "b", size: 7 },
    {
      ...common,
      ...{ action: "object.transfer", status: "ok", dst_key: "c", dst_backend: "to", size: 7, move: true },
    },
    { ...common, ...target, action: "object.copy", status: "error", dst_key: "d", size: undefined },
  ]);

  await json(
    client.post("/api/admin/users", {
      json: { username: "reader", password: "a long password", role: "readonly" },
    }),
    201,
  );
  const reader = await program.client().signIn("reader", "a long password");
  const body = { src_key: "b", dst_key: "e" };
  assert.equal(await refusal(reader.post(`${source.path}/object/copy`, { json: body })), "403 forbidden");
}, ["minio"]);
