import assert from "node:assert/strict";
import { Database } from "../../src/store/database.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";

const minute = 60_000;

Deno.test("a garbage cookie is no session and no error", () =>
  withProgram({}, async (program) => {
    const client = program.client();
    for (
      const cookie of [
        "service_session=",
        "service_session=%00%ff",
        "service_session=" + "x".repeat(8000),
        "service_session=' OR 1=1 --",
        "=; ;;service_session",
      ]
    ) assert.equal(await refusal(client.get("/api/me", { headers: { cookie } })), "401 unauthorized", cookie);
  }));

Deno.test("a mutation needs the token of its own session", () =>
  withProgram({}, async (program) => {
    const [client, other] = [await program.signedIn(), await program.signedIn()];
    const attempts = {
      "no token": { withoutCsrf: true },
      "an empty token": { headers: { "x-csrf-token": "" } },
      "another session's token": { headers: { "x-csrf-token": other.cookies.get("service_csrf") ?? "" } },
      "another session's token and cookie": {
        headers: {
          "x-csrf-token": other.cookies.get("service_csrf") ?? "",
          "cookie": `service_session=${client.cookies.get("service_session")}; service_csrf=${
            other.cookies.get("service_csrf")
          }`,
        },
      },
      "a token without its cookie": {
        headers: {
          "x-csrf-token": client.cookies.get("service_csrf") ?? "",
          "cookie": `service_session=${client.cookies.get("service_session")}`,
        },
      },
    };
    for (const [what, options] of Object.entries(attempts)) {
      assert.equal(await refusal(client.post("/auth/logout", options)), "403 csrf_invalid", what);
    }
    assert.equal(await status(client.get("/api/me", { withoutCsrf: true })), 200, "GET needs none");
    assert.equal(await status(client.post("/auth/logout")), 204);
  }));

Deno.test("every authenticated answer sets the CSRF cookie, errors too", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    for (const path of ["/api/me", "/api/nothing"]) {
      const answer = await client.get(path);
      await answer.body?.cancel();
      const [cookie] = answer.headers.getSetCookie();
      assert.ok(cookie.startsWith(`service_csrf=${client.cookies.get("service_csrf")};`), path);
      assert.ok(!cookie.includes("HttpOnly"));
    }
  }));

Deno.test("a mutation that another site had a browser send is refused, sign-in included", () =>
  withProgram({}, async (program) => {
    const client = await program.signedIn();
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ];
    for (const headers of foreign) {
      assert.equal(await refusal(client.post("/auth/logout", { headers })), "403 csrf_invalid");
      const login = client.post("/auth/login/local", { headers, json: { username: "a", password: "b" } });
      assert.equal(await refusal(login), "403 csrf_invalid");
    }
    const own = { origin: program.url };
    assert.equal(await status(client.post("/auth/logout", { headers: own })), 204);
  }));

Deno.test("one lists one's own sessions and ends them, and nobody else's", () =>
  withProgram({ users: { ann: "user", bob: "user" } }, async (program) => {
    const [here, there, bob] = [
      await program.signedIn("ann"),
      await program.signedIn("ann"),
      await program.signedIn("bob"),
    ];
    const { sessions } = await json(here.get("/api/me/sessions"));
    assert.equal(sessions.length, 2);
    const current = sessions.find((session: { current: boolean }) => session.current);
    const other = sessions.find((session: { current: boolean }) => !session.current);
    assert.equal(current.ip, here.ip);
    assert.equal(other.ip, there.ip);
    assert.equal(await refusal(bob.delete(`/api/me/sessions/${other.id}`)), "404 not_found");
    assert.equal(await status(here.delete(`/api/me/sessions/${other.id}`)), 204);
    assert.equal(await refusal(there.get("/api/me")), "401 unauthorized");
    assert.equal(await status(here.get("/api/me")), 200);

    const others = [await program.signedIn("ann"), await program.signedIn("ann")];
    assert.deepEqual(await json(here.delete("/api/me/sessions")), { ended: 2 });
    for (const other of others) assert.equal(await refusal(other.get("/api/me")), "401 unauthorized");
    for (const client of [here, bob]) assert.equal(await status(client.get("/api/me")), 200);
  }));

Deno.test("polling does not keep a session alive", () =>
  withProgram({ config: { auth: { session: { idle_timeout: "1s" } } } }, async (program) => {
    const started = Date.now();
    const client = await program.signedIn();
    const poll = () => status(client.get("/api/me", { headers: { "x-background": "1" } }));
    while (await poll() === 200) {
      assert.ok(Date.now() - started < 30_000, "still signed in");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(Date.now() - started >= 1000);
  }));

Deno.test("sessions survive a restart, idle out after their time and die of age at their ceiling", async () => {
  const directory = await Deno.makeTempDir();
  const config = { auth: { session: { lifetime: "3h", idle_timeout: "1h" } } };
  // Minutes since the beginning and since the last use, and what is answered then.
  const lives = [[0, 0, 200], [170, 50, 200], [70, 70, 401], [190, 0, 401]];
  try {
    const clients = await withProgram({ config }, async (program) => {
      const clients = await Promise.all(lives.map(() => program.signedIn()));
      await Deno.copyFile(program.databasePath, `${directory}/service.db`);
      await Deno.copyFile(`${program.databasePath}-wal`, `${directory}/service.db-wal`);
      return clients;
    });
    const database = new Database(`${directory}/service.db`);
    for (const [index, [age, idle]] of lives.entries()) {
      database.run(
        `UPDATE sessions SET created_at = created_at - ?1, expires_at = expires_at - ?1,
           last_seen_at = last_seen_at - ?2 WHERE ip = ?3`,
        age * minute,
        idle * minute,
        clients[index].ip,
      );
    }
    database.close();
    await withProgram({ directory, config }, async (program) => {
      for (const [index, [age, idle, expected]] of lives.entries()) {
        const cookie = `service_session=${clients[index].cookies.get("service_session")}`;
        const answer = await status(program.client().get("/api/me", { headers: { cookie } }));
        assert.equal(answer, expected, `${age} minutes old, idle for ${idle}`);
      }
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("the API limit counts by session and says its window", () =>
  withProgram({ config: { ratelimit: { api_per_minute: 5 } } }, async (program) => {
    const [busy, other] = [await program.signedIn(), await program.signedIn()];
    for (let request = 0; request < 5; request++) assert.equal(await status(busy.get("/api/me")), 200);
    const limited = await busy.get("/api/me");
    assert.equal(limited.headers.get("retry-after"), "60");
    const { error } = await limited.json();
    assert.equal(`${limited.status} ${error.code}`, "429 rate_limited");
    const { wait_ms: wait } = error.detail;
    assert.ok(Number.isInteger(wait) && wait > 0 && wait <= 12_000, `${wait} ms until the next one is free`);
    assert.equal(await status(other.get("/api/me")), 200);
    assert.equal(await status(busy.post("/auth/logout")), 204, "only /api/* counts");
  }));

Deno.test("an API limit of 0 is none", () =>
  withProgram({ config: { ratelimit: { api_per_minute: 0 } } }, async (program) => {
    const client = await program.signedIn();
    const answers = await Promise.all(Array.from({ length: 700 }, () => status(client.get("/api/me"))));
    assert.deepEqual([...new Set(answers)], [200]);
  }));

Deno.test("forwarded addresses count only from trusted proxies", () =>
  withProgram({ config: { server: { trusted_proxies: ["192.0.2.0/24"] } } }, async (program) => {
    const client = await program.signedIn();
    const { sessions } = await json(client.get("/api/me/sessions"));
    assert.equal(sessions[0].ip, "127.0.0.1");
    const answer = await client.get("/api/me", { headers: { "x-forwarded-proto": "https" } });
    await answer.body?.cancel();
    assert.equal(answer.headers.has("strict-transport-security"), false);
  }));
