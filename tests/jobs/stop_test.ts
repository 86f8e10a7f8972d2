import assert from "node:assert/strict";
import { json, refusal } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { ended, getJob, holdRequests, isCopy, readEvents, startJob } from "../support/jobs.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { type JobStage, secondBackendId, withJobStage } from "./job_stage.ts";

const copyBody = { src_prefix: "a/", dst_prefix: "b/" };

/** Keys under a prefix, as the program lists them. */
async function keysUnder({ client, bucket }: JobStage, prefix: string): Promise<string[]> {
  const { objects } = await json(client.get(`${bucket}/objects?prefix=${prefix}&delimiter=`));
  return objects.map(({ key }: { key: string }) => key);
}

Deno.test({
  name: "a job that is stopped finishes what is under way, and a retry goes on from there",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, proxy, bucket, fill } = stage;
      const alice = await program.signedIn("alice");
      await fill("a/", 40);
      const held = holdRequests(proxy, isCopy, 11);
      const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, copyBody);
      await held.reached;
      const events = readEvents(alice, id);
      const { job } = await json(alice.delete(`/api/jobs/${id}`), 202);
      assert.equal(job.state, "stopping");
      assert.equal((await getJob(alice, id)).state, "stopping");
      assert.equal(await refusal(alice.post(`/api/jobs/${id}/retry`)), "409 conflict");
      held.release();
      const stopped = (await events).at(-1)?.job;
      assert.equal(stopped?.state, "stopped");
      assert.equal(stopped.can_retry, true);
      assert.ok(stopped.done >= 10 && stopped.done <= 18, `${stopped.done} were done`);
      assert.equal((await keysUnder(stage, "b/")).length, stopped.done);
      assert.equal(await refusal(alice.delete(`/api/jobs/${id}`)), "409 conflict");

      proxy.clear();
      assert.equal((await json(alice.post(`/api/jobs/${id}/retry`), 202)).job.id, id);
      const done = await ended(alice, id);
      assert.deepEqual([done.state, done.done, done.failed, done.can_retry], ["done", 40, 0, false]);
      assert.equal((await keysUnder(stage, "b/")).length, 40);
      // Nothing but what was under way is done twice.
      const copied = proxy.requests.filter(isCopy).length;
      assert.ok(copied >= 40 - stopped.done && copied <= 40 - stopped.done + 8, `${copied} copies`);
      assert.equal(await refusal(alice.post(`/api/jobs/${id}/retry`)), "409 conflict");
    }),
});

Deno.test({
  name: "a second stop breaks off what is under way",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, client: admin, proxy, bucket, fill } = stage;
      const alice = await program.signedIn("alice");
      await fill("a/", 3);
      await stage.addSecondBackend();
      const held = holdRequests(proxy, ({ method, key }) => method === "GET" && key.startsWith("a/"));
      const body = { ...copyBody, dst_backend: secondBackendId };
      const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, body);
      await held.reached;
      await json(alice.delete(`/api/jobs/${id}`), 202);
      assert.equal((await getJob(alice, id)).state, "stopping");
      // Somebody with more rights may do it, too.
      await json(admin.delete(`/api/jobs/${id}`), 202);
      const stopped = await ended(alice, id);
      assert.deepEqual([stopped.state, stopped.done, stopped.failed], ["stopped", 0, 0]);
      held.release();
      assert.deepEqual(await keysUnder(stage, "b/"), []);
      const { events } = await json(admin.get("/api/admin/audit?action=job.*"));
      const [end] = events.filter(({ action }: { action: string }) => action === "job.end");
      assert.deepEqual([end.status, end.detail.job_id], ["stopped", id]);
      const stops = events.filter(({ action }: { action: string }) => action === "job.stop");
      assert.deepEqual(stops.map(({ status }: { status: string }) => status), ["ok", "ok"]);
    }),
});

Deno.test({
  name: "jobs of one's own queue behind four others, and a queued one stops at once",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, proxy, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      for (let number = 1; number <= 6; number++) await fill(`${number}/`, 1);
      const held = holdRequests(proxy, isCopy);
      const ids: string[] = [];
      for (let number = 1; number <= 6; number++) {
        const body = { src_prefix: `${number}/`, dst_prefix: `copy-${number}/` };
        ids.push((await startJob(alice, `${bucket}/objects/copy-prefix`, body)).id);
      }
      await until(() => held.count === 4, { what: "four jobs to run" });
      const { jobs } = await json(alice.get("/api/jobs"));
      const states = jobs.map(({ state }: { state: string }) => state);
      assert.deepEqual(states, ["queued", "queued", "running", "running", "running", "running"]);
      assert.equal((await json(alice.delete(`/api/jobs/${ids[5]}`), 202)).job.state, "stopped");
      held.release();
      const results = await Promise.all(ids.slice(0, 5).map((id) => ended(alice, id)));
      assert.deepEqual(results.map(({ state }) => state), Array(5).fill("done"));
    }),
});

Deno.test({
  name: "what failed is told key by key, and only that is done again",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, proxy, bucket, fill } = stage;
      const alice = await program.signedIn("alice");
      await fill("a/", 20);
      const fault = { kind: "status", status: 403, code: "AccessDenied" } as const;
      const isBad = ({ key }: { key: string }) => /^b\/00(03|17)$/.test(key);
      const rule = proxy.rule({ matches: (request) => isCopy(request) && isBad(request), fault });
      const { id } = await startJob(alice, `${bucket}/objects/copy-prefix`, copyBody);
      const first = await ended(alice, id);
      assert.deepEqual([first.state, first.done, first.failed, first.can_retry], ["done", 18, 2, true]);
      assert.deepEqual(first.errors?.map(({ key }) => key), ["a/0003", "a/0017"]);
      for (const { code, message } of first.errors ?? []) {
        assert.equal(code, "forbidden");
        assert.ok(!message.includes("127.0.0.1"), message);
      }
      assert.deepEqual((await getJob(alice, id)).errors, first.errors);

      rule.remove();
      const before = proxy.requests.filter(isCopy).length;
      await json(alice.post(`/api/jobs/${id}/retry`), 202);
      const second = await ended(alice, id);
      assert.deepEqual([second.state, second.done, second.failed, second.can_retry], ["done", 20, 0, false]);
      assert.deepEqual(second.errors, []);
      assert.equal(proxy.requests.filter(isCopy).length - before, 2);
      assert.equal((await keysUnder(stage, "b/")).length, 20);
    }),
});
