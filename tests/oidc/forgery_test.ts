import assert from "node:assert/strict";
import { json, refusal, status } from "../support/http_client.ts";
import { withIdentityProvider } from "../support/identity_provider.ts";
import {
  assertSignInFailed,
  beginSignIn,
  reachCallback,
  signedInAs,
  signInRecords,
  withSingleSignOn,
} from "../support/single_sign_on.ts";

const users = {
  mallory: { sub: "mallory", groups: ["storage-users"] },
  victim: { sub: "victim", groups: ["storage-admins"] },
};

Deno.test("only the browser that began a sign-in can end it, and only once", (t) =>
  withIdentityProvider({ users }, (idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      const admin = await program.signedIn();

      await t.step("a browser that began nothing is not signed in as the sender of a link", async () => {
        const link = await reachCallback(program.client(), "mallory");
        const victim = program.client();
        await assertSignInFailed(await victim.get(link), victim);
        const [record] = await signInRecords(admin, victim);
        assert.equal(record.status, "error");
        assert.equal(record.user_id, "");
        assert.equal(record.detail.reason, "state_invalid");
      });

      await t.step("nor is one that is in the middle of its own", async () => {
        const link = await reachCallback(program.client(), "mallory");
        const victim = program.client();
        await beginSignIn(victim);
        await assertSignInFailed(await victim.get(link), victim);
      });

      await t.step("who is signed in stays signed in as themself", async () => {
        const link = await reachCallback(program.client(), "mallory");
        const victim = await signedInAs(program, "victim");
        await status(victim.get(link));
        assert.equal((await json(victim.get("/api/me"))).role, "admin");
      });

      await t.step(
        "pictures and frames of other sites begin no sign-in, nor use up the attempts",
        async () => {
          const victim = program.client();
          for (let index = 0; index < 12; index++) {
            const headers = { "sec-fetch-dest": index % 2 === 0 ? "image" : "iframe" };
            assert.equal(await refusal(victim.get("/auth/login/oidc", { headers })), "403 forbidden");
          }
          const headers = { "sec-fetch-dest": "document" };
          assert.equal(await status(victim.get("/auth/login/oidc", { headers })), 303);
        },
      );

      await t.step("a stolen code is of no use with one's own state", async () => {
        const stolen = new URL(await reachCallback(program.client(), "victim"), program.url).searchParams;
        const thief = program.client();
        const own = new URL(await beginSignIn(thief)).searchParams;
        const query = new URLSearchParams({ ...Object.fromEntries(stolen), state: own.get("state") ?? "" });
        await assertSignInFailed(await thief.get(`/auth/callback?${query}`), thief);
      });

      await t.step("the same answer is not taken twice, nor is its state", async () => {
        const client = program.client();
        const callback = await reachCallback(client, "mallory");
        const cookies = new Map(client.cookies);
        assert.equal(await status(client.get(callback)), 303);
        assert.ok(client.cookies.has("service_session"));
        const replays = [callback, callback.replace(/code=[^&]+/, "code=other")];
        for (const replay of replays) {
          const again = program.client();
          for (const [name, value] of cookies) again.cookies.set(name, value);
          await assertSignInFailed(await again.get(replay), again, replay);
          const [record] = await signInRecords(admin, again);
          assert.equal(record.detail.reason, "state_invalid");
        }
      });

      await t.step("two callbacks at once give one session", async () => {
        const client = program.client();
        const callback = await reachCallback(client, "mallory");
        const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answers = await Promise.all(
          Array.from({ length: 8 }, async () => {
            const answer = await program.client().get(callback, { headers: { cookie } });
            await answer.body?.cancel();
            return answer.headers.getSetCookie().some((line) => /^service_session=[\w-]{43};/.test(line));
          }),
        );
        assert.equal(answers.filter(Boolean).length, 1);
      });

      await t.step("a state cookie that was changed or made up is not taken", async () => {
        const client = program.client();
        const callback = await reachCallback(client, "mallory");
        const [[name, value]] = [...client.cookies].filter(([name]) => name !== "service_csrf");
        const { state } = Object.fromEntries(new URL(callback, program.url).searchParams);
        const forgeries = [
          "",
          "x",
          state,
          `${value}x`,
          value.slice(0, -3),
          value.slice(1),
          value.toUpperCase(),
          "%00",
        ];
        for (const forged of forgeries) {
          const other = program.client();
          other.cookies.set(name, forged);
          await assertSignInFailed(await other.get(callback), other, forged);
        }
      });

      await t.step("what is missing, doubled or absurd in the address is refused", async () => {
        const client = program.client();
        const { searchParams } = new URL(await reachCallback(client, "mallory"), program.url);
        const { code, state, iss } = Object.fromEntries(searchParams);
        const queries = [
          "",
          `code=${code}`,
          `state=${state}`,
          `state=${state}&iss=${iss}`,
          `code=&state=${state}&iss=${iss}`,
          `code=${code}&state=`,
          `code=${"c".repeat(20_000)}&state=${state}`,
          `code=${code}&state=%00%C3%BF`,
          `error=access_denied`,
          `response=a.b.c`,
        ];
        const cookies = new Map(client.cookies);
        for (const query of queries) {
          const other = program.client();
          for (const [name, value] of cookies) other.cookies.set(name, value);
          await assertSignInFailed(await other.get(`/auth/callback?${query}`), other, query.slice(0, 80));
        }
        for (const doubled of [`code=${code}`, `state=${state}`, `iss=${iss}`, "error=%ff"]) {
          const query = `code=${code}&state=${state}&iss=${iss}&${doubled}`;
          assert.equal(await refusal(client.get(`/auth/callback?${query}`)), "400 bad_request");
        }
      });

      await t.step("a callback is a GET by which nothing but a sign-in changes", async () => {
        for (const method of ["POST", "PUT", "DELETE"]) {
          assert.ok((await status(program.client().request(method, "/auth/callback"))) >= 400, method);
        }
        assert.ok((await status(program.client().post("/auth/login/oidc"))) >= 400);
        const head = program.client();
        const callback = await reachCallback(head, "mallory");
        await status(head.request("HEAD", callback));
        assert.ok(!head.cookies.has("service_session"), "a link preview does not sign in");
      });

      await t.step("who says no at the provider is told so", async () => {
        const client = program.client();
        await assertSignInFailed(await client.get(await reachCallback(client, null)), client);
        const [record] = await signInRecords(admin, client);
        assert.equal(record.status, "error");
        assert.match(JSON.stringify(record.detail), /access_denied/);
      });

      await t.step("text of an error in the address is shown to nobody", async () => {
        const client = program.client();
        const { state } = Object.fromEntries(new URL(await beginSignIn(client)).searchParams);
        const text = "<script>alert(1)</script>Call 0900-EVIL";
        const query = new URLSearchParams({
          error: "access_denied",
          error_description: text,
          state,
          iss: idp.issuer,
        });
        const answer = await client.get(`/auth/callback?${query}`);
        const location = answer.headers.get("location") ?? "";
        await assertSignInFailed(answer, client);
        const page = await (await client.get(location)).text();
        for (const part of ["alert(1)", "0900-EVIL"]) {
          assert.ok(!decodeURIComponent(location).includes(part) && !page.includes(part), part);
        }
      });

      await t.step("an address has ten attempts in fifteen minutes, whichever way it signs in", async () => {
        const client = program.client();
        const password = { username: "nobody", password: "wrong" };
        for (let attempt = 0; attempt < 5; attempt++) {
          await beginSignIn(client);
          assert.equal(await status(client.post("/auth/login/local", { json: password })), 401);
        }
        assert.equal(await status(client.post("/auth/login/local", { json: password })), 429);
        const refused = await client.get("/auth/login/oidc?next=/me");
        await refused.body?.cancel();
        assert.equal(refused.status, 303);
        const { pathname, searchParams: told } = new URL(refused.headers.get("location") ?? "", program.url);
        assert.deepEqual([pathname, told.get("error"), told.get("next")], ["/login", "rate_limited", "/me"]);
        assert.ok(Number(told.get("retry_after")) > 800);
        const [record] = await signInRecords(admin, client);
        assert.equal(record.status, "error");
        assert.equal(record.detail.code, "rate_limited");
        await signedInAs(program, "mallory");
      });
    })));
