import assert from "node:assert/strict";
import { Database } from "../../src/store/database.ts";
import { backendId } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { ended, getJob, holdRequests, isCopy, openEvents, readEvents, startJob } from "../support/jobs.ts";
import { until } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { type JobStage, secondBackendId, withJobStage } from "./job_stage.ts";

const copyBody = { src_prefix: "a/", dst_prefix: "b/" };
const objectCount = 40;

/** Runs `body` with the program started again on what its last run has left. */
async function restarted<T>(
  { program, proxy }: JobStage,
  body: (program: Program) => Promise<T>,
): Promise<T> {
  const backends = [{ id: backendId, upstream: proxy }];
  return await withProgram({ backends, directory: program.directory }, body);
}

Deno.test({
  name: "a job that was killed with the program is interrupted, and a retry goes on",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, proxy, bucket, fill } = stage;
      const alice = await program.signedIn("alice");
      await fill("a/", objectCount);
      await fill("z/", 1);
      const held = holdRequests(proxy, isCopy, 21);
      const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, copyBody);
      await held.reached;
      const saved = await until(() => {
        const database = new Database(program.databasePath);
        try {
          const row = database.get("SELECT done FROM jobs WHERE id = ?", id);
          return Number(row?.done) >= 12 && Number(row?.done);
        } finally {
          database.close();
        }
      }, { what: "the progress to be saved" });
      program.child.signal("SIGKILL");
      await program.child.exited;
      held.release();
      proxy.clear();

      await restarted(stage, async (second) => {
        const client = await second.signedIn("alice");
        const job = await getJob(client, id);
        assert.deepEqual([job.state, job.can_retry], ["interrupted", true]);
        assert.ok(job.done >= saved && job.done <= 20, `${saved} were saved, ${job.done} are left`);
        assert.ok(job.finished_at !== undefined);
        assert.deepEqual((await readEvents(client, id)).map(({ name }) => name), ["end"]);
        assert.equal(await refusal(client.delete(`/api/jobs/${id}`)), "409 conflict");
        // It is in nobody's way.
        assert.equal(
          await status(client.post(`${bucket}/objects/delete-prefix`, { json: { prefix: "z/" } })),
          200,
        );

        await json(client.post(`/api/jobs/${id}/retry`), 202);
        const done = await ended(client, id);
        assert.deepEqual([done.state, done.done, done.failed], ["done", objectCount, 0]);
        const { objects } = await json(client.get(`${bucket}/objects?prefix=b/&delimiter=`));
        assert.equal(objects.length, objectCount);
        const copies = proxy.requests.filter(isCopy).length;
        assert.ok(copies < objectCount, `${copies} were copied again`);
      });
    }),
});

Deno.test({
  name: "a job is interrupted by SIGTERM, and open event streams do not hold the program up",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, proxy, bucket, fill } = stage;
      const alice = await program.signedIn("alice");
      await fill("a/", objectCount);
      await stage.addSecondBackend();
      const held = holdRequests(proxy, ({ method, key }) => method === "GET" && key.startsWith("a/"), 11);
      const body = { ...copyBody, dst_backend: secondBackendId };
      const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, body);
      await held.reached;
      const streams = await Promise.all(Array.from({ length: 10 }, () => openEvents(alice, id)));
      const reading = Promise.all(streams.map((events) => Array.fromAsync(events)));
      await until(async () => (await getJob(alice, id)).state === "running", { what: "the job to run" });
      program.child.signal("SIGTERM");
      await until(() => program.child.hasExited(), { what: "the end, without the hour of the drain window" });
      assert.equal((await program.child.exited).code, 0);
      for (const events of await reading) assert.ok(events.length >= 1);
      assert.ok(!program.logs().some(({ level }) => level === "error"), JSON.stringify(program.logs()));
      held.release();
      proxy.clear();

      await restarted(stage, async (second) => {
        const client = await second.signedIn("alice");
        assert.equal((await getJob(client, id)).state, "interrupted");
        await json(client.post(`/api/jobs/${id}/retry`), 202);
        const job = await ended(client, id);
        assert.deepEqual([job.state, job.done, job.failed], ["done", objectCount, 0]);
        const { objects } = await json(client.get(`${bucket}/objects?prefix=b/&delimiter=`));
        assert.equal(objects.length, objectCount);
      });
    }, { config: { server: { shutdown_timeout: "1h" } } }),
});

Deno.test({
  name: "a job that is waited for ends within the drain window",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, proxy, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      await fill("a/", 3);
      const held = holdRequests(proxy, isCopy);
      const waiting = json(alice.post(`${bucket}/objects/copy-prefix`, { json: copyBody }));
      await held.reached;
      program.child.signal("SIGTERM");
      await until(() => program.logs().some(({ msg }) => msg === "shutting down"), { what: "the signal" });
      held.release();
      assert.equal((await waiting).failed ?? 0, 0);
      assert.equal((await program.child.exited).code, 0);
    }),
});

Deno.test({
  name: "jobs that ended a month ago are forgotten",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, bucket, fill } = stage;
      const alice = await program.signedIn("alice");
      await fill("a/", 1);
      const ids: string[] = [];
      for (let count = 0; count < 2; count++) {
        const { id } = await startJob(alice, `${bucket}/objects/measure`, { prefix: "a/" });
        await ended(alice, id);
        ids.push(id);
      }
      await program.child.stop();
      const database = new Database(program.databasePath);
      const longAgo = Date.now() - 31 * 24 * 3_600_000;
      database.run("UPDATE jobs SET finished_at = ? WHERE id = ?", longAgo, ids[0]);
      database.close();
      await restarted(stage, async (second) => {
        const client = await second.signedIn("alice");
        const { jobs } = await json(client.get("/api/jobs"));
        assert.deepEqual(jobs.map(({ id }: { id: string }) => id), [ids[1]]);
        assert.equal(await refusal(client.get(`/api/jobs/${ids[0]}`)), "404 not_found");
      });
    }),
});
