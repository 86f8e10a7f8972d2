import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { type EmbeddedS3, startEmbeddedS3 } from "../../src/quickstart/embedded_s3/server.ts";
import { until } from "../support/poll.ts";
import { s3Client } from "../support/s3_client.ts";

const keys = { accessKey: "access", secretKey: "secret" };
const Bucket = "storage";
const mebibyte = 1024 ** 2;

/** Runs `body` with a server on an empty directory that already has the bucket. */
async function withServer(body: (server: EmbeddedS3, directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "embedded-s3-" });
  try {
    await serveFrom(join(directory, "s3"), async (server) => {
      using s3 = clientOf(server);
      await s3.send(new CreateBucketCommand({ Bucket }));
      await body(server, directory);
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function serveFrom(directory: string, body: (server: EmbeddedS3) => Promise<void>): Promise<void> {
  const server = await startEmbeddedS3({ directory, port: 0, ...keys, clock: Date.now });
  try {
    await body(server);
  } finally {
    await server.stop();
  }
}

function clientOf(server: EmbeddedS3) {
  return s3Client({ endpoint: server.url, region: "us-east-1", ...keys });
}

async function countFiles(directory: string): Promise<number> {
  let count = 0;
  for await (const folder of Deno.readDir(join(directory, "s3", "blobs"))) {
    count += [...Deno.readDirSync(join(directory, "s3", "blobs", folder.name))].length;
  }
  return count;
}

/** A body that waits in its middle until told how to go on. */
function pausingBody() {
  const decision = Promise.withResolvers<void>();
  const Body = Readable.from((async function* () {
    yield new Uint8Array(mebibyte);
    await decision.promise;
    yield new Uint8Array(mebibyte);
  })());
  return { Body, ContentLength: 2 * mebibyte, goOn: decision.resolve };
}

Deno.test("an upload that is cut off stores nothing, and its file goes", () =>
  withServer(async (server, directory) => {
    using s3 = clientOf(server);
    const { goOn, ...body } = pausingBody();
    const client = new AbortController();
    const command = new PutObjectCommand({ Bucket, Key: "cut", ...body });
    const upload = assert.rejects(s3.send(command, { abortSignal: client.signal }));
    await until(async () => await countFiles(directory) === 1, { what: "the upload to arrive" });
    client.abort();
    await upload;
    await until(async () => await countFiles(directory) === 0, { what: "the file to go" });
    assert.equal((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount, 0);
    goOn();
  }));

Deno.test("state outlives the process, even one that is killed in the middle of an upload", () =>
  withServer(async (server, directory) => {
    using s3 = clientOf(server);
    const { goOn, ...body } = pausingBody();
    await s3.send(new PutObjectCommand({ Bucket, Key: "kept", Body: "bytes", Metadata: { n: "1" } }));
    const upload = s3.send(new PutObjectCommand({ Bucket, Key: "unfinished", ...body }));
    await until(async () => await countFiles(directory) === 2, { what: "the upload to arrive" });
    // What a kill leaves on disk is what is there now.
    const image = join(directory, "image");
    await cp(join(directory, "s3"), join(image, "s3"), { recursive: true });
    await serveFrom(join(image, "s3"), async (restarted) => {
      using again = clientOf(restarted);
      const { Contents } = await again.send(new ListObjectsV2Command({ Bucket }));
      assert.deepEqual(Contents?.map(({ Key }) => Key), ["kept"]);
      const got = await again.send(new GetObjectCommand({ Bucket, Key: "kept" }));
      assert.equal(await got.Body?.transformToString(), "bytes");
      assert.deepEqual(got.Metadata, { n: "1" });
      assert.equal(await countFiles(image), 1);
    });
    goOn();
    await upload;
  }));

Deno.test("a read goes on with the old bytes when the object is replaced or deleted meanwhile", () =>
  withServer(async (server, directory) => {
    using s3 = clientOf(server);
    const size = 24 * mebibyte;
    for (
      const change of [
        new PutObjectCommand({ Bucket, Key: "a", Body: "new" }),
        new DeleteObjectCommand({ Bucket, Key: "a" }),
      ]
    ) {
      await s3.send(new PutObjectCommand({ Bucket, Key: "a", Body: new Uint8Array(size).fill(7) }));
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "a" }));
      // The command types of the union have different inputs and outputs, and only their effect matters.
      await s3.send(change as PutObjectCommand);
      const bytes = await Body?.transformToByteArray();
      assert.equal(bytes?.length, size);
      assert.ok(bytes.every((byte) => byte === 7));
    }
    await until(async () => await countFiles(directory) === 0, { what: "the files to go" });
  }));

Deno.test("keys that no file system could hold", () =>
  withServer(async (server) => {
    using s3 = clientOf(server);
    const long = "ä/".repeat(341) + "x";
    const keysHere = ["a", "a/b", "a//b", "a/./b", "//", " ", "\u0001\r\n", long];
    for (const Key of keysHere) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
    }
    for (const Key of keysHere) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      assert.equal(await Body?.transformToString(), Key);
    }
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, EncodingType: "url" }));
    assert.deepEqual(Contents.map(({ Key = "" }) => decodeURIComponent(Key)).sort(), keysHere.toSorted());
    const tooLong = new PutObjectCommand({ Bucket, Key: `${long}xx`, Body: "" });
    await assert.rejects(s3.send(tooLong), { name: "KeyTooLongError" });
  }));

Deno.test("what is not there says so, and a taken port is an error", () =>
  withServer(async (server, directory) => {
    using s3 = clientOf(server);
    const { GetBucketVersioningCommand, GetBucketPolicyCommand, PutBucketCorsCommand } = await import(
      "@aws-sdk/client-s3"
    );
    await assert.rejects(s3.send(new GetBucketVersioningCommand({ Bucket })), { name: "NotImplemented" });
    await assert.rejects(s3.send(new GetBucketPolicyCommand({ Bucket })), { name: "NotImplemented" });
    const cors = new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [] } });
    await assert.rejects(s3.send(cors), { name: "NotImplemented" });
    const port = Number(new URL(server.url).port);
    const second = startEmbeddedS3({ directory: join(directory, "other"), port, ...keys, clock: Date.now });
    await assert.rejects(second, Deno.errors.AddrInUse);
  }));
