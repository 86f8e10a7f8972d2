import assert from "node:assert/strict";
import { SessionService } from "../../src/auth/sessions.ts";
import { UserDirectory } from "../../src/auth/user_directory.ts";
import { Database } from "../../src/store/database.ts";
import { findUser, insertUser } from "../../src/store/users_repository.ts";

const minute = 60_000;
const limits = { lifetime: 480 * minute, idleTimeout: 60 * minute };

/** Sessions on a database in memory, with a clock that the test sets. */
function setUp() {
  const time = { now: 1_000_000 };
  const database = new Database(":memory:");
  insertUser(database, {
    id: "u1",
    username: "ann",
    email: null,
    role: "user",
    identitySource: "local",
    passwordHash: null,
    enabled: true,
    mustChangePassword: false,
    createdAt: 0,
    lastLoginAt: null,
    emailVouched: false,
  });
  const users = new UserDirectory(database);
  const open = () => new SessionService(database, users, limits, () => time.now);
  const user = findUser(database, "u1");
  assert.ok(user);
  return { database, users, time, user, open };
}

Deno.test("a session is found by its token, also by a process that did not make it", () => {
  const { open, user, database } = setUp();
  const { token, session } = open().create(user, "203.0.113.7", "test");
  assert.equal(open().find(token)?.session.id, session.id);
  assert.equal(open().find(token)?.session.csrfToken, session.csrfToken);
  assert.equal(open().find(`${token}x`), null);
  database.close();
});

Deno.test("the database does not hold what the cookie holds", () => {
  const { open, user, database } = setUp();
  const { token, session } = open().create(user, "", "");
  const text = JSON.stringify(database.all("SELECT *, hex(token_hash) AS hash FROM sessions"));
  assert.ok(!text.includes(token) && !text.includes(session.csrfToken));
  database.close();
});

Deno.test("the ceiling ends a session that is never idle", () => {
  const { open, user, time, database } = setUp();
  const sessions = open();
  const { token } = sessions.create(user, "", "");
  for (let hour = 0; hour < 9; hour++) {
    time.now += 53 * minute;
    assert.notEqual(sessions.find(token), null, `after ${(hour + 1) * 53} minutes`);
  }
  time.now += 3 * minute;
  assert.equal(sessions.find(token), null);
  database.close();
});

Deno.test("idling ends a session, activity does not, and polling is no activity", () => {
  const { open, user, time, database } = setUp();
  const sessions = open();
  const active = sessions.create(user, "", "");
  const polling = sessions.create(user, "", "");
  for (let step = 0; step < 2; step++) {
    time.now += 40 * minute;
    assert.notEqual(sessions.find(active.token), null);
    const found = sessions.find(polling.token, true);
    assert.equal(found === null, step === 1);
  }
  database.close();
});

Deno.test("the idle clock outlives a restart, give or take 15 seconds", () => {
  const { open, user, time, database } = setUp();
  const before = open();
  const { token } = before.create(user, "", "");
  time.now += 50 * minute;
  before.find(token);
  time.now += 50 * minute;
  assert.notEqual(open().find(token, true), null);
  time.now += 10 * minute;
  assert.equal(open().find(token), null);
  database.close();
});

Deno.test("disabling a user ends their sessions at the next request, and enabling does not revive them", () => {
  const { open, users, user, database } = setUp();
  const sessions = open();
  const { token } = sessions.create(user, "", "");
  users.update("u1", { enabled: false });
  assert.equal(sessions.find(token), null);
  users.update("u1", { enabled: true });
  assert.equal(sessions.find(token), null);
  database.close();
});

Deno.test("a new role is in force at the next request", () => {
  const { open, users, user, database } = setUp();
  const sessions = open();
  const { token } = sessions.create(user, "", "");
  assert.equal(sessions.find(token)?.user.role, "user");
  users.update("u1", { role: "readonly" });
  assert.equal(sessions.find(token)?.user.role, "readonly");
  database.close();
});

Deno.test("ending all sessions of a user can spare one", () => {
  const { open, user, database } = setUp();
  const sessions = open();
  const [kept, ended] = [sessions.create(user, "", ""), sessions.create(user, "", "")];
  sessions.endAll("u1", kept.session.id);
  assert.notEqual(sessions.find(kept.token), null);
  assert.equal(sessions.find(ended.token), null);
  assert.deepEqual(sessions.list("u1").map(({ id }) => id), [kept.session.id]);
  database.close();
});

Deno.test("the sweep removes ended sessions from the database", () => {
  const { open, user, time, database } = setUp();
  const sessions = open();
  sessions.create(user, "", "");
  time.now += 61 * minute;
  sessions.sweep();
  assert.equal(database.all("SELECT id FROM sessions").length, 0);
  database.close();
});
