import assert from "node:assert/strict";
import { hashPassword } from "../../src/auth/passwords.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";

interface Row {
  readonly action: string;
  readonly user_id: string;
  readonly username?: string;
  readonly status: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly detail: Record<string, unknown>;
}

async function rows(admin: Client, query: string): Promise<Row[]> {
  return (await json(admin.get(`/api/admin/audit?${query}`))).events;
}

function attempt(program: Program, username: string, password: string): Promise<string> {
  return refusal(program.client().post("/auth/login/local", { json: { username, password } }));
}

const users = { admin: "admin", maria: "user", gone: "user" } as const;

Deno.test("a failed sign-in has its reason on record, which nobody else is told, and no password", () =>
  withProgram({ users, config: { auth: { local: { lockout: { max_attempts: 2 } } } } }, async (program) => {
    const admin = await program.signedIn();
    const { users: [gone] } = await json(admin.get("/api/admin/users?query=gone"));
    await json(admin.patch(`/api/admin/users/${gone.id}`, { json: { enabled: false } }));
    const secret = "my secret passphrase 1!";
    const answers = [
      await attempt(program, "nobody", secret),
      await attempt(program, "maria", secret),
      await attempt(program, "gone", testPassword),
      await attempt(program, secret, "x"),
    ];
    assert.deepEqual([...new Set(answers)], ["401 invalid_credentials"]);
    await attempt(program, "maria", secret);
    assert.equal(await attempt(program, "maria", testPassword), "429 account_locked");
    const guesser = program.client();
    for (let guess = 0; guess < 10; guess++) {
      await status(guesser.post("/auth/login/local", { json: { username: "root", password: secret } }));
    }
    const limited = guesser.post("/auth/login/local", { json: { username: "maria", password: secret } });
    assert.equal(await refusal(limited), "429 rate_limited");
    await status(program.client().post("/auth/login/local", { json: { username: "maria" } }));

    const found = await rows(admin, "action=auth.login&status=error");
    const told = found.map((
      { detail, username },
    ) => [detail.reason ?? detail.code, detail.username, username]);
    assert.deepEqual(told.toReversed().filter(([, name]) => name !== "root"), [
      ["unknown_user", "nobody", undefined],
      ["wrong_password", "maria", "maria"],
      ["account_disabled", "gone", "gone"],
      ["unknown_user", undefined, undefined],
      ["wrong_password", "maria", "maria"],
      ["account_locked", "maria", "maria"],
      ["rate_limited", "maria", undefined],
      ["bad_request", undefined, undefined],
    ]);
    const written = JSON.stringify(found) + program.child.stderr.join("\n");
    assert.ok(!written.includes(secret) && !written.includes(testPassword));
  }));

Deno.test("an account that does not sign in with a password here is told from a wrong password", async () => {
  const auth = { modes: ["static"], static: { username: "root", password_hash_env: "ROOT_HASH" } };
  const env = { ROOT_HASH: await hashPassword(testPassword) };
  await withProgram({ config: { auth }, env }, async (program) => {
    const root = await program.signedIn("root");
    assert.equal(await attempt(program, "admin", testPassword), "401 invalid_credentials");
    const [row] = await rows(root, "action=auth.login&status=error");
    assert.deepEqual([row.detail.reason, row.username], ["mode_disabled", "admin"]);
  });
});

Deno.test("what administrators do to users, and users to themselves, is on record", () =>
  withProgram({ users }, async (program) => {
    const [admin, maria] = [await program.signedIn(), await program.signedIn("maria")];
    const path = "/api/admin/users";
    const password = "another long password";
    const { id } = await json(
      admin.post(path, { json: { username: "ben", password, role: "user" } }),
      201,
    );
    await json(admin.patch(`${path}/${id}`, { json: { role: "readonly" } }));
    await status(admin.post(`${path}/${id}/reset-password`, { json: { password } }));
    await status(admin.post(`${path}/${id}/unlock`));
    assert.equal(await status(admin.delete(`${path}/${id}`)), 204);
    const second = await program.signedIn("maria");
    const { sessions } = await json(maria.get("/api/me/sessions"));
    const other = sessions.find(({ current }: { current: boolean }) => !current);
    assert.equal(await status(maria.delete(`/api/me/sessions/${other.id}`)), 204);
    assert.equal(await refusal(second.get("/api/me")), "401 unauthorized");
    const wrong = { current_password: "wrong", new_password: password };
    await status(maria.post("/api/me/password", { json: wrong }));
    await json(maria.post("/api/me/password", { json: { ...wrong, current_password: testPassword } }));
    assert.equal(await status(maria.post("/auth/logout")), 204);

    const all = await rows(admin, "limit=100");
    const seen = all.toReversed().filter(({ action }) => action !== "auth.login")
      .map(({ action, username, status }) => `${username} ${action} ${status}`);
    assert.deepEqual(seen, [
      "admin user.create ok",
      "admin user.update ok",
      "admin user.password.reset ok",
      "admin user.unlock ok",
      "admin user.delete ok",
      "maria session.end ok",
      "maria auth.password.change error",
      "maria auth.password.change ok",
      "maria auth.logout ok",
    ]);
    for (const row of all.filter(({ action }) => action.startsWith("user."))) {
      assert.equal(row.detail.user_id, id, row.action);
    }
    assert.ok(!JSON.stringify(all).includes(password));
  }));

Deno.test("a sign-out is always ok: one that is refused signs nobody out and is not recorded", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    assert.equal(await refusal(program.client().post("/auth/logout")), "401 unauthorized");
    assert.equal(await refusal(admin.post("/auth/logout", { withoutCsrf: true })), "403 csrf_invalid");
    assert.deepEqual(await rows(admin, "action=auth.logout"), []);
  }));
