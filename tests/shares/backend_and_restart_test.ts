import assert from "node:assert/strict";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { json, status } from "../support/http_client.ts";
import { type Program, withProgram } from "../support/program.ts";
import { upstreamTest } from "../support/upstreams.ts";

const raw = (program: Program, code: string) => status(program.client().get(`/s/${code}/raw`));

upstreamTest(
  ["minio"],
  "a backend goes only with force while shares point at it, and they end",
  (upstream) =>
    withProgram({ config: { ratelimit: { share_per_minute: 0 } } }, async (program) => {
      const admin = await program.signedIn();
      const { endpoint, region, accessKey: access_key, secretKey: secret_key } = upstream;
      const definition = {
        id: "own",
        name: "Own",
        endpoint,
        region,
        path_style: true,
        access_key,
        secret_key,
      };
      const create = () => admin.post("/api/admin/backends", { json: definition });
      await json(create(), 201);
      await json(admin.post("/api/backends/own/buckets", { json: { name: "shared-files" } }), 201);
      const object = "/api/backends/own/buckets/shared-files/object?key=a.txt";
      await json(admin.post(object, { body: "content" }), 201);
      const body = { backend_id: "own", bucket: "shared-files", key: "a.txt" };
      const { code } = await json(admin.post("/api/shares", { json: body }), 201);
      const refused = await admin.delete("/api/admin/backends/own");
      assert.match(await refused.text(), /1 share would go with this backend/);
      assert.equal(refused.status, 409);
      assert.equal(await raw(program, code), 200);
      const enable = (enabled: boolean) => admin.patch("/api/admin/backends/own", { json: { enabled } });
      await json(enable(false));
      assert.equal(await raw(program, code), 502, "it may come back");
      await json(enable(true));
      assert.equal(await raw(program, code), 200);
      assert.equal(await status(admin.delete("/api/admin/backends/own?force=true")), 204);
      await json(create(), 201);
      assert.equal(await raw(program, code), 410);
    }),
);

upstreamTest(
  ["minio"],
  "shares outlive a restart, and their links name server.public_url",
  (upstream) =>
    withBucket(upstream, async ({ program, client, upload }) => {
      await upload("a.txt", "content");
      const { id, code } = await json(
        client.post("/api/shares", {
          json: { backend_id: backendId, bucket: bucketName, key: "a.txt", max_downloads: 2 },
        }),
        201,
      );
      assert.equal(await raw(program, code), 200);
      await program.child.stop();
      const config = { server: { public_url: "https://share.example.org/" } };
      const backends = [{ id: backendId, upstream }];
      await withProgram({ backends, config, directory: program.directory }, async (second) => {
        const again = await json((await second.signedIn()).get(`/api/shares/${id}`));
        assert.deepEqual([again.url, again.download_count], [`https://share.example.org/s/${code}`, 1]);
        assert.equal(await raw(second, code), 200);
        assert.equal(await raw(second, code), 410);
      });
    }),
);
