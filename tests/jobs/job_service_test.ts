import assert from "node:assert/strict";
import { AuditWriter } from "../../src/audit/writer.ts";
import { UserDirectory } from "../../src/auth/user_directory.ts";
import type { JobLock } from "../../src/jobs/job.ts";
import type { JobRun, JobRunner } from "../../src/jobs/run.ts";
import { JobService } from "../../src/jobs/service.ts";
import { Logger } from "../../src/logging/logger.ts";
import { badRequest, type Problem } from "../../src/problem.ts";
import { Database } from "../../src/store/database.ts";
import { findJob } from "../../src/store/jobs_repository.ts";
import { insertUser } from "../../src/store/users_repository.ts";
import { until } from "../support/poll.ts";

/** The service on a database in memory, with runners that the test gives. */
function setUp(runner: JobRunner, database = new Database(":memory:")) {
  const log: string[] = [];
  const logger = new Logger({
    level: "info",
    format: "json",
    clock: Date.now,
    write: (line: string) => void log.push(line),
  });
  for (const [id, role] of [["u1", "user"], ["u2", "user"]] as const) {
    if (database.get("SELECT id FROM users WHERE id = ?", id) !== undefined) continue;
    insertUser(database, {
      id,
      username: id,
      email: null,
      role,
      identitySource: "local",
      passwordHash: null,
      enabled: true,
      mustChangePassword: false,
      createdAt: 0,
      lastLoginAt: null,
      emailVouched: false,
    });
  }
  const users = new UserDirectory(database);
  let ids = 0;
  const jobs = new JobService({
    database,
    users,
    audit: new AuditWriter(database, logger),
    logger,
    clock: Date.now,
    newId: () => `${performance.now()}-${ids++}`,
    runners: { delete_prefix: runner },
  });
  const start = (
    prefix: string,
    { userId = "u1", mode = "write" as JobLock["mode"], isAwaited = false } = {},
  ) =>
    jobs.start({
      kind: "delete_prefix",
      userId,
      spec: { backend: "main", bucket: "photos", prefix },
      locks: [{ backend: "main", bucket: "photos", prefix, mode }],
      isAwaited,
    });
  return { database, users, jobs, start, log };
}

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    return error as Problem;
  }
  throw new assert.AssertionError({ message: "nothing was thrown" });
}

/** Goes on only when the job is to end. */
async function untilStopped({ stopping }: JobRun): Promise<void> {
  if (stopping.aborted) return;
  await new Promise<void>((resolve) => stopping.addEventListener("abort", () => resolve(), { once: true }));
}

Deno.test("a job counts what was done, skipped and failed, and ends as done", async () => {
  const { jobs, start, database } = setUp((run) => {
    run.setTotal(3, 30);
    run.succeeded({ key: "a" }, 10);
    run.skipped({ key: "b" });
    run.failed({ key: "c", versionId: "v1" }, badRequest("no"));
    run.advance("c");
    run.listed();
    return Promise.resolve();
  });
  const ended = await jobs.finished(start("x/").id);
  assert.deepEqual(
    [ended.state, ended.done, ended.skipped, ended.failed, ended.bytes, ended.total, ended.totalBytes],
    ["done", 1, 1, 1, 10, 3, 30],
  );
  assert.deepEqual(jobs.failures(ended.id, 10), [
    { key: "c", versionId: "v1", code: "bad_request", message: "no" },
  ]);
  jobs.close();
  database.close();
});

Deno.test("bytes of objects that have not ended are shown, but not on disk", async () => {
  const { jobs, start, database } = setUp(async (run) => {
    run.succeeded({ key: "a" }, 10);
    run.begin({ key: "b" });
    run.progress(7);
    run.save();
    await untilStopped(run);
    run.progress(-7);
  });
  const { id } = start("x/");
  await until(() => jobs.get(id).bytes === 17, { what: "the bytes to be shown" });
  assert.equal(findJob(database, id)?.bytes, 10);
  jobs.stop(id);
  const { state, bytes } = await jobs.finished(id);
  assert.deepEqual([state, bytes, findJob(database, id)?.bytes], ["stopped", 10, 10]);
  jobs.close();
  database.close();
});

Deno.test("jobs that would get in each other's way are refused; reading together is fine", () => {
  const { jobs, start, database } = setUp(untilStopped);
  const first = start("a/");
  const refused = problemOf(() => start("a/b/"));
  assert.deepEqual([refused.status, refused.code, refused.detail], [409, "conflict", { job_id: first.id }]);
  assert.equal(problemOf(() => start("", { userId: "u2" })).detail, undefined, "of somebody else's job");
  assert.equal(problemOf(() => start("a/", { mode: "read" })).status, 409);
  start("b/", { mode: "read" });
  start("b/", { mode: "read" });
  assert.equal(problemOf(() => start("b/c")).status, 409);
  jobs.close();
  database.close();
});

Deno.test("four jobs of a user run at once, the others wait for their turn; those that are waited for do not", async () => {
  const begun: string[] = [];
  const { jobs, start, database } = setUp(async (run) => {
    begun.push(String(run.job.spec.prefix));
    await untilStopped(run);
  });
  const open = ["1/", "2/", "3/", "4/", "5/", "6/"].map((prefix) => start(prefix));
  const awaited = start("7/", { isAwaited: true });
  await Promise.resolve();
  assert.deepEqual([...begun].sort(), ["1/", "2/", "3/", "4/", "7/"]);
  assert.equal(jobs.get(open[4].id).state, "queued");
  assert.equal(jobs.stop(open[5].id).state, "stopped", "it ends without having run");
  jobs.stop(open[0].id);
  assert.equal((await jobs.finished(open[0].id)).state, "stopped");
  await Promise.resolve();
  assert.equal(begun.at(-1), "5/");
  assert.equal(jobs.get(awaited.id).state, "running");
  jobs.close();
  database.close();
});

Deno.test("a user with many jobs does not keep others waiting", async () => {
  const begun: string[] = [];
  const { jobs, start, database } = setUp(async (run) => {
    begun.push(String(run.job.spec.prefix));
    await untilStopped(run);
  });
  const first = ["1/", "2/", "3/", "4/", "5/", "6/"].map((prefix) => start(prefix));
  for (const prefix of ["a/", "b/", "c/", "d/", "e/"]) start(prefix, { userId: "u2" });
  await Promise.resolve();
  assert.deepEqual([...begun].sort(), ["1/", "2/", "3/", "4/", "a/", "b/", "c/", "d/"]);
  jobs.stop(first[0].id);
  await jobs.finished(first[0].id);
  await Promise.resolve();
  assert.equal(begun.at(-1), "5/", "the one who has fewer running comes first");
  jobs.close();
  database.close();
});

Deno.test("a retry does what failed again and goes on from the position", async () => {
  const seen: string[] = [];
  let isBroken = true;
  const { jobs, start, database } = setUp((run) => {
    for (const { key } of run.failures()) {
      seen.push(`again ${key}`);
      if (key === "b") run.succeeded({ key }, 1);
      else run.failed({ key }, badRequest("still no"));
    }
    seen.push(`from ${run.job.position} ${run.isRepeated}`);
    if (!isBroken) return Promise.resolve(run.listed());
    run.succeeded({ key: "a" }, 1);
    run.failed({ key: "b" }, badRequest("no"));
    run.failed({ key: "c" }, badRequest("no"));
    run.advance("c");
    return Promise.reject(badRequest("the backend is gone"));
  });
  const first = await jobs.finished(start("x/").id);
  assert.deepEqual([first.state, first.error?.message, first.failed], ["failed", "the backend is gone", 2]);
  isBroken = false;
  const again = await jobs.finished(jobs.retry(first.id).id);
  assert.deepEqual(seen, ["from undefined false", "again b", "again c", "from c true"]);
  assert.deepEqual([again.state, again.done, again.failed, again.error], ["done", 2, 1, undefined]);
  assert.deepEqual(jobs.failures(first.id, 10).map(({ key, message }) => [key, message]), [[
    "c",
    "still no",
  ]]);
  jobs.close();
  database.close();
});

Deno.test("thousands of failures are read page by page, each once", async () => {
  const keys = Array.from({ length: 2500 }, (_, index) => `key-${index}`);
  let isFirst = true;
  const again: string[] = [];
  const { jobs, start, database } = setUp((run) => {
    for (const { key } of run.failures()) {
      again.push(key);
      run.failed({ key }, badRequest("no"));
    }
    if (isFirst) { for (const key of keys) run.failed({ key }, badRequest("no")); }
    isFirst = false;
    return Promise.resolve(run.listed());
  });
  const { id } = await jobs.finished(start("x/").id);
  const ended = await jobs.finished(jobs.retry(id).id);
  assert.deepEqual(again.sort(), [...keys].sort());
  assert.equal(ended.failed, 2500);
  jobs.close();
  database.close();
});

Deno.test("jobs that the end of the program has left open are interrupted, and can be done again", async () => {
  const { database, start, jobs } = setUp(async (run) => {
    run.advance("k");
    await untilStopped(run);
  });
  const running = start("a/");
  await Promise.resolve();
  jobs.failures(running.id, 1);
  // As after `kill -9`: nothing more is written, and the next process finds the row.
  const next = setUp((run) => Promise.resolve(run.listed()), database);
  const left = next.jobs.get(running.id);
  assert.deepEqual([left.state, left.position], ["interrupted", "k"]);
  const ended = await next.jobs.finished(next.jobs.retry(running.id).id);
  assert.equal(ended.state, "done");
  assert.equal(problemOf(() => next.jobs.retry(running.id)).status, 409);
  jobs.close();
  next.jobs.close();
  database.close();
});

Deno.test("a job breaks off when its user may no longer do it", async () => {
  const { jobs, start, users, database } = setUp(async (run) => {
    const broken = new Promise<void>((resolve) => run.signal.addEventListener("abort", () => resolve()));
    users.update("u1", { role: "readonly" });
    run.progress(1);
    await broken;
    throw new Error("broken off");
  });
  const ended = await jobs.finished(start("a/").id);
  assert.deepEqual([ended.state, ended.error?.code], ["failed", "forbidden"]);
  jobs.close();
  database.close();
});

Deno.test("what goes wrong unexpectedly tells nothing", async () => {
  const { jobs, start, log, database } = setUp(() => Promise.reject(new Error("SELECT secret")));
  const ended = await jobs.finished(start("a/").id);
  assert.deepEqual([ended.state, ended.error?.code], ["failed", "internal"]);
  assert.doesNotMatch(JSON.stringify(ended), /SELECT/);
  assert.match(log.join(""), /SELECT secret/);
  jobs.close();
  database.close();
});

Deno.test("the end of the service interrupts jobs and takes no new ones", async () => {
  const { jobs, start, database } = setUp((run) => untilStopped(run));
  const job = start("a/");
  await Promise.resolve();
  await jobs.interrupt();
  assert.equal(jobs.get(job.id).state, "interrupted");
  assert.equal(problemOf(() => start("b/")).status, 503);
  jobs.close();
  database.close();
});
