import assert from "node:assert/strict";
import { refusal, status } from "../support/http_client.ts";
import { json } from "../support/http_client.ts";
import { testPassword, withProgram } from "../support/program.ts";

const login = "/auth/login/local";
const wrong = { username: "admin", password: "not the password" };

Deno.test("signing in, being recognised, and signing out", () =>
  withProgram({}, async (program) => {
    const client = program.client();
    assert.equal(await refusal(client.get("/api/me")), "401 unauthorized");
    const answer = await client.post(login, { json: { username: "admin", password: testPassword } });
    const cookies = answer.headers.getSetCookie();
    assert.deepEqual(await json(answer), { status: "ok", source: "local" });
    const session = cookies.find((line) => line.startsWith("service_session="));
    assert.match(
      session ?? "",
      /^service_session=[\w-]{43}; Path=\/; SameSite=Lax; Max-Age=28800; HttpOnly$/,
    );
    const csrf = cookies.find((line) => line.startsWith("service_csrf="));
    assert.match(csrf ?? "", /^service_csrf=[\w-]{43}; Path=\/; SameSite=Lax; Max-Age=28800$/);

    const me = await json(client.get("/api/me"));
    assert.equal(me.username, "admin");
    assert.equal(me.role, "admin");
    assert.equal(me.can.manage_users, true);
    const lifetime = Date.parse(me.session.expires_at) - Date.parse(me.session.created_at);
    assert.equal(lifetime, 8 * 3600 * 1000);

    const old = { cookie: `service_session=${client.cookies.get("service_session")}` };
    assert.equal(await status(client.post("/auth/logout")), 204);
    assert.deepEqual([...client.cookies.keys()], ["service_signed_out"], "both cookies are cleared");
    assert.match(await (await client.get("/login")).text(), /You are signed out\./);
    assert.equal(client.cookies.size, 0, "that is said once");
    assert.equal(await refusal(client.get("/api/me", { headers: old })), "401 unauthorized");
  }));

Deno.test("cookies are Secure when the request came over TLS", () =>
  withProgram({}, async (program) => {
    const answer = await program.client().post(login, {
      json: { username: "admin", password: testPassword },
      headers: { "x-forwarded-proto": "https" },
    });
    await answer.body?.cancel();
    assert.equal(answer.headers.getSetCookie().every((line) => line.endsWith("; Secure")), true);
    assert.match(answer.headers.get("strict-transport-security") ?? "", /^max-age=\d+/);
  }));

Deno.test("the account locks after five failures, whether or not it exists, and says for how long", () =>
  withProgram({}, async (program) => {
    for (const username of ["admin", "nobody"]) {
      for (let attempt = 0; attempt < 5; attempt++) {
        const answer = program.client().post(login, { json: { ...wrong, username } });
        assert.equal(await refusal(answer), "401 invalid_credentials");
      }
      const locked = await program.client().post(login, { json: { username, password: testPassword } });
      const seconds = Number(locked.headers.get("retry-after"));
      assert.ok(seconds > 880 && seconds <= 900, `Retry-After ${seconds}`);
      assert.equal(await refusal(locked), "429 account_locked");
    }
  }));

Deno.test("parallel guesses get no more tries than guesses in a row", () =>
  withProgram({}, async (program) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refusal(program.client().post(login, { json: wrong }))),
    );
    assert.equal(answers.filter((answer) => answer === "401 invalid_credentials").length, 5);
    assert.equal(answers.filter((answer) => answer === "429 account_locked").length, 15);
  }));

Deno.test("an address gets ten attempts in fifteen minutes, successful or not", () =>
  withProgram({}, async (program) => {
    const client = program.client();
    for (let attempt = 0; attempt < 10; attempt++) {
      const username = attempt % 2 === 0 ? "admin" : `nobody${attempt}`;
      const expected = username === "admin" ? 200 : 401;
      assert.equal(
        await status(client.post(login, { json: { username, password: testPassword } })),
        expected,
      );
    }
    const limited = await client.post(login, { json: { username: "admin", password: testPassword } });
    assert.ok(Number(limited.headers.get("retry-after")) > 800);
    assert.equal(await refusal(limited), "429 rate_limited");
    assert.equal(
      await status(program.client().post(login, { json: { username: "admin", password: testPassword } })),
      200,
      "another address is not affected",
    );
  }));

Deno.test("every attempt is audited, before its answer leaves, without the password", () =>
  withProgram({}, async (program) => {
    await status(program.client().post(login, { json: wrong }));
    await status(program.client().post(login, { json: { ...wrong, username: "nobody" } }));
    const admin = await program.signedIn();
    const { events } = await json(admin.get("/api/admin/audit?action=auth.login"));
    assert.deepEqual(
      events.map((
        { status, detail }: { status: string; detail: { code?: string } },
      ) => [status, detail.code]),
      [["ok", undefined], ["error", "invalid_credentials"], ["error", "invalid_credentials"]],
    );
    assert.equal(events[1].user_id, "");
    assert.equal(events[1].detail.username, "nobody");
    assert.equal(events[2].username, "admin");
    const everything = JSON.stringify(events) + program.child.stderr.join("\n");
    assert.ok(!everything.includes(wrong.password) && !everything.includes(testPassword));
  }));

Deno.test("a sign-in starts a new session and ends the browser's old one", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    const old = client.cookies.get("service_session");
    await client.signIn("admin", testPassword);
    assert.notEqual(client.cookies.get("service_session"), old);
    const answer = client.get("/api/me", { headers: { cookie: `service_session=${old}` } });
    assert.equal(await refusal(answer), "401 unauthorized");
  }));

Deno.test("a form without scripts is answered with redirects within the site", () =>
  withProgram({}, async (program) => {
    const send = async (fields: Record<string, string>) => {
      const answer = await program.client().post(login, { body: new URLSearchParams(fields) });
      await answer.body?.cancel();
      assert.equal(answer.status, 303);
      return answer.headers.get("location");
    };
    const right = { username: "admin", password: testPassword };
    assert.equal(await send({ ...right, next: "/b/one?p=a%2F" }), "/b/one?p=a%2F");
    assert.equal(await send({ ...right, next: "https://evil.example/" }), "/");
    assert.equal(await send({ ...right, next: "//evil.example/" }), "/");
    assert.equal(
      await send({ ...wrong, next: "/b/one" }),
      "/login?error=invalid_credentials&next=%2Fb%2Fone",
    );
  }));

for (
  const [what, body] of [
    ["no JSON", "{"],
    ["a number for a name", '{"username":1,"password":"x"}'],
    ["no password", '{"username":"admin"}'],
    ["an empty name", '{"username":"","password":"x"}'],
    ["a list", "[]"],
  ]
) {
  Deno.test(`signing in with ${what} is a bad request`, () =>
    withProgram({}, async (program) => {
      const answer = program.client().post(login, { body, headers: { "content-type": "application/json" } });
      assert.equal(await refusal(answer), "400 bad_request");
    }));
}
