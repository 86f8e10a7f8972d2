import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { peakResidentBytes } from "../../bench/process_stats.ts";
import { status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";

const csvPath = "/api/admin/audit.csv?bucket=large";
const rowCount = 30_000;
/** 8 KiB a row: 240 MB in all. */
const detailBytes = 8192;

/** Runs SQL on the program's database as another process. */
function execute(program: Program, sql: string): void {
  const database = new DatabaseSync(program.databasePath, { timeout: 20_000 });
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** Adds rows of a time in 2026, one a millisecond. */
function addRows(program: Program, from: string, count: number): void {
  execute(
    program,
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${count})
     INSERT INTO audit_events
       (at, action, user_id, backend, bucket, key, request_id, ip, user_agent, status, detail)
     SELECT ${
      Date.parse(from)
    } + n, 'object.upload', 'u', 'hot', 'large', 'k/' || n, 'r', '203.0.113.7', 'test',
       'ok', json_object('note', printf('%.*c', ${detailBytes}, 'x')) FROM numbers`,
  );
}

async function withRows(body: (program: Program) => Promise<void>): Promise<void> {
  await withProgram({}, async (program) => {
    addRows(program, "2026-02-01T00:00:00Z", rowCount);
    await body(program);
  });
}

Deno.test("the CSV waits for a slow reader, in flat memory, while other requests are answered and rows come and go", () =>
  withRows(async (program) => {
    const admin = await program.signedIn();
    const peak = () => peakResidentBytes(program.child.pid);
    let peakEarly = 0;
    const answer = await admin.get(csvPath);
    const lines = linesOf(answer);
    assert.match((await lines.next()).value ?? "", /^id,timestamp/);
    const keys: string[] = [];
    for await (const line of lines) {
      keys.push(line.split(",")[7]);
      if (keys.length === rowCount / 4) peakEarly = peak();
      if (keys.length === 1000) {
        addRows(program, "2026-03-01T00:00:00Z", 10);
        execute(
          program,
          `DELETE FROM audit_events WHERE key IN ('k/0', 'k/1', 'k/2') AND bucket = 'large' AND
          at < ${Date.parse("2026-02-02")}`,
        );
        for (let request = 0; request < 20; request++) {
          assert.equal(await status(program.client().get("/healthz")), 200);
        }
      }
    }
    const expected = Array.from({ length: rowCount - 3 }, (_, index) => `k/${rowCount - 1 - index}`);
    assert.deepEqual(keys, expected);
    // At first it grows to what is left lying between two collections of garbage.
    const growth = peak() - peakEarly;
    assert.ok(growth < 100_000_000, `memory grew by ${growth} bytes for the last 180 MB`);
  }));

Deno.test("the CSV ends when its reader goes away", () =>
  withRows(async (program) => {
    const admin = await program.signedIn();
    const answer = await admin.get(csvPath);
    const reader = answer.body?.getReader();
    await reader?.read();
    const hasEnded = () => program.logs().some(({ route }) => route === "/api/admin/audit.csv");
    for (let request = 0; request < 20; request++) await status(program.client().get("/healthz"));
    assert.equal(hasEnded(), false, "240 MB are not sent to somebody who does not read");
    await reader?.cancel();
    await until(hasEnded, { what: "the end of the request" });
  }));

async function* linesOf(answer: Response): AsyncGenerator<string> {
  if (answer.body === null) throw new Error("no body");
  let rest = "";
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\r\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  assert.equal(rest, "", "the last line is whole");
}
