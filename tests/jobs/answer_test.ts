import assert from "node:assert/strict";
import { json, refusal } from "../support/http_client.ts";
import { ended, getJob, holdRequests, isCopy } from "../support/jobs.ts";
import { until } from "../support/poll.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { withJobStage } from "./job_stage.ts";

const copyBody = { src_prefix: "a/", dst_prefix: "b/" };

Deno.test({
  name: "a client says by Prefer whether it waits for a job",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      await fill("a/", 3);
      const measure = (headers: Record<string, string>) =>
        alice.post(`${bucket}/objects/measure`, { json: { prefix: "a/" }, headers });
      for (
        const prefer of [
          "respond-async",
          "Respond-Async",
          "wait=1, respond-async",
          "respond-async; x=1,wait=5",
        ]
      ) {
        const answer = await measure({ prefer });
        assert.equal(answer.status, 202, prefer);
        assert.equal(answer.headers.get("preference-applied"), "respond-async");
        const { job } = await answer.json();
        assert.equal(answer.headers.get("location"), `/api/jobs/${job.id}`);
        assert.equal((await ended(alice, job.id)).state, "done");
      }
      const others: Record<string, string>[] = [{}, { prefer: "wait=10" }, {
        prefer: "respond-asynchronously",
      }];
      for (const headers of others) {
        const result = await json(measure(headers));
        assert.deepEqual([result.count, result.job.state], [3, "done"]);
      }
      // What the backend refuses, the one who waits is told at once.
      const missing = bucket.replace(/[^/]+$/, "no-such-bucket");
      assert.equal(
        await refusal(alice.post(`${missing}/objects/measure`, { json: { prefix: "a/" } })),
        "404 not_found",
      );
    }),
});

Deno.test({
  name: "a job that is waited for stops when its client goes; one that is not goes on",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, proxy, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      await fill("a/", 40);
      for (const prefer of ["wait=10", "respond-async"]) {
        proxy.clear();
        const held = holdRequests(proxy, isCopy, 11);
        const leaving = new AbortController();
        const request = alice.post(`${bucket}/objects/copy-prefix`, {
          json: copyBody,
          headers: { prefer },
          signal: leaving.signal,
        });
        const gone = prefer === "wait=10" ? assert.rejects(request) : json(request, 202);
        await held.reached;
        const { jobs: [{ id }] } = await json(alice.get("/api/jobs"));
        assert.equal((await getJob(alice, id)).state, "running");
        leaving.abort();
        await gone;
        if (prefer === "wait=10") {
          await until(async () => (await getJob(alice, id)).state !== "running", { what: "the job to stop" });
        }
        held.release();
        const { state, done } = await ended(alice, id);
        if (prefer === "wait=10") {
          assert.equal(state, "stopped");
          assert.ok(done < 40, `${done} were done`);
        } else assert.deepEqual([state, done], ["done", 40]);
      }
    }),
});

Deno.test({
  name: "a job goes on when its user signs out",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, client: admin, proxy, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      await fill("a/", 40);
      const held = holdRequests(proxy, isCopy);
      const headers = { prefer: "respond-async" };
      const started = await json(
        alice.post(`${bucket}/objects/copy-prefix`, { json: copyBody, headers }),
        202,
      );
      await held.reached;
      const signedOut = await alice.post("/auth/logout");
      assert.equal(signedOut.status, 204);
      held.release();
      const { state, done } = await ended(admin, started.job.id);
      assert.deepEqual([state, done], ["done", 40]);
    }),
});
