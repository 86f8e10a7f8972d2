import assert from "node:assert/strict";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { type Program, type ProgramOptions, withProgram } from "../support/program.ts";
import { type Upstream, upstreamTest, withUpstream } from "../support/upstreams.ts";

const mine = "/api/me/s3-credentials";
const everyone = "/api/admin/s3-credentials";
const s3_proxy = { enabled: true, listen: "127.0.0.1:0" };
const users = { admin: "admin", writer: "user", other: "user", reader: "readonly" } as const;
const scope = { backend_id: "main", buckets: ["photos"] };

/** Runs `body` with the program, the S3 endpoint switched on, and the buckets `photos` and `films` on its backend. */
function withBuckets(
  upstream: Upstream,
  body: (program: Program, admin: Client) => Promise<void>,
  options: ProgramOptions = {},
): Promise<void> {
  const backends = [{ id: "main", upstream }];
  return withProgram({ users, ...options, backends, config: { s3_proxy } }, async (program) => {
    const admin = await program.signedIn();
    for (const name of ["photos", "films"]) {
      await json(admin.post("/api/backends/main/buckets", { json: { name } }), 201);
    }
    await body(program, admin);
  });
}

async function userId(client: Client): Promise<string> {
  return (await json(client.get("/api/me"))).id;
}

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "a credential is made for buckets that exist",
  (upstream) =>
    withBuckets(upstream, async (_program, admin) => {
      const made = await json(
        admin.post(everyone, { json: { backend_id: "main", buckets: ["photos", "films", "photos"] } }),
        201,
      );
      assert.deepEqual(made.buckets, ["photos", "films"]);
      const typo = await admin.post(everyone, {
        json: { backend_id: "main", buckets: ["photos", "photoz"] },
      });
      const { error } = await json(typo, 400);
      assert.equal(error.message, 'buckets: the backend has no bucket "photoz"');
      assert.deepEqual(error.detail, { field: "buckets", missing: ["photoz"] });
      assert.equal((await json(admin.get(everyone))).credentials.length, 1);
    }),
);

Deno.test("the secret is told once, when a credential is made; everything else stays readable", () =>
  withUpstream("embedded", (upstream) =>
    withBuckets(upstream, async (program) => {
      const writer = await program.signedIn("writer");
      const id = await userId(writer);
      const details = {
        description: "backup",
        prefix: "team/",
        read_only: true,
        expires_at: "2100-01-31T13:00:00+01:00",
      };
      const made = await json(writer.post(mine, { json: { ...scope, ...details } }), 201);
      assert.match(made.access_key, /^AKIA[A-Z2-7]{16}$/);
      assert.match(made.secret_key, /^[A-Za-z0-9]{40}$/);
      assert.match(made.endpoint_url, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.deepEqual(made.bucket_urls, { photos: `${made.endpoint_url}/photos` });
      const { secret_key: secret, endpoint_url, bucket_urls, ...shown } = made;
      assert.deepEqual(shown, {
        ...scope,
        ...details,
        access_key: made.access_key,
        expires_at: "2100-01-31T12:00:00.000Z",
        enabled: true,
        status: "active",
        user_id: id,
        username: "writer",
        created_at: made.created_at,
        created_by: id,
        updated_at: made.created_at,
        source: "sqlite",
      });
      assert.deepEqual(await json(writer.get(mine)), { credentials: [shown], endpoint_url });
      assert.deepEqual(await json(writer.get(`${mine}/${made.access_key}`)), {
        ...shown,
        endpoint_url,
        bucket_urls,
      });

      const rotated = await json(writer.post(`${mine}/${made.access_key}/rotate`));
      assert.equal(rotated.access_key, made.access_key);
      assert.notEqual(rotated.secret_key, secret);
      assert.ok(rotated.rotated_at);
      const admin = await program.signedIn();
      const views = [everyone, "/api/admin/s3-proxy/credentials", "/api/admin/audit"];
      const texts = await Promise.all(views.map(async (path) => await (await admin.get(path)).text()));
      texts.push(program.child.stderr.join("\n"));
      for (const file of ["service.db", "service.db-wal"]) {
        const bytes = await Deno.readFile(`${program.directory}/${file}`);
        texts.push(new TextDecoder("latin1").decode(bytes));
      }
      for (const text of texts) {
        assert.ok(!text.includes(secret) && !text.includes(rotated.secret_key), "a secret is told");
      }
    })));

Deno.test("a user sees and changes their own credentials only, an administrator all", () =>
  withUpstream("embedded", (upstream) =>
    withBuckets(upstream, async (program, admin) => {
      const writer = await program.signedIn("writer");
      const other = await program.signedIn("other");
      const { access_key: key } = await json(writer.post(mine, { json: scope }), 201);
      const { access_key: nobodys } = await json(admin.post(everyone, { json: scope }), 201);
      const given = { ...scope, user_id: await userId(other) };
      const { access_key: others } = await json(admin.post(everyone, { json: given }), 201);

      for (const foreign of [nobodys, others]) {
        for (
          const answer of [
            writer.get(`${mine}/${foreign}`),
            writer.patch(`${mine}/${foreign}`, { json: { enabled: false } }),
            writer.post(`${mine}/${foreign}/rotate`),
            writer.delete(`${mine}/${foreign}`),
          ]
        ) assert.equal(await refusal(answer), "404 not_found");
      }
      assert.equal(await refusal(writer.get(everyone)), "403 forbidden");
      assert.equal(await refusal(writer.post(everyone, { json: scope })), "403 forbidden");
      assert.equal(await refusal(program.client().get(mine)), "401 unauthorized");
      const keysOf = async (client: Client, path: string) =>
        (await json(client.get(path))).credentials.map((item: { access_key: string }) => item.access_key);
      assert.deepEqual(await keysOf(writer, mine), [key]);
      assert.deepEqual(await keysOf(other, mine), [others]);
      assert.deepEqual(await keysOf(admin, mine), []);
      assert.deepEqual(await keysOf(admin, everyone), [key, nobodys, others]);

      const disabled = await json(admin.patch(`${everyone}/${key}`, { json: { enabled: false } }));
      assert.equal(disabled.status, "disabled");
      assert.equal(await status(admin.delete(`${everyone}/${key}`)), 204);
      assert.deepEqual(await keysOf(writer, mine), []);
      assert.equal(await refusal(admin.delete(`${everyone}/${key}`)), "404 not_found");
    })));

Deno.test("a change counts at once, and leaves alone what it does not name", () =>
  withUpstream("embedded", (upstream) =>
    withBuckets(upstream, async (_program, admin) => {
      const { access_key: key } = await json(admin.post(everyone, { json: scope }), 201);
      const path = `${everyone}/${key}`;
      const change = (fields: Record<string, unknown>) => json(admin.patch(path, { json: fields }));
      assert.equal((await change({ description: " nightly " })).description, "nightly");
      const changed = await change({ buckets: ["films"], read_only: true, prefix: "a/b" });
      assert.deepEqual(changed.buckets, ["films"]);
      assert.equal(changed.read_only, true);
      assert.equal(changed.prefix, "a/b");
      assert.equal(changed.description, "nightly");
      assert.ok((await change({ expires_at: "2100-01-01T00:00:00Z" })).expires_at);
      assert.equal((await change({ expires_at: "" })).expires_at, undefined);
      const { credentials: [seen] } = await json(admin.get("/api/admin/s3-proxy/credentials"));
      assert.deepEqual(seen.scopes, [{ backend_id: "main", bucket: "films" }]);
      assert.equal(seen.read_only, true);
      assert.equal(seen.source, "sqlite");

      // A bucket in scope that has gone does not stand in the way of other changes.
      assert.equal(await status(admin.delete("/api/backends/main/buckets/films")), 204);
      assert.deepEqual((await change({ buckets: ["films", "photos"] })).buckets, ["films", "photos"]);
    })));

Deno.test("a credential follows its owner: role, state and removal", () =>
  withUpstream("embedded", (upstream) =>
    withBuckets(upstream, async (program, admin) => {
      const reader = await program.signedIn("reader");
      const forced = await json(reader.post(mine, { json: scope }), 201);
      assert.equal(forced.read_only, true);
      const refused = await reader.post(mine, { json: { ...scope, read_only: false } });
      assert.equal(
        (await json(refused, 400)).error.message,
        "read_only: must be true, since the role of reader is readonly",
      );
      const path = `${mine}/${forced.access_key}`;
      assert.equal(
        await refusal(reader.patch(path, { json: { read_only: false } })),
        "400 bad_request",
      );

      const writer = await program.signedIn("writer");
      const id = await userId(writer);
      const { access_key: key } = await json(writer.post(mine, { json: scope }), 201);
      const seen = () => json(admin.get(`${everyone}/${key}`));
      const change = (fields: Record<string, unknown>) =>
        json(admin.patch(`/api/admin/users/${id}`, { json: fields }));
      await change({ role: "readonly" });
      assert.equal((await seen()).read_only, true);
      await change({ role: "user" });
      assert.equal((await seen()).read_only, false);
      await change({ enabled: false });
      assert.equal((await seen()).status, "disabled");
      assert.equal((await seen()).enabled, true);
      await change({ enabled: true });
      assert.equal((await seen()).status, "active");
      assert.equal(await status(admin.delete(`/api/admin/users/${id}`)), 204);
      assert.equal(await refusal(admin.get(`${everyone}/${key}`)), "404 not_found");
    })));

Deno.test("every change is on the audit, refused ones too", () =>
  withUpstream("embedded", (upstream) =>
    withBuckets(upstream, async (program, admin) => {
      const writer = await program.signedIn("writer");
      const id = await userId(writer);
      const { access_key: key } = await json(writer.post(mine, { json: scope }), 201);
      await json(writer.patch(`${mine}/${key}`, { json: { read_only: true } }));
      await json(writer.post(`${mine}/${key}/rotate`));
      assert.equal(await status(writer.delete(`${mine}/${key}`)), 204);
      assert.equal(await status(writer.delete(`${mine}/${key}`)), 404);
      const { events } = await json(admin.get(`/api/admin/audit?action=s3_credential.*`));
      const facts = events.map((event: Record<string, unknown> & { detail: Record<string, unknown> }) => {
        const { action, status, user_id, backend, detail } = event;
        return [action, status, user_id, backend, detail.access_key_id];
      });
      assert.deepEqual(facts.reverse(), [
        ["s3_credential.create", "ok", id, "main", key],
        ["s3_credential.update", "ok", id, "main", key],
        ["s3_credential.rotate", "ok", id, "main", key],
        ["s3_credential.delete", "ok", id, "main", key],
        ["s3_credential.delete", "error", id, "", key],
      ]);
    })));
