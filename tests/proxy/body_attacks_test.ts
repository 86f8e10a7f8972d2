import assert from "node:assert/strict";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { startChecksum } from "../../src/checksums/checksum.ts";
import { contentMd5 } from "../../src/proxy/payload/document.ts";
import { type Endpoint, withSharedEndpoint } from "../support/endpoint.ts";
import { until } from "../support/poll.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, upstreamKinds } from "../support/upstreams.ts";
import { chunkSigning, encodeChunks, hexSha256 } from "./support/aws_chunked.ts";
import { type RawRequest, sendSigned } from "./support/signed_request.ts";

const mebibyte = 1 << 20;
const small = new TextEncoder().encode("hello");
const large = new Uint8Array(9 * mebibyte + 7).map((_, index) => index * 13 + (index >> 8));

/** A body in one of the ways in which it may come, and the headers that go with that. */
type Way = (body: Uint8Array) => Pick<RawRequest, "payload" | "headers" | "body">;

function crc32(body: Uint8Array): string {
  const checksum = startChecksum("crc32");
  checksum.update(body);
  return checksum.value();
}

const trailerHeaders = (body: Uint8Array) => ({
  "x-amz-decoded-content-length": String(body.length),
  "x-amz-trailer": "x-amz-checksum-crc32",
  "content-encoding": "aws-chunked",
});

const ways: Readonly<Record<string, Way>> = {
  "with its hash": (body) => ({ payload: hexSha256(body), body: () => body }),
  "unsigned": (body) => ({ payload: "UNSIGNED-PAYLOAD", body: () => body }),
  "unsigned with Content-MD5": (body) => ({
    payload: "UNSIGNED-PAYLOAD",
    headers: { "content-md5": contentMd5(body) },
    body: () => body,
  }),
  "in signed chunks": (body) => ({
    payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
    headers: { "x-amz-decoded-content-length": String(body.length) },
    body: (signing) => encodeChunks(body, { chunkSize: 65_536, signing }),
  }),
  "in signed chunks with a trailer": (body) => ({
    payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    headers: trailerHeaders(body),
    body: (signing) =>
      encodeChunks(body, { chunkSize: 65_536, signing, trailer: ["x-amz-checksum-crc32", crc32(body)] }),
  }),
  "in chunks with a trailer": (body) => ({
    payload: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    headers: trailerHeaders(body),
    body: () => encodeChunks(body, { chunkSize: 65_536, trailer: ["x-amz-checksum-crc32", crc32(body)] }),
  }),
};

function put(endpoint: Endpoint, key: string, request: Omit<RawRequest, "method" | "path">) {
  return sendSigned(endpoint, { method: "PUT", path: `/bucket/${key}`, ...request });
}

async function keysOf({ upstream }: Endpoint): Promise<string[]> {
  using s3 = s3Client(upstream);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
  return Contents.map(({ Key }) => Key ?? "");
}

for (const kind of upstreamKinds) {
  const test = (name: string, body: (endpoint: Endpoint) => Promise<void>) =>
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () => withSharedEndpoint(kind, {}, body),
    });

  test("whichever way a body comes, it is stored as it is", async (endpoint) => {
    using s3 = s3Client(endpoint.upstream);
    for (const [name, way] of Object.entries(ways)) {
      for (const body of [small, large]) {
        const { status, text } = await put(endpoint, "key", way(body));
        assert.equal(status, 200, `${name}: ${text}`);
        const stored = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "key" }));
        assert.deepEqual(await stored.Body?.transformToByteArray(), body, name);
        assert.equal(stored.ContentEncoding ?? "", "", name);
      }
    }
  });

  test("a changed body is refused and stored nowhere", async (endpoint) => {
    for (const [name, way] of Object.entries(ways)) {
      if (name === "unsigned") continue;
      for (const body of [small, large]) {
        const request = way(body);
        const changed: RawRequest["body"] = (signing) => {
          const bytes = request.body(signing).slice();
          // The first byte of the content stands behind the header of its chunk.
          bytes[name.includes("chunks") ? bytes.indexOf(10) + 1 : 0] ^= 1;
          return bytes;
        };
        const { status, text } = await put(endpoint, "key", { ...request, body: changed });
        assert.ok(status === 400 || status === 403, `${name}, ${body.length}: ${text}`);
        assert.match(
          text,
          /<Code>(XAmzContentSHA256Mismatch|BadDigest|InvalidDigest|SignatureDoesNotMatch)<\/Code>/,
          name,
        );
      }
    }
    assert.deepEqual(await keysOf(endpoint), []);
  });

  test("a part brings the checksum that its upload demands", async (endpoint) => {
    using s3 = s3Client({ ...endpoint, endpoint: endpoint.url });
    const object = { Bucket: "bucket", Key: "parts" };
    const created = await s3.send(
      new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: "CRC32" }),
    );
    const UploadId = created.UploadId ?? "";
    const query = `partNumber=1&uploadId=${encodeURIComponent(UploadId)}`;
    const part = ways["in chunks with a trailer"](large);
    const { status, text } = await put(endpoint, "parts", { ...part, query });
    assert.equal(status, 200, text);
    const ETag = /^etag: (.*)\r$/im.exec(text)?.[1];
    const Parts = [{ PartNumber: 1, ETag, ChecksumCRC32: crc32(large) }];
    await s3.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
    const stored = await s3.send(new GetObjectCommand(object));
    assert.deepEqual(await stored.Body?.transformToByteArray(), large);
  });

  test("a document that does not match what is said of it is not acted upon", async (endpoint) => {
    using s3 = s3Client(endpoint.upstream);
    await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "key", Body: small }));
    const document = new TextEncoder().encode("<Delete><Object><Key>key</Key></Object></Delete>");
    const headers: Record<string, string>[] = [
      { "content-md5": contentMd5(small) },
      { "x-amz-checksum-crc32": crc32(small) },
      { "x-amz-checksum-sha256": "a".repeat(43) + "=" },
    ];
    const send = (headers: Record<string, string>, payload = "UNSIGNED-PAYLOAD") =>
      sendSigned(endpoint, {
        method: "POST",
        path: "/bucket",
        query: "delete=",
        headers,
        payload,
        body: () => document,
      });
    for (const wrong of headers) assert.match((await send(wrong)).text, /<Code>BadDigest<\/Code>/);
    assert.match((await send({}, hexSha256(small))).text, /<Code>XAmzContentSHA256Mismatch<\/Code>/);
    assert.deepEqual(await keysOf(endpoint), ["key"]);
    assert.equal((await send({ "content-md5": contentMd5(document) })).status, 200);
    assert.deepEqual(await keysOf(endpoint), []);
  });

  test("a body that is cut off is stored nowhere", async (endpoint) => {
    for (const [name, way] of Object.entries(ways)) {
      for (const body of [small, large]) {
        const request = way(body);
        for (const missing of [1, body.length >> 1]) {
          const { length } = request.body(chunkSigning);
          const key = `${missing}-${name.replaceAll(" ", "-")}`;
          await put(endpoint, key, { ...request, cutAt: length - missing });
        }
      }
    }
    await settled(endpoint);
    assert.deepEqual(await keysOf(endpoint), []);
  });
}

/** Waits until the endpoint has nothing under way. */
async function settled({ program }: Endpoint): Promise<void> {
  await until(async () => {
    const text = await (await fetch(`${program.url}/metrics`)).text();
    return /^service_s3_inflight_requests 0$/m.test(text);
  }, { timeoutMs: 20_000, what: "the requests under way to end" });
}
