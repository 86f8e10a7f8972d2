import assert from "node:assert/strict";
import { json, refusal } from "../support/http_client.ts";
import { ended, getJob, holdRequests, isListing, startJob } from "../support/jobs.ts";
import { skipUpstream } from "../support/upstreams.ts";
import { withJobStage } from "./job_stage.ts";

Deno.test({
  name: "everyone sees their own jobs, administrators all of them",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, client: admin, bucket, fill }) => {
      const [alice, bob, rita] = await Promise.all(
        ["alice", "bob", "rita"].map((name) => program.signedIn(name)),
      );
      await fill("a/", 3);
      const measure = `${bucket}/objects/measure`;
      const ofAlice = await startJob(alice, measure, { prefix: "a/" });
      const ofRita = await startJob(rita, measure, { prefix: "a/" });
      const ofAdmin = await startJob(admin, measure, { prefix: "" });
      await Promise.all([ended(alice, ofAlice.id), ended(rita, ofRita.id), ended(admin, ofAdmin.id)]);

      const idsOf = async (query: string, client = admin) => {
        const { jobs } = await json(client.get(`/api/jobs${query}`));
        return jobs.map(({ id }: { id: string }) => id);
      };
      assert.deepEqual(await idsOf("", alice), [ofAlice.id]);
      assert.deepEqual(await idsOf("?scope=own", rita), [ofRita.id]);
      assert.deepEqual(await idsOf("", bob), []);
      assert.deepEqual(await idsOf(""), [ofAdmin.id]);
      assert.deepEqual((await idsOf("?scope=all")).sort(), [ofAlice.id, ofRita.id, ofAdmin.id].sort());
      for (const client of [alice, rita]) {
        assert.equal(await refusal(client.get("/api/jobs?scope=all")), "403 forbidden");
      }
      assert.equal(await refusal(program.client().get("/api/jobs")), "401 unauthorized");
      for (const query of ["?scope=everyone", "?limit=0", "?limit=101", "?limit=x"]) {
        assert.equal(await refusal(admin.get(`/api/jobs${query}`)), "400 bad_request", query);
      }

      const found = await getJob(alice, ofAlice.id);
      assert.deepEqual([found.kind, found.state, found.failed], ["measure", "done", 0]);
      assert.deepEqual(found.errors, []);
      assert.equal((await getJob(admin, ofAlice.id)).id, ofAlice.id);
      for (const path of [`/api/jobs/${ofAlice.id}`, `/api/jobs/${ofAlice.id}/events`, "/api/jobs/unknown"]) {
        assert.equal(await refusal(bob.get(path)), "404 not_found", path);
        assert.equal(await refusal(rita.get(path)), "404 not_found", path);
        assert.equal(await refusal(program.client().get(path)), "401 unauthorized", path);
      }
      for (const client of [bob, rita]) {
        assert.equal(await refusal(client.delete(`/api/jobs/${ofAlice.id}`)), "404 not_found");
        assert.equal(await refusal(client.post(`/api/jobs/${ofAlice.id}/retry`)), "404 not_found");
      }
    }),
});

Deno.test({
  name: "jobs are listed in pages, newest first",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      const bob = await program.signedIn("bob");
      await fill("a/", 1);
      const started: string[] = [];
      for (let count = 0; count < 5; count++) {
        const { id } = await startJob(alice, `${bucket}/objects/measure`, { prefix: `a/${count}` });
        await ended(alice, id);
        started.unshift(id);
      }
      const page = (query: string) => json(alice.get(`/api/jobs?limit=2${query}`));
      const first = await page("");
      const second = await page(`&after=${first.next}`);
      const third = await page(`&after=${second.next}`);
      assert.equal(third.next, undefined);
      const listed = [first, second, third].flatMap(({ jobs }) => jobs.map(({ id }: { id: string }) => id));
      assert.deepEqual(listed, started);
      assert.equal(await refusal(bob.get(`/api/jobs?after=${started[0]}`)), "404 not_found");
    }),
});

Deno.test({
  name: "a readonly user only measures",
  ignore: skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, proxy, bucket, fill }) => {
      const alice = await program.signedIn("alice");
      const rita = await program.signedIn("rita");
      await fill("a/", 3);
      const refused: [string, Record<string, unknown>][] = [
        ["objects/delete-prefix", { prefix: "a/" }],
        ["objects/copy-prefix", { src_prefix: "a/", dst_prefix: "b/" }],
        ["object/copy", { src_key: "a/0000", dst_key: "b" }],
      ];
      for (const [path, body] of refused) {
        for (const prefer of ["respond-async", "wait=10"]) {
          const answer = rita.post(`${bucket}/${path}`, { json: body, headers: { prefer } });
          assert.equal(await refusal(answer), "403 forbidden", path);
        }
      }
      const { jobs } = await json(rita.get("/api/jobs"));
      assert.deepEqual(jobs, []);

      const held = holdRequests(proxy, isListing);
      const { id } = await startJob(alice, `${bucket}/objects/delete-prefix`, { prefix: "a/" });
      await held.reached;
      assert.equal(await refusal(rita.delete(`/api/jobs/${id}`)), "404 not_found");
      assert.equal((await getJob(alice, id)).state, "running");
      held.release();
      assert.deepEqual([(await ended(alice, id)).done], [3]);
    }),
});
