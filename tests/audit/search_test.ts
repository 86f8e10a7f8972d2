import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { AuditFilter, AuditPosition } from "../../src/store/audit_filter.ts";
import { insertAuditEvent, listAuditEvents } from "../../src/store/audit_repository.ts";
import { countStatement, planAuditScan, positionsStatement } from "../../src/store/audit_scan.ts";
import { Database } from "../../src/store/database.ts";

interface Seeded {
  readonly database: Database;
  /** The same file, read without anything of ours. */
  readonly plain: DatabaseSync;
}

const actions = ["auth.login", "auth.logout", "object.upload", "object.delete", "s3.proxy.putobject"];

/** Values that repeat so often that no single one of them leaves few rows, and are unrelated but for two buckets. */
function eventAt(index: number) {
  const user = `user-${index % 2}`;
  return {
    at: 1_000_000 + Math.floor(index / 3),
    action: actions[index % 5],
    userId: user,
    backend: `backend-${index % 3}`,
    // Nearly all of the one user's rows are in the one bucket: their combination with the other is rare.
    bucket: index % 7000 < 2 ? "shared" : `bucket-${user}`,
    key: index % 11 === 0 ? "hot" : `key-${index}`,
    requestId: "r",
    ip: "203.0.113.7",
    userAgent: "test",
    status: index % 13 === 0 ? "error" : "ok",
    detail: {},
  };
}

async function withRows(count: number, body: (seeded: Seeded) => void): Promise<void> {
  const directory = await Deno.makeTempDir();
  const path = join(directory, "service.db");
  const database = new Database(path);
  const plain = new DatabaseSync(path);
  try {
    database.transaction(() => {
      for (let index = 0; index < count; index++) insertAuditEvent(database, eventAt(index));
    });
    body({ database, plain });
  } finally {
    plain.close();
    database.close();
    await Deno.remove(directory, { recursive: true });
  }
}

/** What a filter means, in the plainest of SQL. */
function expectedIds(plain: DatabaseSync, filter: AuditFilter): number[] {
  const { userId, action, from, to, ...columns } = filter;
  const where = ["1"];
  const values: (string | number)[] = [];
  const add = (sql: string, value: string | number) => where.push(sql) && values.push(value);
  if (userId !== undefined) add("user_id = ?", userId);
  if (action?.endsWith("*")) add("action GLOB ?", action);
  else if (action !== undefined) add("action = ?", action);
  for (const [column, value] of Object.entries(columns)) add(`${column} = ?`, value);
  if (from !== undefined) add("at >= ?", from);
  if (to !== undefined) add("at < ?", to);
  const sql = `SELECT id FROM audit_events WHERE ${where.join(" AND ")} ORDER BY at DESC, id DESC`;
  return plain.prepare(sql).all(...values).map(({ id }) => Number(id));
}

function everyId(database: Database, filter: AuditFilter, limit: number) {
  const ids: number[] = [];
  let position: AuditPosition | null | undefined;
  let pages = 0;
  while (position !== null) {
    const { events, next } = listAuditEvents(database, filter, limit, position);
    assert.ok(events.length <= limit);
    ids.push(...events.map(({ id }) => id));
    position = next;
    pages++;
  }
  return { ids, pages };
}

const choices = {
  userId: [undefined, "user-0", "nobody"],
  action: [undefined, "object.delete", "auth.*", "object.d*", "*"],
  backend: [undefined, "backend-1"],
  bucket: [undefined, "shared", "bucket-user-1"],
  key: [undefined, "hot"],
  status: [undefined, "error", "ok"],
  from: [undefined, 1_000_300],
  to: [undefined, 1_000_900],
};

function* combinations(): Generator<AuditFilter> {
  const names = Object.keys(choices) as (keyof typeof choices)[];
  const total = names.reduce((product, name) => product * choices[name].length, 1);
  // Every seventh of all combinations has each pair of values in it.
  for (let number = 0; number < total; number += 7) {
    let rest = number;
    const filter: Record<string, unknown> = {};
    for (const name of names) {
      const value = choices[name][rest % choices[name].length];
      rest = Math.floor(rest / choices[name].length);
      if (value !== undefined) filter[name] = value;
    }
    yield filter;
  }
}

Deno.test("every combination of filters finds what plain SQL finds, page by page, and counts it", () =>
  withRows(4000, ({ database, plain }) => {
    for (const filter of combinations()) {
      const expected = expectedIds(plain, filter);
      assert.deepEqual(everyId(database, filter, 500).ids, expected, JSON.stringify(filter));
      assert.equal(listAuditEvents(database, filter, 1).total, expected.length, JSON.stringify(filter));
    }
  }));

Deno.test("filters that no index fits give short pages, which together hold everything", () =>
  withRows(45_000, ({ database, plain }) => {
    const rare = { userId: "user-1", bucket: "shared" };
    const { ids, pages } = everyId(database, rare, 100);
    assert.deepEqual(ids, expectedIds(plain, rare));
    assert.ok(ids.length < 20 && pages === 1, `${ids.length} rows on ${pages} pages: the rare one leads`);
    const hard = { userId: "user-1", bucket: "bucket-user-0" };
    const none = everyId(database, hard, 100);
    assert.deepEqual(none.ids, []);
    assert.ok(none.pages > 1, "20,000 rows of each are not looked at for one page");
    assert.equal(listAuditEvents(database, hard, 100).total, undefined);
    const crossed = { userId: "user-1", backend: "backend-2", key: "hot" };
    assert.deepEqual(everyId(database, crossed, 7).ids, expectedIds(plain, crossed));
  }));

Deno.test("the result `ok` is every row that went well, whether or not its details say so", () =>
  withRows(0, ({ database, plain }) => {
    const rows = [
      { status: "ok", detail: { result: "ok" } },
      { status: "ok", detail: {} },
      { status: "error", detail: { code: "forbidden" } },
      { status: "stopped", detail: {} },
    ];
    for (const row of rows) insertAuditEvent(database, { ...eventAt(0), ...row });
    const found = (filter: AuditFilter) => everyId(database, filter, 10).ids;
    assert.deepEqual(found({ result: "ok" }), expectedIds(plain, { status: "ok" }));
    assert.deepEqual(found({ result: "ok", status: "ok" }), expectedIds(plain, { status: "ok" }));
    assert.deepEqual(found({ result: "ok", status: "error" }), []);
    assert.deepEqual(found({ result: "forbidden" }), expectedIds(plain, { status: "error" }));
    assert.equal(listAuditEvents(database, { result: "ok" }, 1).total, 2);
  }));

Deno.test("a copy is found by the key that it was made under", () =>
  withRows(300, ({ database }) => {
    const copy = { ...eventAt(0), at: 1_000_050, action: "object.copy", key: "source" };
    insertAuditEvent(database, { ...copy, detail: { dst_key: "a/copy", dst_bucket: "b" } });
    insertAuditEvent(database, { ...copy, detail: { dst_key: "a/copy", dst_bucket: "c" } });
    insertAuditEvent(database, { ...copy, detail: { dst_key: "a/copy too" } });
    const found = (filter: AuditFilter) =>
      listAuditEvents(database, filter, 10).events.map(({ detail }) => detail.dst_bucket);
    assert.deepEqual(found({ destinationKey: "a/copy" }), ["c", "b"]);
    assert.deepEqual(found({ destinationKey: "a/copy", action: "object.copy" }), ["c", "b"]);
    assert.deepEqual(found({ destinationKey: "a/copy", action: "object.transfer" }), []);
    assert.deepEqual(found({ destinationKey: "a/copy", key: "source" }), ["c", "b"]);
    assert.deepEqual(found({ destinationKey: "source" }), []);
  }));

Deno.test("totals are exact up to 10,000 rows and absent beyond", () =>
  withRows(30_003, ({ database }) => {
    const total = (filter: AuditFilter) => listAuditEvents(database, filter, 1).total;
    assert.equal(total({ backend: "backend-1" }), undefined);
    assert.equal(total({ backend: "backend-1", to: 1_010_000 }), 10_000);
    assert.equal(total({ from: 1_000_001, to: 1_003_334 }), 9999);
    assert.equal(total({}), undefined);
  }));

/** Which index each filter uses. */
const plans: readonly (readonly [AuditFilter, string])[] = [
  [{}, "time"],
  [{ from: 1_000_100, to: 1_000_200 }, "time"],
  [{ action: "*" }, "time"],
  [{ userId: "user-1" }, "user"],
  [{ userId: "user-1", action: "object.delete" }, "user"],
  [{ userId: "user-1", action: "auth.*", status: "error" }, "user"],
  [{ action: "object.delete" }, "action"],
  [{ action: "object.delete", from: 1_000_100, to: 1_000_200 }, "action"],
  [{ action: "object.delete", status: "error" }, "action"],
  [{ action: "auth.*" }, "action"],
  [{ action: "auth.*", status: "error" }, "action"],
  [{ backend: "backend-1" }, "backend"],
  [{ backend: "backend-1", status: "error", action: "s3.*" }, "backend"],
  [{ bucket: "bucket-user-1" }, "bucket"],
  [{ bucket: "bucket-user-1", action: "object.*", status: "error" }, "bucket"],
  [{ backend: "backend-1", bucket: "bucket-user-1" }, "place"],
  [{ backend: "backend-1", bucket: "bucket-user-1", action: "auth.*", status: "ok" }, "place"],
  [{ key: "hot" }, "key"],
  [{ status: "error" }, "status"],
  [{ status: "ok", to: 1_000_100 }, "status"],
];

Deno.test("each filter is answered from its index alone, in order, without looking at any other row", () =>
  withRows(2000, ({ database, plain }) => {
    for (const [filter, index] of plans) {
      for (const position of [undefined, { at: 1_000_150, id: 400 }]) {
        const scan = planAuditScan(database, filter, position);
        const statements = [
          positionsStatement(scan, 101),
          ...scan.branches.map((branch) => countStatement(scan, branch, 100)),
        ];
        for (const { sql, values } of statements) {
          const steps = plain.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values).map(({ detail }) =>
            String(detail)
          );
          const plan = `${JSON.stringify(filter)}\n${steps.join("\n")}`;
          const reads = steps.filter((step) => step.includes("audit_events"));
          assert.ok(reads.length > 0, plan);
          for (const step of reads) {
            assert.match(
              step,
              new RegExp(`^SEARCH audit_events USING COVERING INDEX audit_events_by_${index} \\(`),
              plan,
            );
            assert.match(
              step,
              /at>\? AND at<\?|at>\? AND \(at,id\)<|\(at,(id|rowid)\)>\(\?,\?\) AND \(at,(id|rowid)\)</,
              plan,
            );
          }
          assert.ok(!steps.some((step) => /TEMP B-TREE|SCAN audit/.test(step)), plan);
        }
      }
    }
  }));

Deno.test("a filter that no index holds uses one of those that fit, in order", () =>
  withRows(2000, ({ database, plain }) => {
    const filter = { userId: "user-1", bucket: "shared", key: "hot" };
    const { sql, values } = positionsStatement(planAuditScan(database, filter), 101);
    const steps = plain.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values).map(({ detail }) =>
      String(detail)
    );
    assert.match(steps.join("\n"), /SEARCH audit_events USING INDEX audit_events_by_key/);
    assert.doesNotMatch(steps.join("\n"), /TEMP B-TREE/);
  }));
