import assert from "node:assert/strict";
import { CreateBucketCommand, GetBucketLifecycleConfigurationCommand } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { startChild } from "../support/child.ts";
import { requireExecutable, skipWithout } from "../support/executables.ts";
import { json } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type Upstream, withUpstream } from "../support/upstreams.ts";

/** Gives a MinIO server a storage class of its own, whose objects go to a bucket of another server. */
async function addStorageClass(upstream: Upstream, remote: Upstream, name: string): Promise<void> {
  using s3 = s3Client(remote);
  await s3.send(new CreateBucketCommand({ Bucket: "remote" }));
  const { host } = new URL(upstream.endpoint);
  const directory = await Deno.makeTempDir({ prefix: "mc-" });
  const keys = ["--access-key", remote.accessKey, "--secret-key", remote.secretKey];
  const target = ["--endpoint", remote.endpoint, ...keys, "--bucket", "remote"];
  const child = startChild(
    [requireExecutable("mc"), "ilm", "tier", "add", "minio", "store", name, ...target],
    {
      cwd: directory,
      env: { HOME: directory, MC_HOST_store: `http://${upstream.accessKey}:${upstream.secretKey}@${host}` },
    },
  );
  const { code } = await child.exited;
  await Deno.remove(directory, { recursive: true });
  assert.equal(code, 0, [...child.stdout, ...child.stderr].join("\n"));
}

Deno.test({
  name: "objects move to another storage class [minio]",
  ignore: skipUpstream("minio") || skipWithout("mc"),
  fn: () =>
    withUpstream("minio", (upstream) =>
      withUpstream("minio", async (remote) => {
        await addStorageClass(upstream, remote, "COLD");
        await withBucket(upstream, async ({ client, bucket }) => {
          const path = `${bucket}/lifecycle`;
          const rule = {
            id: "cold",
            prefix: "logs/",
            enabled: true,
            transition_days: 30,
            transition_storage_class: "COLD",
          };
          assert.deepEqual(await json(client.put(path, { json: { rules: [rule] } })), { rules: [rule] });
          assert.deepEqual(await json(client.get(path)), { rules: [rule] });
          using s3 = s3Client(upstream);
          const command = new GetBucketLifecycleConfigurationCommand({ Bucket: bucketName });
          const { Rules: [stored] = [] } = await s3.send(command);
          assert.deepEqual(stored.Transitions, [{ Days: 30, StorageClass: "COLD" }]);
          const later = { ...rule, transition_days: 60, expiration_days: 90 };
          assert.deepEqual(await json(client.put(path, { json: { rules: [later] } })), { rules: [later] });
          assert.deepEqual((await json(client.get(path))).rules, [later]);
        });
      })),
});
