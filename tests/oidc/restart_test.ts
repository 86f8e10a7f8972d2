import assert from "node:assert/strict";
import { Client, json, refusal, status } from "../support/http_client.ts";
import { withIdentityProvider } from "../support/identity_provider.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";
import {
  assertSignInFailed,
  ProviderVisit,
  reachCallback,
  signedInAs,
  type SingleSignOnOptions,
  singleSignOnOptions,
} from "../support/single_sign_on.ts";

const users = { ada: { sub: "0001", preferred_username: "ada", groups: ["storage-admins"] } };

Deno.test("restarts and other settings", async (t) => {
  const directory = await Deno.makeTempDir({ prefix: "oidc-restart-" });
  try {
    await withIdentityProvider({ users }, (idp) =>
      withIdentityProvider({ users }, async (otherIdp) => {
        const run = (
          provider: typeof idp,
          options: SingleSignOnOptions,
          body: (program: Program) => Promise<void>,
        ) =>
          withProgram({ ...singleSignOnOptions(provider, options), directory }, async (program) => {
            provider.register(program.url);
            await body(program);
          });
        const visit = new ProviderVisit();
        const cookies: Client["cookies"][] = [];
        let leftOpen: Client["cookies"] = new Map();
        let callback = "";
        let id = "";

        await t.step("a first run", () =>
          run(idp, {}, async (program) => {
            for (let count = 0; count < 3; count++) {
              const client = await signedInAs(program, "ada", { visit });
              id = (await json(client.get("/api/me"))).id;
              cookies.push(client.cookies);
            }
            const begun = program.client();
            callback = await reachCallback(begun, "ada");
            cookies.push(begun.cookies);
          }));

        await t.step("sessions go on after a restart, and end at the provider too", () =>
          run(idp, {}, async (program) => {
            const client = withCookies(program, cookies[0]);
            assert.equal((await json(client.get("/api/me"))).id, id);
            const { redirect } = await json(client.post("/auth/logout"));
            assert.ok(new URL(redirect).searchParams.has("id_token_hint"), redirect);
            assert.equal((await visit.goTo(redirect, "ada")).origin, program.url);
            const begun = withCookies(program, cookies[3]);
            await assertSignInFailed(await begun.get(callback), begun, "a sign-in that was begun before");
            const again = await signedInAs(program, "ada");
            assert.equal((await json(again.get("/api/me"))).id, id);
            leftOpen = again.cookies;
          }));

        await t.step("the same subject of another provider is another person", () =>
          run(otherIdp, {}, async (program) => {
            const earlier = withCookies(program, leftOpen).get("/api/me");
            assert.equal(await refusal(earlier), "401 unauthorized", "a session of the first provider");
            const me = await json((await signedInAs(program, "ada")).get("/api/me"));
            assert.notEqual(me.id, id);
            assert.notEqual(me.username, "ada");
          }));

        await t.step("without a mapping, administrators here decide on roles", () =>
          run(idp, { oidc: { role_mapping: {} } }, async (program) => {
            idp.setUser("carl", { sub: "carl" });
            const me = await json((await signedInAs(program, "carl")).get("/api/me"));
            assert.equal(me.role, "readonly");
            const admin = await signedInAs(program, "ada");
            await json(admin.patch(`/api/admin/users/${me.id}`, { json: { role: "user" } }));
            assert.equal((await json((await signedInAs(program, "carl")).get("/api/me"))).role, "user");
            const local = { username: "lou", password: testPassword, role: "readonly" };
            await json(admin.post("/api/admin/users", { json: local }), 201);
            cookies.push(admin.cookies, (await program.signedIn("lou")).cookies);
          }));

        await t.step("single sign-on alone", () =>
          run(idp, { auth: { modes: ["oidc"] } }, async (program) => {
            const page = await (await program.client().get("/login")).text();
            assert.ok(page.includes("single sign-on") && !page.includes('name="password"'));
            const limited = await (await program.client().get("/login?error=rate_limited&retry_after=600"))
              .text();
            assert.match(limited, /Too many attempts.*Try again in .*data-countdown/s);
            const password = { username: "ada", password: "whatever it is" };
            const attempt = program.client().post("/auth/login/local", { json: password });
            assert.equal(await refusal(attempt), "403 mode_disabled");
            assert.equal(await status(withCookies(program, cookies[4]).get("/api/me")), 200);
            const local = withCookies(program, cookies[5]).get("/api/me");
            assert.equal(await refusal(local), "401 unauthorized", "a session that began with a password");
            await signedInAs(program, "ada");
          }));

        await t.step("switched off, nobody comes in by it, and its sessions have ended", () =>
          run(idp, { auth: { modes: ["local"] } }, async (program) => {
            const client = program.client();
            const config = await json(client.get("/api/auth/config"));
            assert.equal(config.oidc_start_url, undefined);
            assert.equal(await refusal(client.get("/auth/login/oidc")), "403 mode_disabled");
            assert.equal(await refusal(client.get("/auth/callback?code=a&state=b")), "403 mode_disabled");
            const body = new URLSearchParams({ logout_token: "a.b.c" });
            assert.equal(
              await refusal(client.post("/auth/backchannel-logout", { body })),
              "403 mode_disabled",
            );
            assert.equal(await status(withCookies(program, cookies[4]).get("/api/me")), 401);
            const page = await (await client.get("/login")).text();
            assert.ok(!page.includes("single sign-on"));
          }));
      }));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

/** A client that has the cookies of one of an earlier run. */
function withCookies(program: Program, cookies: Client["cookies"]): Client {
  const client = new Client(program.url);
  for (const [name, value] of cookies) client.cookies.set(name, value);
  return client;
}
