import assert from "node:assert/strict";
import { keyBeside } from "../../static/lib/upload/conflict.js";
import { type Upload, UploadQueue } from "../../static/lib/upload/queue.js";
import { backOff, type Outcome, reaction } from "../../static/lib/upload/retry.js";
import { Speed } from "../../static/lib/upload/speed.js";
import { fractionDone, totalsOf } from "../../static/lib/upload/totals.js";

interface Sending {
  key: string;
  ifAbsent: boolean;
  signal: AbortSignal;
  onProgress(sent: number): void;
  end(outcome: Outcome): Promise<void>;
}

/** A queue whose line and clock are in the test's hands. */
class Bench {
  now = 1_000_000;
  readonly sending: Sending[] = [];
  readonly timers: { at: number; run: () => void }[] = [];
  readonly stored: string[] = [];
  signIns = 0;
  signedIn = () => {};
  readonly queue = new UploadQueue({
    send: (upload, { ifAbsent, signal, onProgress }) =>
      new Promise<Outcome>((resolve) => {
        const entry: Sending = {
          key: upload.key,
          ifAbsent,
          signal,
          onProgress,
          end: async (outcome) => {
            this.sending.splice(this.sending.indexOf(entry), 1);
            resolve(outcome);
            await settled();
          },
        };
        signal.addEventListener("abort", () => entry.end({ status: 0 }));
        this.sending.push(entry);
      }),
    signIn: () => {
      this.signIns++;
      return new Promise((resolve) => this.signedIn = resolve);
    },
    onStored: ({ key }) => this.stored.push(key),
    onChange: () => {},
    clock: () => this.now,
    later: (run, delay) => this.timers.push({ at: this.now + delay, run }),
    random: () => 0,
  });

  add(...keys: string[]): void {
    this.queue.add(keys.map((key) => ({ file: new Blob(["12345678"]), key, prefix: "" })));
  }

  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    for (const timer of this.timers.splice(0)) {
      if (timer.at <= this.now) timer.run();
      else this.timers.push(timer);
    }
    await settled();
  }

  states(): string {
    return this.queue.uploads.map(({ state }: Upload) => state).join(" ");
  }
}

/** Lets every promise that is ready run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("upload queue: sends four at a time, in order, and is done when all are stored", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d", "e");
  assert.deepEqual(bench.sending.map(({ key }) => key), ["a", "b", "c", "d"]);
  await bench.sending[0].end({ status: 201 });
  assert.equal(bench.sending.at(-1)?.key, "e");
  while (bench.sending.length > 0) await bench.sending[0].end({ status: 201 });
  assert.equal(bench.states(), "done done done done done");
  assert.equal(bench.stored.length, 5);
  assert.equal(bench.queue.busy, false);
});

Deno.test("upload queue: asks about a taken name, and each answer does what it says", async () => {
  const bench = new Bench();
  bench.add("dir/a.txt", "dir/b.txt", "dir/c.txt");
  assert.ok(bench.sending.every(({ ifAbsent }) => ifAbsent), "nothing is replaced unasked");
  while (bench.sending.length > 0) await bench.sending[0].end({ status: 409, code: "object_exists" });
  assert.equal(bench.states(), "asking asking asking");
  bench.queue.answer("replace", false);
  assert.deepEqual([bench.sending[0].key, bench.sending[0].ifAbsent], ["dir/a.txt", false]);
  bench.queue.answer("keep_both", false);
  assert.deepEqual([bench.sending[1].key, bench.sending[1].ifAbsent], ["dir/b (1).txt", true]);
  await bench.sending[1].end({ status: 409, code: "object_exists" });
  assert.equal(bench.sending[1].key, "dir/b (2).txt");
  bench.queue.answer("skip", false);
  while (bench.sending.length > 0) await bench.sending[0].end({ status: 201 });
  assert.equal(bench.states(), "done done skipped");
});

Deno.test("upload queue: one answer can stand for all, also for files not tried yet", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d", "e", "f");
  await bench.sending[0].end({ status: 409, code: "object_exists" });
  bench.queue.answer("skip", true);
  while (bench.sending.length > 0) await bench.sending[0].end({ status: 409, code: "object_exists" });
  assert.equal(bench.states(), "skipped skipped skipped skipped skipped skipped");
  bench.add("g");
  await bench.sending[0].end({ status: 409, code: "object_exists" });
  assert.equal(bench.queue.asking?.key, "g", "the next batch is asked about again");
});

Deno.test("upload queue: a lost connection is retried with growing waits, then given up", async () => {
  const bench = new Bench();
  bench.add("a");
  for (const wait of [500, 1000, 2000, 4000, 8000]) {
    await bench.sending[0].end({ status: 0 });
    assert.equal(bench.states(), "waiting");
    await bench.pass(wait - 1);
    assert.equal(bench.sending.length, 0, "not before its time");
    await bench.pass(1);
    assert.equal(bench.sending.length, 1);
  }
  await bench.sending[0].end({ status: 0 });
  assert.equal(bench.states(), "failed");
  assert.match(bench.queue.uploads[0].error, /connection/);
  bench.queue.retry(bench.queue.uploads[0].id);
  await bench.sending[0].end({ status: 201 });
  assert.equal(bench.states(), "done");
});

Deno.test("upload queue: a refusal is not retried and says why", async () => {
  const bench = new Bench();
  bench.add("a");
  await bench.sending[0].end({ status: 507, code: "quota_exceeded", message: "The bucket is full." });
  assert.equal(bench.states(), "failed");
  assert.equal(bench.queue.uploads[0].error, "The bucket is full.");
});

Deno.test("upload queue: a 429 makes everything wait as long as it says", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d", "e");
  await bench.sending[0].end({ status: 429, code: "rate_limited", retryAfter: 7 });
  assert.equal(bench.queue.held, "limited");
  await bench.sending[0].end({ status: 201 });
  assert.equal(bench.sending.length, 2, "nothing new is started");
  await bench.pass(7_000);
  assert.equal(bench.sending.length, 4);
  assert.equal(bench.queue.held, "");
});

Deno.test("upload queue: a session that ends pauses it, and it goes on after the sign-in", async () => {
  const bench = new Bench();
  bench.add("a", "b");
  await bench.sending[0].end({ status: 401, code: "unauthorized" });
  await bench.sending[0].end({ status: 401, code: "unauthorized" });
  assert.deepEqual([bench.queue.held, bench.signIns, bench.states()], ["sign_in", 1, "waiting waiting"]);
  bench.signedIn();
  await settled();
  assert.equal(bench.sending.length, 2);
});

Deno.test("upload queue: goes on when the session is renewed elsewhere in the page", async () => {
  const bench = new Bench();
  bench.add("a");
  await bench.sending[0].end({ status: 401, code: "unauthorized" });
  assert.equal(bench.sending.length, 0);
  bench.queue.signedIn();
  await settled();
  assert.deepEqual([bench.queue.held, bench.sending.length], ["", 1]);
});

Deno.test("upload queue: waits while offline", async () => {
  const bench = new Bench();
  bench.queue.offline();
  bench.add("a");
  assert.equal(bench.sending.length, 0);
  bench.queue.online();
  await settled();
  assert.equal(bench.sending.length, 1);
});

Deno.test("upload queue: cancelling ends what is on its way and starts the next", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d", "e");
  bench.queue.cancel(bench.queue.uploads[1].id);
  await settled();
  assert.equal(bench.states(), "sending cancelled sending sending sending");
  bench.queue.cancelAll();
  await settled();
  assert.equal(bench.sending.length, 0);
  assert.equal(bench.queue.busy, false);
  bench.queue.clearFinished();
  assert.equal(bench.queue.uploads.length, 0);
});

Deno.test("upload totals: cancelled and failed files do not count as work left", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d");
  await bench.sending[0].end({ status: 201 });
  await bench.sending[0].end({ status: 400, message: "no" });
  bench.queue.cancel(bench.queue.uploads[2].id);
  bench.sending.at(-1)?.onProgress(4);
  const totals = totalsOf(bench.queue.uploads);
  assert.deepEqual(totals, { files: 3, done: 1, failed: 1, open: 1, bytes: 16, sent: 12 });
  const fraction = fractionDone(totals);
  assert.ok(fraction > 0.4 && fraction < 1);
});

Deno.test("upload speed: follows the last seconds and says nothing too early", () => {
  const speed = new Speed();
  speed.add(0, 0);
  assert.equal(speed.bytesPerSecond(100), 0);
  assert.equal(speed.secondsLeft(1000, 100), null);
  for (let second = 1; second <= 20; second++) speed.add(second * 1000, second * 1000);
  assert.equal(speed.bytesPerSecond(20_000), 1000);
  assert.equal(speed.secondsLeft(5000, 20_000), 5);
  for (let second = 21; second <= 40; second++) speed.add(20_000 + (second - 20) * 100, second * 1000);
  assert.equal(speed.bytesPerSecond(40_000), 100);
});

Deno.test("upload retry: which answers may pass by themselves", () => {
  const statuses = {
    201: "done",
    401: "sign_in",
    429: "wait",
    0: "retry",
    502: "retry",
    507: "fail",
    413: "fail",
  };
  for (const [status, expected] of Object.entries(statuses)) {
    assert.equal(reaction({ status: Number(status) }), expected, status);
  }
  assert.equal(reaction({ status: 403, code: "csrf_invalid" }), "retry");
  assert.equal(reaction({ status: 409, code: "object_exists" }), "exists");
  assert.equal(backOff(1, 1), 1000);
  assert.equal(backOff(20, 1), 30_000);
});

Deno.test("upload conflict: names beside the wanted one", () => {
  assert.equal(keyBeside("a/report.csv", 1), "a/report (1).csv");
  assert.equal(keyBeside("archive.tar.gz", 2), "archive (2).tar.gz");
  assert.equal(keyBeside(".profile", 1), ".profile (1)");
  assert.equal(keyBeside("a.b/plain", 1), "a.b/plain (1)");
  assert.equal(keyBeside("v1.0 final", 1), "v1.0 final (1)");
});
