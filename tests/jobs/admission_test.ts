import assert from "node:assert/strict";
import { requireRoom } from "../../src/jobs/admission.ts";
import type { JobLock } from "../../src/jobs/job.ts";
import { Problem } from "../../src/problem.ts";
import type { StoredJob } from "../../src/store/jobs_repository.ts";

/** What a job with so many selected objects in a folder of its own holds. */
const selection = (folder: string, count: number): JobLock[] =>
  Array.from({ length: count }, (_, index) => ({
    backend: "local",
    bucket: "files",
    prefix: `${folder}/${String(index).padStart(6, "0")}\0`,
    mode: "write",
  }));

const job = (userId: string, locks: readonly JobLock[]): StoredJob => ({
  id: `job of ${userId}`,
  kind: "copy_prefix",
  userId,
  spec: { backend: "local", bucket: "files" },
  locks,
  state: "running",
  runs: 1,
  done: 0,
  skipped: 0,
  failed: 0,
  bytes: 0,
  current: "",
  isListed: false,
  createdAt: 0,
});

/** How a job with these locks is refused; `undefined` when it may begin. */
function refusalOf(open: readonly StoredJob[], locks: readonly JobLock[], userId = "ann") {
  try {
    requireRoom(open, locks, userId);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return `${error.status} ${error.message.split(".")[0]}`;
  }
}

Deno.test("the open jobs of a user hold a limited number of selected objects, those of others do not count", () => {
  const open = Array.from({ length: 20 }, (_, index) => job("ann", selection(`folder-${index}`, 2000)));
  const tooMuch = "429 Too many objects are selected in the jobs that are open";
  assert.equal(refusalOf(open, selection("new", 1)), tooMuch);
  assert.equal(refusalOf(open, selection("new", 1), "bob"), undefined);
  assert.equal(refusalOf(open.slice(1), selection("new", 2000)), undefined);
  assert.equal(refusalOf(open.slice(1), selection("new", 2001)), tooMuch);
});

Deno.test("a job is refused beside one on the same objects, which only its own user is told of", () => {
  const open = [job("ann", selection("folder", 3))];
  assert.equal(refusalOf(open, selection("folder", 1)), "409 Another job works on these objects");
  const detailFor = (userId: string) => {
    try {
      requireRoom(open, selection("folder", 1), userId);
    } catch (error) {
      return (error as Problem).detail;
    }
  };
  assert.deepEqual(detailFor("ann"), { job_id: "job of ann" });
  assert.equal(detailFor("bob"), undefined);
});

Deno.test("a user may have a hundred jobs open", () => {
  const open = Array.from({ length: 100 }, (_, index) => job("ann", selection(`folder-${index}`, 1)));
  assert.equal(refusalOf(open, selection("new", 1)), "429 Too many jobs are open");
  assert.equal(refusalOf(open.slice(1), selection("new", 1)), undefined);
});
