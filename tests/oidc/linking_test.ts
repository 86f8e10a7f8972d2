import assert from "node:assert/strict";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { withIdentityProvider } from "../support/identity_provider.ts";
import { testPassword } from "../support/program.ts";
import { hashPassword } from "../../src/auth/passwords.ts";
import {
  assertSignInFailed,
  signedInAs,
  signInRecords,
  singleSignOn,
  withSingleSignOn,
} from "../support/single_sign_on.ts";

Deno.test("accounts are linked by an address that the provider has verified, and by nothing else", async (t) => {
  const env = { TEST_STATIC_HASH: await hashPassword(testPassword) };
  const auth = {
    local: { allow_self_registration: true },
    static: { enabled: true, username: "break-glass", password_hash_env: "TEST_STATIC_HASH" },
  };
  await withIdentityProvider({}, (idp) =>
    withSingleSignOn(idp, { auth, env }, async (program) => {
      const admin = await program.signedIn();

      await t.step("a verified address joins the accounts", async () => {
        const local = await createUser(admin, "linda", "linda@example.org");
        idp.setUser("linda-idp", person("s-linda", "Linda@Example.org", true));
        const client = await signedInAs(program, "linda-idp");
        const me = await json(client.get("/api/me"));
        assert.equal(me.id, local);
        assert.equal(me.username, "linda");
        assert.equal(me.role, "user", "the role is the provider's from now on");
        idp.setUser("linda-idp", person("s-linda", "moved@example.org", false));
        const later = await signedInAs(program, "linda-idp");
        assert.equal(
          (await json(later.get("/api/me"))).id,
          local,
          "the link is to the subject, not to the address",
        );
      });

      await t.step("an address that is not verified joins nothing", async () => {
        let number = 0;
        for (const verified of [false, undefined, null, "true", 1, "yes", {}, []]) {
          number++;
          const name = `victim${number}`;
          const local = await createUser(admin, name, `${name}@example.org`);
          idp.setUser(`${name}-idp`, person(`s-${name}`, `${name}@example.org`, verified));
          const client = program.client();
          await status(singleSignOn(client, `${name}-idp`));
          if (client.cookies.has("service_session")) {
            const me = await json(client.get("/api/me"));
            assert.notEqual(me.id, local, `email_verified ${JSON.stringify(verified)}`);
            assert.equal(me.email, undefined, "nor is the address shown as theirs");
          }
          const victim = await program.client().signIn(name, testPassword);
          assert.equal((await json(victim.get("/api/me"))).identity_source, "local");
        }
      });

      await t.step("an address that nobody vouches for goes to whom it is vouched for", async () => {
        const emailOf = async (client: Client) => (await json(client.get("/api/me"))).email;
        idp.setUser("mallory", person("s-mallory", "chief@example.org", false));
        const mallory = await signedInAs(program, "mallory");
        assert.equal(await emailOf(mallory), "chief@example.org");
        idp.setUser("chief", person("s-chief", "Chief@example.org", true));
        const chief = await signedInAs(program, "chief");
        assert.equal(await emailOf(chief), "Chief@example.org");
        assert.equal(await emailOf(mallory), undefined);
        await signedInAs(program, "mallory");
        assert.equal(await emailOf(mallory), undefined);
        assert.equal(await emailOf(chief), "Chief@example.org");
      });

      await t.step(
        "an address that was given at a registration joins nothing, and goes to its owner",
        async () => {
          const registration = { username: "squatter", password: testPassword, email: "boss@example.org" };
          await json(program.client().post("/auth/register", { json: registration }), 201);
          const squatter = await program.client().signIn("squatter", testPassword);
          idp.setUser("boss", person("s-boss", "boss@example.org", true));
          const boss = await json((await signedInAs(program, "boss")).get("/api/me"));
          const own = await json(squatter.get("/api/me"));
          assert.notEqual(boss.id, own.id);
          assert.equal(boss.email, "boss@example.org");
          assert.deepEqual([own.email, own.identity_source], [undefined, "local"]);
        },
      );

      await t.step("an account that is linked already is not linked again", async () => {
        idp.setUser("second", person("s-second", "linda@example.org", true));
        const client = program.client();
        await status(singleSignOn(client, "second"));
        if (!client.cookies.has("service_session")) return;
        const first = await json((await signedInAs(program, "linda-idp")).get("/api/me"));
        assert.notEqual((await json(client.get("/api/me"))).id, first.id);
      });

      await t.step("an account without an address is not linked to one without", async () => {
        const local = await createUser(admin, "blank");
        idp.setUser("blank-idp", {
          sub: "s-blank",
          email: "",
          email_verified: true,
          groups: ["storage-users"],
        });
        const client = await signedInAs(program, "blank-idp");
        assert.notEqual((await json(client.get("/api/me"))).id, local);
      });

      await t.step("the static account is never linked, whatever the name", async () => {
        idp.setUser("glass", {
          ...person("s-glass", "glass@example.org", true),
          preferred_username: "break-glass",
        });
        const me = await json((await signedInAs(program, "glass")).get("/api/me"));
        assert.notEqual(me.username.toLowerCase(), "break-glass");
        assert.equal(me.identity_source, "oidc");
        const own = await program.client().signIn("break-glass", testPassword);
        assert.equal((await json(own.get("/api/me"))).identity_source, "static");
      });

      await t.step(
        "who is disabled is refused, and a session of theirs ends at its next request",
        async () => {
          idp.setUser("dora", person("s-dora", "dora@example.org", true));
          const open = await signedInAs(program, "dora");
          const { id } = await json(open.get("/api/me"));
          await json(admin.patch(`/api/admin/users/${id}`, { json: { enabled: false } }));
          assert.equal(await refusal(open.get("/api/me")), "401 unauthorized");
          const client = program.client();
          await assertRefused(await singleSignOn(client, "dora"), client);
          const [record] = await signInRecords(admin, client);
          assert.equal(record.status, "error");
          assert.equal(record.user_id, id);
          assert.equal(record.detail.reason, "user_disabled");
          await json(admin.patch(`/api/admin/users/${id}`, { json: { enabled: true } }));
          await signedInAs(program, "dora");
        },
      );

      await t.step("a disabled local account does not come alive by its address", async () => {
        const local = await createUser(admin, "gone", "gone@example.org");
        await json(admin.patch(`/api/admin/users/${local}`, { json: { enabled: false } }));
        idp.setUser("gone-idp", person("s-gone", "gone@example.org", true));
        const client = program.client();
        await assertRefused(await singleSignOn(client, "gone-idp"), client);
        assert.equal((await json(admin.get(`/api/admin/users/${local}`))).enabled, false);
      });

      await t.step("who was deleted comes back as somebody new", async () => {
        idp.setUser("newt", person("s-newt", "newt@example.org", true));
        const { id } = await json((await signedInAs(program, "newt")).get("/api/me"));
        assert.equal(await status(admin.delete(`/api/admin/users/${id}`)), 204);
        const me = await json((await signedInAs(program, "newt")).get("/api/me"));
        assert.notEqual(me.id, id);
      });

      await t.step("two sign-ins of one new person at once make one user", async () => {
        idp.setUser("twin", person("s-twin", "twin@example.org", true));
        const ids = await Promise.all(
          Array.from(
            { length: 6 },
            async () => (await json((await signedInAs(program, "twin")).get("/api/me"))).id,
          ),
        );
        assert.equal(new Set(ids).size, 1);
      });
    }));
});

function person(sub: string, email: string, verified: unknown) {
  return { sub, email, email_verified: verified, groups: ["storage-users"] };
}

async function createUser(admin: Client, username: string, email?: string): Promise<string> {
  const fields = { username, email, password: testPassword, role: "readonly" };
  return (await json(admin.post("/api/admin/users", { json: fields }), 201)).id;
}

/** A refusal of a known person is a page or the way back to the sign-in page; nobody is signed in. */
async function assertRefused(answer: Response, client: Client): Promise<void> {
  if (answer.status !== 403) return await assertSignInFailed(answer, client);
  await answer.body?.cancel();
  assert.ok(!client.cookies.has("service_session"));
}
