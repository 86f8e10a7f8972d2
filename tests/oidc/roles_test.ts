import assert from "node:assert/strict";
import { type Client, json, refusal } from "../support/http_client.ts";
import { type Claims, type IdentityProvider, withIdentityProvider } from "../support/identity_provider.ts";
import type { Program } from "../support/program.ts";
import {
  reachCallback,
  signedInAs,
  signInRecords,
  singleSignOn,
  withSingleSignOn,
} from "../support/single_sign_on.ts";

Deno.test("the role comes from the groups in the claim", (t) =>
  withIdentityProvider({}, (idp) =>
    withSingleSignOn(idp, {}, async (program) => {
      const admin = await program.signedIn();

      await t.step("a list, a single string, the strongest of several", async () => {
        const cases: [string, unknown][] = [
          ["admin", ["storage-admins"]],
          ["admin", ["everyone", "storage-users", "storage-admins"]],
          ["user", ["developers", "everyone"]],
          ["user", "storage-users"],
          ["readonly", ["everyone", "other"]],
          ["readonly", "everyone"],
          ["readonly", ["everyone", 7, null, { admin: "storage-admins" }]],
        ];
        for (const [role, groups] of cases) assert.equal(await roleOf(program, idp, { groups }), role);
      });

      await t.step("without a mapped group there is a page that says so, a record, and no user", async () => {
        const { total } = await json(admin.get("/api/admin/users"));
        const cases: Claims[] = [
          {},
          { groups: [] },
          { groups: "" },
          { groups: null },
          { groups: true },
          { groups: 1 },
          { groups: ["strangers"] },
          { groups: "storage-admins,storage-users" },
          { groups: "storage-admins storage-users" },
          { groups: ["Storage-Admins", " storage-admins", "storage-admins-2"] },
          { groups: [["storage-admins"]] },
          { groups: { "storage-admins": true } },
          { groups: { 0: "storage-admins", length: 1 } },
          { role: "admin", roles: ["storage-admins"], admin: true },
        ];
        for (const claims of cases) {
          const client = await assertNoRole(program, idp, claims);
          const [record] = await signInRecords(admin, client);
          assert.equal(record.status, "error", JSON.stringify(claims));
          assert.equal(record.detail.reason, "no_role", JSON.stringify(record));
          assert.equal(typeof record.detail.subject, "string", "it says who it was");
        }
        assert.equal((await json(admin.get("/api/admin/users"))).total, total, "no user was made");
      });

      let second: Client;
      await t.step("a change at the provider is in force at the next sign-in", async () => {
        idp.setUser("grace", { sub: "grace", groups: ["storage-admins"] });
        const first = await signedInAs(program, "grace");
        assert.equal((await json(first.get("/api/me"))).role, "admin");
        idp.setUser("grace", { sub: "grace", groups: ["everyone"] });
        second = await signedInAs(program, "grace");
        assert.equal((await json(second.get("/api/me"))).role, "readonly");
        assert.equal(await refusal(second.get("/api/admin/users")), "403 forbidden");
        assert.equal(await refusal(first.get("/api/admin/users")), "403 forbidden", "older sessions too");
      });

      await t.step("who has lost every group does not come in again", async () => {
        idp.setUser("grace", { sub: "grace", groups: [] });
        const client = program.client();
        const answer = await singleSignOn(client, "grace");
        await answer.body?.cancel();
        assert.equal(answer.status, 403);
        assert.ok(!client.cookies.has("service_session"));
        assert.equal(await refusal(second.get("/api/me")), "401 unauthorized", "nor do open sessions go on");
      });
    })));

Deno.test("the claim may be inside another one", () =>
  withIdentityProvider(
    {},
    (idp) =>
      withSingleSignOn(idp, { oidc: { role_claim: "realm_access.roles" } }, async (program) => {
        const nested = { realm_access: { roles: ["storage-users"] } };
        assert.equal(await roleOf(program, idp, nested), "user");
        assert.equal(await roleOf(program, idp, { realm_access: { roles: "storage-admins" } }), "admin");
        const cases = [{}, { roles: ["storage-users"] }, { realm_access: "storage-users" }, {
          realm_access: null,
        }];
        for (const claims of cases) await assertNoRole(program, idp, claims);
      }),
  ));

Deno.test("the claim may have a URL as its name", () =>
  withIdentityProvider(
    {},
    (idp) =>
      withSingleSignOn(idp, { oidc: { role_claim: "https://idp.example/groups" } }, async (program) => {
        assert.equal(await roleOf(program, idp, { "https://idp.example/groups": ["storage-users"] }), "user");
        await assertNoRole(program, idp, { groups: ["storage-users"] });
      }),
  ));

Deno.test("names of claims and groups that every object has give no role", () =>
  withIdentityProvider({}, (idp) => {
    const oidc = { role_claim: "constructor.name", role_mapping: { admin: ["Object", "constructor"] } };
    return withSingleSignOn(idp, { oidc }, async (program) => {
      await assertNoRole(program, idp, { groups: ["constructor", "Object"] });
    });
  }));

Deno.test("the last administrator stays one, so that a wrong mapping locks nobody out", () =>
  withIdentityProvider({}, (idp) =>
    withSingleSignOn(idp, { users: { someone: "user" } }, async (program) => {
      idp.setUser("solo", { sub: "solo", groups: ["storage-admins"] });
      assert.equal((await json((await signedInAs(program, "solo")).get("/api/me"))).role, "admin");
      idp.setUser("solo", { sub: "solo", groups: ["everyone"] });
      const solo = await signedInAs(program, "solo");
      assert.equal((await json(solo.get("/api/me"))).role, "admin");
      const [record] = await signInRecords(solo, solo);
      assert.equal(record.detail.kept_as_last_admin, true);
      idp.setUser("other", { sub: "other", groups: ["storage-admins"] });
      await signedInAs(program, "other");
      assert.equal((await json((await signedInAs(program, "solo")).get("/api/me"))).role, "readonly");
    })));

let people = 0;

/** The role of a new person of whom the provider says this. */
async function roleOf(program: Program, idp: IdentityProvider, claims: Claims): Promise<string> {
  const name = newPerson(idp, claims);
  return (await json((await signedInAs(program, name)).get("/api/me"))).role;
}

/** Checks that a new person is not let in; returns the client with which they tried. */
async function assertNoRole(program: Program, idp: IdentityProvider, claims: Claims): Promise<Client> {
  const client = program.client();
  const callback = await reachCallback(client, newPerson(idp, claims));
  const answer = await client.get(callback, { headers: { accept: "text/html" } });
  const text = await answer.text();
  const what = JSON.stringify(claims);
  assert.equal(answer.status, 403, `${what} ${answer.headers.get("location")}`);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/html/, what);
  assert.ok(text.includes(answer.headers.get("x-request-id") ?? "none"), "the page has the request id");
  assert.ok(!client.cookies.has("service_session"), what);
  return client;
}

function newPerson(idp: IdentityProvider, claims: Claims): string {
  people++;
  const name = `person${people}`;
  idp.setUser(name, { sub: name, preferred_username: name, ...claims });
  return name;
}
