import assert from "node:assert/strict";
import { json, status } from "../support/http_client.ts";
import {
  endlessAnswer,
  type HostileIdentityProvider,
  type Misconduct,
  withHostileIdentityProvider,
} from "../support/hostile_identity_provider.ts";
import type { Claims } from "../support/identity_provider.ts";
import type { Program } from "../support/program.ts";
import {
  assertSignInFailed,
  signedInAs,
  signInRecords,
  singleSignOn,
  withSingleSignOn,
} from "../support/single_sign_on.ts";

const seconds = () => Math.floor(Date.now() / 1000);

/** Changes some claims of the ID token. */
const claims = (changes: Claims): Misconduct => ({ claims: (right) => ({ ...right, ...changes }) });

Deno.test("tokens and answers that are not for us are refused", (t) =>
  withHostileIdentityProvider((idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      const admin = await program.signedIn();
      await t.step("an honest sign-in works", () => assertTaken(program, idp, {}));

      const refused: Record<string, Misconduct> = {
        "a nonce of another sign-in": claims({ nonce: "another" }),
        "no nonce": claims({ nonce: undefined }),
        "an audience that is somebody else": claims({ aud: "another-client" }),
        "no audience": claims({ aud: undefined }),
        "an empty list of audiences": claims({ aud: [] }),
        "several audiences and nobody authorized": claims({ aud: ["dashboard", "another"] }),
        "several audiences and somebody else authorized": claims({ aud: ["dashboard", "x"], azp: "x" }),
        "another party authorized": claims({ azp: "another-client" }),
        "an issuer that is somebody else": claims({ iss: "http://127.0.0.1:1" }),
        "an issuer with a slash less": {
          claims: (right) => ({ ...right, iss: String(right.iss).replace(/\/$/, "") }),
        },
        "no issuer": claims({ iss: undefined }),
        "expired an hour ago": claims({ iat: seconds() - 7200, exp: seconds() - 3600 }),
        "expired, beyond the tolerance": claims({ iat: seconds() - 1000, exp: seconds() - 700 }),
        "never expiring": claims({ exp: undefined }),
        "an expiry that is text": claims({ exp: String(seconds() + 300) }),
        "never issued": claims({ iat: undefined }),
        "issued an hour from now": claims({ iat: seconds() + 3600, exp: seconds() + 7200 }),
        "not valid before an hour from now": claims({ nbf: seconds() + 3600 }),
        "no subject": claims({ sub: undefined }),
        "an empty subject": claims({ sub: "" }),
        "a subject that is a number": claims({ sub: 1 }),
        "no signature": { signature: "none" },
        "signed with the client secret": { signature: "HS256 with the client secret" },
        "signed with the public key as a secret": { signature: "HS256 with the public key" },
        "signed with the key of somebody else": { signature: "a key of somebody else" },
        "a signature that is cut off": { signature: "cut off" },
        "an algorithm that is written otherwise": { signature: "none", header: { alg: "NONE" } },
        "an algorithm that the key is not for": { header: { alg: "PS256" } },
        "a header that must be understood": { header: { crit: ["exp"] } },
        "a key inside the token": { signature: "a key of somebody else", header: { jwk: {} } },
        "a key that is not published": { header: { kid: "unknown" } },
        "the issuer of a mix-up": { callback: (query) => query.set("iss", "https://evil.example") },
        "no issuer although it is announced": { callback: (query) => query.delete("iss") },
        "another code": { callback: (query) => query.set("code", "guessed") },
        "another state": { callback: (query) => query.set("state", "guessed") },
        "a state that begins as ours does": {
          callback: (query) => query.set("state", `${query.get("state")?.slice(0, -4)}xxxx`),
        },
      };
      const reasons: Record<string, string> = {
        "another code": "provider_error",
        "another state": "state_invalid",
        "a state that begins as ours does": "state_invalid",
      };
      for (const [name, misconduct] of Object.entries(refused)) {
        await t.step(name, async () => {
          const asked = idp.count("/token");
          const address = await assertNotTaken(program, idp, misconduct);
          const [record] = await signInRecords(admin, address);
          assert.equal(record.status, "error");
          assert.equal(record.user_id, "");
          assert.equal(record.detail.reason, reasons[name] ?? "token_invalid", JSON.stringify(record.detail));
          const isGiven = misconduct.callback === undefined || name === "another code";
          assert.equal(idp.count("/token") > asked, isGiven, "whom the code is given to");
        });
      }

      const taken: Record<string, Misconduct> = {
        "a list with only us as the audience": claims({ aud: ["dashboard"] }),
        "several audiences, and we are authorized": claims({ aud: ["dashboard", "x"], azp: "dashboard" }),
        "expired a moment ago: clocks differ": claims({ iat: seconds() - 300, exp: seconds() - 5 }),
        "issued a moment from now: clocks differ": claims({ iat: seconds() + 15, exp: seconds() + 300 }),
        "valid a moment from now: clocks differ": claims({ nbf: seconds() + 15 }),
        "claims that we do not know": claims({
          acr: "x",
          amr: ["pwd"],
          ["__proto__"]: { groups: ["storage-admins"] },
        }),
      };
      for (const [name, misconduct] of Object.entries(taken)) {
        await t.step(name, () => assertTaken(program, idp, misconduct));
      }
    }), "/application/o/storage/"));

Deno.test("endpoints that fail fail the sign-in, and nothing more", (t) =>
  withHostileIdentityProvider((idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      const admin = await program.signedIn();
      let stolen = 0;
      let sent = 0;
      const elsewhere = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
        stolen++;
        return Response.json({});
      });
      const away = `http://127.0.0.1:${elsewhere.addr.port}/`;
      const moved = () => new Response(null, { status: 307, headers: { location: away } });
      const person = { sub: "mallory" };
      const profile = { ...person, groups: ["storage-users"] };
      const cases: Record<string, { misconduct: Misconduct; person?: Claims }> = {
        "the code is refused": {
          misconduct: { token: () => Response.json({ error: "invalid_grant" }, { status: 400 }) },
        },
        "the client is refused": {
          misconduct: { token: () => Response.json({ error: "invalid_client" }, { status: 401 }) },
        },
        "an error with a page": {
          misconduct: { token: () => new Response("<h1>Oops</h1>", { status: 500 }) },
        },
        "an answer that is no JSON": { misconduct: { token: () => new Response("yes") } },
        "JSON that is no object": { misconduct: { token: () => Response.json(["yes"]) } },
        "no ID token": {
          misconduct: { token: () => Response.json({ access_token: "a", token_type: "Bearer" }) },
        },
        "an ID token that is none": {
          misconduct: {
            token: () => Response.json({ access_token: "a", token_type: "Bearer", id_token: "a.b.c" }),
          },
        },
        "an answer without end": { misconduct: { token: () => endlessAnswer((bytes) => sent += bytes) } },
        "a redirect with the secret to elsewhere": { misconduct: { token: moved } },
        "keys that are no keys": {
          misconduct: { keys: () => Response.json({ keys: "none" }), header: { kid: "new" } },
        },
        "userinfo of somebody else": {
          misconduct: { userinfo: () => Response.json({ ...profile, sub: "victim" }) },
          person,
        },
        "userinfo of nobody": {
          misconduct: { userinfo: () => Response.json({ groups: ["storage-admins"] }) },
          person,
        },
        "userinfo that fails": {
          misconduct: { userinfo: () => new Response(null, { status: 503 }) },
          person,
        },
        "userinfo that is elsewhere": { misconduct: { userinfo: moved }, person },
      };
      try {
        await assertTaken(program, idp, {}, profile);
        await assertTaken(program, idp, { userinfo: () => Response.json(profile) }, person);
        for (const [name, { misconduct, person = profile }] of Object.entries(cases)) {
          await t.step(name, async () => {
            await assertNotTaken(program, idp, misconduct, person);
          });
        }
        assert.equal(stolen, 0, "no redirect was followed");
        assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes of an answer without end were taken`);
        await assertTaken(program, idp, {}, profile);
        assert.equal(await status(admin.get("/api/me")), 200);
      } finally {
        await elsewhere.shutdown();
      }
    })
  ));

Deno.test("unusual claims and new keys do no harm", (t) =>
  withHostileIdentityProvider((idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      const admin = await program.signedIn();
      const names = [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        '=HYPERLINK("http://evil")',
        "a\u202eb\u0000c\nd",
        "x".repeat(5000),
        "   ",
        "../../etc/passwd",
        "Зоя Ωμέγα 王",
      ];
      for (const [index, name] of names.entries()) {
        await t.step(JSON.stringify(name).slice(0, 40), async () => {
          idp.person = {
            sub: `subject-${index}`,
            preferred_username: name,
            name,
            email: `${name}@example.org`,
            email_verified: true,
            groups: ["storage-users"],
          };
          const client = await signedInAs(program, "");
          const me = await json(client.get("/api/me"));
          assert.match(me.username, /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/);
          assert.ok(!JSON.stringify(me).includes("<"), JSON.stringify(me));
        });
      }
      await t.step("a subject of absurd size is refused or kept as it is", async () => {
        for (const sub of ["s".repeat(256), "s".repeat(100_000), "a\u0000b"]) {
          idp.person = { sub, groups: ["storage-users"] };
          const client = program.client();
          await status(singleSignOn(client, ""));
          assert.equal(await status(program.client().get("/healthz")), 200);
        }
      });
      const { users } = await json(admin.get("/api/admin/users?source=oidc"));
      assert.ok(users.length >= names.length);

      await t.step("new keys are found, and unknown ones do not make us ask again and again", async () => {
        await assertTaken(program, idp, {});
        idp.rotateKeys();
        await assertTaken(program, idp, {});
        const before = idp.count("/keys");
        const started = performance.now();
        for (let attempt = 0; attempt < 8; attempt++) {
          await assertNotTaken(program, idp, { header: { kid: `unknown-${attempt}` } });
        }
        const asked = idp.count("/keys") - before;
        const allowed = 2 + (performance.now() - started) / 10_000;
        assert.ok(asked <= allowed, `the keys were asked for ${asked} times`);
        await assertTaken(program, idp, {});
      });
    })
  ));

const honest = { sub: "mallory", preferred_username: "mallory", groups: ["storage-users"] };

/** Signs in while the provider misbehaves, and checks that it does not work. Returns the client that tried. */
async function assertNotTaken(
  program: Program,
  idp: HostileIdentityProvider,
  misconduct: Misconduct,
  person: Claims = honest,
) {
  const client = program.client();
  idp.person = person;
  idp.misconduct = misconduct;
  try {
    await assertSignInFailed(await singleSignOn(client, ""), client);
  } finally {
    idp.misconduct = {};
  }
  return client;
}

/** Signs in while the provider behaves unusually, and checks that it works. */
async function assertTaken(
  program: Program,
  idp: HostileIdentityProvider,
  misconduct: Misconduct,
  person: Claims = honest,
): Promise<void> {
  idp.person = person;
  idp.misconduct = misconduct;
  try {
    const client = await signedInAs(program, "");
    assert.equal((await json(client.get("/api/me"))).role, "user");
  } finally {
    idp.misconduct = {};
  }
}
