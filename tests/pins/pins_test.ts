import assert from "node:assert/strict";
import { startRawUpstream } from "../support/raw_upstream.ts";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

const pinsOf = async (client: Client) =>
  (await json(client.get("/api/me/pins"))).pins.map(({ bucket }: { bucket: string }) => bucket);

upstreamTest(
  ["minio"],
  "pins of one's own",
  (upstream, context) =>
    withBucket(upstream, async ({ client, backend, program }) => {
      const pin = (bucket: string, who = client, backend_id = backendId) =>
        who.post("/api/me/pins", { json: { backend_id, bucket } });
      const reader = await program.signedIn("reader");
      for (const name of ["second-bucket", "third-bucket"]) {
        await json(client.post(`${backend}/buckets`, { json: { name } }), 201);
      }

      await context.step("are added, listed and removed; twice is once", async () => {
        assert.deepEqual(await json(client.get("/api/me/pins")), { pins: [] });
        const first = await json(pin(bucketName), 201);
        assert.deepEqual([first.backend_id, first.bucket], [backendId, bucketName]);
        assert.deepEqual(await json(pin(bucketName)), first);
        await json(pin("second-bucket"), 201);
        assert.deepEqual(await pinsOf(client), [bucketName, "second-bucket"]);
        const path = `/api/me/pins/${backendId}/${bucketName}`;
        assert.equal(await status(client.delete(path)), 204);
        assert.equal(await status(client.delete(path)), 204);
        assert.deepEqual(await pinsOf(client), ["second-bucket"]);
      });
      await context.step("belong to their user, who may be a reader", async () => {
        assert.deepEqual(await pinsOf(reader), []);
        await json(pin("third-bucket", reader), 201);
        assert.equal(await status(reader.delete(`/api/me/pins/${backendId}/second-bucket`)), 204);
        assert.deepEqual(await pinsOf(client), ["second-bucket"]);
        assert.deepEqual(await pinsOf(reader), ["third-bucket"]);
      });
      await context.step("are also of folders, filters and searches, each a pin of its own", async () => {
        const add = (place: Record<string, string>, expected = 201) =>
          json(client.post("/api/me/pins", { json: place }), expected);
        const bucket = { backend_id: backendId, bucket: "second-bucket" };
        const folder = { ...bucket, prefix: "a//b c/" };
        const filter = { ...folder, filter: "50% #1" };
        const search = { ...folder, search: "report" };
        const everywhere = { backend_id: "", bucket: "", search: "report" };
        const ofBackend = { ...everywhere, backend_id: backendId };
        const all: Record<string, string>[] = [bucket, folder, filter, search, everywhere, ofBackend];
        for (const place of all) await add(place, place === bucket ? 200 : 201);
        await add(folder, 200);
        const shown = async () =>
          (await json(client.get("/api/me/pins"))).pins.map((
            { created_at: _, ...place }: Record<string, string>,
          ) => place);
        assert.deepEqual(await shown(), all);
        const path = `/api/me/pins/${backendId}/second-bucket`;
        const away = (query: Record<string, string>, from = path) =>
          status(client.delete(`${from}?${new URLSearchParams(query)}`));
        assert.equal(await away({ prefix: folder.prefix, filter: filter.filter }), 204);
        assert.equal(await away({ search: "report" }, "/api/me/pins"), 204);
        assert.deepEqual(await shown(), [bucket, folder, search, ofBackend]);
        assert.equal(await away({ prefix: folder.prefix }), 204);
        assert.equal(await away({ prefix: folder.prefix, search: "report" }), 204);
        assert.equal(await away({ backend_id: backendId, search: "report" }, "/api/me/pins"), 204);
        assert.deepEqual(await shown(), [bucket]);
        for (
          const wrong of [
            {},
            { backend_id: backendId },
            { bucket: bucketName },
            { ...bucket, filter: "x", search: "y" },
            { search: "x", prefix: "y/" },
            { ...bucket, prefix: "\0" },
            { ...bucket, filter: "\ud800" },
          ]
        ) assert.equal(await refusal(client.post("/api/me/pins", { json: wrong })), "400 bad_request");
        const long = { ...bucket, prefix: "ä".repeat(600) };
        assert.equal(await refusal(client.post("/api/me/pins", { json: long })), "400 invalid_prefix");
      });
      await context.step("are refused for what is not there", async () => {
        assert.equal(await refusal(pin(bucketName, client, "gone")), "404 not_found");
        assert.equal(await refusal(pin("no-such-bucket")), "404 not_found");
        assert.equal(await refusal(pin("../etc")), "400 invalid_bucket_name");
        assert.equal(await refusal(client.post("/api/me/pins", { json: { bucket: 7 } })), "400 bad_request");
        assert.equal(await refusal(program.client().get("/api/me/pins")), "401 unauthorized");
        const forged = { json: { backend_id: backendId, bucket: bucketName }, withoutCsrf: true };
        assert.equal(await refusal(client.post("/api/me/pins", forged)), "403 csrf_invalid");
        assert.deepEqual(await pinsOf(client), ["second-bucket"]);
      });
      await context.step("are not the buckets that one was last in, which are listed apart", async () => {
        const recent = async () =>
          (await json(client.get("/api/me/recent-buckets"))).buckets.map(({ bucket }: { bucket: string }) =>
            bucket
          );
        for (const name of ["second-bucket", "third-bucket"]) {
          await json(client.get(`${backend}/buckets/${name}/objects`));
        }
        assert.deepEqual((await recent()).sort(), ["second-bucket", "third-bucket"]);
      });
      await context.step("go with their bucket, also those of others", async () => {
        await json(pin("third-bucket"), 201);
        assert.equal(await status(client.delete(`${backend}/buckets/third-bucket`)), 204);
        assert.deepEqual(await pinsOf(client), ["second-bucket"]);
        assert.deepEqual(await pinsOf(reader), []);
      });
      await context.step("go with their backend, and with their user", async () => {
        const { endpoint, region, accessKey: access_key, secretKey: secret_key } = upstream;
        const other = { name: "Other", endpoint, region, path_style: true, access_key, secret_key };
        const create = () => client.post("/api/admin/backends", { json: { id: "other", ...other } });
        await json(create(), 201);
        await json(pin("second-bucket", reader, "other"), 201);
        assert.equal(await status(client.delete("/api/admin/backends/other?force=true")), 204);
        await json(create(), 201);
        assert.deepEqual(await pinsOf(reader), []);
        await json(pin("second-bucket", reader), 201);
        const { users } = await json(client.get("/api/admin/users"));
        const { id } = users.find(({ username }: { username: string }) => username === "reader");
        assert.equal(await status(client.delete(`/api/admin/users/${id}`)), 204);
      });
    }, { users: { admin: "admin", reader: "readonly" } }),
);

Deno.test("pins are limited", async () => {
  const upstream = startRawUpstream();
  upstream.set(() => ({ text: "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" }));
  try {
    await withProgram({ backends: [{ id: "raw", upstream }] }, async (program) => {
      const client = await program.signedIn();
      const pin = (index: number) =>
        client.post("/api/me/pins", { json: { backend_id: "raw", bucket: `bucket-${index}` } });
      for (let index = 0; index < 100; index++) await json(pin(index), 201);
      assert.equal(await refusal(pin(100)), "409 conflict");
      await json(pin(99), 200);
    });
  } finally {
    await upstream.stop();
  }
});
