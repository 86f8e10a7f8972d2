import assert from "node:assert/strict";
import { PutBucketPolicyCommand } from "@aws-sdk/client-s3";
import { publicAccess } from "../../src/buckets/settings/policy.ts";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const users = { admin: "admin", reader: "readonly" } as const;
const path = `/api/backends/${backendId}/bucket-properties`;

function openTo(bucket: string) {
  const allow = { Effect: "Allow", Principal: "*", Action: "s3:GetObject" };
  return { Version: "2012-10-17", Statement: [{ ...allow, Resource: `arn:aws:s3:::${bucket}/*` }] };
}

upstreamTest(["minio"], "how buckets are set up is told, and remembered for a while", async (upstream) => {
  await withBucket(upstream, async ({ program, client, backend, bucket }) => {
    using s3 = s3Client(upstream);
    const read = async (...names: string[]) =>
      (await json(client.get(`${path}?buckets=${names.join(",")}`))).buckets
        .map(({ read_at: _, ...properties }: Record<string, unknown>) => properties);
    const plain = { region: "us-east-1", versioning: "off", object_lock: false, public_access: "private" };
    assert.equal((await read("locked"))[0].versioning, undefined, "it is not there yet");
    await json(client.post(`${backend}/buckets`, { json: { name: "locked", object_lock: true } }), 201);

    assert.deepEqual(await read("locked", bucketName), [
      { ...plain, name: "locked", versioning: "enabled", object_lock: true },
      { ...plain, name: bucketName },
    ]);

    // What is changed here counts at once; what is changed past this program, later.
    await json(client.put(`${bucket}/versioning`, { json: { enabled: true } }));
    await json(client.put(`${bucket}/policy`, { json: { policy: openTo(bucketName) } }));
    assert.deepEqual(await read(bucketName), [
      { ...plain, name: bucketName, versioning: "enabled", public_access: "public" },
    ]);
    await s3.send(
      new PutBucketPolicyCommand({ Bucket: "locked", Policy: JSON.stringify(openTo("locked")) }),
    );
    assert.equal((await read("locked"))[0].public_access, "private");
    assert.equal(await status(client.delete(`${backend}/buckets/locked`)), 204);
    assert.equal((await read("locked"))[0].public_access, undefined, "it is gone");

    const reader = await program.signedIn("reader");
    assert.equal((await json(reader.get(`${path}?buckets=${bucketName}`))).buckets.length, 1);
    assert.equal(await refusal(program.client().get(`${path}?buckets=x`)), "401 unauthorized");
    const many = Array.from({ length: 26 }, (_, index) => `bucket-${index}`).join(",");
    for (const wrong of ["", "?buckets=", "?buckets=a%2Fb", `?buckets=${many}`]) {
      assert.match(await refusal(client.get(`${path}${wrong}`)), /^400 /, wrong);
    }
  }, { users });
});

upstreamTest(["embedded"], "what a backend does not know of its buckets is left out", async (upstream) => {
  await withBucket(upstream, async ({ client }) => {
    const { buckets: [{ name, read_at, ...told }] } = await json(client.get(`${path}?buckets=${bucketName}`));
    assert.equal(name, bucketName);
    assert.ok(Math.abs(Date.parse(read_at) - Date.now()) < 60_000);
    assert.equal(told.public_access, undefined);
  });
  const dead = { ...upstream, endpoint: "http://127.0.0.1:1" };
  await withProgram({ backends: [{ id: backendId, upstream: dead }] }, async (program) => {
    const client = await program.signedIn();
    assert.match(await refusal(client.get(`${path}?buckets=other`)), /^502 /);
  });
});

Deno.test("policies: what they allow to everyone", () => {
  const access = (...statements: unknown[]) => publicAccess(JSON.stringify({ Statement: statements }));
  const allow = { Effect: "Allow", Action: "s3:GetObject" };
  assert.equal(publicAccess(""), "private");
  assert.equal(publicAccess("no JSON"), "private");
  assert.equal(access({ ...allow, Principal: { AWS: "arn:aws:iam::1:root" } }), "private");
  assert.equal(access({ ...allow, Effect: "Deny", Principal: "*" }), "private");
  assert.equal(access({ ...allow, Principal: "*" }), "public");
  assert.equal(access({ ...allow, Principal: { AWS: ["x", "*"] } }), "public");
  assert.equal(access({ ...allow, NotPrincipal: { AWS: "x" } }), "public");
  const open = { ...allow, Principal: "*" };
  const address = { IpAddress: { "aws:SourceIp": "192.0.2.0/24" } };
  assert.equal(access({ ...open, Condition: address }), "conditional");
  assert.equal(access({ ...open, Condition: address }, open), "public");
  for (const empty of [{}, { IpAddress: {} }, null]) {
    assert.equal(access({ ...open, Condition: empty }), "public", "it demands nothing");
  }
  assert.equal(publicAccess(JSON.stringify({ Statement: { ...allow, Principal: "*" } })), "public");
});
