import assert from "node:assert/strict";
import { json, refusal, status } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";

const ann = { username: "ann", password: testPassword, email: "ann@example.com" };
const register = "/auth/register";
const allowed = { auth: { local: { allow_self_registration: true } } };
const approved = { auth: { local: { allow_self_registration: true, require_admin_approval: true } } };

Deno.test("self-registration is off unless configured", () =>
  withProgram({}, async (program) => {
    assert.equal(await refusal(program.client().post(register, { json: ann })), "403 mode_disabled");
    const config = await json(program.client().get("/api/auth/config"));
    assert.deepEqual(config, { modes: ["local"], allow_self_registration: false });
  }));

Deno.test("a registered user has the role user and can sign in at once", () =>
  withProgram({ config: allowed }, async (program) => {
    const created = await json(program.client().post(register, { json: { ...ann, role: "admin" } }), 201);
    assert.equal(created.role, "user");
    const me = await json((await program.signedIn("ann")).get("/api/me"));
    assert.equal(me.email, "ann@example.com");
    assert.equal((await json(program.client().get("/api/auth/config"))).allow_self_registration, true);
  }));

Deno.test("with approval, a registered user waits until an administrator enables them", () =>
  withProgram({ config: approved }, async (program) => {
    const { id } = await json(program.client().post(register, { json: ann }), 201);
    const login = () =>
      status(
        program.client().post("/auth/login/local", { json: { username: "ann", password: testPassword } }),
      );
    assert.equal(await login(), 401);
    const admin = await program.signedIn();
    const pending = await json(admin.get("/api/admin/users?enabled=false"));
    assert.deepEqual(pending.users.map((user: { username: string }) => user.username), ["ann"]);
    assert.equal(await status(admin.patch(`/api/admin/users/${id}`, { json: { enabled: true } })), 200);
    assert.equal(await login(), 200);
  }));

Deno.test("a bad registration is refused with its reason", () =>
  withProgram({ config: allowed }, async (program) => {
    const attempt = (body: unknown) => refusal(program.client().post(register, { json: body }));
    assert.equal(await attempt({ ...ann, username: "ADMIN", email: "" }), "409 username_taken");
    assert.equal(await attempt({ ...ann, password: "short" }), "400 weak_password");
    assert.equal(await attempt({ ...ann, username: "" }), "400 bad_request");
    assert.equal(await attempt({ ...ann, username: "a b" }), "400 bad_request");
    assert.equal(await attempt({ ...ann, email: "not an address" }), "400 bad_request");
    await status(program.client().post(register, { json: ann }));
    assert.equal(await attempt({ ...ann, username: "ann2" }), "409 email_taken");
  }));
