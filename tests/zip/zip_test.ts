import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { readArchive, texts } from "./readers.ts";

type Selected = { keys?: string[]; prefixes?: string[]; name?: string };

async function archiveOf(response: Promise<Response>) {
  const answer = await response;
  assert.equal(answer.status, 200, answer.ok ? "" : await answer.text());
  return await readArchive(await answer.bytes());
}

const zipPrefix = ({ client, bucket }: TestBucket, prefix: string) =>
  client.get(`${bucket}/objects/zip?prefix=${encodeURIComponent(prefix)}`);
const zipSelected = ({ client, bucket }: TestBucket, json: Selected) =>
  client.post(`${bucket}/objects/zip`, { json });

/** Lines of the list of failures as key and code. */
function failures(files: Record<string, string>): string[][] {
  return files["_errors.txt"].split("\n").flatMap((line) => {
    const [key, code] = line.split("\t");
    return code === undefined ? [] : [[JSON.parse(key), code]];
  });
}

const big = (bytes: number) => new Uint8Array(bytes).map((_, index) => index * 7919 >> 8);

upstreamTest(
  ["minio", "versitygw"],
  "prefixes and selections as zip files",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { client, bucket, program, upload } = test;
      const large = big(3 << 20);
      await upload("a/b/one.txt", "one");
      await upload("a/b/deep/zwei ü.txt", "two");
      await upload("a/b/empty", "");
      await upload("a/b/large.bin", large);
      await upload("a/bc.txt", "beside");
      await upload("top.txt", "top");
      await client.post(`${bucket}/objects/folder`, { json: { key: "a/b/leer/" } }).then(status);

      await context.step("a prefix is a folder of that name", async () => {
        const answer = await zipPrefix(test, "a/b/");
        assert.equal(answer.headers.get("content-type"), "application/zip");
        assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="b\.zip"/);
        assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
        assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
        const archive = await readArchive(await answer.bytes());
        assert.deepEqual(archive.damaged, []);
        assert.deepEqual(archive.entries.map(({ name }) => name).sort(), [
          "b/deep/zwei ü.txt",
          "b/empty",
          "b/large.bin",
          "b/leer/",
          "b/one.txt",
        ]);
        const { "b/one.txt": one, "b/deep/zwei ü.txt": two, "b/empty": empty } = texts(archive);
        assert.deepEqual([one, two, empty], ["one", "two", ""]);
        const entry = archive.entries.find(({ name }) => name === "b/large.bin");
        assert.equal(entry?.size, large.length);
        assert.equal(entry?.sha256, sha256(large));
        assert.ok(Math.abs(Date.parse(`${entry?.modified}Z`) - Date.now()) < 60_000, entry?.modified);
      });
      await context.step(
        "a selection is kept for the user who named it, and downloaded by a link",
        async () => {
          const select = (json: Selected) => client.post(`${bucket}/objects/zip/selection`, { json });
          const kept = await select({ keys: ["top.txt"], prefixes: ["a/b/deep/"], name: "mine" });
          assert.equal(kept.status, 201);
          const { selection, expires_at } = await kept.json();
          assert.ok(Date.parse(expires_at) > Date.now());
          const zip = `${bucket}/objects/zip?selection=${selection}`;
          const answer = await client.get(zip);
          assert.match(answer.headers.get("content-disposition") ?? "", /filename="mine\.zip"/);
          const { entries } = await readArchive(await answer.bytes());
          assert.deepEqual(entries.map(({ name }) => name).sort(), ["a/b/deep/zwei ü.txt", "top.txt"]);
          assert.equal(await refusal(client.get(`${bucket}/objects/zip?selection=unknown`)), "404 not_found");
          assert.equal(await refusal(client.get(zip.replace(bucketName, "other-bucket"))), "404 not_found");
          assert.equal(await refusal(select({})), "400 bad_request");
        },
      );
      await context.step("a prefix in the middle of a name, and the whole bucket", async () => {
        const names = async (prefix: string) =>
          (await archiveOf(zipPrefix(test, prefix))).entries.map(({ name }) => name);
        assert.deepEqual(await names("a/bc"), ["bc.txt"]);
        assert.ok((await names("")).includes("a/b/one.txt"));
        assert.match(
          (await client.request("HEAD", `${bucket}/objects/zip`)).headers.get("content-disposition") ?? "",
          /filename="test-bucket\.zip"/,
        );
      });
      await context.step(
        "a selection holds everything once, relative to the folder of all of it",
        async () => {
          const selection = {
            keys: ["a/bc.txt", "a/b/one.txt", "a/bc.txt"],
            prefixes: ["a/b/", "a/b/deep/"],
          };
          const archive = await archiveOf(zipSelected(test, selection));
          assert.equal(archive.entries.length, 6);
          assert.equal(texts(archive)["bc.txt"], "beside");
          assert.equal(texts(archive)["b/deep/zwei ü.txt"], "two");
          const answer = await zipSelected(test, {
            keys: ["top.txt", "a/b/large.bin"],
            name: '../x"\r\n.zip',
          });
          assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="x___\.zip"/);
          const both = await readArchive(await answer.bytes());
          assert.deepEqual(both.entries.map(({ name, size }) => [name, size]), [
            ["a/b/large.bin", large.length],
            ["top.txt", 3],
          ]);
        },
      );
      await context.step("what is missing is in a list; when all of it is, the answer is 404", async () => {
        const archive = await archiveOf(zipSelected(test, { keys: ["gone", "top.txt", "a/gone too"] }));
        assert.deepEqual(Object.keys(texts(archive)), ["top.txt", "_errors.txt"]);
        assert.deepEqual(failures(texts(archive)), [["a/gone too", "not_found"], ["gone", "not_found"]]);
        assert.equal(await refusal(zipSelected(test, { keys: ["gone"] })), "404 not_found");
        assert.equal(await refusal(zipSelected(test, { keys: ["gone", "lost"] })), "404 not_found");
        assert.equal(await refusal(zipPrefix(test, "gone/")), "404 not_found");
        const missing = `${bucket}-missing/objects/zip`;
        assert.equal(await refusal(client.get(`${missing}?prefix=a/`)), "404 not_found");
        assert.equal(await refusal(client.post(missing, { json: { keys: ["a"] } })), "404 not_found");
      });
      await context.step("a selection that makes no sense is refused", async () => {
        assert.equal(await refusal(zipSelected(test, {})), "400 bad_request");
        assert.equal(await refusal(zipSelected(test, { keys: [], prefixes: [] })), "400 bad_request");
        assert.equal(await refusal(zipSelected(test, { keys: ["../x"] })), "400 invalid_key");
        assert.equal(await refusal(zipSelected(test, { keys: ["a\0"] })), "400 invalid_key");
        assert.equal(
          await refusal(zipSelected(test, { prefixes: ["x".repeat(1025)] })),
          "400 invalid_prefix",
        );
        const keys = Array.from({ length: 10_001 }, (_, index) => `k${index}`);
        assert.equal(await refusal(zipSelected(test, { keys })), "400 too_many_keys");
        assert.equal(await refusal(client.get(`${bucket}/objects/zip?prefix=a&prefix=b`)), "400 bad_request");
      });
      await context.step("readers may download, strangers and forged requests may not", async () => {
        const reader = await program.signedIn("reader");
        assert.equal(
          await status(reader.post(`${bucket}/objects/zip`, { json: { keys: ["top.txt"] } })),
          200,
        );
        assert.equal(await refusal(program.client().get(`${bucket}/objects/zip`)), "401 unauthorized");
        const forged = { json: { keys: ["top.txt"] }, withoutCsrf: true };
        assert.equal(await refusal(client.post(`${bucket}/objects/zip`, forged)), "403 csrf_invalid");
      });
    }, { users: { admin: "admin", reader: "readonly" } }),
);

upstreamTest(["minio"], "zip files of a backend that fails", async (upstream, context) => {
  const proxy = startFaultProxy(upstream);
  try {
    await withBucket(proxy, async (test) => {
      const large = big(5 << 20);
      await test.upload("f/1.txt", "first");
      await test.upload("f/2.txt", "second");
      await test.upload("f/3-large.bin", large);
      await test.upload("f/4.txt", "fourth");
      const isRead = (key: string) => (request: { method: string; key: string }) =>
        request.method === "GET" && request.key === key;

      await context.step(
        "an object that cannot be read is in the list of failures, first or not",
        async () => {
          const fault = { kind: "status", status: 500, code: "InternalError" } as const;
          proxy.rule({ matches: isRead("f/1.txt"), fault: { kind: "truncated", afterBytes: 2 } });
          proxy.rule({ matches: isRead("f/2.txt"), fault });
          proxy.rule({ matches: isRead("f/4.txt"), fault: { kind: "reset" } });
          const files = texts(await archiveOf(zipPrefix(test, "f/")));
          assert.deepEqual(Object.keys(files), ["f/3-large.bin", "_errors.txt"]);
          assert.deepEqual(failures(files).map(([key]) => key), ["f/1.txt", "f/2.txt", "f/4.txt"]);
          proxy.clear();
        },
      );
      await context.step("an object that breaks off goes on where it did", async () => {
        const fault = { kind: "truncated", afterBytes: 2 << 20 } as const;
        proxy.rule({ matches: isRead("f/3-large.bin"), count: 2, fault });
        const archive = await archiveOf(zipPrefix(test, "f/"));
        assert.deepEqual(archive.damaged, []);
        assert.equal(archive.entries[2].sha256, sha256(large));
        const ranges = proxy.requests.filter(isRead("f/3-large.bin")).map(({ headers }) => [
          headers.get("range"),
          headers.get("if-match"),
        ]);
        assert.equal(ranges.length, 3);
        assert.match(`${ranges[1]}`, /^bytes=[1-9]\d+-,"[0-9a-f]{32}/);
        proxy.clear();
      });
      await context.step(
        "one that breaks off for good is damaged for every reader, and in the list",
        async () => {
          proxy.rule({
            matches: isRead("f/3-large.bin"),
            count: 1,
            fault: { kind: "truncated", afterBytes: 99_999 },
          });
          const fault = { kind: "status", status: 503, code: "SlowDown" } as const;
          proxy.rule({ matches: isRead("f/3-large.bin"), from: 2, fault });
          const archive = await archiveOf(zipPrefix(test, "f/"));
          assert.deepEqual(archive.damaged, ["f/3-large.bin"]);
          assert.equal(texts(archive)["f/4.txt"], "fourth");
          assert.deepEqual(failures(texts(archive)).map(([key]) => key), ["f/3-large.bin"]);
          proxy.clear();
        },
      );
      await context.step("one that was replaced meanwhile is not mixed with its successor", async () => {
        proxy.rule({
          matches: isRead("f/3-large.bin"),
          count: 1,
          fault: { kind: "truncated", afterBytes: 99_999 },
        });
        proxy.rule({
          matches: isRead("f/3-large.bin"),
          from: 2,
          count: 1,
          onRequest: () => test.upload("f/3-large.bin", big(4 << 20)),
        });
        const archive = await archiveOf(zipPrefix(test, "f/"));
        assert.deepEqual(archive.damaged, ["f/3-large.bin"]);
        assert.deepEqual(failures(texts(archive)), [["f/3-large.bin", "precondition_failed"]]);
        proxy.clear();
      });
      await context.step("a prefix that cannot be listed is in the list of failures", async () => {
        await test.upload("g/1.txt", "other");
        const matches = ({ query }: { query: URLSearchParams }) => query.get("prefix") === "g/";
        proxy.rule({ matches, fault: { kind: "status", status: 403, code: "AccessDenied" } });
        const files = texts(await archiveOf(zipSelected(test, { keys: ["f/1.txt"], prefixes: ["g/"] })));
        assert.deepEqual(Object.keys(files), ["f/1.txt", "_errors.txt"]);
        assert.deepEqual(failures(files), [["g/", "forbidden"]]);
        proxy.clear();
      });
      await context.step("HEAD asks the backend for nothing", async () => {
        const answer = await test.client.request("HEAD", `${test.bucket}/objects/zip?prefix=f/`);
        assert.equal(answer.headers.get("content-type"), "application/zip");
        assert.deepEqual(proxy.requests.filter(({ bucket }) => bucket === bucketName), []);
      });
      await context.step("a backend that goes away midway is given up", async () => {
        const keys = Array.from({ length: 150 }, (_, index) => `gone/${index + 100}`);
        proxy.rule({ matches: isRead("gone/150"), count: 1, onRequest: () => proxy.set("refuse") });
        const files = texts(await archiveOf(zipSelected(test, { keys: ["f/1.txt", ...keys] })));
        proxy.set("none");
        assert.deepEqual(Object.keys(files), ["f/1.txt", "_errors.txt"]);
        const failed = failures(files);
        assert.deepEqual(failed[0], ["gone/100", "not_found"]);
        assert.equal(failed.at(-1)?.[1], "backend_error");
        assert.match(files["_errors.txt"], /given up: all after this are missing/);
        assert.ok(failed.length < 100, String(failed.length));
        proxy.clear();
      });
      await context.step("a backend that is gone is an error, not an archive", async () => {
        proxy.set("refuse");
        assert.equal(await refusal(zipPrefix(test, "f/")), "502 backend_error");
        assert.equal(await refusal(zipSelected(test, { keys: ["f/1.txt"] })), "502 backend_error");
        proxy.set("none");
      });
    });
  } finally {
    await proxy.stop();
  }
});

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
