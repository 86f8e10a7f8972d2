import assert from "node:assert/strict";
import { withEndpoint } from "../support/endpoint.ts";
import { type Client, json, status } from "../support/http_client.ts";
import { startProgram } from "../support/program.ts";
import { skipUpstream } from "../support/upstreams.ts";

const everyone = "/api/admin/s3-credentials";

function trial(client: Client, accessKey: string, body: Record<string, unknown> = {}) {
  return json(client.post(`${everyone}/${accessKey}/test`, { json: body }));
}

Deno.test({
  name: "a credential is tried through the S3 endpoint, which says why it is refused",
  ignore: skipUpstream("embedded"),
  fn: () =>
    withEndpoint("embedded", { buckets: ["bucket", "other"] }, async ({ client, mint, accessKey }) => {
      const works = await trial(client, accessKey, { bucket: "other" });
      assert.deepEqual([works.ok, works.bucket, works.status, works.code], [true, "other", 200, ""]);
      assert.ok(works.request_id !== "" && works.duration_ms >= 0);
      const { last_used_at: used } = await json(client.get(`${everyone}/${accessKey}`));
      assert.ok(Math.abs(Date.parse(used) - Date.now()) < 60_000, used);

      const narrow = await mint({ buckets: ["bucket"], prefix: "a folder/+%/" });
      assert.equal((await trial(client, narrow.accessKey)).ok, true);
      assert.equal(
        await status(client.post(`${everyone}/${narrow.accessKey}/test`, { json: { bucket: "other" } })),
        400,
      );
      assert.equal(await status(client.post(`${everyone}/AKIANONE/test`, { json: {} })), 404);

      await json(client.patch(`${everyone}/${narrow.accessKey}`, { json: { enabled: false } }));
      const disabled = await trial(client, narrow.accessKey);
      assert.deepEqual([disabled.ok, disabled.status], [false, 403]);
      assert.ok(disabled.code !== "" && disabled.message !== "" && disabled.request_id !== "");

      assert.equal(await status(client.delete("/api/backends/main/buckets/other")), 204);
      const gone = await trial(client, accessKey, { bucket: "other" });
      assert.deepEqual([gone.ok, gone.code], [false, "NoSuchBucket"]);

      // The endpoint's rows name the owner; whoever had it tried is in rows of their own.
      const { events } = await json(client.get("/api/admin/audit?action=s3_credential.test&status=error"));
      const [row] = events.filter(({ bucket }: { bucket: string }) => bucket === "other");
      assert.deepEqual([row.username, row.backend, row.detail], ["admin", "main", {
        access_key_id: accessKey,
        code: "NoSuchBucket",
      }]);
    }),
});

Deno.test({
  name: "when a credential was last used is known after a restart",
  ignore: skipUpstream("embedded"),
  fn: () =>
    withEndpoint("embedded", {}, async ({ client, accessKey, program }) => {
      assert.equal((await trial(client, accessKey)).ok, true);
      const before = await json(client.get(`${everyone}/${accessKey}`));
      assert.equal((await program.child.stop(60_000)).code, 0);
      const again = await startProgram({
        directory: program.directory,
        config: { s3_proxy: { enabled: true, listen: "127.0.0.1:0" } },
        env: { HTTP_PROXY: "http://127.0.0.1:9" },
      });
      try {
        const after = await json((await again.signedIn()).get(`${everyone}/${accessKey}`));
        assert.equal(after.last_used_at, before.last_used_at);
        // The endpoint is asked itself, and not a proxy of the environment, which would be given a signature.
        const { status, code } = await trial(await again.signedIn(), accessKey);
        assert.ok(status > 0, code);
      } finally {
        await again.stop();
      }
    }),
});
