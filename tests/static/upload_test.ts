import assert from "node:assert/strict";
import { keyBeside } from "../../static/lib/upload/conflict.js";
import { differenceOf, fingerprint } from "../../static/lib/upload/fingerprint.js";
import { Hold } from "../../static/lib/upload/hold.js";
import { uploadsOf } from "../../static/lib/upload/intake.js";
import { Lanes } from "../../static/lib/upload/lanes.js";
import { missingParts, partSizeFor, partsOf, type StoredPart } from "../../static/lib/upload/part_plan.js";
import { sendParts } from "../../static/lib/upload/part_sender.js";
import { UploadQueue } from "../../static/lib/upload/queue.js";
import { backOff, type Outcome, reaction } from "../../static/lib/upload/retry.js";
import { Speed } from "../../static/lib/upload/speed.js";
import { parseTags } from "../../static/lib/upload/tag_lines.js";
import { findTaken } from "../../static/lib/upload/taken_names.js";
import { fractionDone, totalsOf } from "../../static/lib/upload/totals.js";
import type { Upload } from "../../static/lib/upload/upload.js";

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
  readonly dropped: string[] = [];
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
    onDropped: ({ key }) => this.dropped.push(key),
    onChange: () => {},
    describeLoss: () => "The connection was lost.",
    clock: () => this.now,
    later: (run, delay) => this.timers.push({ at: this.now + delay, run }),
    random: () => 0,
  });

  add(...keys: string[]): void {
    const batch = {
      id: 1,
      backend: "local",
      bucket: "files",
      prefix: "",
      choice: null,
      contentType: "",
      storageClass: "",
      tags: {},
    };
    this.queue.add(keys.map((key) => ({ file: new Blob(["12345678"]), key })), batch);
  }

  upload(index: number): Upload {
    return this.queue.uploads[index];
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
  bench.queue.retry([bench.upload(0)]);
  await bench.sending[0].end({ status: 201 });
  assert.equal(bench.states(), "done");
});

Deno.test("upload queue: a file is sent again no sooner than the server asks for", async () => {
  const bench = new Bench();
  bench.add("a");
  await bench.sending[0].end({ status: 503, retryAfter: 12 });
  await bench.pass(11_999);
  assert.equal(bench.sending.length, 0);
  await bench.pass(1);
  assert.equal(bench.sending.length, 1);
});

Deno.test("upload queue: what would be lost with the page is known, paused or not", async () => {
  const bench = new Bench();
  bench.add("whole", "parts");
  assert.ok(bench.queue.losable);
  const [whole, parts] = bench.queue.uploads;
  parts.parted = { key: "parts", uploadId: "1", partSize: 4, stored: new Map() };
  bench.queue.pause([whole, parts]);
  await settled();
  assert.ok(bench.queue.losable, "it would have to be chosen again");
  bench.queue.cancel([whole]);
  await settled();
  assert.ok(!bench.queue.losable, "its parts stay on the server");
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
  assert.equal(bench.queue.hold.reason, "limited");
  await bench.sending[0].end({ status: 201 });
  assert.equal(bench.sending.length, 2, "nothing new is started");
  await bench.pass(7_000);
  assert.equal(bench.sending.length, 4);
  assert.equal(bench.queue.hold.reason, "");
});

Deno.test("upload queue: a session that ends pauses it, and it goes on after the sign-in", async () => {
  const bench = new Bench();
  bench.add("a", "b");
  await bench.sending[0].end({ status: 401, code: "unauthorized" });
  await bench.sending[0].end({ status: 401, code: "unauthorized" });
  assert.deepEqual([bench.queue.hold.reason, bench.signIns, bench.states()], [
    "sign_in",
    1,
    "waiting waiting",
  ]);
  bench.signedIn();
  await settled();
  assert.equal(bench.sending.length, 2);
});

Deno.test("upload queue: goes on when the session is renewed elsewhere in the page", async () => {
  const bench = new Bench();
  bench.add("a");
  await bench.sending[0].end({ status: 401, code: "unauthorized" });
  assert.equal(bench.sending.length, 0);
  bench.queue.hold.signedIn();
  await settled();
  assert.deepEqual([bench.queue.hold.reason, bench.sending.length], ["", 1]);
});

Deno.test("upload queue: waits while offline", async () => {
  const bench = new Bench();
  bench.queue.hold.offline();
  bench.add("a");
  assert.equal(bench.sending.length, 0);
  bench.queue.hold.online();
  await settled();
  assert.equal(bench.sending.length, 1);
});

Deno.test("upload queue: cancelling ends what is on its way and starts the next", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d", "e");
  bench.queue.cancel([bench.upload(1)]);
  await settled();
  assert.equal(bench.states(), "sending cancelled sending sending sending");
  bench.queue.cancel(bench.queue.uploads);
  await settled();
  assert.equal(bench.sending.length, 0);
  assert.equal(bench.queue.busy, false);
  assert.deepEqual(bench.dropped.toSorted(), ["a", "b", "c", "d", "e"], "the server is told");
  bench.queue.clearFinished();
  assert.equal(bench.queue.uploads.length, 0);
});

Deno.test("upload totals: cancelled and failed files do not count as work left", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d");
  await bench.sending[0].end({ status: 201 });
  await bench.sending[0].end({ status: 400, message: "no" });
  bench.queue.cancel([bench.upload(2)]);
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

Deno.test("upload queue: what is paused waits until it is resumed, and keeps what is stored in parts", async () => {
  const bench = new Bench();
  bench.add("a", "b", "c", "d", "e");
  const [a, b] = bench.queue.uploads;
  a.parted = { key: "a", uploadId: "u", partSize: 4, stored: new Map() };
  for (const { onProgress } of bench.sending) onProgress(4);
  bench.queue.pause([a, b]);
  await settled();
  assert.equal(bench.states(), "paused paused sending sending sending");
  assert.deepEqual([a.sent, b.sent], [4, 0]);
  bench.queue.resume([a]);
  assert.equal(bench.states(), "sending paused sending sending sending");
  bench.queue.pause(bench.queue.uploads);
  bench.queue.resume(bench.queue.uploads);
  await settled();
  assert.equal(bench.states(), "sending sending sending sending waiting");
  while (bench.sending.length > 0) await bench.sending[0].end({ status: 201 });
  assert.equal(bench.states(), "done done done done done");
});

Deno.test("upload parts: sizes for small, large and fast uploads", () => {
  const mebibyte = 2 ** 20;
  assert.equal(partSizeFor(20 * mebibyte), 16 * mebibyte);
  assert.equal(partSizeFor(2 ** 40), 117 * mebibyte, "no more than 9,000 parts");
  assert.equal(partSizeFor(2 ** 30, 2 ** 30), 16 * mebibyte, "few parts may go as fast as they can");
  assert.equal(partSizeFor(2 ** 36, 2 ** 30), 205 * mebibyte, "300 a minute of many");
  assert.equal(partSizeFor(2 ** 50), 5 * 2 ** 30);
  const parts = partsOf(40, 16);
  assert.deepEqual(parts.map(({ number, start, end }) => [number, start, end]), [[1, 0, 16], [2, 16, 32], [
    3,
    32,
    40,
  ]]);
  const stored = new Map<number, StoredPart>([[1, { etag: "a", size: 16 }], [3, { etag: "c", size: 7 }]]);
  assert.deepEqual(
    missingParts(parts, stored).map(({ number }) => number),
    [2, 3],
    "a short one is sent again",
  );
});

/** Sends three parts of four bytes; `answer` says how each attempt ends. */
function sendThree(
  answer: (number: number, attempt: number) => Outcome,
  signal = new AbortController().signal,
) {
  const attempts = new Map<number, number>();
  const stored = new Map<number, StoredPart>();
  const pauses: number[] = [];
  const progress: number[] = [];
  const lanes = new Lanes(2);
  let signedIn = () => {};
  const hold = new Hold({
    signIn: () => new Promise((resolve) => signedIn = resolve),
    later: (run) => setTimeout(run, 0),
    onChange: () => {},
  });
  const sending = sendParts({
    parts: partsOf(12, 4),
    stored,
    lanes,
    hold,
    sendPart: async ({ number }, { onProgress }) => {
      await settled();
      onProgress(2);
      const attempt = (attempts.get(number) ?? 0) + 1;
      attempts.set(number, attempt);
      return { etag: `etag-${number}`, ...answer(number, attempt) };
    },
    pause: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
    random: () => 0,
    onProgress: (sent) => progress.push(sent),
    signal,
  });
  return { sending, attempts, stored, pauses, progress, lanes, hold, signIn: () => signedIn() };
}

Deno.test("upload parts: each part has its own retries, and progress never counts a part twice", async () => {
  const { sending, attempts, stored, pauses, progress } = sendThree((number, attempt) =>
    number === 2 && attempt < 4 ? { status: attempt === 1 ? 0 : 500 } : { status: 200 }
  );
  assert.equal((await sending).status, 200);
  assert.deepEqual([...attempts].toSorted(), [[1, 1], [2, 4], [3, 1]]);
  assert.equal(stored.size, 3);
  assert.deepEqual(pauses, [500, 1000, 2000]);
  assert.ok(progress.every((sent) => sent <= 12));
  assert.equal(progress.at(-1), 12);
});

Deno.test("upload parts: one that fails for good ends the upload with its reason", async () => {
  const { sending } = sendThree((number) =>
    number === 1 ? { status: 507, code: "quota_exceeded", message: "Full." } : { status: 200 }
  );
  assert.deepEqual((await sending).message, "Full.");
});

Deno.test("upload parts: a 429 and an ended session hold the parts up and fail none", async () => {
  const run = sendThree((number, attempt) =>
    number === 1 && attempt === 1
      ? { status: 429, retryAfter: 1 }
      : number === 3 && attempt === 1
      ? { status: 401, code: "unauthorized" }
      : { status: 200 }
  );
  while (run.hold.reason !== "sign_in") await settled();
  assert.equal(run.lanes.limit, 1, "fewer at once after the 429");
  run.signIn();
  assert.equal((await run.sending).status, 200);
  assert.equal(run.stored.size, 3);
});

Deno.test("upload parts: an abort ends them at once", async () => {
  const abort = new AbortController();
  const { sending, stored } = sendThree((number) => {
    if (number === 1) abort.abort();
    return { status: 200 };
  }, abort.signal);
  assert.equal((await sending).status, 0);
  assert.ok(stored.size < 3);
});

Deno.test("upload lanes: come back one by one after calm", async () => {
  const lanes = new Lanes(3);
  lanes.slowDown();
  lanes.slowDown();
  lanes.slowDown();
  assert.equal(lanes.limit, 1);
  const { signal } = new AbortController();
  const release = await lanes.take(signal);
  let second = false;
  const waiting = lanes.take(signal).then((release) => (second = true, release));
  await settled();
  assert.equal(second, false);
  release();
  (await waiting)();
  for (let index = 0; index < 16; index++) lanes.noteSuccess();
  assert.equal(lanes.limit, 2);
});

Deno.test("upload intake: finds taken names with as few listings as it can", async () => {
  const listed: string[] = [];
  const stored = ["logs/a.txt", "logs/old/x.txt", "z.txt"];
  const list = (prefix: string) => {
    listed.push(prefix);
    const inside = stored.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    const folders = new Set(
      inside.filter((key) => key.includes("/")).map((key) => key.slice(0, key.indexOf("/") + 1)),
    );
    return Promise.resolve({
      objects: inside.filter((key) => !key.includes("/"))
        .map((key) => ({ key: prefix + key, size: 1, last_modified: "2026-01-01T00:00:00Z" })),
      common_prefixes: [...folders].map((folder) => prefix + folder),
    });
  };
  const keys = ["z.txt", "logs/a.txt", "logs/b.txt", "new/1.txt", "new/deep/2.txt", "new/deep/er/3.txt"];
  const { taken, complete } = await findTaken({ list }, keys, new AbortController().signal);
  assert.deepEqual([[...taken].toSorted(), complete], [["logs/a.txt", "z.txt"], true]);
  assert.deepEqual(
    listed,
    ["", "new/", "logs/"].filter((prefix) => prefix !== "new/"),
    "what is not there is not listed",
  );
  const uploads = uploadsOf(
    { backend: "b", bucket: "f", prefix: "", found: keys.map((path) => ({ file: null, path })) },
    { choice: "skip", contentType: "", storageClass: "", tags: {}, taken },
  );
  assert.equal(uploads.filter(({ state }) => state === "skipped").length, 2);
});

Deno.test("upload tags: lines are read as S3 allows them", () => {
  const { tags, error } = parseTags(" project = x1 \n\nempty=\nalone\nurl=a=b:/@\n");
  assert.deepEqual([tags, error], [{ project: "x1", empty: "", alone: "", url: "a=b:/@" }, ""]);
  const ten = Array.from({ length: 10 }, (_, index) => `k${index}=v`);
  assert.equal(Object.keys(parseTags(ten.join("\n")).tags ?? {}).length, 10);
  for (
    const [text, expected] of [
      ["=x", "upload.tag_wrong"],
      ["k".repeat(129), "upload.tag_wrong"],
      [`k=${"v".repeat(257)}`, "upload.tag_wrong"],
      ["a&b=c", "upload.tag_characters"],
      ["AWS:own=x", "upload.tag_characters"],
      ["a=1\na=2", "upload.tag_twice"],
      [[...ten, "more"].join("\n"), "upload.tags_too_many"],
    ] as const
  ) {
    assert.deepEqual(parseTags(text), { tags: null, error: expected });
  }
});

Deno.test("upload resume: only the very same file goes on", async () => {
  const facts = {
    name: "a.bin",
    size: 5,
    lastModified: 1,
    fingerprint: await fingerprint(new Blob(["12345"])),
  };
  assert.match(facts.fingerprint, /^[0-9a-f]{64}$/);
  assert.equal(differenceOf(facts, { ...facts }), null);
  assert.equal(differenceOf(facts, { ...facts, name: "b.bin" }), "name");
  assert.equal(differenceOf(facts, { ...facts, size: 6 }), "size");
  assert.equal(differenceOf(facts, { ...facts, lastModified: 2 }), "date");
  assert.equal(differenceOf(facts, { ...facts, fingerprint: "" }), "content");
});
