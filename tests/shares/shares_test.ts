import assert from "node:assert/strict";
import { Database } from "../../src/store/database.ts";
import { backendId, bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { expireSoon } from "../support/expiry.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const users = { admin: "admin", maria: "user", paul: "user", reader: "readonly" } as const;

const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();

function share(client: Client, fields: Record<string, unknown>) {
  return client.post("/api/shares", { json: { backend_id: backendId, bucket: bucketName, ...fields } });
}

async function idOf(admin: Client, username: string): Promise<string> {
  const { users } = await json(admin.get(`/api/admin/users?query=${username}`));
  return users[0].id;
}

const raw = (program: TestBucket["program"], code: string) => status(program.client().get(`/s/${code}/raw`));

upstreamTest(
  ["minio", "versitygw"],
  "shares are made, changed and revoked",
  (upstream, context) =>
    withBucket(upstream, async ({ program, client, bucket, upload }) => {
      await upload("docs/plan.txt", "the plan");
      await upload("other.txt", "other");
      const maria = await program.signedIn("maria");

      await context.step("a new one says all about itself, and its link works", async () => {
        const expiry = inOneHour();
        const made = await json(
          share(maria, { key: "docs/plan.txt", expires_at: expiry, max_downloads: 3, note: " for Ann " }),
          201,
        );
        const { id, code, url, created_by, created_at, ...rest } = made;
        assert.ok(Number.isInteger(id));
        assert.match(code, /^[A-Za-z0-9]{22}$/);
        assert.equal(url, `${program.url}/s/${code}`);
        assert.equal(created_by, await idOf(client, "maria"));
        assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
        assert.deepEqual(rest, {
          backend_id: backendId,
          bucket: bucketName,
          kind: "object",
          key: "docs/plan.txt",
          version_id: null,
          disposition: "attachment",
          note: "for Ann",
          has_password: false,
          max_downloads: 3,
          download_count: 0,
          last_download_at: null,
          created_by_name: "maria",
          expires_at: expiry,
          revoked: false,
          revoked_at: null,
          state: "active",
        });
        const download = await program.client().get(`/s/${code}/raw`);
        assert.equal(await download.text(), "the plan");
        const after = await json(maria.get(`/api/shares/${id}`));
        assert.equal(after.download_count, 1);
        assert.ok(Math.abs(Date.parse(after.last_download_at) - Date.now()) < 60_000);
      });

      await context.step("what cannot be shared is refused, and nothing is made", async () => {
        const before = (await json(maria.get("/api/shares"))).shares.length;
        const refusals: [Record<string, unknown>, string][] = [
          [{ key: "missing.txt" }, "404 not_found"],
          [{ key: "no-such-folder/" }, "404 not_found"],
          [{ key: "" }, "400 invalid_key"],
          [{ key: "a\0b" }, "400 invalid_key"],
          [{}, "400 bad_request"],
          [{ key: "other.txt", backend_id: "gone" }, "404 not_found"],
          [{ key: "other.txt", bucket: "../etc" }, "400 invalid_bucket_name"],
          [{ key: "other.txt", bucket: "no-such-bucket" }, "404 not_found"],
          [{ key: "docs/", version_id: "null" }, "400 bad_request"],
          [{ key: "other.txt", expires_at: "2020-01-01T00:00:00Z" }, "400 bad_request"],
          [{ key: "other.txt", expires_at: "tomorrow" }, "400 bad_request"],
          [{ key: "other.txt", max_downloads: 0 }, "400 bad_request"],
          [{ key: "other.txt", max_downloads: -1 }, "400 bad_request"],
          [{ key: "other.txt", max_downloads: 1.5 }, "400 bad_request"],
          [{ key: "other.txt", max_downloads: "3" }, "400 bad_request"],
          [{ key: "other.txt", password: "" }, "400 bad_request"],
          [{ key: "other.txt", password: "x".repeat(257) }, "400 bad_request"],
          [{ key: "other.txt", disposition: "script" }, "400 bad_request"],
          [{ key: "other.txt", pasword: "typo" }, "400 bad_request"],
        ];
        for (const [fields, expected] of refusals) {
          assert.equal(await refusal(share(maria, fields)), expected, JSON.stringify(fields));
        }
        assert.equal((await json(maria.get("/api/shares"))).shares.length, before);
      });

      await context.step("readers make none, and a mutation needs its token", async () => {
        const reader = await program.signedIn("reader");
        assert.equal(await refusal(share(reader, { key: "other.txt" })), "403 forbidden");
        assert.equal(await refusal(share(program.client(), { key: "other.txt" })), "401 unauthorized");
        const body = { backend_id: backendId, bucket: bucketName, key: "other.txt" };
        assert.equal(
          await refusal(maria.post("/api/shares", { json: body, withoutCsrf: true })),
          "403 csrf_invalid",
        );
      });

      await context.step("each sees and handles their own; administrators everyone's", async () => {
        const paul = await program.signedIn("paul");
        const own = await json(share(paul, { key: "other.txt", password: "open sesame" }), 201);
        assert.equal(own.has_password, true);
        const codes = async (who: Client, query = "") =>
          (await json(who.get(`/api/shares${query}`))).shares.map(({ id }: { id: number }) => id);
        assert.deepEqual(await codes(paul), [own.id]);
        assert.ok(!(await codes(maria)).includes(own.id));
        assert.ok(!(await codes(client)).includes(own.id), "an administrator's own");
        assert.ok((await codes(client, "?scope=all")).includes(own.id));
        assert.deepEqual(await codes(client, "?scope=all&key=other.txt&state=active"), [own.id]);
        assert.deepEqual(await codes(client, "?scope=all&key=other.txt&state=revoked"), []);
        assert.equal(await refusal(maria.get("/api/shares?scope=all")), "403 forbidden");
        const path = `/api/shares/${own.id}`;
        assert.equal(await refusal(maria.get(path)), "403 forbidden");
        assert.equal(await refusal(maria.patch(path, { json: { password: null } })), "403 forbidden");
        assert.equal(await refusal(maria.delete(path)), "403 forbidden");
        for (const id of ["0", "999999", "abc", "1e3", "-1"]) {
          assert.equal(await refusal(client.get(`/api/shares/${id}`)), "404 not_found", id);
        }
        assert.equal((await json(client.get(path))).id, own.id);
        assert.equal(await status(client.delete(path)), 204);
        assert.equal((await json(paul.get(path))).state, "revoked");
      });

      await context.step("the list is narrowed by creator, password and end, and counted", async () => {
        const paul = await program.signedIn("paul");
        const { id: paulId } = await json(paul.get("/api/me"));
        const hour = new Date(Date.now() + 3_600_000).toISOString();
        const { id: brief } = await json(share(paul, { key: "other.txt", expires_at: hour }), 201);
        const { id: guarded } = await json(share(paul, { key: "other.txt", password: "open sesame" }), 201);
        const found = async (who: Client, query: string) => {
          const { shares, total } = await json(who.get(`/api/shares?state=active${query}`));
          assert.ok(total >= shares.length);
          return shares.map(({ id }: { id: number }) => id);
        };
        assert.deepEqual(await found(client, `&created_by=${paulId}`), [guarded, brief]);
        assert.deepEqual(await found(paul, `&created_by=${paulId}&has_password=true`), [guarded]);
        assert.deepEqual(await found(paul, "&has_password=false"), [brief]);
        const day = new Date(Date.now() + 24 * 3_600_000).toISOString();
        assert.deepEqual(await found(paul, `&expires_before=${day}`), [brief]);
        assert.deepEqual(await found(paul, `&expires_before=${new Date().toISOString()}`), []);
        const { total, shares } = await json(paul.get("/api/shares?state=active&limit=1"));
        assert.deepEqual([total, shares.length], [2, 1]);
        assert.equal(await refusal(maria.get(`/api/shares?created_by=${paulId}`)), "403 forbidden");
        assert.equal(await refusal(paul.get("/api/shares?expires_before=tomorrow")), "400 bad_request");
        assert.equal(await refusal(paul.get("/api/shares?has_password=1")), "400 bad_request");
        for (const id of [brief, guarded]) assert.equal(await status(paul.delete(`/api/shares/${id}`)), 204);
      });

      await context.step("pages follow one another, newest first", async () => {
        const made: number[] = [];
        for (let index = 0; index < 5; index++) {
          made.unshift((await json(share(client, { key: "other.txt", note: `${index}` }), 201)).id);
        }
        const seen: number[] = [];
        let before = "";
        do {
          const page = await json(client.get(`/api/shares?limit=2${before}`));
          seen.push(...page.shares.map(({ id }: { id: number }) => id));
          before = page.next_before === null ? "" : `&before=${page.next_before}`;
        } while (before !== "");
        assert.deepEqual(seen, made);
        assert.equal(await refusal(client.get("/api/shares?limit=501")), "400 bad_request");
      });

      await context.step("changes are in force at once", async () => {
        const { id, code } = await json(share(maria, { key: "other.txt", max_downloads: 1 }), 201);
        const change = (fields: unknown) => maria.patch(`/api/shares/${id}`, { json: fields });
        assert.equal(await raw(program, code), 200);
        assert.equal(await raw(program, code), 410);
        assert.equal((await json(maria.get(`/api/shares/${id}`))).state, "exhausted");
        assert.equal((await json(change({ max_downloads: 2 }))).state, "active");
        assert.equal(await raw(program, code), 200);
        assert.equal((await json(change({ max_downloads: null }))).max_downloads, null);
        assert.equal((await json(change({ password: "first" }))).has_password, true);
        assert.equal(await raw(program, code), 401);
        assert.equal((await json(change({ password: null }))).has_password, false);
        assert.equal(await raw(program, code), 200);
        assert.equal(await refusal(change({ expires_at: "2020-01-01T00:00:00Z" })), "400 bad_request");
        assert.equal(await refusal(change({ key: "docs/plan.txt" })), "400 bad_request");
        const soon = await expireSoon((expires_at) => change({ expires_at }));
        assert.equal(await raw(program, code), 410);
        const expired = await json(maria.get(`/api/shares/${id}`));
        assert.deepEqual([expired.state, expired.expires_at], ["expired", soon]);
        assert.equal((await json(change({ expires_at: null, note: "for ever" }))).state, "active");
        assert.equal(await raw(program, code), 200);
      });

      await context.step("a revoked one is gone for good", async () => {
        const { id, code } = await json(share(maria, { key: "other.txt" }), 201);
        assert.equal(await status(maria.delete(`/api/shares/${id}`)), 204);
        assert.equal(await raw(program, code), 410);
        const { revoked, revoked_at } = await json(maria.get(`/api/shares/${id}`));
        assert.equal(revoked, true);
        assert.equal(await status(maria.delete(`/api/shares/${id}`)), 204, "again");
        assert.equal((await json(maria.get(`/api/shares/${id}`))).revoked_at, revoked_at);
        assert.equal(
          await refusal(maria.patch(`/api/shares/${id}`, { json: { expires_at: null } })),
          "409 conflict",
        );
      });

      await context.step("every change is on record, with neither code nor password", async () => {
        const { id, code } = await json(share(maria, { key: "other.txt", password: "pass phrase" }), 201);
        await json(maria.patch(`/api/shares/${id}`, { json: { password: "another phrase" } }));
        assert.equal(await status(maria.delete(`/api/shares/${id}`)), 204);
        assert.equal(await refusal(maria.delete("/api/shares/999999")), "404 not_found");
        const { events } = await json(client.get("/api/admin/audit?action=share.*&user=maria&limit=4"));
        assert.deepEqual(
          events.map(({ action, status, key }: Record<string, string>) => `${action} ${status} ${key}`),
          [
            "share.revoke error ",
            "share.revoke ok other.txt",
            "share.update ok other.txt",
            "share.create ok other.txt",
          ],
        );
        assert.equal(events[3].detail.share_id, id);
        assert.deepEqual(events[2].detail.fields, ["password"]);
        const text = JSON.stringify(events);
        for (const secret of [code, "pass phrase", "another phrase", "argon2"]) {
          assert.ok(!text.includes(secret));
        }
      });

      await context.step("its link is the one that a proxy in front has said", async () => {
        const headers = { "x-forwarded-host": "files.example.com", "x-forwarded-proto": "https" };
        const body = { backend_id: backendId, bucket: bucketName, key: "other.txt" };
        const { url } = await json(maria.post("/api/shares", { json: body, headers }), 201);
        assert.match(url, /^https:\/\/files\.example\.com\/s\//);
        const strange = { "x-forwarded-host": 'a"><script>', "x-forwarded-proto": "https" };
        const list = await json(maria.get("/api/shares?limit=1", { headers: strange }));
        assert.match(list.shares[0].url, /^http:\/\/localhost\/s\//);
      });

      await context.step("it goes with its bucket, and does not come back with it", async () => {
        const backend = `/api/backends/${backendId}`;
        const other = `${backend}/buckets/short-lived`;
        const fill = async () => {
          await json(client.post(`${backend}/buckets`, { json: { name: "short-lived" } }), 201);
          await json(client.post(`${other}/object?key=a.txt`, { body: "secret of the second life" }), 201);
        };
        await fill();
        const { code } = await json(share(client, { bucket: "short-lived", key: "a.txt" }), 201);
        assert.equal(await raw(program, code), 200);
        assert.equal(await status(client.delete(`${other}/object?key=a.txt`)), 204);
        assert.equal(await status(client.delete(other)), 204);
        await fill();
        assert.equal(await raw(program, code), 410);
      });

      await context.step(
        "it stops while its creator is disabled, and for good when they are deleted",
        async () => {
          const { id, code } = await json(share(maria, { key: "other.txt" }), 201);
          const mariaId = await idOf(client, "maria");
          const enable = (enabled: boolean) =>
            client.patch(`/api/admin/users/${mariaId}`, { json: { enabled } });
          await json(enable(false));
          assert.equal(await raw(program, code), 410);
          assert.equal((await json(client.get(`/api/shares/${id}`))).state, "suspended");
          const listed = await json(client.get("/api/shares?scope=all&state=suspended"));
          assert.ok(listed.shares.some((share: { id: number }) => share.id === id));
          await json(enable(true));
          assert.equal(await raw(program, code), 200);
          assert.equal(await status(client.delete(`/api/admin/users/${mariaId}`)), 204);
          assert.equal(await raw(program, code), 410);
          const gone = await json(client.get(`/api/shares/${id}`));
          assert.deepEqual([gone.state, gone.created_by, gone.created_by_name], ["revoked", mariaId, null]);
        },
      );
      assert.equal(await status(client.get(bucket + "/objects")), 200);
    }, { users, config: { ratelimit: { share_per_minute: 0 } } }),
);

upstreamTest(
  ["embedded"],
  "nobody has more shares, or longer ones, than they may",
  (upstream, context) =>
    withBucket(upstream, async ({ program, client, upload }) => {
      await upload("a.txt", "a");
      await upload("b.txt", "b");
      const maria = await program.signedIn("maria");
      const day = 86_400_000;
      const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();

      await context.step(
        "they last no longer than the configuration says, also when nothing is said",
        async () => {
          assert.deepEqual(await json(maria.get("/api/shares/limits")), {
            open_shares: 0,
            max_shares: 3,
            max_lifetime_seconds: 30 * 86_400,
            max_upload_lifetime_seconds: 30 * 86_400,
          });
          for (const expires_at of [null, inDays(31)]) {
            assert.equal(await refusal(share(maria, { key: "a.txt", expires_at })), "400 bad_request");
          }
          const { id, expires_at } = await json(share(maria, { key: "a.txt" }), 201);
          assert.ok(Math.abs(Date.parse(expires_at) - Date.parse(inDays(30))) < 60_000);
          const patch = (expires_at: string | null) =>
            maria.patch(`/api/shares/${id}`, { json: { expires_at } });
          assert.equal(await refusal(patch(null)), "400 bad_request");
          assert.equal(await status(patch(inDays(30))), 200);
          const database = new Database(program.databasePath);
          database.run("UPDATE shares SET created_at = ? WHERE id = ?", Date.now() - 20 * day, id);
          database.close();
          assert.equal(await refusal(patch(inDays(11))), "400 bad_request");
          assert.equal(await status(patch(inDays(10))), 200);
        },
      );

      await context.step(
        "those that have ended make room for others, and come back only into room",
        async () => {
          const second = await json(share(maria, { key: "a.txt" }), 201);
          const third = await json(share(maria, { keys: ["a.txt", "b.txt"] }), 201);
          assert.equal(await refusal(share(maria, { key: "a.txt" })), "409 too_many_shares");
          assert.equal(await refusal(share(maria, { kind: "upload", key: "in/" })), "409 too_many_shares");
          assert.equal(await status(share(client, { key: "a.txt" })), 201);
          assert.equal(await status(maria.delete(`/api/shares/${third.id}`)), 204);
          const { shares: [revoked] } = await json(maria.get("/api/shares?state=revoked"));
          assert.deepEqual([revoked.id, revoked.key_count], [third.id, 2]);
          const path = `/api/shares/${second.id}`;
          await expireSoon((expires_at) => maria.patch(path, { json: { expires_at } }));
          for (let left = 2; left > 0; left--) await json(share(maria, { key: "b.txt" }), 201);
          const revive = () => maria.patch(path, { json: { expires_at: inDays(1) } });
          assert.equal(await refusal(revive()), "409 too_many_shares");
          assert.equal(await status(maria.patch(path, { json: { note: "over" } })), 200);
          assert.equal((await json(maria.get("/api/shares/limits"))).open_shares, 3);
        },
      );

      await context.step("however many are asked for at once", async () => {
        const paul = await program.signedIn("paul");
        const answers = await Promise.all(
          Array.from({ length: 12 }, () => status(share(paul, { key: "a.txt" }))),
        );
        assert.equal(answers.filter((answer) => answer === 201).length, 3);
      });
    }, { users, config: { shares: { max_per_user: 3, max_lifetime: "30d" } } }),
);
