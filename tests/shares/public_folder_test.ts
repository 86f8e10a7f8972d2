import assert from "node:assert/strict";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json, refusal, status } from "../support/http_client.ts";
import type { ProgramOptions } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { readArchive, texts } from "../zip/readers.ts";
import { accessRows, downloadCount, share } from "./public_share.ts";

const unlimited: ProgramOptions = { config: { ratelimit: { share_per_minute: 0 } } };

/** What must not be reached from the folder that is shared. */
const secret = "the secret beside the folder";

const oddNames = ["ü 日本 +%2e%26?#.txt", "a b&c=d.txt", '"quoted".txt', "%2e%2e", "...", "..hidden", "x.."];

const encoded = (path: string) => encodeURIComponent(path);

upstreamTest(
  ["minio", "versitygw"],
  "a shared folder is looked through and saved",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { program, upload } = test;
      const recipient = program.client();
      await upload("top/secret.txt", secret);
      await upload("top/shared-secret.txt", secret);
      await upload("secret.txt", secret);
      await upload("top/shared/one.txt", "one");
      await upload("top/shared/sub/two.txt", "two");
      await upload("top/shared/sub/deep/three.txt", "three");
      for (const name of oddNames) await upload(`top/shared/odd/${name}`, name);
      const link = await share(test, "top/shared/");
      const list = async (path: string, token = "") =>
        await json(recipient.get(`${link.path}/list?path=${encoded(path)}${token && `&token=${token}`}`));
      const raw = (path: string) => recipient.get(`${link.path}/raw?path=${encoded(path)}`);

      await context.step("its levels, by names relative to it", async () => {
        const root = await list("");
        assert.deepEqual(root.folders, ["odd", "sub"]);
        const [{ last_modified, ...file }] = root.files;
        assert.deepEqual(file, { name: "one.txt", path: "one.txt", size: 3 });
        assert.ok(Math.abs(Date.parse(last_modified) - Date.now()) < 120_000);
        assert.deepEqual([root.path, root.files.length, root.next_token], ["", 1, null]);
        for (const path of ["sub", "sub/"]) {
          const sub = await list(path);
          assert.deepEqual([sub.path, sub.folders, sub.files[0].path], ["sub/", ["deep"], "sub/two.txt"]);
        }
        assert.equal(await downloadCount(test, link), 0);
      });
      await context.step("its files, whatever they are called, one download each", async () => {
        const { files } = await list("odd/");
        assert.deepEqual(
          files.map(({ name }: { name: string }) => name).sort(),
          oddNames.toSorted(),
        );
        for (const { name, path } of files) assert.equal(await (await raw(path)).text(), name);
        assert.equal(await (await raw("sub/deep/three.txt")).text(), "three");
        assert.equal(await downloadCount(test, link), oddNames.length + 1);
        const [row] = await accessRows(test, 1);
        assert.deepEqual([row.key, row.detail.path], ["top/shared/", "sub/deep/three.txt"]);
        assert.equal(await refusal(recipient.get(`${link.path}/raw`)), "400 bad_request");
      });
      await context.step("nothing beside or above it", async () => {
        const escapes = [
          "../secret.txt",
          "sub/../../secret.txt",
          "../../secret.txt",
          "./../secret.txt",
          "..",
          ".",
          "sub/..",
          "%2e%2e/secret.txt",
          "..%2fsecret.txt",
          "..\\secret.txt",
          "/secret.txt",
          "/top/secret.txt",
          "//top/secret.txt",
          "\0../secret.txt",
          "-secret.txt",
          "x".repeat(2000),
          "../shared-secret.txt",
          `../../../${bucketName}/secret.txt`,
        ];
        for (const path of escapes) {
          for (
            const url of [
              `raw?path=${encoded(path)}`,
              `list?path=${encoded(path)}`,
              `zip?path=${encoded(path)}`,
            ]
          ) {
            const answer = await recipient.get(`${link.path}/${url}`);
            const text = await answer.text();
            assert.equal(answer.status, 404, `${url}: ${text}`);
            assert.doesNotMatch(text, /top|secret|bucket|backend/, url);
          }
        }
        // As it is written, without what encodes it.
        for (
          const path of ["../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "%252e%252e/secret.txt"]
        ) {
          assert.equal(await status(recipient.get(`${link.path}/raw?path=${path}`)), 404, path);
          assert.equal(await status(recipient.get(`${link.path}/raw/${path}`)), 404, path);
        }
      });
      await context.step("all of it, or a part, as a zip file that counts once", async () => {
        const before = await downloadCount(test, link);
        const answer = await recipient.get(`${link.path}/zip`);
        assert.match(answer.headers.get("content-disposition") ?? "", /^attachment; filename="shared\.zip"/);
        assert.equal(answer.headers.get("x-robots-tag"), "noindex, nofollow");
        const files = texts(await readArchive(await answer.bytes()));
        assert.deepEqual(
          Object.entries(files).sort(),
          [
            ["one.txt", "one"],
            ["sub/deep/three.txt", "three"],
            ["sub/two.txt", "two"],
            ...oddNames.map((name) => [`odd/${name === "..." ? "___" : name}`, name]),
          ].sort(),
        );
        assert.equal(await downloadCount(test, link), before + 1);
        const part = await recipient.get(`${link.path}/zip?path=sub/deep`);
        assert.match(part.headers.get("content-disposition") ?? "", /filename="deep\.zip"/);
        assert.deepEqual(texts(await readArchive(await part.bytes())), { "sub/deep/three.txt": "three" });
        assert.equal(await status(recipient.request("HEAD", `${link.path}/zip`)), 200);
        assert.equal(await refusal(recipient.get(`${link.path}/zip?path=none/`)), "404 not_found");
        assert.equal(await downloadCount(test, link), before + 2);
      });
      await context.step("a cap holds for files and archives together", async () => {
        const capped = await share(test, "top/shared/", { max_downloads: 3 });
        const urls = ["raw?path=one.txt", "zip", "raw?path=sub/two.txt", "zip?path=sub/"];
        const answers = await Promise.all(
          [...urls, ...urls, ...urls].map((url) => status(program.client().get(`${capped.path}/${url}`))),
        );
        assert.deepEqual(answers.toSorted(), [200, 200, 200, ...Array(9).fill(410)]);
        assert.equal(await downloadCount(test, capped), 3);
        assert.equal(await refusal(recipient.get(`${capped.path}/list`)), "410 exhausted");
      });
      await context.step("a download of one file goes on for that file alone", async () => {
        const capped = await share(test, "top/shared/", { max_downloads: 1 });
        const get = (path: string, range?: string) =>
          recipient.get(`${capped.path}/raw?path=${path}`, { headers: range === undefined ? {} : { range } });
        assert.equal(await status(get("one.txt")), 200);
        assert.equal(await status(get("one.txt", "bytes=1-")), 206);
        assert.equal(await refusal(get("sub/two.txt", "bytes=1-")), "410 exhausted");
      });
      await context.step("an object has neither a list nor an archive", async () => {
        const object = await share(test, "top/shared/one.txt");
        for (const path of ["list", "zip", "raw?path=x", "raw?path=/../secret.txt"]) {
          assert.equal(await refusal(recipient.get(`${object.path}/${path}`)), "404 not_found", path);
        }
      });
      await context.step({
        name: "a long level page by page, with tokens that tell nothing",
        // The tokens are the program's own, and storing so many objects takes its time.
        ignore: upstream.kind !== "minio",
        fn: async () => {
          using direct = s3Client(upstream);
          const keys = Array.from(
            { length: 1005 },
            (_, index) => `hidden/many/${String(index).padStart(4, "0")}.txt`,
          );
          const queue = [...keys, "hidden/few/a.txt"];
          const work = async () => {
            for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
              await direct.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: "x" }));
            }
          };
          await Promise.all(Array.from({ length: 16 }, work));
          const link = await share(test, "hidden/many/");
          const other = await share(test, "hidden/few/");
          const first = await json(recipient.get(`${link.path}/list`));
          assert.equal(first.files.length, 1000);
          assertSealed(first.next_token);
          const second = await json(recipient.get(`${link.path}/list?token=${first.next_token}`));
          assert.equal(second.next_token, null);
          const names = [...first.files, ...second.files].map(({ name }: { name: string }) => name);
          assert.deepEqual(names, keys.map((key) => key.slice("hidden/many/".length)));

          const changed = first.next_token.replace(/^...../, "AAAAA");
          for (const token of [changed, "x", "hidden/few/a.txt", btoa("hidden/secret")]) {
            assert.equal(
              await refusal(recipient.get(`${link.path}/list?token=${encoded(token)}`)),
              "400 bad_request",
            );
          }
          assert.equal(
            await refusal(recipient.get(`${other.path}/list?token=${first.next_token}`)),
            "400 bad_request",
          );
        },
      });
    }, unlimited),
);

upstreamTest(
  ["minio"],
  "an archive that misses something does not tell where it comes from",
  async (upstream) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, async (test: TestBucket) => {
        await test.upload("hidden/shared/good.txt", "good");
        await test.upload("hidden/shared/bad.txt", "bad");
        const link = await share(test, "hidden/shared/");
        const fault = { kind: "status", status: 403, code: "AccessDenied" } as const;
        proxy.rule({
          matches: ({ method, key }) => method === "GET" && key === "hidden/shared/bad.txt",
          fault,
        });
        const answer = await test.program.client().get(`${link.path}/zip`);
        const { "_errors.txt": list, ...files } = texts(await readArchive(await answer.bytes()));
        assert.deepEqual(files, { "good.txt": "good" });
        assert.match(list, /^"bad\.txt"\tbackend_error\t/m);
        assert.doesNotMatch(list, new RegExp(`hidden|AccessDenied|${bucketName}|The backend`));
        proxy.rule({ matches: ({ method }) => method === "GET", fault });
        for (const path of ["zip", "list"]) {
          const failed = await test.program.client().get(`${link.path}/${path}`);
          const text = await failed.text();
          assert.equal(failed.status, 502, text);
          assert.doesNotMatch(text, new RegExp(`hidden|AccessDenied|${bucketName}|detail|The backend`));
        }
        assert.equal(await downloadCount(test, link), 1);
      }, unlimited);
    } finally {
      await proxy.stop();
    }
  },
);

/** Throws when a token can be read. */
function assertSealed(token: string): void {
  const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url" });
  const text = new TextDecoder("latin1").decode(bytes);
  for (const readable of [token, text, text.replaceAll(/[^A-Za-z0-9+/]/g, "")]) {
    assert.doesNotMatch(readable, /hidden|many|txt/);
  }
}
