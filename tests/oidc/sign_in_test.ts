import assert from "node:assert/strict";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { withIdentityProvider } from "../support/identity_provider.ts";
import { testPassword } from "../support/program.ts";
import {
  ProviderVisit,
  reachCallback,
  signedInAs,
  signInRecords,
  singleSignOn,
  withSingleSignOn,
} from "../support/single_sign_on.ts";

const ada = {
  sub: "0001",
  preferred_username: "ada",
  name: "Ada Lovelace",
  email: "ada@example.org",
  email_verified: true,
  groups: ["storage-admins"],
};

Deno.test("people sign in with the provider and are known again", (t) =>
  withIdentityProvider({ users: { ada } }, (idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      await t.step("how one can sign in is told", async () => {
        const config = await json(program.client().get("/api/auth/config"));
        assert.deepEqual(config.modes, ["local", "oidc"]);
        assert.equal(config.oidc_start_url, "/auth/login/oidc");
      });

      await t.step("the first sign-in makes the user", async () => {
        const client = await signedInAs(program, "ada");
        const me = await json(client.get("/api/me"));
        assert.equal(me.username, "ada");
        assert.equal(me.email, "ada@example.org");
        assert.equal(me.role, "admin");
        assert.equal(me.identity_source, "oidc");
        assert.equal(me.must_change_pw, false);
        assert.equal(me.can.manage_users, true);
        const [record] = await signInRecords(client, client);
        assert.equal(record.status, "ok");
        assert.equal(record.user_id, me.id);
      });

      await t.step("the session is one like any other", async () => {
        const client = await signedInAs(program, "ada");
        const csrf = client.cookies.get("service_csrf");
        assert.match(client.cookies.get("service_session") ?? "", /^[\w-]{43}$/);
        assert.ok(csrf);
        const unsafe = { withoutCsrf: true };
        assert.equal(await refusal(client.post("/auth/logout", unsafe)), "403 csrf_invalid");
        assert.deepEqual(
          [...client.cookies.keys()].sort(),
          ["service_csrf", "service_session"],
          "no state is left",
        );
      });

      await t.step("whoever has another name and address by then is the same user", async () => {
        const before = await json((await signedInAs(program, "ada")).get("/api/me"));
        idp.setUser("ada", { ...ada, preferred_username: "countess", email: "countess@example.org" });
        const after = await json((await signedInAs(program, "ada")).get("/api/me"));
        assert.equal(after.id, before.id);
        idp.setUser("ada", ada);
      });

      await t.step("another person with the same name and address is another user", async () => {
        const first = await json((await signedInAs(program, "ada")).get("/api/me"));
        idp.setUser("double", { ...ada, sub: "0002", email_verified: false, groups: ["everyone"] });
        const client = await signedInAs(program, "double");
        const second = await json(client.get("/api/me"));
        assert.notEqual(second.id, first.id);
        assert.notEqual(second.username.toLowerCase(), first.username.toLowerCase());
        assert.equal(second.role, "readonly");
        assert.equal(second.email, undefined, "the address belongs to somebody else");
      });

      await t.step("a local user's name is not taken over", async () => {
        idp.setUser("root", { sub: "0003", preferred_username: "admin", groups: ["everyone"] });
        const me = await json((await signedInAs(program, "root")).get("/api/me"));
        assert.notEqual(me.username.toLowerCase(), "admin");
        assert.equal(me.role, "readonly");
        const local = await json((await program.signedIn()).get("/api/me"));
        assert.notEqual(local.id, me.id);
      });

      await t.step("without any name but the subject there is a user too", async () => {
        idp.setUser("nameless", { sub: "auth0|5f7c8ec7c33c6c004bbafe82", groups: ["everyone"] });
        const me = await json((await signedInAs(program, "nameless")).get("/api/me"));
        assert.match(me.username, /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/);
      });

      await t.step("a user of the provider has no password to sign in with or to change", async () => {
        const client = await signedInAs(program, "ada");
        const change = { current_password: "", new_password: testPassword };
        assert.equal(await refusal(client.post("/api/me/password", { json: change })), "400 not_local");
        for (const password of [testPassword, " ", "null"]) {
          const attempt = program.client().post("/auth/login/local", { json: { username: "ada", password } });
          assert.equal(await refusal(attempt), "401 invalid_credentials");
        }
      });

      await t.step("the session changes, and the one before is dead", async () => {
        const client = await program.signedIn();
        const old = { cookie: `service_session=${client.cookies.get("service_session")}` };
        await status(singleSignOn(client, "ada"));
        assert.equal((await json(client.get("/api/me"))).username, "ada");
        assert.equal(await refusal(client.get("/api/me", { headers: old })), "401 unauthorized");
      });

      await t.step("a planted session does not become that of the person who signs in", async () => {
        const planted = "A".repeat(43);
        const client = program.client();
        client.cookies.set("service_session", planted);
        await status(singleSignOn(client, "ada"));
        assert.notEqual(client.cookies.get("service_session"), planted);
        const answer = program.client().get("/api/me", { headers: { cookie: `service_session=${planted}` } });
        assert.equal(await refusal(answer), "401 unauthorized");
      });

      await t.step("each browser has its own sign-in, and one may run two at a time", async () => {
        const client = program.client();
        const visit = new ProviderVisit();
        const first = await reachCallback(client, "ada", { visit, next: "/admin/users" });
        const second = await reachCallback(client, "ada", { visit, next: "/admin/audit" });
        assert.equal(await locationOf(client, second), "/admin/audit");
        const late = await client.get(first);
        await late.body?.cancel();
        assert.equal(late.status, 303, "the other tab ends somewhere sensible too");
      });

      await t.step(
        "cookies are Secure over TLS, and the provider is told the address people use",
        async () => {
          const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "storage.example.org" };
          const answer = await program.client().get("/auth/login/oidc", { headers });
          await answer.body?.cancel();
          const [cookie] = answer.headers.getSetCookie();
          assert.match(cookie, /; HttpOnly/);
          assert.match(cookie, /; Secure/);
          assert.match(cookie, /; SameSite=Lax/);
          const query = new URL(answer.headers.get("location") ?? "").searchParams;
          assert.equal(query.get("redirect_uri"), "https://storage.example.org/auth/callback");
          assert.equal(query.get("code_challenge_method"), "S256");
          assert.equal(query.get("response_type"), "code");
          assert.deepEqual(query.get("scope")?.split(" "), ["openid", "profile", "email"]);
          for (const name of ["state", "nonce", "code_challenge"]) {
            assert.ok((query.get(name) ?? "").length >= 22, name);
          }
        },
      );

      const landing = async (next?: string) => {
        const client = program.client();
        return await locationOf(client, await reachCallback(client, "ada", { next }));
      };
      await t.step("where one wanted to go is kept when it is a path of this site", async () => {
        assert.equal(await landing(), "/");
        for (const next of ["/b/one?p=a%2F&o=x", "/admin/audit?status=error", "/b/one?p=%C3%A4"]) {
          assert.equal(await landing(next), next);
        }
      });
      await t.step("anything else leads to this site too", async () => {
        for (
          const next of [
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "\t//evil.example",
            "/.//evil.example",
            "https://evil.example/",
            "https:evil.example",
            "javascript:alert(1)",
            "/\r\nset-cookie: a=b",
            "x".repeat(10_000),
          ]
        ) {
          const location = await landing(next);
          const { origin } = new URL(location, program.url);
          assert.equal(origin, program.url, `${JSON.stringify(next)} leads to ${location}`);
        }
      });
      await t.step("a long path does not break the sign-in", async () => {
        const location = await landing("/b/one?p=" + "a".repeat(6000));
        assert.ok(location.startsWith("/"), location);
      });
    })));

Deno.test("what the ID token lacks comes from userinfo, for a public client too", () =>
  withIdentityProvider(
    { users: { ada }, claimsIn: "userinfo", clientSecret: null },
    (idp) =>
      withSingleSignOn(idp, {}, async (program) => {
        const me = await json((await signedInAs(program, "ada")).get("/api/me"));
        assert.deepEqual([me.username, me.email, me.role], ["ada", "ada@example.org", "admin"]);
      }),
  ));

async function locationOf(client: Client, callback: string): Promise<string> {
  const answer = await client.get(callback);
  const text = await answer.text();
  assert.equal(answer.status, 303, text);
  assert.ok(client.cookies.has("service_session"), answer.headers.get("location") ?? "");
  return answer.headers.get("location") ?? "";
}
