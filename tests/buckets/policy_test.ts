import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { GetBucketPolicyCommand } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const statement = {
  Sid: "read",
  Effect: "Allow",
  Principal: { AWS: ["*"] },
  Action: ["s3:GetObject"],
  Resource: [`arn:aws:s3:::${bucketName}/*`],
};
const document = { Version: "2012-10-17", Statement: [statement] };
const compact = JSON.stringify(document);

/** A policy of exactly `bytes` bytes: characters of two bytes tell bytes from characters. */
function policyOf(bytes: number): string {
  const empty = JSON.stringify({ ...document, Id: "" });
  const room = bytes - empty.length;
  return JSON.stringify({ ...document, Id: "é".repeat(Math.floor(room / 2)) + "x".repeat(room % 2) });
}

upstreamTest(["minio", "versitygw"], "a policy is set, shown and removed", async (upstream) => {
  await withBucket(upstream, async ({ program, client, backend, bucket }) => {
    const path = `${bucket}/policy`;
    using s3 = s3Client(upstream);
    const stored = async () =>
      (await s3.send(new GetBucketPolicyCommand({ Bucket: bucketName }))).Policy ?? "";
    const put = (policy: unknown, headers?: Record<string, string>) =>
      client.put(path, { json: { policy }, headers });

    assert.deepEqual(await json(client.get(path)), { policy: "" });
    const spaced = JSON.stringify(document, null, 3);
    assert.deepEqual(await json(put(spaced)), { policy: spaced });
    assert.deepEqual(JSON.parse(await stored()), document);
    // MinIO writes the policy anew; where the backend keeps the text, so do we.
    if (upstream.kind === "versitygw") assert.equal(await stored(), spaced);
    assert.equal((await json(client.get(path))).policy, await stored());
    assert.deepEqual(await json(put(document)), { policy: compact });

    const etag = (await client.get(path)).headers.get("etag") ?? "";
    const changed = { ...document, Statement: [{ ...statement, Sid: "changed" }] };
    assert.equal(await refusal(put(changed, { "if-match": '"old"' })), "412 precondition_failed");
    await json(put(changed, { "if-match": etag }));
    assert.equal(
      await refusal(client.delete(path, { headers: { "if-match": etag } })),
      "412 precondition_failed",
    );
    assert.equal(JSON.parse(await stored()).Statement[0].Sid, "changed");

    // MinIO answers the lists of a statement in another order each time.
    const Action = [
      "s3:AbortMultipartUpload",
      "s3:DeleteObject",
      "s3:GetObject",
      "s3:ListBucket",
      "s3:PutObject",
    ];
    const Resource = [`arn:aws:s3:::${bucketName}`, `arn:aws:s3:::${bucketName}/*`];
    const many = { ...document, Statement: [{ ...statement, Action, Resource }] };
    await json(put(many));
    const tags = new Set<string | null>();
    for (let look = 0; look < 20; look++) {
      const answer = await client.get(path);
      tags.add(answer.headers.get("etag"));
      const [{ Action }] = JSON.parse((await json(answer)).policy).Statement;
      assert.deepEqual(Action.toSorted(), many.Statement[0].Action);
    }
    assert.equal(tags.size, 1, "what was read last is known again");
    const [tag] = tags;
    await json(put({ ...many, Statement: [...many.Statement, statement] }, { "if-match": tag ?? "" }));
    assert.equal(await refusal(put(many, { "if-match": tag ?? "" })), "412 precondition_failed");

    const largest = policyOf(20 * 1024);
    assert.equal(new TextEncoder().encode(largest).length, 20 * 1024);
    if (upstream.kind === "minio") await json(put(largest));
    const before = await stored();
    assert.equal(await refusal(put(policyOf(20 * 1024 + 1))), "400 invalid_policy");
    assert.equal(await stored(), before);

    for (const _ of [1, 2]) assert.equal(await status(client.delete(path)), 204);
    assert.equal(await refusalOf(stored()), "404 NoSuchBucketPolicy");
    assert.deepEqual(await json(client.get(path)), { policy: "" });

    const reader = await program.signedIn("reader");
    assert.deepEqual(await json(reader.get(path)), { policy: "" });
    assert.equal(await refusal(reader.put(path, { json: { policy: compact } })), "403 forbidden");
    assert.equal(await refusal(reader.delete(path)), "403 forbidden");
    const missing = `${backend}/buckets/missing-bucket/policy`;
    assert.equal(await refusal(client.get(missing)), "404 not_found");
    assert.equal(await refusal(client.delete(missing)), "404 not_found");
    const elsewhere = { json: { policy: compact.replaceAll(bucketName, "missing-bucket") } };
    assert.equal(await refusal(client.put(missing, elsewhere)), "404 not_found");

    const { events } = await json(client.get("/api/admin/audit?action=bucket.policy.set&status=ok"));
    assert.deepEqual(events.at(-1).detail, {
      bytes: spaced.length,
      sha256: createHash("sha256").update(spaced).digest("hex"),
      statements: 1,
      allows_everyone: true,
    });
    assert.equal((await json(client.get("/api/admin/audit?action=bucket.policy.delete"))).events.length, 5);
  }, { users: { admin: "admin", reader: "readonly" } });
});

upstreamTest(
  ["minio", "versitygw"],
  "policies that are wrong are refused with the field",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket }) => {
      const path = `${bucket}/policy`;
      await json(client.put(path, { json: { policy: compact } }));
      const put = (policy: unknown) => client.put(path, { json: { policy } });
      const cases: [change: Record<string, unknown>, field: string][] = [
        [{ Effect: "allow" }, "Statement.0.Effect"],
        [{ Effect: undefined }, "Statement.0.Effect"],
        [{ Action: [] }, "Statement.0.Action"],
        [{ Action: undefined }, "Statement.0"],
        [{ NotAction: "s3:PutObject" }, "Statement.0"],
        [{ Principal: undefined }, "Statement.0"],
        [{ Principal: "someone" }, "Statement.0.Principal"],
        [{ Principal: {} }, "Statement.0.Principal"],
        [{ Principal: { Nobody: "*" } }, "Statement.0.Principal"],
        [{ Resource: undefined }, "Statement.0"],
        [{ Resource: `arn:aws:s3:::${bucketName}-2/*` }, "Statement.0.Resource"],
        [{ Resource: ["arn:aws:s3:::*"] }, "Statement.0.Resource"],
        [{ Resource: `${bucketName}/*` }, "Statement.0.Resource"],
        [{ Resource: undefined, NotResource: "arn:aws:s3:::other/a" }, "Statement.0.NotResource"],
        [{ Condition: "never" }, "Statement.0.Condition"],
        [{ Effects: "Allow" }, "Statement.0"],
      ];
      for (const [change, field] of cases) {
        const { error } = await json(put({ ...document, Statement: [{ ...statement, ...change }] }), 400);
        assert.deepEqual([error.code, error.detail], ["invalid_policy", { field }], JSON.stringify(change));
      }
      const texts = [
        "",
        "{",
        "[]",
        "null",
        '"text"',
        "{}",
        '{"Statement":[]}',
        '{"Version":"1","Statement":[]}',
        "\ud800",
      ];
      for (const text of texts) assert.equal(await refusal(put(text)), "400 invalid_policy", text);
      for (const other of [undefined, null, 5, true]) {
        assert.equal(await refusal(put(other)), "400 bad_request");
      }

      // What only the backend knows: it says why, and not where it is.
      const { error } = await json(
        put({ ...document, Statement: [{ ...statement, Action: "s3:Nonsense" }] }),
        400,
      );
      assert.equal(error.code, "invalid_policy");
      assert.match(error.message, /Nonsense|invalid action/);
      assert.equal(error.detail.upstream_code, "MalformedPolicy");
      assert.ok(!JSON.stringify(error).includes("127.0.0.1"));
      assert.deepEqual(JSON.parse((await json(client.get(path))).policy), document);
    });
  },
);
