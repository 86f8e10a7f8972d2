import assert from "node:assert/strict";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";

const login = "/auth/login/local";
const credentials = { username: "victim", password: testPassword };
const users = { admin: "admin", victim: "user", attacker: "user" } as const;

/** What signing in sends: a script's JSON, and a form without scripts. */
const signIns: Readonly<Record<string, { readonly json?: unknown; readonly body?: BodyInit }>> = {
  script: { json: credentials },
  form: { body: new URLSearchParams(credentials) },
};

/** Signs in with cookies that somebody else has planted. Returns the client, which has taken what came back. */
async function signInWith(
  program: Program,
  planted: Readonly<Record<string, string>>,
  options: (typeof signIns)[string],
): Promise<Client> {
  const client = program.client();
  for (const [name, value] of Object.entries(planted)) client.cookies.set(name, value);
  assert.ok([200, 303].includes(await status(client.post(login, options))));
  return client;
}

function whoHas(program: Program, session: string): Promise<Response> {
  return program.client().get("/api/me", { headers: { cookie: `service_session=${session}` } });
}

for (const [kind, options] of Object.entries(signIns)) {
  Deno.test(`a ${kind} signs in to a session of its own, whatever cookie was planted`, () =>
    withProgram({ users }, async (program) => {
      const chosen = "A".repeat(43);
      const victim = await signInWith(program, { service_session: chosen, service_csrf: chosen }, options);
      assert.equal((await json(victim.get("/api/me"))).username, "victim");
      assert.notEqual(victim.cookies.get("service_session"), chosen);
      assert.notEqual(victim.cookies.get("service_csrf"), chosen);
      assert.equal(await refusal(whoHas(program, chosen)), "401 unauthorized");

      const attacker = await program.signedIn("attacker");
      const planted = Object.fromEntries(attacker.cookies);
      const second = await signInWith(program, planted, options);
      assert.equal((await json(second.get("/api/me"))).username, "victim");
      assert.notEqual(second.cookies.get("service_session"), planted.service_session);
      assert.notEqual(second.cookies.get("service_csrf"), planted.service_csrf);
      assert.equal(await refusal(whoHas(program, planted.service_session)), "401 unauthorized");
      assert.equal(
        await refusal(second.post("/auth/logout", { headers: { "x-csrf-token": planted.service_csrf } })),
        "403 csrf_invalid",
        "nor is the token of the planted session good for anything",
      );
    }));
}

Deno.test("a sign-in that fails hands over nothing and ends nothing", () =>
  withProgram({ users }, async (program) => {
    const client = await program.signedIn("victim");
    const before = new Map(client.cookies);
    const answer = await client.post(login, { json: { ...credentials, password: "wrong" } });
    assert.deepEqual(answer.headers.getSetCookie().filter((line) => line.startsWith("service_session")), []);
    assert.equal(await refusal(answer), "401 invalid_credentials");
    assert.deepEqual(client.cookies, before);
    assert.equal(await status(client.get("/api/me")), 200);
  }));

Deno.test("a session id tells nothing of the next one", () =>
  withProgram({ users }, async (program) => {
    const tokens = new Set<string>();
    for (let index = 0; index < 8; index++) {
      const { cookies } = await program.signedIn("victim");
      const token = cookies.get("service_session") ?? "";
      // 256 bits in base64url.
      assert.match(token, /^[\w-]{43}$/);
      for (const other of tokens) {
        const same = [...token].filter((letter, place) => letter === other[place]).length;
        assert.ok(same < 10, "two tokens have more in common than chance has");
      }
      tokens.add(token);
    }
    const { sessions } = await json((await program.signedIn("victim")).get("/api/me/sessions"));
    for (const { id } of sessions) assert.equal(await refusal(whoHas(program, id)), "401 unauthorized");
  }));
