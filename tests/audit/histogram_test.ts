import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { AuditFilter } from "../../src/store/audit_filter.ts";
import { type AuditHistogram, countAuditSteps } from "../../src/store/audit_histogram.ts";
import { insertAuditEvent, listAuditEvents } from "../../src/store/audit_repository.ts";
import { Database } from "../../src/store/database.ts";
import { json, refusal } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";

const start = Date.UTC(2026, 0, 1);
const actions = ["auth.login", "object.upload", "object.delete", "s3.proxy.putobject"];

/** Rows of one a second, each thirteenth of which failed. */
function insertRows(database: Database, count: number): void {
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      insertAuditEvent(database, {
        at: start + index * 1000,
        action: actions[index % actions.length],
        userId: `user-${index % 3}`,
        backend: `backend-${index % 2}`,
        bucket: `bucket-${index % 5}`,
        key: `folder/key-${index}`,
        requestId: "r",
        ip: "203.0.113.7",
        userAgent: "test",
        status: index % 13 === 0 ? "error" : "ok",
        detail: index % 13 === 0 ? { code: "forbidden" } : { result: "ok" },
      });
    }
  });
}

async function withRows(
  count: number,
  body: (seeded: { database: Database; plain: DatabaseSync; end: number }) => void,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  const path = join(directory, "service.db");
  const database = new Database(path);
  const plain = new DatabaseSync(path);
  try {
    insertRows(database, count);
    body({ database, plain, end: start + count * 1000 });
  } finally {
    plain.close();
    database.close();
    await Deno.remove(directory, { recursive: true });
  }
}

/** The filters' meaning in plain SQL. */
const cases: readonly (readonly [AuditFilter, string])[] = [
  [{}, "1"],
  [{ userId: "user-1" }, "user_id = 'user-1'"],
  [{ action: "object.*" }, "action GLOB 'object.*'"],
  [{ action: "auth.login", status: "error" }, "action = 'auth.login' AND status = 'error'"],
  [{ backend: "backend-1", bucket: "bucket-3" }, "backend = 'backend-1' AND bucket = 'bucket-3'"],
  [{ key: "folder/key-77" }, "key = 'folder/key-77'"],
  [{ keyContains: "key-77" }, "instr(key, 'key-77')"],
  [{ result: "forbidden" }, "status = 'error'"],
  [{ userId: "nobody" }, "0"],
  [
    { from: start + 600_500, to: start + 1_800_000 },
    `at >= ${start + 600_500} AND at < ${start + 1_800_000}`,
  ],
];

const total = ({ steps }: AuditHistogram, field: "ok" | "failed") =>
  steps.reduce((sum, step) => sum + step[field], 0);

Deno.test("each step of time has the rows that plain SQL counts, told apart by how they ended", () =>
  withRows(4000, ({ database, plain, end }) => {
    for (const [filter, where] of cases) {
      const histogram = countAuditSteps(database, filter, 72, end);
      const { steps, stepMs } = histogram;
      const name = JSON.stringify(filter);
      assert.ok(steps.length <= 72, name);
      assert.equal(histogram.isEstimated, false, name);
      assert.equal(histogram.countedFrom, null, name);
      for (const [index, { at, ok, failed }] of steps.entries()) {
        assert.equal(at, steps[0].at + index * stepMs, name);
        const count = (status: string) =>
          plain.prepare(
            `SELECT count(*) AS total FROM audit_events WHERE ${where} AND at >= ? AND at < ? AND status ${status}`,
          ).get(at, at + stepMs)?.total;
        assert.deepEqual({ ok, failed }, { ok: count("= 'ok'"), failed: count("<> 'ok'") }, name);
      }
      const row = plain.prepare(`SELECT count(*) AS total FROM audit_events WHERE ${where}`).get();
      assert.equal(total(histogram, "ok") + total(histogram, "failed"), row?.total, name);
    }
  }));

Deno.test("steps are lengths of the clock, and never more than were asked for", () =>
  withRows(10, ({ database }) => {
    const stepOf = (length: number, steps = 72) => {
      const from = start + 12_345;
      const histogram = countAuditSteps(database, { from, to: from + length }, steps, start);
      assert.ok(histogram.steps.length <= steps, `${length} ms in ${histogram.steps.length} steps`);
      assert.ok(histogram.steps.length === 0 || histogram.steps[0].at <= from);
      return histogram.stepMs / 1000;
    };
    assert.equal(stepOf(3_600_000), 60);
    assert.equal(stepOf(86_400_000), 1800);
    assert.equal(stepOf(7 * 86_400_000), 10_800);
    assert.equal(stepOf(30 * 86_400_000), 43_200);
    assert.equal(stepOf(0), 1);
    assert.equal(countAuditSteps(database, { from: start, to: start - 1 }, 72, start).steps.length, 0);
    for (const length of [1, 1e6, 1e9, 1e12, 6e13]) for (const steps of [2, 3, 200]) stepOf(length, steps);
  }));

Deno.test("too many rows to count are estimated in bounded time, and what no index holds is counted in part", () =>
  withRows(200_000, ({ database, end }) => {
    const all = countAuditSteps(database, {}, 72, end);
    assert.equal(all.isEstimated, true);
    const isNear = (actual: number, expected: number) =>
      assert.ok(Math.abs(actual - expected) < expected * 0.05, `${actual} is not near ${expected}`);
    isNear(total(all, "ok"), 200_000 * 12 / 13);
    isNear(total(all, "failed"), 200_000 / 13);
    assert.equal(countAuditSteps(database, { from: end - 3_600_000 }, 72, end).isEstimated, false);
    const crossed = countAuditSteps(database, { userId: "user-1", bucket: "bucket-2" }, 72, end);
    assert.ok(crossed.countedFrom !== null && crossed.countedFrom > start);
    assert.ok(crossed.steps[0].at + crossed.stepMs > crossed.countedFrom, "it begins where counting did");
  }));

Deno.test("neither many kinds of rows nor rows of a megabyte make a count long", () =>
  withRows(0, ({ database }) => {
    const row = { userId: "u", backend: "b", bucket: "k", key: "", requestId: "r", ip: "", userAgent: "" };
    database.transaction(() => {
      for (let index = 0; index < 90_000; index++) {
        const action = `s3.proxy.${index % 60}`;
        insertAuditEvent(database, { ...row, at: start + index * 1000, action, status: "ok", detail: {} });
      }
    });
    const end = start + 90_000_000;
    const query = database.allComposed.bind(database);
    let statements = 0;
    database.allComposed = (...statement) => {
      statements++;
      return query(...statement);
    };
    for (const filter of [{ userId: "u" }, { action: "s3.*" }]) {
      statements = 0;
      const { isEstimated, steps } = countAuditSteps(database, filter, 200, end);
      assert.ok(isEstimated && steps.length > 70);
      assert.ok(statements < 5_000, `${statements} statements for ${JSON.stringify(filter)}`);
    }

    // Whoever deletes many objects at once makes these; to look into thousands of them takes seconds.
    const keys = Array.from({ length: 1000 }, () => "x".repeat(1000));
    const refused = { ...row, at: end, action: "object.delete", status: "error" };
    insertAuditEvent(database, { ...refused, detail: { code: "forbidden", keys } });
    insertAuditEvent(database, { ...refused, detail: { code: "forbidden", keys: keys.slice(0, 10) } });
    assert.equal(listAuditEvents(database, { result: "forbidden" }, 500).events.length, 1);
  }));

Deno.test("the API counts in steps for administrators alone, and refuses what is no filter", () =>
  withProgram({ users: { admin: "admin", maria: "user" } }, async (program) => {
    const path = "/api/admin/audit/histogram";
    const database = new Database(program.databasePath);
    insertRows(database, 300);
    database.close();
    const admin = await program.signedIn();
    const query = "action=object.*&from=2026-01-01&to=2026-01-01T00:05:00Z";
    const answer = await json(admin.get(`${path}?${query}`));
    assert.deepEqual([answer.ok + answer.failed, answer.estimated, answer.counted_from], [150, false, null]);
    assert.equal(answer.steps[0].at, "2026-01-01T00:00:00.000Z");
    const mine = await json(admin.get(`${path}?user=admin&action=auth.login`));
    assert.ok(mine.ok >= 1, "a user's name finds them too");
    const part = await json(admin.get("/api/admin/audit?key_contains=key-29&result=forbidden"));
    assert.deepEqual(part.events.map(({ key }: { key: string }) => key), ["folder/key-299"]);
    assert.equal(await refusal(admin.get(`${path}?from=yesterday`)), "400 bad_request");
    assert.equal(await refusal(admin.get(`${path}?steps=1`)), "400 bad_request");
    const maria = await program.signedIn("maria");
    assert.equal(await refusal(maria.get(path)), "403 forbidden");
  }));
