import assert from "node:assert/strict";
import { join } from "node:path";
import { AuditRetention, nextSweep } from "../../src/audit/retention.ts";
import { Logger } from "../../src/logging/logger.ts";
import { insertAuditEvent } from "../../src/store/audit_repository.ts";
import { Database } from "../../src/store/database.ts";
import { status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";

const day = 24 * 3_600_000;

/** Adds rows of an age in days. */
function seed(databasePath: string, count: number, ageDays: number): void {
  const database = new Database(databasePath);
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      insertAuditEvent(database, {
        at: Date.now() - ageDays * day - index,
        action: "object.upload",
        userId: "",
        backend: "hot",
        bucket: `age-${ageDays}`,
        key: `k/${index}`,
        requestId: "r",
        ip: "203.0.113.7",
        userAgent: "test",
        status: "ok",
        detail: { note: "x".repeat(300) },
      });
    }
  });
  database.close();
}

/** Runs `body` with the path of a new database in a directory of its own. */
async function withDatabase(body: (databasePath: string, directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    const databasePath = join(directory, "service.db");
    new Database(databasePath).close();
    await body(databasePath, directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function read<T>(databasePath: string, body: (database: Database) => T): T {
  const database = new Database(databasePath);
  try {
    return body(database);
  } finally {
    database.close();
  }
}

function rowsOfAge(databasePath: string, ageDays: number): number {
  return read(databasePath, (database) => countRows(database, ageDays));
}

function countRows(database: Database, ageDays: number): number {
  const row = database.get("SELECT count(*) AS rows FROM audit_events WHERE bucket = ?", `age-${ageDays}`);
  return Number(row?.rows);
}

/**
 * A sign-in that adds a row, as each one does, but has no password that would take long to compare. Without the client
 * of the tests, which first reads the document.
 */
function refusedSignIn({ url }: Program): Promise<number> {
  const headers = { "content-type": "application/json" };
  return status(fetch(`${url}/auth/login/local`, { method: "POST", headers, body: "{}" }));
}

Deno.test("sweeps are at 03:00 UTC", () => {
  const iso = (now: string) => new Date(nextSweep(Date.parse(now))).toISOString();
  assert.equal(iso("2026-01-31T02:59:59.999Z"), "2026-01-31T03:00:00.000Z");
  assert.equal(iso("2026-01-31T03:00:00Z"), "2026-02-01T03:00:00.000Z");
  assert.equal(iso("2026-01-31T23:00:00Z"), "2026-02-01T03:00:00.000Z");
});

Deno.test("rows beyond the retention go soon after the start, the others stay, requests are served meanwhile", () =>
  withDatabase(async (databasePath, directory) => {
    const seeded = 6_000;
    seed(databasePath, seeded, 31);
    seed(databasePath, 50, 29);
    const sizeBefore = read(databasePath, (database) => database.size());
    await withProgram({ directory, config: { audit: { retention: "30d" } } }, async (program) => {
      const database = new Database(databasePath);
      // By the time they were sent, rows had gone; when they were answered, others were left.
      let answered = 0;
      const removed = await until(async () => {
        const isUnderWay = countRows(database, 31) < seeded;
        assert.equal(await refusedSignIn(program), 400);
        if (isUnderWay && countRows(database, 31) > 0) answered++;
        return program.logs().find(({ msg }) => msg === "old audit rows removed");
      }, { what: "the first sweep", timeoutMs: 120_000, intervalMs: 1 }).finally(() => database.close());
      assert.equal(removed.rows, seeded);
      assert.ok(answered > 1, "nothing was answered during the sweep");
      assert.deepEqual([rowsOfAge(databasePath, 31), rowsOfAge(databasePath, 29)], [0, 50]);
    });
    const size = read(databasePath, (database) => database.size());
    assert.ok(size < sizeBefore / 2, `the file has ${size} of ${sizeBefore} bytes`);
  }));

Deno.test("a sweep that the end of the program breaks off goes on at the next start", () =>
  withDatabase(async (databasePath, directory) => {
    const seeded = 60_000;
    seed(databasePath, seeded, 31);
    const options = { directory, config: { audit: { retention: "30d" } } };
    await withProgram(
      options,
      (program) =>
        until(() => rowsOfAge(program.databasePath, 31) < seeded, { what: "the first batch", intervalMs: 1 }),
    );
    const left = rowsOfAge(databasePath, 31);
    assert.ok(left > 0, "the program waited for its sweep");
    await withProgram(
      options,
      () => until(() => rowsOfAge(databasePath, 31) === 0, { what: "the rest", timeoutMs: 120_000 }),
    );
  }));

Deno.test("the age is that of the clock, and 0 keeps everything", () =>
  withDatabase(async (databasePath) => {
    const now = Date.now() + 10 * day;
    seed(databasePath, 450, 25);
    seed(databasePath, 10, 15);
    const database = new Database(databasePath);
    const logger = new Logger({ level: "info", format: "json", clock: () => now, write: () => {} });
    const deps = { database, logger, clock: () => now };
    // Had it begun to wait for a sweep, its timer would outlive this test, which fails for that.
    new AuditRetention({ ...deps, retentionMs: 0 }).start();
    const retention = new AuditRetention({ ...deps, retentionMs: 30 * day });
    retention.start();
    await until(() => retention.removed === 450, { what: "the sweep" });
    retention.stop();
    database.close();
    assert.deepEqual([rowsOfAge(databasePath, 25), rowsOfAge(databasePath, 15)], [0, 10]);
  }));
