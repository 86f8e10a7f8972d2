import assert from "node:assert/strict";
import { buildAccounts } from "../../src/accounts.ts";
import { hashPassword } from "../../src/auth/passwords.ts";
import { configSchema } from "../../src/config/schema.ts";
import { Problem } from "../../src/problem.ts";
import { Database } from "../../src/store/database.ts";
import { countEnabledAdmins } from "../../src/store/users_repository.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { addOidcUser } from "../support/oidc_user.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";
import { RawConnection } from "../support/raw_connection.ts";

const path = "/api/admin/users";

async function idOf(client: Client): Promise<string> {
  return (await json(client.get("/api/me"))).id;
}

function login(program: Program, username: string): Promise<Response> {
  return program.client().post("/auth/login/local", { json: { username, password: testPassword } });
}

Deno.test("a user of an identity provider is shown as such, and has no password here", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    const user = `${path}/${addOidcUser(program)}`;
    const { users } = await json(admin.get(`${path}?source=oidc`));
    assert.deepEqual(users.map(({ username }: { username: string }) => username), ["olivia"]);
    assert.equal(await refusal(login(program, "olivia")), "401 invalid_credentials");
    for (const body of [{}, { password: testPassword }]) {
      assert.equal(await refusal(admin.post(`${user}/reset-password`, { json: body })), "400 not_local");
    }
    assert.equal(await refusal(login(program, "olivia")), "401 invalid_credentials");
    const changed = await json(admin.patch(user, { json: { role: "readonly", enabled: false } }));
    assert.deepEqual([changed.role, changed.enabled, changed.identity_source], ["readonly", false, "oidc"]);
    assert.equal(await status(admin.post(`${user}/unlock`)), 200);
    assert.equal(await status(admin.delete(user)), 204);
    const database = new Database(program.databasePath);
    try {
      assert.equal(database.get("SELECT 1 FROM oidc_identities"), undefined, "the identity is free again");
    } finally {
      database.close();
    }
  }));

Deno.test("the static account is shown as such, and only its sessions and its lockout can be ended", async () => {
  const secret = "the static account's password";
  const auth = {
    modes: ["local", "static"],
    static: { username: "ops", password_hash_env: "OPS_HASH" },
  };
  const env = { OPS_HASH: await hashPassword(secret) };
  await withProgram({ config: { auth }, env }, async (program) => {
    const admin = await program.signedIn();
    const ops = await program.client().signIn("ops", secret);
    const user = `${path}/${await idOf(ops)}`;
    const { users } = await json(admin.get(`${path}?source=static`));
    assert.deepEqual(users.map(({ username }: { username: string }) => username), ["ops"]);
    for (const json of [{ role: "user" }, { enabled: false }, { email: "ops@example.com" }, {}]) {
      assert.equal(await refusal(admin.patch(user, { json })), "403 static_user", JSON.stringify(json));
    }
    assert.equal(await refusal(admin.post(`${user}/reset-password`, { json: {} })), "403 static_user");
    assert.equal(await refusal(admin.delete(user)), "403 static_user");
    for (let attempt = 0; attempt < 5; attempt++) await status(login(program, "ops"));
    assert.equal((await json(admin.get(user))).locked, true);
    assert.equal(await status(admin.post(`${user}/unlock`)), 200);
    await program.client().signIn("ops", secret);
    assert.deepEqual(await json(admin.delete(`${user}/sessions`)), { ended: 2 });
    assert.equal(await refusal(ops.get("/api/me")), "401 unauthorized");
  });
});

Deno.test("however administrators turn on each other, one is left", async () => {
  const names = ["admin", "second", "third"];
  const users = Object.fromEntries(names.map((name) => [name, "admin"] as const));
  await withProgram({ users }, async (program) => {
    const clients = await Promise.all(names.map((name) => program.signedIn(name)));
    const ids = await Promise.all(clients.map(idOf));
    const attacks = [
      (client: Client, id: string) => client.patch(`${path}/${id}`, { json: { role: "user" } }),
      (client: Client, id: string) => client.patch(`${path}/${id}`, { json: { enabled: false } }),
      (client: Client, id: string) => client.delete(`${path}/${id}`),
    ];
    const answers = await Promise.all(
      clients.flatMap((client, attacker) =>
        ids.filter((_, victim) => victim !== attacker)
          .flatMap((id) => attacks.map((attack) => status(attack(client, id))))
      ),
    );
    assert.ok(answers.every((answer) => [200, 204, 401, 403, 404, 409].includes(answer)), answers.join());
    const database = new Database(program.databasePath);
    try {
      assert.equal(countEnabledAdmins(database), 1);
    } finally {
      database.close();
    }
  });
});

Deno.test("two administrators who demote each other at the same time: one of them stays one", () =>
  withProgram({ users: { admin: "admin", second: "admin" } }, async (program) => {
    const clients = [await program.signedIn(), await program.signedIn("second")];
    const ids = await Promise.all(clients.map(idOf));
    const demote = (client: Client, id: string) =>
      status(client.patch(`${path}/${id}`, { json: { role: "user" } }));
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([demote(clients[0], ids[1]), demote(clients[1], ids[0])]);
      assert.equal(answers.filter((answer) => answer === 200).length, 1, answers.join());
      const winner = answers.indexOf(200);
      await json(clients[winner].patch(`${path}/${ids[1 - winner]}`, { json: { role: "admin" } }));
    }
  }));

Deno.test("the last administrator stays one, whoever asks for what", async () => {
  const database = new Database(":memory:");
  try {
    const { users } = buildAccounts(database, configSchema.parse({}).auth, Date.now);
    const make = (username: string) => users.create({ username, password: testPassword, role: "admin" });
    const [last, former] = [await make("last"), await make("former")];
    users.update(last, former.id, { role: "user" });
    const isRefused = (error: unknown) => error instanceof Problem && error.code === "last_admin";
    // The one who asks was an administrator when they were looked at.
    assert.throws(() => users.update(former, last.id, { role: "user" }), isRefused);
    assert.throws(() => users.update(former, last.id, { enabled: false }), isRefused);
    assert.throws(() => users.remove(former, last.id), isRefused);
    assert.deepEqual(users.get(last.id), last);
  } finally {
    database.close();
  }
});

Deno.test("a request that was begun before its user lost the role does nothing after it", () =>
  withProgram({ users: { admin: "admin", second: "admin" } }, async (program) => {
    const [admin, second] = [await program.signedIn(), await program.signedIn("second")];
    const secondPath = `${path}/${await idOf(second)}`;
    const body = JSON.stringify({ username: "backdoor", password: testPassword, role: "admin" });
    const begin = async () => {
      const connection = await RawConnection.open(program.url);
      await connection.send(
        [
          `POST ${path} HTTP/1.1`,
          `Host: ${new URL(program.url).host}`,
          `Cookie: ${[...second.cookies].map((pair) => pair.join("=")).join("; ")}`,
          `X-CSRF-Token: ${second.cookies.get("service_csrf")}`,
          "Content-Type: application/json",
          `Content-Length: ${body.length}`,
          "Expect: 100-continue",
          "",
          "",
        ].join("\r\n"),
      );
      assert.equal((await connection.answer()).status, 100, "the role was enough so far");
      return connection;
    };
    for (
      const [change, expected] of [
        [() => json(admin.patch(secondPath, { json: { role: "user" } })), 403],
        [() => json(admin.delete(`${secondPath}/sessions`)), 401],
      ] as const
    ) {
      await json(admin.patch(secondPath, { json: { role: "admin" } }));
      using connection = await begin();
      await change();
      await connection.send(body);
      assert.equal((await connection.answer()).status, expected);
      assert.equal((await json(admin.get(`${path}?query=backdoor`))).total, 0);
    }
  }));
