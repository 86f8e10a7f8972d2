/**
 * Asks for pages of a large audit table with each filter and prints how long the first page with its total takes, and a
 * page far down, in milliseconds; then how fast rows are written on top of that many, and how fast old ones are removed.
 *
 *     deno run --allow-all bench/audit.ts [--rows=10000000] [--runs=20] [--directory=/tmp]
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { deleteAuditEventsBefore, insertAuditEvent, listAuditEvents } from "../src/store/audit_repository.ts";
import type { AuditFilter } from "../src/store/audit_filter.ts";
import { Database } from "../src/store/database.ts";
import { fillAuditTable, newestRow } from "./audit_rows.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000000" },
    runs: { type: "string", default: "20" },
    directory: { type: "string", default: "" },
  },
});
const rows = Number(values.rows);
const runs = Number(values.runs);
const hour = 3_600_000;
const user = "00000000-0000-4000-8000-000000000007";

const filters: Record<string, AuditFilter> = {
  "none": {},
  "user": { userId: user },
  "user, absent": { userId: "nobody" },
  "action": { action: "object.delete" },
  "action, rare": { action: "backend.update" },
  "action auth.*": { action: "auth.*" },
  "action s3.proxy.*": { action: "s3.proxy.*" },
  "backend": { backend: "backend-1" },
  "backend, rare": { backend: "backend-5" },
  "bucket": { bucket: "bucket-3" },
  "bucket, absent": { bucket: "no-such-bucket" },
  "key": { key: `folder-10/objects/${Math.floor(10 / 3)}.bin` },
  "key, absent": { key: "no/such/key" },
  "status ok": { status: "ok" },
  "status error": { status: "error" },
  "from and to": { from: newestRow - 3 * hour, to: newestRow - 2 * hour },
  "backend + bucket": { backend: "backend-1", bucket: "bucket-3" },
  "bucket + key": { bucket: "bucket-3", key: "folder-10/objects/3.bin" },
  "action + status": { action: "object.delete", status: "error" },
  "action auth.* + status error": { action: "auth.*", status: "error" },
  "action + from and to": { action: "object.delete", from: newestRow - 3 * hour, to: newestRow - 2 * hour },
  "user + action": { userId: user, action: "object.delete" },
  "user + status error": { userId: user, status: "error" },
  "user + bucket": { userId: user, bucket: "bucket-3" },
  "user + backend": { userId: user, backend: "backend-1" },
  "user + backend + bucket + action": {
    userId: user,
    backend: "backend-1",
    bucket: "bucket-3",
    action: "object.delete",
  },
  "bucket + action s3.* + status": { bucket: "bucket-3", action: "s3.*", status: "error" },
};

const directory = await Deno.makeTempDir({ dir: values.directory || undefined, prefix: "audit-" });
try {
  const path = join(directory, "service.db");
  new Database(path).close();
  const seconds = secondsOf(() => fillAuditTable(path, rows));
  const megabytes = (await Deno.stat(path)).size / 1_000_000;
  console.log(
    `${rows} rows in ${seconds.toFixed(0)} s, ${(megabytes / (rows / 1_000_000)).toFixed(0)} MB a million`,
  );
  const database = new Database(path);
  try {
    measureFilters(database);
    measureWrites(database);
    measureRemoval(database);
  } finally {
    database.close();
  }
} finally {
  await Deno.remove(directory, { recursive: true });
}

function measureFilters(database: Database): void {
  const table = Object.entries(filters).map(([name, filter]) => {
    const first = listAuditEvents(database, filter, 100);
    const deep = positionFarDown(filter);
    return {
      filter: name,
      rows: first.events.length,
      total: first.total ?? "",
      ...timed("first page", () => listAuditEvents(database, filter, 100)),
      ...timed("deep page", () => listAuditEvents(database, filter, 100, deep)),
    };
  });
  console.table(table);
}

/** A place in the middle of what the filter's times leave. */
function positionFarDown({ from = newestRow - rows * 50, to = newestRow }: AuditFilter) {
  return { at: Math.floor((from + to) / 2), id: 0 };
}

function timed(name: string, work: () => unknown): Record<string, string> {
  const times = Array.from({ length: runs }, () => 1000 * secondsOf(work)).toSorted((a, b) => a - b);
  return {
    [`${name}, p50 ms`]: times[Math.floor(runs / 2)].toFixed(1),
    [`${name}, max ms`]: times[runs - 1].toFixed(1),
  };
}

/** Rows are written as the audit writer does, 500 in a transaction. */
function measureWrites(database: Database): void {
  const batches = 40;
  const seconds = secondsOf(() => {
    for (let batch = 0; batch < batches; batch++) {
      database.transaction(() => {
        for (let row = 0; row < 500; row++) insertAuditEvent(database, newRow(batch * 500 + row));
      });
    }
  });
  console.log(`${Math.round(batches * 500 / seconds)} rows a second are written`);
}

function newRow(number: number) {
  return {
    at: newestRow + number,
    action: number % 2 === 0 ? "s3.proxy.putobject" : "s3.proxy.deleteobject",
    userId: user,
    backend: `backend-${number % 6}`,
    bucket: `bucket-${number % 900}`,
    key: `folder-${number * 7919 % 5000}/objects/${number}.bin`,
    requestId: crypto.randomUUID(),
    ip: "10.0.0.1",
    userAgent: "aws-sdk-js/3.1169.0 ua/2.1 os/linux#6.1 lang/js md/nodejs#22.22.0 api/s3#3.1169.0",
    status: "ok",
    detail: { access_key_id: "AKIAABCDEFGHIJKLMNOP", auth_mode: "signed", result: "ok", status: 200 },
  };
}

function measureRemoval(database: Database): void {
  const times = Array.from(
    { length: 40 },
    () => 1000 * secondsOf(() => deleteAuditEventsBefore(database, newestRow, 500)),
  );
  const slowest = Math.max(...times);
  const perSecond = 40 * 500_000 / times.reduce((sum, time) => sum + time, 0);
  console.log(
    `${Math.round(perSecond)} rows a second are removed, 500 of them in at most ${slowest.toFixed(0)} ms`,
  );
}

function secondsOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
