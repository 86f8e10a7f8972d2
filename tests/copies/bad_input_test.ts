import assert from "node:assert/strict";
import { type ApiError, refusal } from "../support/http_client.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { copyTest, transferTest, withCopyStage } from "./copy_stage.ts";

copyTest("an object is never copied or moved onto itself", async ({ source, client }) => {
  await source.put("a", "content");
  const { LastModified: before, VersionId } = await source.head("a");
  const onto = (body: Record<string, unknown>) =>
    refusal(client.post(`${source.path}/object/copy`, { json: { src_key: "a", dst_key: "a", ...body } }));
  const places = [{}, { dst_backend: "from", dst_bucket: source.bucket }, { dst_backend: "to" }];
  for (const place of places) {
    assert.equal(await onto(place), "400 bad_request");
    assert.equal(await onto({ ...place, move: true }), "400 bad_request");
    assert.equal(await onto({ ...place, move: true, metadata: { a: "b" } }), "400 bad_request");
    assert.equal(await onto({ ...place, move: true, version_id: VersionId ?? "null" }), "400 bad_request");
  }
  assert.deepEqual((await source.head("a")).LastModified, before);
});

upstreamTest(["minio", "versitygw"], "a server with two addresses is known for one", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  try {
    await withCopyStage({ source: upstream, target: upstream }, async ({ source, client }) => {
      await source.put("a", "content");
      for (const move of [false, true]) {
        const json = { src_key: "a", dst_key: "a", dst_backend: "to", move };
        assert.equal(
          await refusal(client.post(`${source.path}/object/copy`, { json })),
          "400 bad_request",
        );
      }
      assert.deepEqual(await source.keys(), ["a"]);
    }, { proxies: { target: proxy } });
  } finally {
    await proxy.stop();
  }
});

copyTest("no version is moved or deleted by another name of its object", async ({ source, client, copy }) => {
  await source.put("a", "content");
  for (const dst_backend of ["from", "to"]) {
    const body = { src_key: "/a", version_id: "null", dst_key: "a", dst_bucket: source.bucket, dst_backend };
    assert.equal(await refusal(copy({ ...body, move: true })), "400 invalid_key");
    assert.equal(await refusal(copy({ ...body, move: true, content_type: "text/html" })), "400 invalid_key");
  }
  const deletion = client.delete(`${source.path}/object?key=${encodeURIComponent("/a")}&version_id=null`);
  assert.equal(await refusal(deletion), "400 invalid_key");
  assert.deepEqual(await source.keys(), ["a"]);
});

const refused: readonly (readonly [what: string, body: Record<string, unknown>, expected: string])[] = [
  ["a missing source", { src_key: "none" }, "404 not_found"],
  ["a missing bucket", { dst_bucket: "no-such-bucket" }, "404 not_found"],
  ["an unknown backend", { dst_backend: "nowhere" }, "404 not_found"],
  ["a bucket name that is none", { dst_bucket: "a/b" }, "400 invalid_bucket_name"],
  ["no source", { src_key: undefined }, "400 bad_request"],
  ["no target", { dst_key: undefined }, "400 bad_request"],
  ["an empty source", { src_key: "" }, "400 invalid_key"],
  ["an empty target", { dst_key: "" }, "400 invalid_key"],
  ["a target with NUL", { dst_key: "a\0b" }, "400 invalid_key"],
  ["a target that is too long", { dst_key: "é".repeat(513) }, "400 invalid_key"],
  ["a target that is no Unicode", { dst_key: "\ud800" }, "400 invalid_key"],
  ["a target that climbs", { dst_key: "../a" }, "400 invalid_key"],
  ["a target with a dot", { dst_key: "a/./b" }, "400 invalid_key"],
  ["a move of something with dots", { src_key: "b/../a", move: true }, "400 invalid_key"],
  ["metadata with a line break", { metadata: { a: "b\r\nx-amz-acl: public-read" } }, "400 invalid_metadata"],
  ["metadata with a control character", { metadata: { a: "\u0007" } }, "400 invalid_metadata"],
  ["metadata with a name that is none", { metadata: { "a b": "c" } }, "400 invalid_metadata"],
  ["metadata beyond 2 KiB", { metadata: { a: "b".repeat(2048) } }, "400 invalid_metadata"],
  ["metadata that is no text", { metadata: { a: 1 } }, "400 bad_request"],
  ["a content type that is none", { content_type: "text" }, "400 invalid_metadata"],
  ["a content type with a line break", { content_type: "text/plain\r\na: b" }, "400 invalid_metadata"],
  ["a flag that is none", { move: "yes" }, "400 bad_request"],
  ["an empty version", { version_id: "" }, "400 bad_request"],
  ["a version that is no Unicode", { version_id: "\ud800" }, "400 bad_request"],
];

for (const register of [copyTest, transferTest]) {
  register("bad requests are refused and change nothing", async ({ source, target, copy }) => {
    await source.put("a", "content");
    for (const [what, body, expected] of refused) {
      const { move = true, ...rest } = body;
      const answer = copy({ src_key: "a", dst_key: "b", move, ...rest });
      assert.equal(await refusal(answer), expected, what);
    }
    const answer = await copy({ src_key: "a", dst_key: "b", dst_bucket: "no-such-bucket" });
    const { error } = await answer.json() as ApiError;
    assert.match(error.message, /target bucket/);
    assert.deepEqual(await source.keys(), ["a"]);
    assert.deepEqual(await target.keys(), []);
    assert.equal(await target.uploads(), 0);
  });
}
