import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { withHostileIdentityProvider } from "../support/hostile_identity_provider.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { type Claims, withIdentityProvider } from "../support/identity_provider.ts";
import { beginSignIn, ProviderVisit, signedInAs, withSingleSignOn } from "../support/single_sign_on.ts";

const users = {
  ada: { sub: "0001", preferred_username: "ada", groups: ["storage-admins"] },
  bob: { sub: "0002", preferred_username: "bob", groups: ["storage-users"] },
};

Deno.test("signing out ends the session here and leads on to the provider's", (t) =>
  withIdentityProvider({ users }, (idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      await t.step("and from there back, signed out at both", async () => {
        const visit = new ProviderVisit();
        const client = await signedInAs(program, "ada", { visit });
        const old = { cookie: `service_session=${client.cookies.get("service_session")}` };
        const { redirect } = await json(client.post("/auth/logout"));
        assert.deepEqual(
          [...client.cookies.keys()],
          ["service_signed_out"],
          "those of the session are cleared",
        );
        assert.equal(await refusal(client.get("/api/me", { headers: old })), "401 unauthorized");
        assert.ok(redirect.startsWith(`${idp.issuer}/session/end?`), redirect);
        const back = await visit.goTo(redirect, "ada");
        assert.equal(back.origin, program.url);
        const denied = await visit.goTo(await beginSignIn(program.client()), null);
        assert.equal(denied.searchParams.get("error"), "access_denied", "the provider asks who it is again");
      });

      await t.step("who signed in with a password has nothing to do with the provider", async () => {
        const client = await program.signedIn();
        assert.equal(await status(client.post("/auth/logout")), 204);
      });

      await t.step("it needs the CSRF token", async () => {
        const client = await signedInAs(program, "ada");
        assert.equal(await refusal(client.post("/auth/logout", { withoutCsrf: true })), "403 csrf_invalid");
        assert.equal(await status(client.get("/api/me")), 200);
      });

      await t.step("the provider ends all sessions of a person, and nobody else's", async () => {
        const clients = await Promise.all([signedInAs(program, "ada"), signedInAs(program, "ada")]);
        const other = await signedInAs(program, "bob");
        const local = await program.signedIn();
        await idp.endSessions("ada");
        for (const client of clients) assert.equal(await refusal(client.get("/api/me")), "401 unauthorized");
        for (const client of [other, local]) assert.equal(await status(client.get("/api/me")), 200);
        await signedInAs(program, "ada");
      });

      await t.step(
        "signing out at the provider in one browser ends the session of that browser",
        async () => {
          const visit = new ProviderVisit();
          const here = await signedInAs(program, "ada", { visit });
          const alsoHere = await signedInAs(program, "ada", { visit });
          const elsewhere = await signedInAs(program, "ada");
          const { redirect } = await json(here.post("/auth/logout"));
          await visit.goTo(redirect, "ada");
          assert.equal(await refusal(alsoHere.get("/api/me")), "401 unauthorized");
          assert.equal(await status(elsewhere.get("/api/me")), 200);
        },
      );

      await t.step("it works while the provider is down", async () => {
        const client = await signedInAs(program, "ada");
        await idp.stop();
        assert.ok(await status(client.post("/auth/logout")) < 300);
        assert.deepEqual([...client.cookies.keys()], ["service_signed_out"]);
        await idp.start();
      });
    })));

Deno.test("with a provider that has no end-session endpoint, signing out ends here", () =>
  withIdentityProvider(
    { users, endSession: false, sessionIds: false },
    (idp) =>
      withSingleSignOn(idp, {}, async (program) => {
        const client = await signedInAs(program, "ada");
        assert.equal(await status(client.post("/auth/logout")), 204);
        assert.equal(await refusal(client.get("/api/me")), "401 unauthorized");
        const again = await signedInAs(program, "ada");
        await idp.endSessions("ada");
        assert.equal(await refusal(again.get("/api/me")), "401 unauthorized");
      }),
  ));

Deno.test("logout tokens end what they name, once, and nothing when they are not right", (t) =>
  withHostileIdentityProvider((idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      const admin = await program.signedIn();
      const signIn = async (sub: string, sid?: string) => {
        idp.person = { sub, sid, groups: ["storage-users"] };
        return await signedInAs(program, "");
      };
      const send = (token: string) =>
        program.client().post("/auth/backchannel-logout", {
          body: new URLSearchParams({ logout_token: token }),
        });
      const alive = async (client: Client) => await status(client.get("/api/me")) === 200;

      await t.step("one session by its name", async () => {
        const first = await signIn("carol", "s1");
        const second = await signIn("carol", "s2");
        const answer = await send(idp.logoutToken({ sub: "carol", sid: "s1" }));
        assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
        await answer.body?.cancel();
        assert.equal(answer.status, 200);
        assert.deepEqual([await alive(first), await alive(second)], [false, true]);
        assert.equal(await status(send(idp.logoutToken({ sid: "s2" }))), 200);
        assert.equal(await alive(second), false);
      });

      await t.step("every session of a person", async () => {
        const clients = [await signIn("carol", "s3"), await signIn("carol"), await signIn("dave", "s4")];
        assert.equal(await status(send(idp.logoutToken({ sub: "carol" }))), 200);
        assert.deepEqual(await Promise.all(clients.map(alive)), [false, false, true]);
      });

      await t.step("nobody who is signed in otherwise, whatever the name", async () => {
        const { id } = await json(admin.get("/api/me"));
        for (const sub of [id, "admin", "", "%"]) {
          assert.ok([200, 400].includes(await status(send(idp.logoutToken({ sub })))), sub);
        }
        assert.ok(await alive(admin));
      });

      await t.step("a person or a session that is not known is fine", async () => {
        assert.equal(await status(send(idp.logoutToken({ sub: "nobody", sid: "none" }))), 200);
      });

      await t.step("what providers send is taken", async () => {
        const now = Math.floor(Date.now() / 1000);
        const variants: [Claims, Claims | undefined][] = [
          [{}, { typ: "JWT" }],
          [{}, {}],
          [{ aud: ["dashboard"] }, undefined],
          [{ iat: now + 10 }, undefined],
        ];
        for (const [claims, header] of variants) {
          const client = await signIn("erin");
          const token = idp.logoutToken({ sub: "erin", ...claims }, undefined, header);
          assert.equal(await status(send(token)), 200, JSON.stringify([claims, header]));
          assert.equal(await alive(client), false);
        }
      });

      const client = await signIn("frank", "s5");
      const now = Math.floor(Date.now() / 1000);
      const right = { sub: "frank", sid: "s5" };
      const jti = randomBytes(8).toString("hex");
      const used = idp.logoutToken({ sub: "somebody", jti });
      assert.equal(await status(send(used)), 200);
      const refused: Record<string, string> = {
        "a token that was taken already": used,
        "the id of a token that was taken already": idp.logoutToken({ ...right, jti }),
        "no id": idp.logoutToken({ ...right, jti: undefined }),
        "for somebody else": idp.logoutToken({ ...right, aud: "another-client" }),
        "for nobody": idp.logoutToken({ ...right, aud: undefined }),
        "from somebody else": idp.logoutToken({ ...right, iss: "https://evil.example" }),
        "with the nonce of an ID token": idp.logoutToken({ ...right, nonce: "n" }),
        "without an event": idp.logoutToken({ ...right, events: undefined }),
        "with another event": idp.logoutToken({ ...right, events: { "urn:other": {} } }),
        "with an event that is no object": idp.logoutToken({
          ...right,
          events: { "http://schemas.openid.net/event/backchannel-logout": true },
        }),
        "naming nobody": idp.logoutToken({}),
        "of an hour ago": idp.logoutToken({ ...right, iat: now - 3600, exp: now - 3500 }),
        "of an hour ago, good for ever": idp.logoutToken({ ...right, iat: now - 3600, exp: now + 3600 }),
        "of an hour from now": idp.logoutToken({ ...right, iat: now + 3600, exp: now + 7200 }),
        "of no time": idp.logoutToken({ ...right, iat: undefined }),
        "unsigned": idp.logoutToken(right, "none"),
        "signed with the client secret": idp.logoutToken(right, "HS256 with the client secret"),
        "signed with the public key as a secret": idp.logoutToken(right, "HS256 with the public key"),
        "signed with the key of somebody else": idp.logoutToken(right, "a key of somebody else"),
        "with a signature that is cut off": idp.logoutToken(right, "cut off"),
        "no token": "x",
        "nothing": "",
        "two dots": "..",
        "of absurd size": "a".repeat(200_000),
      };
      for (const [name, token] of Object.entries(refused)) {
        await t.step(`refused: ${name}`, async () => {
          const answer = await send(token);
          const text = await answer.text();
          assert.ok(answer.status === 400 || answer.status === 413, `${answer.status} ${text}`);
          assert.ok(await alive(client), "nothing ends");
        });
      }

      await t.step("refused: what is no form with one token", async () => {
        const token = idp.logoutToken(right);
        const path = "/auth/backchannel-logout";
        const answers = [
          program.client().post(path),
          program.client().post(path, { body: new URLSearchParams({ token }) }),
          program.client().post(`${path}?logout_token=${token}`),
          program.client().get(`${path}?logout_token=${token}`),
        ];
        for (const answer of answers) assert.ok(await status(answer) >= 400);
        assert.ok(await alive(client), "nothing ends");
      });

      await t.step("refused: an ID token of a sign-in", async () => {
        const idToken = idp.issued.filter((token) => token.split(".").length === 3).at(-1) ?? "";
        assert.equal(await status(send(idToken)), 400);
        assert.ok(await alive(client), "nothing ends");
      });

      await t.step("after all that, the right one ends it", async () => {
        assert.equal(await status(send(idp.logoutToken(right))), 200);
        assert.equal(await alive(client), false);
      });
    })
  ));
