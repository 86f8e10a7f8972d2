import assert from "node:assert/strict";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { Http1Error } from "../../src/http1/http1_error.ts";
import { Watchdog } from "../../src/http1/watchdog.ts";
import { asS3Error } from "../../src/proxy/relay.ts";
import { S3Error } from "../../src/proxy/s3_error.ts";
import { Upstream } from "../../src/proxy/upstreams.ts";
import { withEndpoint } from "../support/endpoint.ts";
import { until } from "../support/poll.ts";
import { plain, startRawUpstream } from "../support/raw_upstream.ts";
import { s3Client } from "../support/s3_client.ts";
import { type RawEndpoint, withRawEndpoint } from "./support/raw_endpoint.ts";
import { WireConnection } from "./support/wire.ts";

const mebibyte = 1 << 20;
const piece = new Uint8Array(mebibyte);
const object = "/bucket/key";

/** Memory that the program may take for what goes through it, however much that is, in bytes. */
const maxGrowth = 64 * mebibyte;

/** By how much the program's resident set exceeds what it was before, at its largest while `action` runs, in bytes. */
async function growth({ program }: RawEndpoint, action: () => Promise<void>): Promise<number> {
  const directory = `/proc/${program.child.pid}`;
  const memory = async (field: string) => {
    const status = await Deno.readTextFile(`${directory}/status`);
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  };
  // Sets the largest value to the current one: https://www.kernel.org/doc/html/latest/filesystems/proc.html
  await Deno.writeTextFile(`${directory}/clear_refs`, "5");
  const before = await memory("VmRSS");
  await action();
  return await memory("VmHWM") - before;
}

async function download(endpoint: RawEndpoint, bytes: number, pause?: () => Promise<void>): Promise<void> {
  endpoint.answer({ text: `HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`, filler: bytes });
  using connection = await WireConnection.open(endpoint.url);
  await connection.sendHead({ method: "GET", target: object }, endpoint);
  assert.equal((await connection.readHead()).status, 200);
  for (let size = 0; size < bytes;) {
    const { length } = await connection.readSome(mebibyte);
    assert.notEqual(length, 0, "the answer is short");
    size += length;
    if (size === length) await pause?.();
  }
}

async function upload(endpoint: RawEndpoint, bytes: number): Promise<void> {
  endpoint.answer({ text: plain("200 OK", "", { etag: '"e"' }), after: bytes });
  using connection = await WireConnection.open(endpoint.url);
  await connection.sendHead({ method: "PUT", target: object, contentLength: bytes }, endpoint);
  for (let sent = 0; sent < bytes; sent += mebibyte) await connection.write(piece);
  assert.equal((await connection.read("PUT")).status, 200);
}

const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "what goes through is not held in memory",
  ignore,
  fn: () =>
    withRawEndpoint(async (endpoint) => {
      await download(endpoint, 32 * mebibyte);
      await upload(endpoint, 32 * mebibyte);
      const downloads = await growth(endpoint, () => download(endpoint, 1024 * mebibyte));
      assert.ok(downloads < maxGrowth, `${downloads} bytes more after a download`);
      const uploads = await growth(endpoint, () => upload(endpoint, 1024 * mebibyte));
      assert.ok(uploads < maxGrowth, `${uploads} bytes more after an upload`);
    }),
});

Deno.test({
  name: "nor is what a client is slow to take",
  ignore,
  fn: () =>
    withRawEndpoint(async (endpoint) => {
      await download(endpoint, 32 * mebibyte);
      const grown = await growth(endpoint, async () => {
        await Promise.all(Array.from({ length: 4 }, () =>
          download(endpoint, 256 * mebibyte, async () => {
            // Long enough for all of it to come, if the upstream were not made to wait.
            await new Promise((resolve) => setTimeout(resolve, 1000));
          })));
      });
      assert.ok(grown < maxGrowth, `${grown} bytes more`);
    }),
});

Deno.test("a signal to stop lets an upload end", () =>
  withEndpoint("embedded", {}, async (endpoint) => {
    const { program, url } = endpoint;
    using connection = await WireConnection.open(url);
    using idle = await WireConnection.open(url);
    assert.equal((await idle.exchange({ method: "HEAD", target: "/bucket" }, endpoint)).status, 200);
    await connection.sendHead({ method: "PUT", target: object, contentLength: 4 * mebibyte }, endpoint);
    await connection.write(piece);
    await until(async () =>
      /^service_s3_inflight_requests 1$/m.test(await (await fetch(`${program.url}/metrics`)).text()), {
      what: "the upload to begin",
    });
    program.child.signal("SIGTERM");
    await until(() =>
      program.logs().some(({ msg }) =>
        msg === "shutting down"
      ), { what: "the end to begin" });
    assert.equal((await idle.readSome(1)).length, 0, "a connection without a request stays open");
    for (const listener of [url, program.url]) await assert.rejects(WireConnection.open(listener), listener);
    for (let sent = 1; sent < 4; sent++) await connection.write(piece);
    assert.equal((await connection.read("PUT")).status, 200);
    assert.equal((await program.child.exited).code, 0);
    assert.ok(!program.logs().some(({ msg }) => msg.startsWith("requests were cut off")));
    using s3 = s3Client(endpoint.upstream);
    const stored = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "key" }));
    assert.equal(stored.ContentLength, 4 * mebibyte);
    await stored.Body?.transformToByteArray();
  }));

Deno.test("an upload that is not done when the time to stop is over is cut off and stored nowhere", () => {
  const config = { server: { shutdown_timeout: "300ms" } };
  return withEndpoint("embedded", { config }, async (endpoint) => {
    const { program, url } = endpoint;
    using connection = await WireConnection.open(url);
    await connection.sendHead({ method: "PUT", target: object, contentLength: 4 * mebibyte }, endpoint);
    await connection.write(piece);
    program.child.signal("SIGTERM");
    assert.equal((await program.child.exited).code, 0);
    assert.ok(program.logs().some(({ msg }) => msg.startsWith("requests were cut off")));
    await assert.rejects(connection.read("PUT"));
    using s3 = s3Client(endpoint.upstream);
    const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
    assert.equal(KeyCount, 0);
  });
});

Deno.test("an upstream that does not answer in a minute is given up", async () => {
  const upstream = startRawUpstream();
  upstream.set(() => ({ text: "", hold: true }));
  let now = Date.now();
  const clock = () => now;
  const { endpoint, region, accessKey, secretKey } = upstream;
  const backend = new Upstream(
    {
      id: "main",
      name: "main",
      type: "s3v4",
      endpoint,
      region,
      pathStyle: true,
      presign: false,
      enabled: true,
      source: "config",
      credentials: { accessKey, secretKey },
    },
    new Watchdog(clock),
    clock,
  );
  try {
    const request = { method: "GET", bucket: "bucket", encodedKey: "key", query: "", headers: [] };
    const answer = backend.call(request).answer();
    await until(() => upstream.open() === 1, { what: "the request" });
    now += 59_000;
    const early = new Promise((resolve) => setTimeout(resolve, 600, "still waiting"));
    assert.equal(await Promise.race([answer, early]), "still waiting");
    now += 2_000;
    const failure = await answer.then(() => undefined, (error) => error);
    assert.ok(failure instanceof Http1Error && failure.failure === "timeout", String(failure));
    await until(() => upstream.open() === 0, { what: "the end of the request" });
    const told = asS3Error(failure);
    assert.ok(told instanceof S3Error);
    assert.deepEqual([told.status, told.code, told.result], [504, "RequestTimeout", "upstream_error"]);
  } finally {
    backend.close();
    await upstream.stop();
  }
});
