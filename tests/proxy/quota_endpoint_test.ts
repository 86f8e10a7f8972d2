import assert from "node:assert/strict";
import { CreateMultipartUploadCommand, ListObjectsV2Command, ListPartsCommand } from "@aws-sdk/client-s3";
import { type Endpoint, endpointBackend, withEndpoint } from "../support/endpoint.ts";
import { json, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { exchangeOnce, type WireAnswer, WireConnection, type WireRequest } from "./support/wire.ts";

const mebibyte = 1 << 20;
const Bucket = "bucket";
const path = `/api/backends/${endpointBackend}/buckets/${Bucket}`;
const cap = 10 * mebibyte;
const body = new Uint8Array(mebibyte);

/** The endpoint with a cap of 10 MiB on its bucket. */
interface Limited {
  readonly endpoint: Endpoint;
  send(request: WireRequest): Promise<WireAnswer>;
  /** What the bucket holds by the program's own count, in bytes. */
  usage(): Promise<number>;
  /** Waits until the bucket holds so much by the program's own count. */
  usageBecomes(bytes: number): Promise<void>;
  /** What the objects of the upstream add up to, in bytes. */
  stored(): Promise<number>;
}

function quotaTest(name: string, body: (limited: Limited) => Promise<void>): void {
  for (const kind of ["minio", "versitygw"] satisfies UpstreamKind[]) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () =>
        withEndpoint(kind, {}, async (endpoint) => {
          const { client } = endpoint;
          await json(client.put(`${path}/quota`, { json: { soft_bytes: 0, hard_bytes: cap } }));
          using s3 = s3Client(endpoint.upstream);
          const usage = async () => (await json(client.get(`${path}/quota`))).usage_bytes;
          await body({
            endpoint,
            send: (request) => exchangeOnce(endpoint, request, endpoint),
            usage,
            usageBecomes: async (bytes) => {
              await until(async () => await usage() === bytes, { what: `a usage of ${bytes} bytes` });
            },
            stored: async () => {
              const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
              return Contents.reduce((sum, { Size = 0 }) => sum + Size, 0);
            },
          });
        }),
    });
  }
}

function put(key: string, more: Partial<WireRequest> = {}): WireRequest {
  return { method: "PUT", target: `/bucket/${key}`, body, ...more };
}

quotaTest("of 40 uploads at once, to the endpoint and to the dashboard, ten find room", async (limited) => {
  const { endpoint, send, stored, usage } = limited;
  const codes = await Promise.all(Array.from({ length: 40 }, async (_, index) => {
    if (index % 2 === 0) return (await send(put(`object-${index}`))).status;
    return await status(endpoint.client.post(`${path}/object?key=object-${index}`, { body }));
  }));
  assert.equal(codes.filter((code) => code === 200 || code === 201).length, 10);
  assert.equal(codes.filter((code) => code === 507).length, 30);
  assert.equal(await stored(), cap);
  assert.equal(await usage(), cap);
  const { status: code, code: name, text } = await send(put("one-more"));
  assert.equal(`${code} ${name}`, "507 QuotaExceeded");
  const message = /<Message>(.*)<\/Message>/.exec(text)?.[1] ?? "";
  for (const part of ["bucket", String(cap), String(mebibyte)]) assert.ok(message.includes(part), message);
  const { events } = await json(endpoint.client.get("/api/admin/audit?action=s3.proxy.putobject&limit=1"));
  assert.equal(events[0].detail.result, "quota_exceeded");
});

quotaTest("of 20 parts at once, sent and copied, ten find room", async (limited) => {
  const { endpoint, send, usage, usageBecomes } = limited;
  using s3 = s3Client(endpoint.upstream);
  assert.equal((await send(put("source"))).status, 200);
  const object = { Bucket, Key: "parts" };
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand(object));
  const copy = { body: "", headers: { "x-amz-copy-source": "/bucket/source" } };
  const codes = await Promise.all(Array.from({ length: 20 }, async (_, index) => {
    const target = `/bucket/parts?partNumber=${index + 1}&uploadId=${encodeURIComponent(UploadId)}`;
    const answer = await send({ ...put("parts"), target, ...(index % 2 === 0 ? copy : {}) });
    return answer.status;
  }));
  assert.equal(codes.filter((code) => code === 200).length, 9, String(codes));
  assert.equal(codes.filter((code) => code === 507).length, 11, String(codes));
  const { Parts = [] } = await s3.send(new ListPartsCommand({ ...object, UploadId }));
  assert.equal(Parts.reduce((sum, { Size = 0 }) => sum + Size, 0), 9 * mebibyte);
  assert.equal(await usage(), cap);
  const target = `/bucket/parts?uploadId=${encodeURIComponent(UploadId)}`;
  assert.equal((await send({ method: "DELETE", target })).status, 204);
  await usageBecomes(mebibyte);
});

quotaTest("an upload that fails gives its room back", async (limited) => {
  const { endpoint, send, stored, usage, usageBecomes } = limited;
  const whole = new Uint8Array(cap);
  for (const sent of [0, 4 * mebibyte, cap - 1]) {
    const connection = await WireConnection.open(endpoint.url);
    await connection.sendHead(put("large", { body: whole }), endpoint);
    await connection.write(whole.subarray(0, sent));
    // The room is taken as long as the upload goes on. Where there is room, the condition keeps this one out.
    const beside = put("beside", { body: "x", headers: { "if-match": '"none"' } });
    const hasRoom = async () => (await send(beside)).status !== 507;
    await until(async () => !await hasRoom(), { what: "the upload to begin" });
    connection[Symbol.dispose]();
    await until(hasRoom, { what: "room" });
  }
  assert.equal((await send(put("large", { body: whole }))).status, 200);
  assert.deepEqual([await usage(), await stored()], [cap, cap]);
  assert.equal((await send({ method: "DELETE", target: "/bucket/large" })).status, 204);
  await usageBecomes(0);

  const refused: readonly Partial<WireRequest>[] = [
    { headers: { "x-amz-content-sha256": "0".repeat(64) } },
    { headers: { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" } },
    { headers: { "if-match": '"none"' } },
  ];
  for (const more of refused) {
    const { status: code, text } = await send(put("large", { body: whole, ...more }));
    assert.ok(code >= 400 && code < 500, text);
    assert.equal(await usage(), 0, JSON.stringify(more));
  }
  assert.equal(await stored(), 0);
});

quotaTest("what is replaced counts no more", async ({ send, stored, usage }) => {
  const sized = (mebibytes: number) => new Uint8Array(mebibytes * mebibyte);
  for (const [size, expected] of [[4, 4], [6, 6], [1, 1], [9, 9]]) {
    assert.equal((await send(put("key", { body: sized(size) }))).status, 200, `${size} MiB`);
    assert.equal(await usage(), expected * mebibyte);
  }
  // The new object is stored before the old one is gone: there has to be room for both.
  assert.equal((await send(put("key", { body: sized(2) }))).code, "QuotaExceeded");
  const copy = put("copy", { body: "", headers: { "x-amz-copy-source": "/bucket/key" } });
  assert.equal((await send(copy)).code, "QuotaExceeded");
  // Servers copy the whole object whatever range they are told, so a range must not make it count for less.
  const range = { "x-amz-copy-source": "/bucket/key", "x-amz-copy-source-range": "bytes=0-0" };
  assert.equal((await send(put("copy", { body: "", headers: range }))).code, "InvalidArgument");
  assert.equal(await stored(), 9 * mebibyte);
});
