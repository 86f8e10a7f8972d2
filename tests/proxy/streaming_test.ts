import assert from "node:assert/strict";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { ClientAnswer } from "../../src/http1/client_answer.ts";
import { Http1Error } from "../../src/http1/http1_error.ts";
import { Watchdog } from "../../src/http1/watchdog.ts";
import { asS3Error } from "../../src/proxy/relay.ts";
import { S3Error } from "../../src/proxy/s3_error.ts";
import { Upstream } from "../../src/proxy/upstreams.ts";
import { withEndpoint } from "../support/endpoint.ts";
import { eventually, until } from "../support/poll.ts";
import type { Program } from "../support/program.ts";
import { plain, type RawAnswer, startRawUpstream } from "../support/raw_upstream.ts";
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

/** Waits until a request to the endpoint is under way. */
async function underWay({ url }: Program): Promise<void> {
  await until(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return /^service_s3_inflight_requests 1$/m.test(metrics);
  }, { what: "the request to begin" });
}

async function assertShut(listener: string): Promise<void> {
  await assert.rejects(async () => (await WireConnection.open(listener))[Symbol.dispose](), listener);
}

Deno.test("a signal to stop lets an upload end", () =>
  withEndpoint("embedded", {}, async (endpoint) => {
    const { program, url } = endpoint;
    using connection = await WireConnection.open(url);
    using idle = await WireConnection.open(url);
    assert.equal((await idle.exchange({ method: "HEAD", target: "/bucket" }, endpoint)).status, 200);
    await connection.sendHead({ method: "PUT", target: object, contentLength: 4 * mebibyte }, endpoint);
    await connection.write(piece);
    await underWay(program);
    program.child.signal("SIGTERM");
    await until(() => program.logs().some(({ msg }) => msg === "shutting down"), {
      what: "the end to begin",
    });
    assert.equal((await idle.readSome(1)).length, 0, "a connection without a request stays open");
    // One listener is shut a moment after the other, and both before the upload is over.
    for (const listener of [url, program.url]) await eventually(() => assertShut(listener));
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
    await underWay(program);
    program.child.signal("SIGTERM");
    assert.equal((await program.child.exited).code, 0);
    assert.ok(program.logs().some(({ msg }) => msg.startsWith("requests were cut off")));
    await assert.rejects(connection.read("PUT"));
    using s3 = s3Client(endpoint.upstream);
    const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
    assert.equal(KeyCount, 0);
  });
});

/** Runs `body` with the answer of an upstream that gives this and goes silent, and a clock that the test sets forward. */
async function withSilence(
  given: RawAnswer,
  body: (answer: Promise<ClientAnswer>, advance: (milliseconds: number) => void) => Promise<void>,
): Promise<void> {
  const upstream = startRawUpstream();
  const asked = Promise.withResolvers<void>();
  upstream.set(() => {
    asked.resolve();
    return { ...given, hold: true };
  });
  let now = Date.now();
  const clock = () => now;
  const { endpoint, region, accessKey, secretKey } = upstream;
  const credentials = { accessKey, secretKey };
  const described = { id: "main", name: "main", type: "s3v4", source: "config", enabled: true } as const;
  const address = { endpoint, region, pathStyle: true, presign: false, credentials };
  const way = new Upstream({ ...described, ...address }, new Watchdog(clock), clock);
  try {
    const request = { method: "GET", bucket: "bucket", encodedKey: "key", query: "", headers: [] };
    const answer = way.call(request).answer();
    await asked.promise;
    await body(answer, (milliseconds) => now += milliseconds);
    await until(() => upstream.open() === 0, { what: "the end of the request" });
  } finally {
    way.close();
    await upstream.stop();
  }
}

/** Asserts that what is waited for goes on for a minute and then fails for the time it takes. */
async function assertGivenUp(
  waiting: Promise<unknown>,
  advance: (milliseconds: number) => void,
): Promise<void> {
  advance(59_000);
  const later = new Promise((resolve) => setTimeout(resolve, 600, "still waiting"));
  assert.equal(await Promise.race([waiting, later]), "still waiting");
  advance(2_000);
  const failure = await waiting.then(() => undefined, (error) => error);
  assert.ok(failure instanceof Http1Error && failure.failure === "timeout", String(failure));
  const told = asS3Error(failure);
  assert.ok(told instanceof S3Error);
  assert.deepEqual([told.status, told.code, told.result], [504, "RequestTimeout", "upstream_error"]);
}

Deno.test("an upstream that does not answer in a minute is given up", () =>
  withSilence({ text: "" }, async (answer, advance) => {
    await assertGivenUp(answer, advance);
  }));

Deno.test("so is one that pauses for a minute in an answer", () =>
  withSilence({ text: "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello" }, async (answer, advance) => {
    const begun = await answer;
    assert.equal((await begun.read())?.length, 5);
    await assertGivenUp(begun.read(), advance);
  }));

Deno.test("who reads an answer may take longer than that", () => {
  const length = 8 * mebibyte;
  const text = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;
  return withSilence({ text, filler: length }, async (answer, advance) => {
    const begun = await answer;
    let size = 0;
    for (let piece = await begun.read(); piece !== undefined; piece = await begun.read()) {
      if (size === 0) {
        advance(61_000);
        // Longer than the pause between two looks at what has taken too long.
        await new Promise((resolve) => setTimeout(resolve, 600));
      }
      size += piece.length;
    }
    assert.equal(size, length);
  });
});
