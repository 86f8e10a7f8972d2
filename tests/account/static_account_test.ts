import assert from "node:assert/strict";
import { hashPassword } from "../../src/auth/passwords.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { startProgram, testPassword, withProgram } from "../support/program.ts";

const secret = "the static account's password";
const staticAuth = { modes: ["static"], static: { username: "ops", password_hash_env: "OPS_HASH" } };
const login = "/auth/login/local";

Deno.test("the static account signs in as an administrator and cannot be changed", async () => {
  const env = { OPS_HASH: await hashPassword(secret) };
  await withProgram(
    { config: { auth: { ...staticAuth, modes: ["local", "static"] } }, env },
    async (program) => {
      const ops = program.client();
      const answer = ops.post(login, { json: { username: "ops", password: secret } });
      assert.deepEqual(await json(answer), { status: "ok", source: "static" });
      const me = await json(ops.get("/api/me"));
      assert.equal(me.role, "admin");
      assert.equal(me.identity_source, "static");
      const body = { current_password: secret, new_password: "a different password" };
      assert.equal(await refusal(ops.post("/api/me/password", { json: body })), "403 static_user");

      const admin = await program.signedIn();
      const path = `/api/admin/users/${me.id}`;
      assert.equal(await refusal(admin.patch(path, { json: { role: "user" } })), "403 static_user");
      assert.equal(await refusal(admin.delete(path)), "403 static_user");
      assert.equal(await refusal(admin.post(`${path}/reset-password`, { json: {} })), "403 static_user");
    },
  );
});

Deno.test("without the mode local, local accounts cannot sign in", async () => {
  const env = { OPS_HASH: await hashPassword(secret) };
  await withProgram({ config: { auth: staticAuth }, env }, async (program) => {
    const local = { username: "admin", password: testPassword };
    assert.equal(await refusal(program.client().post(login, { json: local })), "401 invalid_credentials");
    const ops = { username: "ops", password: secret };
    assert.equal(await status(program.client().post(login, { json: ops })), 200);
  });
});

Deno.test("a static account that left the configuration is out at once", async () => {
  const env = { OPS_HASH: await hashPassword(secret) };
  const directory = await Deno.makeTempDir();
  try {
    const config = { auth: { ...staticAuth, modes: ["local", "static"] } };
    const cookie = await withProgram({ config, env, directory }, async (program) => {
      const client = await program.client().signIn("ops", secret);
      return `service_session=${client.cookies.get("service_session")}`;
    });
    await withProgram({ directory }, async (program) => {
      assert.equal(
        await refusal(program.client().get("/api/me", { headers: { cookie } })),
        "401 unauthorized",
      );
      const answer = program.client().post(login, { json: { username: "ops", password: secret } });
      assert.equal(await refusal(answer), "401 invalid_credentials");
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a name that a local user already has stops the start with its key", async () => {
  const env = { OPS_HASH: await hashPassword(secret) };
  const auth = { modes: ["local", "static"], static: { ...staticAuth.static, username: "admin" } };
  await assert.rejects(startProgram({ config: { auth }, env }), /auth\.static\.username: "admin" is already/);
});
