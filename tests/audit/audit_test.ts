import assert from "node:assert/strict";
import { insertAuditEvent } from "../../src/store/audit_repository.ts";
import { Database } from "../../src/store/database.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { type Program, withProgram } from "../support/program.ts";

const path = "/api/admin/audit";

/** Adds rows as other requests would have left them: every millisecond one, some of the same time. */
function seed(program: Program, count: number): void {
  const database = new Database(program.databasePath);
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      insertAuditEvent(database, {
        at: Date.UTC(2026, 0, 1) + Math.floor(index / 3),
        action: index % 2 === 0 ? "object.upload" : "object.delete",
        userId: `user-${index % 5}`,
        backend: index % 10 === 0 ? "cold" : "hot",
        bucket: "logs",
        key: index === 7 ? '=HYPERLINK("http://evil.example","x")' : `k/${index}`,
        requestId: "r",
        ip: "203.0.113.7",
        userAgent: "test, with a comma",
        status: index % 4 === 0 ? "error" : "ok",
        detail: {},
      });
    }
  });
  database.close();
}

Deno.test("pages join without gaps or repetitions, newest first", () =>
  withProgram({}, async (program) => {
    seed(program, 1000);
    const admin = await program.signedIn();
    const ids: number[] = [];
    const times: string[] = [];
    let cursor = "";
    do {
      const page = await json(admin.get(`${path}?action=object.*&limit=300${cursor}`));
      for (const event of page.events) ids.push(event.id) && times.push(event.timestamp);
      if (cursor === "") assert.equal(page.total, 1000);
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    assert.equal(new Set(ids).size, 1000);
    assert.deepEqual(times, times.toSorted().reverse());
  }));

Deno.test("filters select, alone and together", () =>
  withProgram({}, async (program) => {
    seed(program, 100);
    const admin = await program.signedIn();
    const count = async (query: string) => (await json(admin.get(`${path}?${query}`))).total;
    assert.equal(await count("action=object.upload"), 50);
    assert.equal(await count("action=object.*"), 100);
    assert.equal(await count("user=user-1"), 20);
    assert.equal(await count("user=admin"), 1, "a user's name finds them too");
    assert.equal(await count("backend=cold"), 10);
    assert.equal(await count("bucket=logs&status=error"), 25);
    assert.equal(await count("key=k/3"), 1);
    assert.equal(await count("to=2026-01-01T00:00:00.010Z&bucket=logs"), 30);
    assert.equal(await count("from=2026-01-01T00:00:00.010Z&bucket=logs"), 70);
    assert.equal(await count("from=2026-01-02&bucket=logs"), 0);
    assert.equal(await count("backend=&bucket=logs"), 100, "an empty field of a form means any");
    for (
      const query of [
        "from=yesterday",
        "from=2026-02-30",
        "from=2026-01-01T12:00",
        "limit=0x10",
        "limit=501",
        "limit=0",
        "cursor=x",
        "cursor=../..",
      ]
    ) {
      assert.equal(await refusal(admin.get(`${path}?${query}`)), "400 bad_request", query);
    }
    const { error } = await json(admin.get(`${path}?from=yesterday`), 400);
    assert.match(error.message, /^from: must be an RFC 3339 time/);
  }));

Deno.test("the CSV holds every row and no formula, and streams", () =>
  withProgram({}, async (program) => {
    seed(program, 20_000);
    const admin = await program.signedIn();
    const answer = await admin.get(`${path}.csv?bucket=logs`);
    assert.equal(answer.headers.get("content-type"), "text/csv; charset=utf-8");
    assert.match(
      answer.headers.get("content-disposition") ?? "",
      /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
    );
    assert.equal(answer.headers.get("content-length"), null);
    const lines = (await answer.text()).trimEnd().split("\r\n");
    assert.equal(lines.length, 20_001);
    assert.match(lines[0], /^id,timestamp,user_id,/);
    const formula = lines.find((line) => line.includes("HYPERLINK"));
    assert.ok(formula?.includes(`"'=HYPERLINK(""http`), formula);
  }));

Deno.test("refusals of audited routes are on record, with who and why", () =>
  withProgram({ users: { admin: "admin", ann: "user" } }, async (program) => {
    const [admin, ann] = [await program.signedIn(), await program.signedIn("ann")];
    const user = { username: "x", password: "y", role: "user" };
    await status(ann.post("/api/admin/users", { json: user, headers: { "user-agent": "curl/8" } }));
    await status(program.client().post("/api/admin/users", { json: user }));
    await status(admin.post("/api/admin/users", { json: user, withoutCsrf: true }));
    const { events } = await json(admin.get(`${path}?action=user.create`));
    assert.deepEqual(
      events.map((event: { username?: string; status: string; detail: { code: string } }) => [
        event.username,
        event.status,
        event.detail.code,
      ]),
      [["admin", "error", "csrf_invalid"], [undefined, "error", "unauthorized"], [
        "ann",
        "error",
        "forbidden",
      ]],
    );
    assert.equal(events[2].user_agent, "curl/8");
    assert.equal(events[2].ip, ann.ip);
    assert.match(events[2].request_id, /^[0-9a-f-]{36}$/);
  }));

Deno.test("what was answered before a kill -9 is on record after it", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const users = await withProgram({}, async (program) => {
      const admin = await program.signedIn();
      let made = 0;
      const makeUsers = async () => {
        for (;;) {
          const answer = await admin.post("/api/admin/users", {
            json: { username: `u${made}`, password: "a long enough password", role: "user" },
          }).catch(() => null);
          if (answer?.status !== 201) return;
          await answer.body?.cancel();
          made++;
          if (made === 5) program.child.signal("SIGKILL");
        }
      };
      await makeUsers();
      await program.child.exited;
      for (const suffix of ["", "-wal"]) {
        await Deno.copyFile(program.databasePath + suffix, `${directory}/service.db${suffix}`);
      }
      return made;
    });
    await withProgram({ directory }, async (program) => {
      const admin = await program.signedIn();
      const { users: found } = await json(admin.get("/api/admin/users?role=user"));
      assert.ok(found.length >= users, `${found.length} of ${users} users`);
      const { total } = await json(admin.get(`${path}?action=user.create&status=ok`));
      assert.ok(total >= users, `${total} of ${users} rows`);
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
