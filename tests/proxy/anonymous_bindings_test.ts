import assert from "node:assert/strict";
import { json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";

const path = "/api/admin/s3-anonymous";
const openBuckets = "/api/admin/s3-proxy/anonymous";
const s3_proxy = { enabled: true, listen: "127.0.0.1:0", anonymous_enabled: true };
const users = { admin: "admin", writer: "user" } as const;

Deno.test("a bucket is opened on one backend, changed and closed", () =>
  withUpstream("embedded", (upstream) => {
    const backends = [{ id: "main", upstream }, { id: "twin", upstream }];
    return withProgram({ users, backends, config: { s3_proxy } }, async (program) => {
      const admin = await program.signedIn();
      await json(admin.post("/api/backends/main/buckets", { json: { name: "photos" } }), 201);
      const bind = (fields: Record<string, unknown>) =>
        admin.post(path, { json: { backend_id: "main", bucket: "photos", mode: "ReadOnly", ...fields } });

      const made = await json(bind({}), 201);
      assert.equal(made.per_source_ip_rps, 0);
      assert.equal(made.source, "sqlite");
      const open = { backend_id: "main", bucket: "photos", mode: "ReadOnly", source: "sqlite" };
      assert.deepEqual(await json(admin.get(openBuckets)), {
        bindings: [{ ...open, per_source_ip_rps: 0 }],
      });
      assert.equal((await json(bind({ per_source_ip_rps: 2.5 }))).per_source_ip_rps, 2.5);

      const conflict = await json(bind({ backend_id: "twin" }), 409);
      assert.equal(
        conflict.error.message,
        'A bucket "photos" is already open to everyone on the backend "main".',
      );
      assert.deepEqual(await json(admin.get(path)), {
        bindings: [{ ...made, per_source_ip_rps: 2.5 }],
        anonymous_enabled: true,
      });

      assert.equal((await json(bind({ mode: "None" }))).mode, "None");
      assert.deepEqual((await json(admin.get(openBuckets))).bindings, []);
      await json(bind({ backend_id: "twin" }), 201);
      assert.equal(await refusal(bind({})), "409 conflict");
      assert.equal(await status(admin.delete(`${path}/twin/photos`)), 204);
      assert.equal(await refusal(admin.delete(`${path}/twin/photos`)), "404 not_found");
      assert.deepEqual((await json(admin.get(openBuckets))).bindings, []);

      const { events } = await json(admin.get("/api/admin/audit?action=s3_anonymous.*"));
      const [removed, changed] = [events[1], events.at(-2)];
      assert.equal(events.length, 8);
      assert.deepEqual(
        [removed.action, removed.backend, removed.bucket, removed.status],
        ["s3_anonymous.delete", "twin", "photos", "ok"],
      );
      assert.deepEqual(changed.detail, { mode: "ReadOnly", per_source_ip_rps: 2.5 });
    });
  }));

Deno.test("a bucket that is deleted and made anew is not open any more", () =>
  withUpstream(
    "embedded",
    (upstream) =>
      withProgram({ users, backends: [{ id: "main", upstream }], config: { s3_proxy } }, async (program) => {
        const admin = await program.signedIn();
        const buckets = "/api/backends/main/buckets";
        await json(admin.post(buckets, { json: { name: "photos" } }), 201);
        await json(
          admin.post(path, { json: { backend_id: "main", bucket: "photos", mode: "ReadOnly" } }),
          201,
        );
        assert.equal(await status(admin.delete(`${buckets}/photos`)), 204);
        await json(admin.post(buckets, { json: { name: "photos" } }), 201);
        assert.deepEqual((await json(admin.get(openBuckets))).bindings, []);
        assert.deepEqual((await json(admin.get(path))).bindings, []);
      }),
  ));

Deno.test("wrong bindings are refused naming the field", () =>
  withUpstream(
    "embedded",
    (upstream) =>
      withProgram({ users, backends: [{ id: "main", upstream }], config: { s3_proxy } }, async (program) => {
        const admin = await program.signedIn();
        const good = { backend_id: "main", bucket: "photos", mode: "ReadOnly" };
        const cases: [Record<string, unknown>, RegExp][] = [
          [{}, /^bucket: the backend has no bucket "photos"$/],
          [{ backend_id: "nowhere" }, /^backend_id: there is no such backend$/],
          [{ bucket: "a/b" }, /^bucket: "a\/b" is not the name of a bucket$/],
          [{ mode: "ReadWrite" }, /^mode: must be ReadOnly or None$/],
          [{ mode: undefined }, /^mode: /],
          [{ per_source_ip_rps: -1 }, /^per_source_ip_rps: /],
          [{ per_source_ip_rps: "5" }, /^per_source_ip_rps: /],
          [{ rps: 5 }, /"rps"/],
        ];
        for (const [fields, expected] of cases) {
          const answer = await json(admin.post(path, { json: { ...good, ...fields } }), 400);
          assert.match(answer.error.message, expected);
        }
        assert.deepEqual((await json(admin.get(path))).bindings, []);
        const writer = await program.signedIn("writer");
        assert.equal(await refusal(writer.get(path)), "403 forbidden");
        assert.equal(await refusal(writer.post(path, { json: good })), "403 forbidden");
        assert.equal(await refusal(writer.delete(`${path}/main/photos`)), "403 forbidden");
      }),
  ));

Deno.test("a backend goes only with force while credentials and bindings point at it, and takes them along", () =>
  withUpstream("embedded", (upstream) =>
    withProgram({ users, config: { s3_proxy } }, async (program) => {
      const admin = await program.signedIn();
      const { endpoint, region, accessKey: access_key, secretKey: secret_key } = upstream;
      const definition = { id: "added", endpoint, region, path_style: true, access_key, secret_key };
      await json(admin.post("/api/admin/backends", { json: definition }), 201);
      await json(admin.post("/api/backends/added/buckets", { json: { name: "photos" } }), 201);
      const scope = { backend_id: "added", buckets: ["photos"] };
      await json(admin.post("/api/admin/s3-credentials", { json: scope }), 201);
      await json(admin.post("/api/admin/s3-credentials", { json: scope }), 201);
      await json(
        admin.post(path, { json: { backend_id: "added", bucket: "photos", mode: "ReadOnly" } }),
        201,
      );

      const remove = "/api/admin/backends/added";
      for (const address of [remove, `${remove}?force=false`]) {
        const { error } = await json(admin.delete(address), 409);
        assert.equal(error.code, "conflict");
        assert.match(error.message, /^2 S3 credentials and 1 anonymous binding /);
      }
      assert.equal((await json(admin.get("/api/admin/s3-credentials"))).credentials.length, 2);
      assert.equal(await status(admin.delete(`${remove}?force=true`)), 204);
      assert.deepEqual((await json(admin.get("/api/admin/s3-credentials"))).credentials, []);
      assert.deepEqual((await json(admin.get(path))).bindings, []);
      const { events: [event] } = await json(admin.get("/api/admin/audit?action=backend.delete"));
      assert.deepEqual(event.detail.removed, ["2 S3 credentials", "1 anonymous binding"]);
    })));
