import assert from "node:assert/strict";
import { withBucket } from "../support/bucket.ts";
import { expireSoon } from "../support/expiry.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { accessRows, downloadCount, share, unlock } from "./public_share.ts";

const password = "open sesame";

/** Headers by which a request seems to come from somewhere else. */
const from = (ip: string) => ({ "x-forwarded-for": ip });

upstreamTest(
  ["minio"],
  "recipients are told what they may know",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { client, program } = test;
      await test.upload("secret folder/photo.png", "not quite a picture", "image/png");
      await test.upload("secret folder/inside.txt", "inside", "text/plain");
      const key = "secret folder/photo.png";

      await context.step("the description of an object and of a folder", async () => {
        const expires_at = new Date(Date.now() + 3_600_000).toISOString();
        const link = await share(test, key, {
          max_downloads: 3,
          expires_at,
          disposition: "inline",
          note: "mine",
        });
        const answer = await program.client().get(`${link.path}/info`);
        assert.equal(answer.headers.get("x-robots-tag"), "noindex, nofollow");
        assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
        const { last_modified, ...info } = await json(answer);
        assert.ok(Math.abs(Date.parse(last_modified) - Date.now()) < 120_000, last_modified);
        assert.deepEqual(info, {
          code: link.code,
          name: "photo.png",
          kind: "object",
          size: 19,
          content_type: "image/png",
          expires_at,
          has_password: false,
          max_downloads: 3,
          downloads_left: 3,
          disposition: "inline",
          preview_kind: "image",
          raw_url: `${link.path}/raw`,
        });
        assert.equal(await downloadCount(test, link), 0);
        const folder = await share(test, "secret folder/");
        assert.deepEqual(await json(program.client().get(`${folder.path}/info`)), {
          code: folder.code,
          name: "secret folder",
          kind: "folder",
          size: null,
          content_type: null,
          last_modified: null,
          expires_at: null,
          has_password: false,
          max_downloads: null,
          downloads_left: null,
          disposition: "attachment",
          preview_kind: "none",
          raw_url: null,
        });
      });
      await context.step("a locked share tells that it is locked and nothing else", async () => {
        const link = await share(test, key, { password, max_downloads: 1 });
        const recipient = program.client();
        const locked = await json(recipient.get(`${link.path}/info`), 401);
        assert.deepEqual(Object.keys(locked).sort(), ["error", "has_password"]);
        assert.equal(locked.has_password, true);
        assert.equal(locked.error.code, "password_required");
        assert.deepEqual(Object.keys(locked.error).sort(), ["code", "message"]);
        assert.equal(await refusal(recipient.get(`${link.path}/raw`)), "401 password_required");
        assert.equal(await status(recipient.request("HEAD", `${link.path}/raw`)), 401);
        assert.equal(await refusal(recipient.get(`${link.path}/list`)), "401 password_required");
        assert.equal(await refusal(recipient.get(`${link.path}/zip`)), "401 password_required");
        // Who is signed in, also the one who made it, has no right that others have not.
        assert.equal(await refusal(client.get(`${link.path}/raw`)), "401 password_required");

        assert.equal(await refusal(unlock(recipient, link, "wrong")), "401 password_mismatch");
        assert.equal(recipient.cookies.size, 0);
        const answer = await unlock(recipient, link, password);
        assert.equal(answer.status, 204);
        const [cookie] = answer.headers.getSetCookie();
        assert.match(cookie, /^service_unlock=\d+\.[\w-]{43}; /);
        assert.match(cookie, new RegExp(`; Path=/s/${link.code}; SameSite=Lax; Max-Age=1800; HttpOnly$`));
        assert.equal((await json(recipient.get(`${link.path}/info`))).has_password, true);
        assert.equal(await (await recipient.get(`${link.path}/raw`)).text(), "not quite a picture");
        const secure = await recipient.post(`${(await share(test, key, { password })).path}/unlock`, {
          json: { password },
          headers: { "x-forwarded-proto": "https" },
        });
        assert.match(secure.headers.getSetCookie()[0], /; Secure$/);
      });
      await context.step("a share without a password has nothing to unlock", async () => {
        const link = await share(test, key);
        const recipient = program.client();
        assert.equal(await status(unlock(recipient, link, "anything")), 204);
        assert.equal(await status(recipient.post(`${link.path}/unlock`)), 204);
        assert.equal(recipient.cookies.size, 0);
      });
      await context.step(
        "the cookie of one share opens no other, and none once its share has changed",
        async () => {
          const recipient = program.client();
          const link = await share(test, key, { password });
          const other = await share(test, key, { password });
          assert.equal(await status(unlock(recipient, link, password)), 204);
          const raw = (path: string) => recipient.get(`${path}/raw`);
          assert.equal(await refusal(raw(other.path)), "401 password_required");
          assert.equal(await status(raw(link.path)), 200);
          const cookie = recipient.cookies.get("service_unlock") ?? "";
          for (const forged of [`9${cookie}`, cookie.slice(0, -1), cookie.replace(/\..*/, "."), "."]) {
            const headers = { cookie: `service_unlock=${forged}` };
            assert.equal(
              await refusal(program.client().get(`${link.path}/info`, { headers })),
              "401 password_required",
            );
          }
          const change = (json: unknown) => status(client.patch(`/api/shares/${link.id}`, { json }));
          assert.equal(await change({ password }), 200);
          assert.equal(await refusal(raw(link.path)), "401 password_required", "the same password set anew");
          assert.equal(await status(unlock(recipient, link, password)), 204);
          assert.equal(await change({ password: "another one" }), 200);
          assert.equal(await refusal(raw(link.path)), "401 password_required");
          assert.equal(await refusal(unlock(recipient, link, password)), "401 password_mismatch");
          assert.equal(await status(unlock(recipient, link, "another one")), 204);
          assert.equal(await status(client.delete(`/api/shares/${link.id}`)), 204);
          assert.equal(await refusal(raw(link.path)), "410 revoked");
          assert.equal(await refusal(unlock(recipient, link, "another one")), "410 revoked");
        },
      );
      await context.step(
        "a code that is none, one that is unknown, and one that has had its time",
        async () => {
          const recipient = program.client();
          const answers = [];
          for (const code of ["A".repeat(22), "x", "%00", "..%2f..", "a".repeat(3000), "%f0%9f%98%80"]) {
            const answer = await recipient.get(`/s/${code}/info`, {
              headers: from(`192.0.2.${answers.length}`),
            });
            answers.push(`${answer.status} ${await answer.text()}`);
          }
          assert.equal(new Set(answers).size, 1, answers.join("\n"));
          assert.match(answers[0], /^404 .*not_found/);

          const soon = await share(test, key);
          assert.equal(await status(recipient.get(`${soon.path}/raw`)), 200);
          await expireSoon((expires_at) => client.patch(`/api/shares/${soon.id}`, { json: { expires_at } }));
          assert.equal(await status(program.client().get(`${soon.path}/info`)), 410);
          const rest = { headers: { range: "bytes=3-" } };
          assert.equal(await refusal(recipient.get(`${soon.path}/raw`, rest)), "410 expired");
        },
      );
      await context.step("a share whose creator is disabled", async () => {
        const writer = await program.signedIn("writer");
        const link = await share({ ...test, client: writer }, key);
        const users = await json(client.get("/api/admin/users?query=writer"));
        const enable = (enabled: boolean) =>
          status(client.patch(`/api/admin/users/${users.users[0].id}`, { json: { enabled } }));
        assert.equal(await enable(false), 200);
        assert.equal(await refusal(program.client().get(`${link.path}/raw`)), "410 revoked");
        assert.equal(await enable(true), 200);
        assert.equal(await status(program.client().get(`${link.path}/raw`)), 200);
      });
      await context.step("a form without scripts", async () => {
        const link = await share(test, key, { password });
        const recipient = program.client();
        const send = (text: string, path = link.path) =>
          recipient.post(`${path}/unlock`, { body: new URLSearchParams({ password: text }) });
        const location = async (answer: Response | Promise<Response>) => {
          const { status, headers, body } = await answer;
          await body?.cancel();
          assert.equal(status, 303);
          return headers.get("location");
        };
        assert.equal(await location(send("wrong")), `${link.path}?error=password_mismatch&left=19`);
        const told = await json(unlock(recipient, link, "wrong"), 401);
        assert.deepEqual(told.error.detail, { tries_left: 18 });
        const page = await (await recipient.get(`${link.path}?error=password_mismatch&left=18`)).text();
        assert.match(page, /18 tries are left for now/);
        assert.equal(await location(send(password)), link.path);
        assert.equal(await status(recipient.get(`${link.path}/info`)), 200);
        assert.equal(
          await location(send("x", "/s/%2f%2fevil.example")),
          "/s/%2F%2Fevil.example?error=not_found",
        );
        const headers = { "sec-fetch-site": "cross-site" };
        const forged = recipient.post(`${link.path}/unlock`, { json: { password }, headers });
        assert.equal(await refusal(forged), "403 csrf_invalid");
      });
      await context.step("each request is on record, without password and code", async () => {
        const link = await share(test, key, { password, max_downloads: 1 });
        const unknown = `${link.code.slice(0, 21)}${link.code.endsWith("A") ? "B" : "A"}`;
        const recipient = program.client();
        await status(recipient.get(`${link.path}/info`));
        await status(unlock(recipient, link, "quite wrong"));
        await status(recipient.post(`${link.path}/unlock`, { json: { password: 1 } }));
        await status(unlock(recipient, link, password));
        await status(recipient.get(`${link.path}/info`));
        await status(recipient.get(`${link.path}/raw`));
        await status(recipient.get(`${link.path}/raw`, { headers: { range: "bytes=4-" } }));
        await status(recipient.get(`${link.path}/raw`));
        await status(recipient.get(`/s/${unknown}/info`));
        const rows = (await accessRows(test)).slice(0, 9).reverse();
        assert.deepEqual(rows.map(({ detail, status }) => [detail.request, detail.result, status]), [
          ["info", "password_required", "error"],
          ["unlock", "bad_password", "error"],
          ["unlock", "error", "error"],
          ["unlock", "ok", "ok"],
          ["info", "ok", "ok"],
          ["raw", "ok", "ok"],
          ["raw", "ok", "ok"],
          ["raw", "exhausted", "error"],
          ["info", "not_found", "error"],
        ]);
        assert.equal(rows[0].detail.code, "password_required");
        for (const row of rows) {
          assert.equal(row.user_id, "");
          assert.equal(row.ip, recipient.ip);
          assert.doesNotMatch(JSON.stringify(row), new RegExp(`${link.code}|${unknown}|sesame|quite wrong`));
        }
        const { backend, bucket, key: noted, detail } = rows[5];
        assert.deepEqual([backend, bucket, noted], ["main", "test-bucket", key]);
        assert.deepEqual(detail, { request: "raw", result: "ok", share_id: link.id, counted: true });
        assert.deepEqual(rows[6].detail, { request: "raw", result: "ok", share_id: link.id });
        assert.equal(rows[8].detail.code_start, unknown.slice(0, 4));
        assert.doesNotMatch(JSON.stringify(program.logs()), new RegExp(`${link.code}|sesame`));
        await status(client.get(`${link.path}/info`));
        assert.notEqual((await accessRows(test, 1))[0].user_id, "");
      });
    }, {
      users: { admin: "admin", writer: "user" },
      config: { ratelimit: { share_per_minute: 60 } },
    }),
);
