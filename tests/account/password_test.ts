import assert from "node:assert/strict";
import { json, refusal, status } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";

const fresh = "another good password";
const change = "/api/me/password";

Deno.test("changing the password ends the other sessions and takes effect", () =>
  withProgram({}, async (program) => {
    const [here, there] = [await program.signedIn(), await program.signedIn()];
    const body = { current_password: testPassword, new_password: fresh };
    assert.deepEqual(await json(here.post(change, { json: body })), { status: "ok" });
    assert.equal(await refusal(there.get("/api/me")), "401 unauthorized");
    assert.equal(await status(here.get("/api/me")), 200);
    const login = (password: string) =>
      status(program.client().post("/auth/login/local", { json: { username: "admin", password } }));
    assert.equal(await login(testPassword), 401);
    assert.equal(await login(fresh), 200);
  }));

Deno.test("a bad change is refused with its reason and changes nothing", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    const attempt = (current_password: string, new_password: string) =>
      refusal(client.post(change, { json: { current_password, new_password } }));
    assert.equal(await attempt("not it", fresh), "401 password_mismatch");
    assert.equal(await attempt(testPassword, "eleven char"), "400 weak_password");
    assert.equal(await attempt(testPassword, testPassword), "400 weak_password");
    assert.equal(await attempt(testPassword, "x".repeat(1025)), "400 weak_password");
    assert.equal(
      await refusal(client.post(change, { json: { current_password: testPassword } })),
      "400 bad_request",
    );
    await program.signedIn();
  }));

Deno.test("reuse is allowed when the configuration says so, and the length is configurable", () =>
  withProgram({
    config: { auth: { local: { password: { prevent_reuse: false, min_length: 4 } } } },
  }, async (program) => {
    const client = await program.signedIn();
    const same = { current_password: testPassword, new_password: testPassword };
    assert.equal(await status(client.post(change, { json: same })), 200);
    const short = { current_password: testPassword, new_password: "four" };
    assert.equal(await status(client.post(change, { json: short })), 200);
  }));

Deno.test("guessing the current password within a session locks the account", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    const attempt = (current_password: string) =>
      refusal(client.post(change, { json: { current_password, new_password: fresh } }));
    for (let guess = 0; guess < 5; guess++) {
      assert.equal(await attempt(`guess ${guess}`), "401 password_mismatch");
    }
    assert.equal(await attempt(testPassword), "429 account_locked");
  }));

Deno.test("until the password is changed, only the account's own routes answer", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    const created = await json(
      admin.post("/api/admin/users", {
        json: { username: "ann", password: testPassword, role: "user", must_change_pw: true },
      }),
      201,
    );
    assert.equal(created.must_change_pw, true);
    const client = program.client();
    const answer = client.post("/auth/login/local", { json: { username: "ann", password: testPassword } });
    assert.equal((await json(answer)).must_change_pw, true);
    assert.equal((await json(client.get("/api/me"))).must_change_pw, true);
    assert.equal(await refusal(client.get("/api/me/sessions")), "403 password_change_required");
    const body = { current_password: testPassword, new_password: fresh };
    assert.equal(await status(client.post(change, { json: body })), 200);
    assert.equal(await status(client.get("/api/me/sessions")), 200);
  }));

Deno.test("the change is audited without either password", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    await status(client.post(change, { json: { current_password: "not it at all", new_password: fresh } }));
    await status(client.post(change, { json: { current_password: testPassword, new_password: fresh } }));
    const { events } = await json(client.get("/api/admin/audit?action=auth.password.change"));
    assert.deepEqual(
      events.map((
        { status, detail }: { status: string; detail: { code?: string } },
      ) => [status, detail.code]),
      [["ok", undefined], ["error", "password_mismatch"]],
    );
    const everything = JSON.stringify(events) + program.child.stderr.join("\n");
    for (const secret of [fresh, testPassword, "not it at all"]) assert.ok(!everything.includes(secret));
  }));
