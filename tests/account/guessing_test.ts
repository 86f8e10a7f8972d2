import assert from "node:assert/strict";
import { hashPassword } from "../../src/auth/passwords.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { addOidcUser } from "../support/oidc_user.ts";
import { type Program, testPassword, withProgram } from "../support/program.ts";

const users = { admin: "admin", maria: "user", paul: "user", nina: "user" } as const;

function login(program: Program, username: string, password: string, ip?: string): Promise<Response> {
  const headers: Record<string, string> = ip === undefined ? {} : { "x-forwarded-for": ip };
  return program.client().post("/auth/login/local", { json: { username, password }, headers });
}

Deno.test("guesses are counted by name and by address, and neither is got round", async (t) => {
  await withProgram({ users }, async (program) => {
    await t.step("one name guessed at from many addresses is locked, however it is written", async () => {
      const spellings = ["maria", "MARIA", "Maria", "mArIa", "marIA"];
      for (const name of spellings) {
        assert.equal(await refusal(login(program, name, "a guess")), "401 invalid_credentials", name);
      }
      for (const name of spellings) {
        assert.equal(await refusal(login(program, name, testPassword)), "429 account_locked", name);
      }
      assert.equal(await status(login(program, "admin", testPassword)), 200, "others are not locked");
    });

    await t.step("many names guessed at from one address are limited together, and not locked", async () => {
      const ip = "198.51.100.20";
      const names = ["paul", "admin", ...Array.from({ length: 10 }, (_, index) => `user${index}`)];
      const answers: string[] = [];
      for (const name of names) answers.push(await refusal(login(program, name, "Password123!", ip)));
      assert.deepEqual(answers.slice(0, 10), Array(10).fill("401 invalid_credentials"));
      assert.deepEqual(answers.slice(10), Array(2).fill("429 rate_limited"));
      assert.equal(await refusal(login(program, "paul", testPassword, ip)), "429 rate_limited");
      assert.equal(await status(login(program, "paul", testPassword)), 200);
    });

    await t.step("somebody who has a whole IPv6 network has one address", async () => {
      const answers: string[] = [];
      for (let host = 1; host <= 11; host++) {
        const ip = `2001:db8:1:2:${host}::${host}`;
        answers.push(await refusal(login(program, `host${host}`, "a guess", ip)));
      }
      assert.deepEqual(answers.slice(9), ["401 invalid_credentials", "429 rate_limited"]);
      const neighbour = login(program, "host0", "a guess", "2001:db8:1:3::1");
      assert.equal(await refusal(neighbour), "401 invalid_credentials");
    });

    await t.step("signing in as oneself in between forgets neither", async () => {
      const ip = "198.51.100.30";
      const answers: number[] = [];
      for (let round = 0; round < 6; round++) {
        answers.push(await status(login(program, "nina", "a guess", ip)));
        answers.push(await status(login(program, "paul", testPassword, ip)));
      }
      assert.deepEqual(answers, [...Array(5).fill([401, 200]).flat(), 429, 429]);
      assert.equal(await refusal(login(program, "nina", testPassword)), "429 account_locked");
    });
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

Deno.test("who is known is told neither by the answer nor by its time", async () => {
  const local = { lockout: { max_attempts: 1000 } };
  const fixed = { username: "ops", password_hash_env: "OPS_HASH" };
  const env = { OPS_HASH: await hashPassword("the static account's password") };
  const config = { auth: { modes: ["local", "static"], local, static: fixed } };
  await withProgram({ users, config, env }, async (program) => {
    const admin = await program.signedIn();
    // Made through the API, since the hashes of the other users of tests are cheap ones.
    const tina = { username: "tina", role: "user", password: testPassword };
    await json(admin.post("/api/admin/users", { json: tina }), 201);
    const { users: [paul] } = await json(admin.get("/api/admin/users?query=paul"));
    await json(admin.patch(`/api/admin/users/${paul.id}`, { json: { enabled: false } }));
    addOidcUser(program);
    // Known, unknown, disabled, of an identity provider, and the one of the configuration.
    const names = ["tina", "nobody", "paul", "olivia", "ops"];
    const times = new Map(names.map((name) => [name, [] as number[]]));
    const answers = new Set<string>();
    // Taken in turns, so that what else the machine does falls on each alike.
    for (let round = 0; round < 9; round++) {
      for (const name of names) {
        const started = performance.now();
        const answer = await login(program, name, "a guess");
        answers.add(`${answer.status} ${await answer.text()}`);
        times.get(name)?.push(performance.now() - started);
      }
    }
    assert.equal(answers.size, 1, [...answers].join("\n"));
    const medians = names.map((name) => median(times.get(name) ?? []));
    // One that was not hashed would take a tenth.
    const told = names.map((name, index) => `${name} ${medians[index].toFixed(1)} ms`).join(", ");
    assert.ok(Math.max(...medians) < 3 * Math.min(...medians), told);
  });
});

Deno.test("a lockout tells nothing of who is known", () =>
  withProgram({ users, config: { auth: { local: { lockout: { max_attempts: 2 } } } } }, async (program) => {
    const told: string[][] = [];
    for (const name of ["maria", "nobody"]) {
      const answers: string[] = [];
      for (let attempt = 0; attempt < 3; attempt++) {
        const answer = await login(program, name, "a guess");
        answers.push(`${answer.status} ${await answer.text()}`);
      }
      told.push(answers);
    }
    assert.deepEqual(told[0], told[1]);
    assert.match(told[0][2], /^429 .*account_locked/);
  }));
