import assert from "node:assert/strict";
import { Watchdog } from "../../src/http1/watchdog.ts";
import { exchange } from "../../src/backends/http1_exchange.ts";
import { Signer, unsignedPayload } from "../../src/sigv4/sign.ts";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const keysOf = (objects: { key: string }[]) => objects.map(({ key }) => key);

upstreamTest(["embedded"], "keys with dot segments are read but not changed", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, object, upload }) => {
    await upload("b", "untouched");
    const keys = ["a/../b", "./x", "a/./b", "x/..", "."];
    const url = new URL(upstream.endpoint);
    const signer = new Signer({
      accessKeyId: upstream.accessKey,
      secretKey: upstream.secretKey,
      region: upstream.region,
    });
    for (const key of keys) {
      const put = {
        method: "PUT",
        origin: url.origin,
        path: `/${bucketName}/${key}`,
        query: "",
        headers: new Headers({ "host": url.host, "content-length": "7" }),
      };
      signer.sign(put, unsignedPayload, Date.now());
      put.headers.delete("host");
      const { status, body } = await exchange({ ...put, body: "foreign" }, new Watchdog(Date.now));
      await body?.cancel();
      assert.equal(status, 200);
    }
    for (const key of keys) {
      assert.equal(await (await client.get(object(key))).text(), "foreign", key);
      assert.equal((await json(client.get(object(key).replace("/object?", "/object/info?")))).size, 7);
      assert.equal(await refusal(client.post(object(key), { body: "x" })), "400 invalid_key");
      assert.equal(await refusal(client.delete(object(key))), "400 invalid_key");
      const bulk = { json: { keys: [{ key: "b" }, { key }] } };
      assert.equal(await refusal(client.post(`${bucket}/objects/delete`, bulk)), "400 invalid_key");
    }
    assert.equal(
      await refusal(client.post(`${bucket}/objects/folder`, { json: { key: "a/../" } })),
      "400 invalid_key",
    );
    assert.equal(await (await client.get(object("b"))).text(), "untouched");
  });
});

upstreamTest(
  ["minio", "versitygw"],
  "a key that the backend takes for another one changes nothing",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket, object, upload }) => {
      for (const key of ["/new", "/new/folder/"]) {
        const write = key.endsWith("/")
          ? client.post(`${bucket}/objects/folder`, { json: { key } })
          : client.post(object(key), { body: "x" });
        assert.equal(await refusal(write), "400 invalid_key", key);
        assert.deepEqual((await json(client.get(`${bucket}/objects?delimiter=`))).objects, []);
      }
      await upload("lead", "untouched");
      assert.equal(await refusal(client.post(object("/lead"), { body: "x" })), "400 invalid_key");
      assert.equal(await refusal(client.delete(object("/lead"))), "400 invalid_key");
      const keys = ["nothing", "/lead", "a//b"].map((key) => ({ key }));
      const { deleted, errors } = await json(
        client.post(`${bucket}/objects/delete`, { json: { keys } }),
      );
      const accounted = [...keysOf(deleted), ...keysOf(errors)].sort();
      assert.deepEqual(accounted, ["/lead", "a//b", "nothing"]);
      assert.deepEqual(errors.find(({ key }: { key: string }) => key === "/lead").code, "invalid_key");
      assert.ok(errors.every((error: object) => !("version_id" in error)));
      assert.equal(await (await client.get(object("lead"))).text(), "untouched");
    });
  },
);

upstreamTest(
  ["minio", "versitygw"],
  "keys that the backend refuses are the client's fault",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket, object, backend }) => {
      const bad = upstream.kind === "minio" ? "a//b" : "a/..";
      const info = object(bad).replace("/object?", "/object/info?");
      assert.equal(await refusal(client.get(object(bad))), "400 invalid_key");
      assert.equal(await refusal(client.get(info)), "400 invalid_key");
      assert.equal(await status(client.request("HEAD", object(bad))), 400);
      if (upstream.kind === "versitygw") {
        assert.equal(await refusal(client.post(object("tr/"), { body: "x" })), "400 invalid_key");
        await client.post(object("file"), { body: "x" });
        const below = await client.post(object("file/below"), { body: "x" });
        assert.equal(below.status, 409);
        assert.match((await below.json()).error.message, /is an object itself/);
        await client.delete(object("file"));
        const elsewhere = { json: { name: "far-bucket", region: "mars" } };
        assert.equal(await refusal(client.post(`${backend}/buckets`, elsewhere)), "400 bad_request");
      }
      assert.deepEqual((await json(client.get(`${bucket}/objects?delimiter=`))).objects, []);
    });
  },
);
