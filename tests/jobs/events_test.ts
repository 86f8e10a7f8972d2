import assert from "node:assert/strict";
import {
  ended,
  holdRequests,
  isCopy,
  type JobEvent,
  openEvents,
  readEvents,
  startJob,
} from "../support/jobs.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { withJobStage } from "./job_stage.ts";

/** Requires that no more came than five a second. A reader that was kept waiting gets several at once: all count. */
function requireCalm(events: readonly JobEvent[], followedFrom: number): void {
  const progress = events.filter(({ name }) => name === "progress");
  const seconds = ((progress.at(-1)?.at ?? followedFrom) - followedFrom) / 1000;
  // One comes at once, one at the end.
  assert.ok(progress.length <= 5 * seconds + 2, `${progress.length} events in ${seconds} s`);
}

Deno.test({
  name: "a job's events tell how it gets on and how it ended",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, client: admin, proxy, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      await fill("a/", 40);
      // Objects end one after the other, over more than a second.
      let copies = 0;
      const held = holdRequests(proxy, isCopy);
      proxy.rule({
        matches: isCopy,
        onRequest: () => new Promise((resolve) => setTimeout(resolve, 40 * copies++)),
      });
      const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, {
        src_prefix: "a/",
        dst_prefix: "b/",
      });
      await held.reached;
      const followedFrom = performance.now();
      const following = [alice, alice, admin].map((client) => readEvents(client, id));
      const leaving = new AbortController();
      const left = await openEvents(alice, id, leaving.signal);
      assert.equal((await left.next()).value?.job.state, "running");
      leaving.abort();
      held.release();

      for (const events of await Promise.all(following)) {
        requireCalm(events, followedFrom);
        assert.ok(events.length >= 4, `${events.length} events`);
        assert.deepEqual(events.map(({ name }) => name).slice(-2), ["progress", "end"]);
        const counts = events.map(({ job }) => job.done);
        assert.deepEqual(counts, counts.toSorted((a, b) => a - b));
        assert.ok(new Set(counts).size >= 4, counts.join());
        const last = events.at(-1)?.job;
        assert.deepEqual([last?.id, last?.state, last?.done, last?.failed], [id, "done", 40, 0]);
        assert.deepEqual(last?.errors, []);
        assert.ok(last?.finished_at !== undefined);
      }
      const [again, ...others] = await readEvents(alice, id);
      assert.deepEqual([again.name, again.job.state, others.length], ["end", "done", 0]);
    }),
});

Deno.test({
  name: "a hundred listeners come and go without harm",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, proxy, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      await fill("a/", 2);
      const held = holdRequests(proxy, isCopy);
      const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, {
        src_prefix: "a/",
        dst_prefix: "b/",
      });
      await held.reached;
      const staying = Array.from({ length: 50 }, () => ended(alice, id));
      await Promise.all(Array.from({ length: 50 }, async () => {
        const controller = new AbortController();
        const events = await openEvents(alice, id, controller.signal);
        await events.next();
        controller.abort();
      }));
      held.release();
      for (const job of await Promise.all(staying)) assert.equal(job.state, "done");
    }),
});
