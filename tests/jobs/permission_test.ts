import assert from "node:assert/strict";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { ended, getJob, holdRequests, isCopy, openEvents, slowDown, startJob } from "../support/jobs.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { type JobStage, secondBackendId, withJobStage } from "./job_stage.ts";

const copyBody = { src_prefix: "a/", dst_prefix: "b/" };

/** Starts a copy of 40 objects and resolves when some of them are held back. */
async function startHeld({ proxy, bucket }: JobStage, client: Client) {
  const held = holdRequests(proxy, (request) => isCopy(request) && request.key.startsWith("b/"), 11);
  const { id, user_id } = await startJob(client, `${bucket}/objects/copy-prefix`, copyBody);
  await held.reached;
  return { held, id, userId: user_id };
}

for (const change of [{ enabled: false }, { role: "readonly" }]) {
  Deno.test({
    name: `a job stops when its user is changed to ${JSON.stringify(change)}`,
    ignore: skipUpstream("minio"),
    fn: () =>
      withJobStage(async (stage) => {
        const { program, client: admin, fill } = stage;
        const alice = await program.signedIn("alice");
        await fill("a/", 40);
        const { held, id, userId } = await startHeld(stage, alice);
        await json(admin.patch(`/api/admin/users/${userId}`, { json: change }));
        // What is left would take two seconds.
        slowDown(stage.proxy, isCopy, 500);
        held.release();
        const job = await ended(admin, id);
        assert.deepEqual([job.state, job.error?.code], ["failed", "forbidden"]);
        assert.ok(job.done < 40, `${job.done} were done`);

        if (change.role !== undefined) {
          assert.equal(await refusal(alice.post(`/api/jobs/${id}/retry`)), "403 forbidden");
        } else assert.equal(await status(alice.get(`/api/jobs/${id}`)), 401);
        stage.proxy.clear();
        const restored = change.role === undefined ? { enabled: true } : { role: "user" };
        await json(admin.patch(`/api/admin/users/${userId}`, { json: restored }));
        const again = await program.signedIn("alice");
        await json(again.post(`/api/jobs/${id}/retry`), 202);
        assert.deepEqual([(await ended(again, id)).state], ["done"]);
      }),
  });
}

Deno.test({
  name: "a job ends with its user, also for those who follow it",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, client: admin, proxy, bucket, fill } = stage;
      const alice = await program.signedIn("alice");
      await fill("a/", 40);
      const { held, id, userId } = await startHeld(stage, alice);
      const following = await openEvents(admin, id);
      await following.next();
      assert.equal(await status(admin.delete(`/api/admin/users/${userId}`)), 204);
      const { events: [row] } = await json(admin.get("/api/admin/audit?action=user.delete"));
      assert.equal(row.detail.removed.jobs, 1);
      const slow = slowDown(proxy, isCopy, 500);
      held.release();
      const events = await Array.fromAsync(following);
      const last = events.at(-1);
      assert.deepEqual([last?.name, last?.job.state, last?.job.error?.code], ["end", "failed", "forbidden"]);
      assert.equal(await status(admin.get(`/api/jobs/${id}`)), 404);
      assert.deepEqual(program.logs().filter(({ level }) => level === "error"), []);
      slow.remove();
      // Nobody is in the way of others any more.
      const { id: next } = await startJob(admin, `${bucket}/objects/copy-prefix`, copyBody);
      assert.equal((await ended(admin, next)).state, "done");
      assert.ok(proxy.requests.filter(isCopy).length >= 40);
    }),
});

Deno.test({
  name: "a job fails when its backend is removed, and goes on when it is back",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { client: admin, proxy, fill } = stage;
      await fill("a/", 40);
      await stage.addSecondBackend();
      const bucket = stage.bucket.replace("/main/", `/${secondBackendId}/`);
      const { held, id } = await startHeld({ ...stage, bucket }, admin);
      assert.equal(await status(admin.delete(`/api/admin/backends/${secondBackendId}?force=true`)), 204);
      held.release();
      const job = await ended(admin, id);
      assert.ok(job.state === "failed" || job.state === "done" && job.failed > 0, JSON.stringify(job));
      assert.ok(job.done < 40, `${job.done} were done`);

      proxy.clear();
      await stage.addSecondBackend();
      await json(admin.post(`/api/jobs/${id}/retry`), 202);
      const again = await ended(admin, id);
      assert.deepEqual([again.state, again.done, again.failed], ["done", 40, 0]);
    }),
});

Deno.test({
  name: "one user's job is in the way of another's, and is not shown to them",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async (stage) => {
      const { program, bucket, fill } = stage;
      const [alice, bob] = await Promise.all(["alice", "bob"].map((name) => program.signedIn(name)));
      await fill("a/", 40);
      const { held, id } = await startHeld(stage, alice);
      const inTheWay: [string, Record<string, unknown>][] = [
        ["objects/copy-prefix", copyBody],
        ["objects/delete-prefix", { prefix: "a/" }],
        ["objects/delete-prefix", { prefix: "b/000" }],
        ["objects/copy-prefix", { src_prefix: "b/", dst_prefix: "c/" }],
      ];
      for (const [path, json] of inTheWay) {
        for (const prefer of ["respond-async", "wait=10"]) {
          const headers = { prefer };
          const refused = await bob.post(`${bucket}/${path}`, { json, headers });
          assert.equal(refused.status, 409, path);
          const { error } = await refused.json();
          assert.deepEqual([error.code, error.detail?.job_id], ["conflict", undefined]);
          const own = await alice.post(`${bucket}/${path}`, { json, headers });
          assert.equal((await own.json()).error.detail?.job_id, id);
        }
      }
      // Reading the same, and changing something else, is fine.
      await json(
        bob.post(`${bucket}/objects/copy-prefix`, { json: { src_prefix: "a/0000", dst_prefix: "c/0000" } }),
      );
      await json(bob.post(`${bucket}/objects/delete-prefix`, { json: { prefix: "c/" } }));
      assert.equal((await getJob(alice, id)).state, "running");
      held.release();
      assert.equal((await ended(alice, id)).state, "done");
    }),
});
