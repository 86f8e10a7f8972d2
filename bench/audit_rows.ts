import { DatabaseSync } from "node:sqlite";

/** When the newest row was written; rows are 50 ms apart, so that ten million of them are about six days. */
export const newestRow = Date.UTC(2026, 0, 31);
const rowDistance = 50;

/**
 * Fills the audit table of the database at `path` with rows as a busy service has them: 400 users, 6 backends, 900
 * buckets, four of five rows from the S3 endpoint, one of fifty an error. Indexes are made when the rows are there.
 */
export function fillAuditTable(path: string, count: number): void {
  const database = new DatabaseSync(path);
  try {
    const indexes = database.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'audit_events'",
    ).all();
    for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144");
    database.exec("DELETE FROM audit_events");
    database.prepare(fill).run(count, newestRow - count * rowDistance, rowDistance);
    for (const { sql } of indexes) database.exec(String(sql));
    database.exec("PRAGMA journal_mode = WAL");
  } finally {
    database.close();
  }
}

/** Columns are drawn independently of each other, by multiplying the row's number with large primes. */
const fill = `
  WITH RECURSIVE
    numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?),
    draws AS (
      SELECT n,
        (n * 2654435761 >> 7) & 0xffff AS a,
        (n * 40503 + 12345) * 2246822519 >> 9 & 0xffff AS b,
        (n * 3266489917 >> 11) & 0xffff AS c,
        (n * 668265263 >> 5) & 0xffff AS d
      FROM numbers
    )
  INSERT INTO audit_events
    (at, action, user_id, backend, bucket, key, request_id, ip, user_agent, status, detail)
  SELECT
    ? + n * ?,
    CASE
      WHEN a % 100 < 40 THEN 's3.proxy.putobject'
      WHEN a % 100 < 60 THEN 's3.proxy.uploadpart'
      WHEN a % 100 < 72 THEN 's3.proxy.deleteobject'
      WHEN a % 100 < 80 THEN 's3.proxy.listobjects'
      WHEN a % 100 < 88 THEN 'object.upload'
      WHEN a % 100 < 94 THEN 'object.delete'
      WHEN a % 100 < 98 THEN 'auth.login'
      WHEN n % 1000 < 999 THEN 'auth.logout'
      ELSE 'backend.update'
    END,
    CASE WHEN b % 10 = 0 THEN '' ELSE format('00000000-0000-4000-8000-%012d', min(b % 400, c % 400)) END,
    format('backend-%d', min(c % 6, d % 6)),
    format('bucket-%d', min(d % 900, b % 900)),
    format('folder-%d/objects/%d.bin', n % 5000, n / 3),
    format('%08x-0000-4000-8000-%012d', a * 65536 + b, n),
    format('10.%d.%d.%d', a % 256, b % 256, c % 256),
    'aws-sdk-js/3.1169.0 ua/2.1 os/linux#6.1 lang/js md/nodejs#22.22.0 api/s3#3.1169.0',
    CASE WHEN (d + a) % 50 = 0 THEN 'error' ELSE 'ok' END,
    '{"access_key_id":"AKIAABCDEFGHIJKLMNOP","auth_mode":"signed","result":"ok","operation":"PutObject","status":200,"bytes_in":1048576,"bytes_out":0,"duration_ms":12}'
  FROM draws`;
