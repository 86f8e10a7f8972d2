import assert from "node:assert/strict";
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { startChecksum } from "../../src/checksums/checksum.ts";
import { HeaderList } from "../../src/http1/header_list.ts";
import { contentMd5 } from "../../src/proxy/payload/document.ts";
import { Signer, signingTime } from "../../src/sigv4/sign.ts";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { until } from "../support/poll.ts";
import { RawConnection } from "../support/raw_connection.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { encodeChunks, hexSha256 } from "./support/aws_chunked.ts";
import { WireConnection } from "./support/wire.ts";

const mebibyte = 1 << 20;

/** Sizes on either side of what is read before anything is sent on, and more than a connection holds. */
const sizes = [60_000, mebibyte, 12 * mebibyte, 40 * mebibyte];

/** How the head of an upload may describe a body. */
const declarations: Readonly<Record<string, (body: Uint8Array<ArrayBuffer>) => Record<string, string>>> = {
  "with its hash": (body) => ({ "x-amz-content-sha256": hexSha256(body) }),
  "without a hash": () => ({ "x-amz-content-sha256": "UNSIGNED-PAYLOAD" }),
  "with Content-MD5": (body) => ({
    "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
    "content-md5": contentMd5(body),
  }),
};

function brokenOffTest(name: string, body: (endpoint: Endpoint) => Promise<void>): void {
  for (const kind of ["minio", "versitygw"] satisfies UpstreamKind[]) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () => withEndpoint(kind, {}, body),
    });
  }
}

/** Sends a signed head and what of the body is given, and closes the connection. */
async function breakOff(
  endpoint: Endpoint,
  target: string,
  headers: Record<string, string>,
  sent: Uint8Array,
  contentLength: number,
): Promise<void> {
  using connection = await WireConnection.open(endpoint.url);
  await connection.sendHead({ method: "PUT", target, headers, contentLength }, endpoint);
  await connection.write(sent);
}

/** Waits until the endpoint has dealt with so many requests of an operation. */
async function settled({ program }: Endpoint, operation: string, count: number): Promise<void> {
  await until(async () => {
    const text = await (await fetch(`${program.url}/metrics`)).text();
    const lines = text.matchAll(/^service_s3_request_total\{(.*)\} (\d+)$/gm);
    const ended = [...lines].filter(([, labels]) => labels.includes(`operation="${operation}"`));
    return ended.reduce((sum, [, , value]) => sum + Number(value), 0) === count;
  }, { timeoutMs: 20_000, what: `${count} requests to end` });
}

brokenOffTest("an object stays as it was when its overwriting is broken off", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "key", Body: "before" }));
  let count = 0;
  for (const size of sizes) {
    const body = new Uint8Array(size).fill(65);
    for (const [name, declare] of Object.entries(declarations)) {
      if (size > 12 * mebibyte && name !== "without a hash") continue;
      for (const sent of [0, size >> 1, size - 1]) {
        count++;
        await breakOff(endpoint, "/bucket/key", declare(body), body.subarray(0, sent), size);
      }
    }
  }
  await settled(endpoint, "PutObject", count);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
  assert.deepEqual(Contents.map(({ Key, Size }) => [Key, Size]), [["key", 6]]);
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "key" }));
  assert.equal(await Body?.transformToString(), "before");
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: "bucket" }));
  assert.deepEqual(Uploads, []);
});

brokenOffTest("a part that is broken off is none", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  const object = { Bucket: "bucket", Key: "key" };
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand(object));
  let partNumber = 0;
  for (const size of sizes.slice(0, 3)) {
    const body = new Uint8Array(size).fill(65);
    for (const declare of Object.values(declarations)) {
      for (const sent of [0, size >> 1, size - 1]) {
        const target = `/bucket/key?partNumber=${++partNumber}&uploadId=${encodeURIComponent(UploadId)}`;
        await breakOff(endpoint, target, declare(body), body.subarray(0, sent), size);
      }
    }
  }
  await settled(endpoint, "UploadPart", partNumber);
  const { Parts = [] } = await s3.send(new ListPartsCommand({ ...object, UploadId }));
  assert.deepEqual(Parts.map(({ PartNumber, Size }) => [PartNumber, Size]), []);
});

/** Signs an upload in aws-chunked form and the chunked coding, and gives its head. */
function chunkedHead({ url, accessKey, secretKey, region }: Endpoint, length: number): string {
  const headers = HeaderList.of([
    ["host", new URL(url).host],
    ["x-amz-date", signingTime(Date.now())],
    ["x-amz-content-sha256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"],
    ["x-amz-decoded-content-length", String(length)],
    ["x-amz-trailer", "x-amz-checksum-crc32"],
    ["transfer-encoding", "chunked"],
  ]);
  const signer = new Signer({ accessKeyId: accessKey, secretKey, region });
  const request = { method: "PUT", path: "/bucket/key", query: "", headers };
  headers.append("authorization", signer.authorization(request));
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `PUT /bucket/key HTTP/1.1\r\n${lines}\r\n`;
}

brokenOffTest("nor does a body count that is broken off within the chunked coding", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  let count = 0;
  for (const size of sizes.slice(0, 3)) {
    const body = new Uint8Array(size).fill(65);
    const checksum = startChecksum("crc32");
    checksum.update(body);
    const trailer = ["x-amz-checksum-crc32", checksum.value()];
    const encoded = encodeChunks(body, { chunkSize: 65_536, trailer });
    const send = async (end: string, sent = encoded.length) => {
      count++;
      const connection = await RawConnection.open(endpoint.url);
      await connection.send(chunkedHead(endpoint, size) + `${encoded.length.toString(16)}\r\n`);
      await connection.send(encoded.subarray(0, sent));
      await connection.send(end);
      return connection;
    };
    for (const sent of [encoded.length, encoded.length - 1, encoded.length >> 1]) {
      for (const end of ["", "\r\n", "\r\n0\r\n", "0\r\n\r\n"]) (await send(end, sent))[Symbol.dispose]();
    }
    await settled(endpoint, "PutObject", count);
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
    assert.deepEqual(Contents.map(({ Key, Size }) => [Key, Size]), []);
    using whole = await send("\r\n0\r\n\r\n");
    assert.equal((await whole.answer()).status, 200);
    await s3.send(new DeleteObjectCommand({ Bucket: "bucket", Key: "key" }));
  }
});
