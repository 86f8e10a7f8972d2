import assert from "node:assert/strict";
import { json, refusal, status } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";

const path = "/api/admin/users";
const newUser = { username: "ann", password: testPassword, role: "user" };

Deno.test("an administrator makes, finds, changes and deletes users", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    const created = await json(admin.post(path, { json: { ...newUser, email: "ann@example.com" } }), 201);
    assert.equal(created.identity_source, "local");
    assert.equal(JSON.stringify(created).includes("argon2"), false);
    const { belongings, ...found } = await json(admin.get(`${path}/${created.id}`));
    assert.deepEqual(found, created);
    assert.deepEqual(belongings, { sessions: 0, shares: 0, s3_credentials: 0, jobs: 0, pins: 0 });
    for (
      const query of ["query=ANN", "query=example.com", "role=user", "source=local&role=user", "limit=1"]
    ) {
      const { users } = await json(admin.get(`${path}?${query}`));
      assert.equal(users.length, 1, query);
    }
    assert.deepEqual(
      (await json(admin.get(`${path}?limit=1&offset=1`))).users.map((user: { id: string }) => user.id),
      [created.id],
    );
    const ann = await program.signedIn("ann");
    const changed = await json(
      admin.patch(`${path}/${created.id}`, { json: { role: "readonly", email: "" } }),
    );
    assert.equal(changed.role, "readonly");
    assert.equal(changed.email, undefined);
    assert.equal((await json(ann.get("/api/me"))).role, "readonly", "at the very next request");
    assert.equal(await status(admin.delete(`${path}/${created.id}`)), 204);
    assert.equal(await refusal(ann.get("/api/me")), "401 unauthorized");
    assert.equal(await refusal(admin.get(`${path}/${created.id}`)), "404 not_found");
  }));

Deno.test("disabling a user ends their sessions at once", () =>
  withProgram({ users: { admin: "admin", ann: "user" } }, async (program) => {
    const [admin, ann] = [await program.signedIn(), await program.signedIn("ann")];
    const { id } = await json(ann.get("/api/me"));
    assert.equal(await status(admin.patch(`${path}/${id}`, { json: { enabled: false } })), 200);
    assert.equal(await refusal(ann.get("/api/me")), "401 unauthorized");
  }));

Deno.test("nobody changes their own role, disables or deletes themself", () =>
  withProgram({ users: { admin: "admin", second: "admin" } }, async (program) => {
    const admin = await program.signedIn();
    const { id } = await json(admin.get("/api/me"));
    assert.equal(
      await refusal(admin.patch(`${path}/${id}`, { json: { role: "user" } })),
      "403 self_role_change",
    );
    assert.equal(await refusal(admin.patch(`${path}/${id}`, { json: { enabled: false } })), "403 forbidden");
    assert.equal(await refusal(admin.delete(`${path}/${id}`)), "403 self_delete");
    assert.equal(await status(admin.patch(`${path}/${id}`, { json: { email: "a@example.com" } })), 200);
  }));

Deno.test("the last enabled administrator stays one", () =>
  withProgram({ users: { admin: "admin", second: "admin" } }, async (program) => {
    const [admin, second] = [await program.signedIn(), await program.signedIn("second")];
    const [a, b] = [await json(admin.get("/api/me")), await json(second.get("/api/me"))];
    assert.equal(await status(admin.patch(`${path}/${b.id}`, { json: { role: "user" } })), 200);
    assert.equal(
      await refusal(second.delete(`${path}/${a.id}`)),
      "403 forbidden",
      "no longer an administrator",
    );
    assert.equal(await status(admin.patch(`${path}/${b.id}`, { json: { role: "admin" } })), 200);
    const answers = await Promise.all([
      status(admin.patch(`${path}/${b.id}`, { json: { enabled: false } })),
      status(second.patch(`${path}/${a.id}`, { json: { enabled: false } })),
    ]);
    assert.equal(
      answers.filter((answer) => answer === 200).length,
      1,
      "of two at once only one gets through",
    );
  }));

Deno.test("a reset password is given or random, has to be changed, and ends sessions and lockout", () =>
  withProgram({ users: { admin: "admin", ann: "user" } }, async (program) => {
    const [admin, ann] = [await program.signedIn(), await program.signedIn("ann")];
    const { id } = await json(ann.get("/api/me"));
    const reset = `${path}/${id}/reset-password`;
    const login = (password: string) =>
      program.client().post("/auth/login/local", { json: { username: "ann", password } });
    for (let attempt = 0; attempt < 5; attempt++) await status(login("wrong"));
    const locked = await json(admin.get(`${path}/${id}`));
    assert.equal(locked.locked, true);
    assert.ok(Date.parse(locked.locked_until) > Date.now());
    const { password } = await json(admin.post(reset, { json: {} }));
    assert.ok(password.length >= 20);
    assert.equal(await refusal(ann.get("/api/me")), "401 unauthorized");
    assert.equal((await json(login(password))).must_change_pw, true);
    assert.equal(await refusal(admin.post(reset, { json: { password: "short" } })), "400 weak_password");
    const given = { password: "a password that was given", must_change_pw: false };
    assert.deepEqual(await json(admin.post(reset, { json: given })), { status: "ok" });
    assert.equal((await json(login(given.password))).must_change_pw, undefined);
    const { events } = await json(admin.get("/api/admin/audit"));
    assert.ok(!JSON.stringify(events).includes(password) && !JSON.stringify(events).includes(given.password));
  }));

Deno.test("an administrator ends a lockout", () =>
  withProgram({ users: { admin: "admin", ann: "user" } }, async (program) => {
    const admin = await program.signedIn();
    const login = (password: string) =>
      refusal(program.client().post("/auth/login/local", { json: { username: "ann", password } }));
    for (let attempt = 0; attempt < 5; attempt++) await login("wrong");
    assert.equal(await login(testPassword), "429 account_locked");
    const { users } = await json(admin.get(`${path}?query=ann`));
    assert.equal(await status(admin.post(`${path}/${users[0].id}/unlock`)), 200);
    await program.signedIn("ann");
  }));

Deno.test("bad input is refused, names its field and changes nothing", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    const fieldOf = async (body: unknown) => {
      const { error } = await json(admin.post(path, { json: body }), 400);
      return error.detail.field;
    };
    assert.equal(await fieldOf({ ...newUser, username: 7 }), "username");
    assert.equal(await fieldOf({ ...newUser, username: "<b>" }), "username");
    assert.equal(await fieldOf({ ...newUser, role: "root" }), "role");
    assert.equal(await fieldOf({ ...newUser, email: "x" }), "email");
    assert.equal(await fieldOf({ ...newUser, must_change_pw: "yes" }), "must_change_pw");
    assert.equal(await fieldOf({ ...newUser, password: "short" }), "password");
    assert.equal(
      await refusal(admin.post(path, { json: { ...newUser, username: "Admin" } })),
      "409 username_taken",
    );
    assert.equal(await refusal(admin.get(`${path}?limit=0`)), "400 bad_request");
    assert.equal(await refusal(admin.patch(`${path}/missing`, { json: {} })), "404 not_found");
    assert.equal((await json(admin.get(path))).total, 1);
  }));

Deno.test("users and readers have no access to administration", () =>
  withProgram({ users: { ann: "user", bob: "readonly" } }, async (program) => {
    for (const username of ["ann", "bob"]) {
      const client = await program.signedIn(username);
      for (const target of [path, "/api/admin/audit", "/api/admin/audit.csv"]) {
        assert.equal(await refusal(client.get(target)), "403 forbidden", `${username} ${target}`);
      }
      assert.equal(await refusal(client.post(path, { json: newUser })), "403 forbidden");
    }
  }));
