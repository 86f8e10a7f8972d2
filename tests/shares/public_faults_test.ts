import assert from "node:assert/strict";
import { SharePasses } from "../../src/shares/public/passes.ts";
import type { Share } from "../../src/shares/share.ts";
import { type Client, json, refusal } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { type Program, withProgram } from "../support/program.ts";
import { plain, type RawAnswer, type RawUpstream, startRawUpstream } from "../support/raw_upstream.ts";
import { RawConnection } from "../support/raw_connection.ts";

const mebibyte = 1 << 20;
const head = plain("200 OK", "", { "content-length": "10", etag: '"e"' });
const accessDenied = plain("403 Forbidden", "<Error><Code>AccessDenied</Code></Error>", {
  "content-type": "application/xml",
});

/** A share of an object whose upstream says what a test wants. */
interface Stage {
  readonly program: Program;
  readonly upstream: RawUpstream;
  readonly path: string;
  /** From now on answers each GET so. */
  answer(answer: RawAnswer): void;
  count(): Promise<number>;
}

async function withStage(body: (stage: Stage) => Promise<void>): Promise<void> {
  const upstream = startRawUpstream();
  upstream.set(() => ({ text: head }));
  try {
    const options = { backends: [{ id: "raw", upstream }], config: { ratelimit: { share_per_minute: 0 } } };
    await withProgram(options, async (program) => {
      const client = await program.signedIn();
      const target = { backend_id: "raw", bucket: "stored", key: "hidden/file" };
      const { id, code } = await json(client.post("/api/shares", { json: target }), 201);
      await body({
        program,
        upstream,
        path: `/s/${code}`,
        answer: (answer) => upstream.set(({ method }) => method === "GET" ? answer : { text: head }),
        count: async () => (await json(client.get(`/api/shares/${id}`))).download_count,
      });
    });
  } finally {
    await upstream.stop();
  }
}

Deno.test("a selection that is looked at again and again asks its storage once", async () => {
  const upstream = startRawUpstream();
  let lookups = 0;
  let found = head;
  upstream.set(({ method }) => {
    if (method === "HEAD") lookups++;
    return { text: found };
  });
  try {
    const options = { backends: [{ id: "raw", upstream }], config: { ratelimit: { share_per_minute: 0 } } };
    await withProgram(options, async (program) => {
      const client = await program.signedIn();
      const keys = Array.from({ length: 30 }, (_, index) => `kept/${index}`);
      const { code } = await json(
        client.post("/api/shares", { json: { backend_id: "raw", bucket: "stored", keys } }),
        201,
      );
      const recipient = program.client();
      const look = () => json(recipient.get(`/s/${code}/list`));
      lookups = 0;
      await Promise.all(Array.from({ length: 8 }, look));
      assert.equal((await look()).files.length, keys.length);
      assert.match(await (await recipient.get(`/s/${code}`)).text(), /29/);
      assert.equal(lookups, keys.length);

      // What turns out to be gone is not shown any more.
      found = plain("404 Not Found", "<Error><Code>NoSuchKey</Code></Error>");
      assert.equal(await refusal(recipient.get(`/s/${code}/raw?path=7`)), "404 not_found");
      const { files } = await look();
      assert.deepEqual(files.map(({ name }: { name: string }) => name).includes("7"), false);
      assert.equal(files.length, keys.length - 1);
    });
  } finally {
    await upstream.stop();
  }
});

Deno.test("a storage that fails costs no download and stays unknown", async (context) => {
  await withStage(async ({ program, upstream, path, answer, count }) => {
    const recipient = program.client();
    const assertNeutral = async (path: string, expected: number) => {
      const answer = await recipient.get(path);
      const text = await answer.text();
      assert.equal(answer.status, expected, text);
      assert.deepEqual(Object.keys(JSON.parse(text).error), ["code", "message"]);
      const told = text + JSON.stringify([...answer.headers]);
      assert.doesNotMatch(told, /stored|hidden|AccessDenied|upstream|127\.0\.0\.1|S3/i);
      assert.doesNotMatch(JSON.parse(text).error.message, /backend|bucket/i);
    };

    await context.step("before its answer begins", async () => {
      const answers: [RawAnswer, number][] = [
        [{ text: accessDenied }, 502],
        [{ text: plain("500 Internal Server Error", "<Error><Code>InternalError</Code></Error>") }, 502],
        [{ text: plain("404 Not Found", "<Error><Code>NoSuchBucket</Code></Error>") }, 404],
        [{ text: plain("400 Bad Request", "<Error><Code>InvalidArgument</Code></Error>") }, 400],
        [{ text: plain("307 Temporary Redirect", "", { location: "http://127.0.0.1:1/stored" }) }, 502],
        [{ text: plain("200 OK", "<html>Sign in</html>", { "content-type": "text/html" }) }, 502],
        [{ text: "" }, 502],
      ];
      for (const [given, expected] of answers) {
        answer(given);
        await assertNeutral(`${path}/raw`, expected);
      }
      upstream.set(() => ({ text: plain("403 Forbidden", "") }));
      await assertNeutral(`${path}/info`, 502);
      assert.equal(await count(), 0);
    });
    await context.step("headers of its own are not passed on", async () => {
      const own = {
        "etag": '"e"',
        "x-amz-version-id": "v1",
        "x-amz-meta-owner": "me",
        "server": "S3",
        "via": "1.1 stored",
      };
      answer({ text: plain("200 OK", "0123456789", own) });
      const { headers, body } = await recipient.get(`${path}/raw`);
      await body?.cancel();
      for (const name of ["x-amz-version-id", "x-amz-meta-owner", "server", "via"]) {
        assert.equal(headers.get(name), null, name);
      }
      assert.equal(await count(), 1);
    });
    await context.step("in the middle of it, the recipient sees that it is not whole", async () => {
      answer({ text: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\netag: "e"\r\n\r\nonly this' });
      await assert.rejects(async () => await (await recipient.get(`${path}/raw`)).text());
      assert.equal(await count(), 2);
    });
  });
});

Deno.test({
  name: "a large object goes through at the recipient's pace, and ends with them",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withStage(async ({ program, upstream, path, answer, count }) => {
      const size = 256 * mebibyte;
      answer({
        text: `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\netag: "e"\r\n\r\n`,
        filler: size,
        hold: true,
      });
      await download(program.client(), path);
      const growth = await growthOf(program, async () => {
        using connection = await RawConnection.open(program.url);
        await connection.send(`GET ${path}/raw HTTP/1.1\r\nhost: x\r\n\r\n`);
        await until(() => upstream.open() > 0, { what: "the object to be asked for" });
        await download(program.client(), path);
      });
      assert.ok(growth < 96 * mebibyte, `${Math.round(growth / mebibyte)} MiB more`);
      await until(() => upstream.open() === 0, {
        what: "the storage's connections to end with the recipients",
      });
      assert.equal(await count(), 3, "who goes away early has used a download too");
    }),
});

async function download(recipient: Client, path: string): Promise<void> {
  const answer = await recipient.get(`${path}/raw`);
  assert.equal(answer.status, 200);
  const abort = answer.body?.getReader();
  for (let size = 0; size < 64 * mebibyte;) size += (await abort?.read())?.value?.length ?? Infinity;
  await abort?.cancel();
}

/** By how much the program's memory exceeds what it was before, at its largest while `action` runs, in bytes. */
async function growthOf({ child }: Program, action: () => Promise<void>): Promise<number> {
  const directory = `/proc/${child.pid}`;
  const memory = async (field: string) => {
    const text = await Deno.readTextFile(`${directory}/status`);
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]) * 1024;
  };
  // Sets the largest value to the current one: https://www.kernel.org/doc/html/latest/filesystems/proc.html
  await Deno.writeTextFile(`${directory}/clear_refs`, "5");
  const before = await memory("VmRSS");
  await action();
  return await memory("VmHWM") - before;
}

Deno.test("cookies are good for their share, its password, their object, and their time", () => {
  let now = Date.parse("2030-01-01T00:00:00Z");
  const passes = new SharePasses(new Uint8Array(32).fill(7), () => now);
  const locked = { id: 1, code: "a".repeat(22), passwordHash: "$argon2id$one" } as Share;
  const carrying = (...cookies: string[]) =>
    new Headers({ cookie: cookies.map((line) => line.split(";")[0]).join("; ") });

  const unlocking = carrying(passes.unlock(locked, false));
  assert.ok(passes.isUnlocked(locked, unlocking));
  assert.ok(passes.isUnlocked({ ...locked, passwordHash: null }, new Headers()));
  for (const change of [{ id: 2 }, { code: "b".repeat(22) }, { passwordHash: "$argon2id$two" }]) {
    assert.ok(!passes.isUnlocked({ ...locked, ...change }, unlocking), JSON.stringify(change));
  }
  const ofOthers = new SharePasses(new Uint8Array(32).fill(8), () => now);
  assert.ok(!ofOthers.isUnlocked(locked, unlocking), "another process");

  const going = carrying(passes.download(locked, "a/b", '"etag"', false));
  assert.equal(passes.countedDownload(locked, "a/b", going)?.isOf('"etag"'), true);
  assert.equal(passes.countedDownload(locked, "a/b", going)?.isOf('"other"'), false);
  const [name, value] = going.get("cookie")?.split("=") ?? [];
  for (const path of ["", "a", "a/b/", "a/c"]) {
    const renamed = Array.from({ length: 16 }, (_, slot) => `service_download_${slot}=${value}`);
    assert.equal(passes.countedDownload(locked, path, carrying(...renamed)), null, path);
  }
  assert.equal(passes.countedDownload({ ...locked, id: 2 }, "a/b", going), null);
  assert.ok(!passes.isUnlocked(locked, carrying(`service_unlock=${value}`)), "one kind for the other");
  assert.match(name, /^service_download_\d+$/);

  now += 10 * 60_000 - 1;
  assert.ok(passes.countedDownload(locked, "a/b", going));
  now += 1;
  assert.equal(passes.countedDownload(locked, "a/b", going), null);
  now += 20 * 60_000 - 1;
  assert.ok(passes.isUnlocked(locked, unlocking));
  now += 1;
  assert.ok(!passes.isUnlocked(locked, unlocking));
});
