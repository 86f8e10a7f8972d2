import assert from "node:assert/strict";
import { GetBucketLifecycleConfigurationCommand } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal } from "../support/http_client.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const expire = { id: "expire", prefix: "logs/", enabled: true, expiration_days: 30 };
const versions = {
  id: "versions",
  prefix: "",
  enabled: false,
  noncurrent_expire_days: 7,
  noncurrent_keep_versions: 3,
};
const abort = { id: "abort", prefix: "", enabled: true, abort_incomplete_days: 2 };

upstreamTest(["minio"], "lifecycle rules are set, shown and removed", async (upstream) => {
  await withBucket(upstream, async ({ program, client, backend, bucket }) => {
    const path = `${bucket}/lifecycle`;
    using s3 = s3Client(upstream);
    const stored = async () =>
      (await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucketName }))).Rules;
    const put = (rules: unknown) => client.put(path, { json: { rules } });

    assert.deepEqual(await json(client.get(path)), { rules: [] });
    assert.deepEqual(await json(put([expire, versions])), { rules: [expire, versions] });
    assert.deepEqual(await json(client.get(path)), { rules: [expire, versions] });
    assert.deepEqual(await stored(), [
      { ID: "expire", Status: "Enabled", Filter: { Prefix: "logs/" }, Expiration: { Days: 30 } },
      {
        ID: "versions",
        Status: "Disabled",
        Filter: { Prefix: "" },
        NoncurrentVersionExpiration: { NoncurrentDays: 7, NewerNoncurrentVersions: 3 },
      },
    ]);
    // Without an id, and with the odd characters that a prefix may have.
    const odd = { prefix: `é <&"'> ]]>`, enabled: true, expiration_days: 1 };
    assert.deepEqual(await json(put([odd])), { rules: [odd] });
    const { rules: [shown] } = await json(client.get(path));
    assert.equal(shown.prefix, odd.prefix);
    assert.ok(shown.id);
    assert.deepEqual(await json(put([odd])), { rules: [shown] });

    // Tags and sizes, one alone and several at once. MinIO leaves out the value of a tag when it is empty.
    const team = { key: "team", value: "red" };
    const narrowed = [
      { ...expire, id: "and", tags: [team, { key: "stage", value: "" }], larger_than_bytes: 1024 },
      { ...expire, id: "tag", prefix: "", tags: [team] },
      { ...expire, id: "size", prefix: "", larger_than_bytes: 1, smaller_than_bytes: 5 * 2 ** 20 },
    ];
    assert.deepEqual(await json(put(narrowed)), { rules: narrowed });
    assert.deepEqual(await json(client.get(path)), { rules: narrowed });
    assert.deepEqual((await stored())?.map(({ Filter }) => Filter), [
      {
        And: {
          Prefix: "logs/",
          Tags: [{ Key: "team", Value: "red" }, { Key: "stage" }],
          ObjectSizeGreaterThan: 1024,
        },
      },
      { Tag: { Key: "team", Value: "red" } },
      { And: { ObjectSizeGreaterThan: 1, ObjectSizeLessThan: 5 * 2 ** 20 } },
    ]);
    assert.deepEqual(await json(put([shown])), { rules: [shown] });

    const refusedAbove = await json(put([expire, abort]), 400);
    assert.equal(refusedAbove.error.code, "invalid_lifecycle");
    assert.equal(refusedAbove.error.detail.upstream_code, "InvalidArgument");
    const transition = { ...expire, transition_days: 3, transition_storage_class: "NOWHERE" };
    assert.equal(await refusal(put([transition])), "400 invalid_lifecycle");
    assert.deepEqual((await json(client.get(path))).rules, [shown]);

    assert.deepEqual(await json(put([])), { rules: [] });
    assert.equal(await refusalOf(stored()), "404 NoSuchLifecycleConfiguration");

    const reader = await program.signedIn("reader");
    assert.deepEqual(await json(reader.get(path)), { rules: [] });
    assert.equal(await refusal(reader.put(path, { json: { rules: [expire] } })), "403 forbidden");
    const missing = `${backend}/buckets/missing-bucket/lifecycle`;
    assert.equal(await refusal(client.get(missing)), "404 not_found");
    assert.equal(await refusal(client.put(missing, { json: { rules: [expire] } })), "404 not_found");
    const { events } = await json(client.get("/api/admin/audit?action=bucket.lifecycle.set&status=ok"));
    assert.deepEqual(events.map(({ detail }: { detail: unknown }) => detail), [
      { rules: 0 },
      { rules: 1 },
      { rules: 3 },
      { rules: 1 },
      { rules: 1 },
      { rules: 2 },
    ]);
  }, { users: { admin: "admin", reader: "readonly" } });
});

upstreamTest(["minio"], "lifecycle rules that are wrong are refused with the place", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket }) => {
    const path = `${bucket}/lifecycle`;
    const put = (rules: unknown) => client.put(path, { json: { rules } });
    await json(put([expire]));
    const cases: [change: Record<string, unknown>, field: string][] = [
      [{ expiration_days: 0 }, "rules.1.expiration_days"],
      [{ expiration_days: -1 }, "rules.1.expiration_days"],
      [{ expiration_days: 1.5 }, "rules.1.expiration_days"],
      [{ expiration_days: "1" }, "rules.1.expiration_days"],
      [{ expiration_days: null }, "rules.1.expiration_days"],
      [{ expiration_days: 2 ** 31 }, "rules.1.expiration_days"],
      [{ noncurrent_expire_days: 0 }, "rules.1.noncurrent_expire_days"],
      [{ noncurrent_keep_versions: 0 }, "rules.1.noncurrent_keep_versions"],
      [{ abort_incomplete_days: 0 }, "rules.1.abort_incomplete_days"],
      [{ expiration_days: undefined }, "rules.1"],
      [{ transition_days: 3 }, "rules.1.transition_storage_class"],
      [{ transition_storage_class: "GLACIER" }, "rules.1.transition_days"],
      [{ transition_days: 0, transition_storage_class: "GLACIER" }, "rules.1.transition_days"],
      [{ transition_days: 3, transition_storage_class: "" }, "rules.1.transition_storage_class"],
      [{ id: "expire" }, "rules.1.id"],
      [{ id: "" }, "rules.1.id"],
      [{ id: "x".repeat(256) }, "rules.1.id"],
      [{ id: "a\u0000" }, "rules.1.id"],
      [{ prefix: "a\u0001" }, "rules.1.prefix"],
      [{ prefix: "\ud800" }, "rules.1.prefix"],
      [{ prefix: "é".repeat(513) }, "rules.1.prefix"],
      [{ enabled: undefined }, "rules.1.enabled"],
      [{ enabled: "yes" }, "rules.1.enabled"],
      [{ labels: {} }, "rules.1"],
      [{ tags: {} }, "rules.1.tags"],
      [{ tags: [{ key: "", value: "" }] }, "rules.1.tags.0.key"],
      [{ tags: [{ key: "a" }] }, "rules.1.tags.0.value"],
      [{ tags: [{ key: "a", value: "x" }, { key: "a", value: "y" }] }, "rules.1.tags.1.key"],
      [{ larger_than_bytes: -1 }, "rules.1.larger_than_bytes"],
      [{ smaller_than_bytes: 0 }, "rules.1.smaller_than_bytes"],
      [{ larger_than_bytes: 5, smaller_than_bytes: 6 }, "rules.1.smaller_than_bytes"],
      [{ larger_than_bytes: 5, abort_incomplete_days: 6 }, "rules.1.abort_incomplete_days"],
    ];
    for (const [change, field] of cases) {
      const { error } = await json(put([expire, { ...expire, id: "other", ...change }]), 400);
      const found = [error.code, error.detail];
      assert.deepEqual(found, ["invalid_lifecycle", { field, rule: 1 }], JSON.stringify(change));
    }
    const many = Array.from({ length: 1001 }, (_, index) => ({ ...expire, id: String(index) }));
    for (const wrong of ["none", {}, many]) assert.equal(await refusal(put(wrong)), "400 invalid_lifecycle");
    assert.equal(await refusal(client.put(path, { json: {} })), "400 bad_request");
    assert.deepEqual(await json(client.get(path)), { rules: [expire] });
    assert.equal((await json(put(many.slice(1)))).rules.length, 1000);
  });
});

upstreamTest(
  ["seaweedfs"],
  "unfinished uploads are aborted; what else is refused hides nothing",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket }) => {
      const path = `${bucket}/lifecycle`;
      const put = (rules: unknown) => client.put(path, { json: { rules } });
      const transition = { ...expire, transition_days: 3, transition_storage_class: "GLACIER" };
      assert.equal(await refusal(put([transition])), "400 not_supported");
      assert.deepEqual(await json(put([expire, abort])), { rules: [expire, abort] });
      assert.deepEqual(await json(client.get(path)), { rules: [expire, abort] });
      const { backends: [{ capabilities }] } = await json(client.get("/api/backends"));
      assert.equal(capabilities.lifecycle, true);
    });
  },
);
