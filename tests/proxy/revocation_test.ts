import assert from "node:assert/strict";
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { type Endpoint, type EndpointKeys, withEndpoint } from "../support/endpoint.ts";
import { expireSoon } from "../support/expiry.ts";
import { json, status } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { hexSha256 } from "./support/aws_chunked.ts";
import { formOf, signedFields } from "./support/post_form.ts";
import { exchangeOnce, type WireAnswer, WireConnection, type WireRequest } from "./support/wire.ts";

const mebibyte = 1 << 20;

/** One is read before anything is sent on, the other is sent on as it comes. */
const bodies = [100_000, 3 * mebibyte].map((length) => new Uint8Array(length).map((_, index) => index * 7));

/** What an administrator does to a credential while it is in use. */
const revocations: Readonly<Record<string, (endpoint: Endpoint, keys: EndpointKeys) => Promise<unknown>>> = {
  "disabled": ({ client }, keys) => json(client.patch(pathOf(keys), { json: { enabled: false } })),
  "deleted": async ({ client }, keys) => assert.equal(await status(client.delete(pathOf(keys))), 204),
  "rotated": ({ client }, keys) => json(client.post(`${pathOf(keys)}/rotate`)),
  "expired": ({ client }, keys) =>
    expireSoon((expires_at) => client.patch(pathOf(keys), { json: { expires_at } })),
  "kept from the bucket": ({ client }, keys) =>
    json(client.patch(pathOf(keys), { json: { buckets: ["other"] } })),
  "kept to a prefix": ({ client }, keys) =>
    json(client.patch(pathOf(keys), { json: { prefix: "elsewhere/" } })),
  "kept from writing": ({ client }, keys) => json(client.patch(pathOf(keys), { json: { read_only: true } })),
};

function pathOf({ accessKey }: EndpointKeys): string {
  return `/api/admin/s3-credentials/${accessKey}`;
}

/** Sends a request whose credential is revoked when all of the body but the end was sent. */
async function revokedOnTheWay(
  endpoint: Endpoint,
  request: WireRequest & { readonly body: Uint8Array<ArrayBuffer> },
  keys: EndpointKeys,
  revoke: (typeof revocations)[string],
): Promise<WireAnswer> {
  using connection = await WireConnection.open(endpoint.url);
  const headers = { ...request.headers, expect: "100-continue" };
  await connection.sendHead({ ...request, headers }, keys);
  // With this the request has been let pass.
  assert.equal((await connection.readHead()).status, 100);
  await connection.write(request.body.subarray(0, -10));
  await revoke(endpoint, keys);
  await connection.write(request.body.subarray(-10));
  return await connection.read();
}

function revocationTest(name: string, body: (endpoint: Endpoint) => Promise<void>): void {
  for (const kind of ["minio", "versitygw"] satisfies UpstreamKind[]) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () => withEndpoint(kind, { buckets: ["bucket", "other"] }, body),
    });
  }
}

async function assertOnlyObject({ upstream }: Endpoint, content: string): Promise<void> {
  using s3 = s3Client(upstream);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
  assert.deepEqual(Contents.map(({ Key }) => Key), ["key"]);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "key" }));
  assert.equal(await Body?.transformToString(), content);
}

function assertDenied({ status, code, text }: WireAnswer, about: string): void {
  assert.equal(`${status} ${code}`, "403 AccessDenied", `${about}: ${text}`);
}

revocationTest("an upload whose credential is revoked on the way is stored nowhere", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "key", Body: "before" }));
  for (const [name, revoke] of Object.entries(revocations)) {
    for (const body of bodies) {
      for (const payload of ["UNSIGNED-PAYLOAD", hexSha256(body)]) {
        const keys = await endpoint.mint({ buckets: ["bucket"] });
        const headers = { "x-amz-content-sha256": payload };
        const request = { method: "PUT", target: "/bucket/key", headers, body };
        assertDenied(await revokedOnTheWay(endpoint, request, keys, revoke), `${name}, ${body.length}`);
      }
    }
  }
  await assertOnlyObject(endpoint, "before");
});

revocationTest("nor is a part, and no document of it is acted upon", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  const object = { Bucket: "bucket", Key: "key" };
  await s3.send(new PutObjectCommand({ ...object, Body: "before" }));
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand(object));
  const target = `/bucket/key?uploadId=${encodeURIComponent(UploadId)}`;
  const part = "<Part><PartNumber>1</PartNumber><ETag>a</ETag></Part>";
  const documents: Readonly<Record<string, string>> = {
    "/bucket?delete": "<Delete><Object><Key>key</Key></Object></Delete>",
    [target]: `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`,
  };
  for (const [name, revoke] of Object.entries(revocations)) {
    const mint = () => endpoint.mint({ buckets: ["bucket"] });
    for (const body of bodies) {
      for (const payload of ["UNSIGNED-PAYLOAD", hexSha256(body)]) {
        const headers = { "x-amz-content-sha256": payload };
        const request = { method: "PUT", target: `${target}&partNumber=1`, headers, body };
        assertDenied(await revokedOnTheWay(endpoint, request, await mint(), revoke), name);
      }
    }
    for (const [target, text] of Object.entries(documents)) {
      // What a document names is not known before it is whole.
      if (name === "kept to a prefix" && target.includes("delete")) continue;
      const request = { method: "POST", target, body: new TextEncoder().encode(text) };
      assertDenied(await revokedOnTheWay(endpoint, request, await mint(), revoke), `${name}, ${target}`);
    }
  }
  const { Parts = [] } = await s3.send(new ListPartsCommand({ ...object, UploadId }));
  assert.deepEqual(Parts, []);
  await assertOnlyObject(endpoint, "before");
});

revocationTest("nor is the file of a form", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "key", Body: "before" }));
  for (const [name, revoke] of Object.entries(revocations)) {
    // In parts too, which are taken back.
    const large = name === "disabled" ? [new Uint8Array(17 * mebibyte)] : [];
    for (const file of [...bodies, ...large]) {
      const keys = await endpoint.mint({ buckets: ["bucket"] });
      const form = new Response(formOf(signedFields(keys, { fields: { key: "key" } }), { file }));
      const headers = { "content-type": form.headers.get("content-type") ?? "" };
      const body = new Uint8Array(await form.arrayBuffer());
      using connection = await WireConnection.open(endpoint.url);
      await connection.sendHead({ method: "POST", target: "/bucket", headers, body });
      await connection.write(body.subarray(0, -10));
      await revoke(endpoint, keys);
      await connection.write(body.subarray(-10));
      const { status, text } = await connection.read();
      assert.equal(status, 403, `${name}, ${file.length}: ${text}`);
    }
  }
  await assertOnlyObject(endpoint, "before");
});

revocationTest("what was revoked is refused at the very next request", async (endpoint) => {
  for (const [name, revoke] of Object.entries(revocations)) {
    const keys = await endpoint.mint({ buckets: ["bucket"] });
    using connection = await WireConnection.open(endpoint.url);
    const request = { method: "PUT", target: "/bucket/key", body: "before" };
    assert.equal((await connection.exchange(request, keys)).status, 200);
    await revoke(endpoint, keys);
    const { status, text } = await connection.exchange({ ...request, body: "after" }, keys);
    assert.equal(status, 403, `${name}: ${text}`);
    assert.equal((await exchangeOnce(endpoint, { ...request, body: "after" }, keys)).status, 403, name);
  }
  await assertOnlyObject(endpoint, "before");
});
