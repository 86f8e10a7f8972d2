import assert from "node:assert/strict";
import { withJobStage } from "../jobs/job_stage.ts";
import { backendId } from "../support/bucket.ts";
import { skipBrowser, withPage } from "../support/browser.ts";
import { json } from "../support/http_client.ts";
import { holdRequests, isCopy, startJob } from "../support/jobs.ts";
import { openPage } from "../support/looks.ts";
import { eventually } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { skipUpstream } from "../support/upstreams.ts";

const objectCount = 20;

Deno.test({
  name: "transfers: a job that a restart of the program has interrupted says so, and goes on by Retry",
  ignore: skipBrowser() || skipUpstream("minio"),
  fn: () =>
    withJobStage(async ({ program, proxy, bucket, fill }) => {
      await fill("a/", objectCount);
      const alice = await program.signedIn("alice");
      const held = holdRequests(proxy, isCopy, 5);
      await startJob(alice, `${bucket}/objects/copy-prefix`, { src_prefix: "a/", dst_prefix: "b/" });
      await held.reached;
      program.child.signal("SIGKILL");
      await program.child.exited;
      held.release();
      proxy.clear();
      const backends = [{ id: backendId, upstream: proxy }];
      await withProgram({ backends, directory: program.directory }, async (again) => {
        const session = await again.signedIn("alice");
        await withPage(again, { session }, async (page) => {
          await openPage(page, "/transfers");
          const row = page.locator(".transfers-list .transfer");
          await row.getByText("Interrupted").waitFor();
          await row.getByRole("button", { name: /^Retry: / }).click();
          await page.locator(".transfers-list .transfer-done").waitFor();
          await row.getByText(`${objectCount} objects`).first().waitFor();
        });
        await eventually(async () => {
          const { objects } = await json(session.get(`${bucket}/objects?prefix=b/&delimiter=`));
          assert.equal(objects.length, objectCount);
        });
      });
    }),
});
