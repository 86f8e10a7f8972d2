import assert from "node:assert/strict";
import { SelectedObjects } from "../../src/shares/public/selected_objects.ts";
import { answeredBucket } from "../support/answered_bucket.ts";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { readArchive, texts } from "../zip/readers.ts";

const secret = "the secret beside the selection";

const encoded = (path: string) => encodeURIComponent(path);

upstreamTest(
  ["minio", "versitygw", "embedded"],
  "a selection is shared, and nothing else",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { program, client, upload, object } = test;
      const recipient = program.client();
      const stored: Record<string, string> = {
        "top/one.txt": "one",
        "top/two.txt": "two",
        "top/sub/three.txt": "three",
        "top/sub/deep/four.txt": "four",
        "top/one.txt.bak": secret,
        "top/one": secret,
        "top/other/secret.txt": secret,
        "top/subsecret.txt": secret,
        "secret.txt": secret,
      };
      for (const [key, content] of Object.entries(stored)) await upload(key, content);
      const make = (fields: Record<string, unknown>) =>
        client.post("/api/shares", { json: { backend_id: backendId, bucket: bucketName, ...fields } });
      const keys = ["top/one.txt", "top/sub/", "top/two.txt", "top/sub/three.txt", "top/one.txt"];
      const made = await json(make({ keys, max_downloads: 100 }), 201);
      const path = `/s/${made.code}`;
      const raw = (path: string) => recipient.get(`/s/${made.code}/raw?path=${encoded(path)}`);

      await context.step("it is kept without what would be in it twice", () => {
        const { kind, key, key_count, state } = made;
        assert.deepEqual([kind, key, key_count, state], ["selection", "top/", 3, "active"]);
      });

      await context.step("its maker finds it by what it reaches", async () => {
        const folder = await json(make({ key: "top/sub/" }), 201);
        const reaching = async (key: string) => {
          const { shares } = await json(client.get(`/api/shares?reaches=${encoded(key)}`));
          return shares.map(({ id }: { id: number }) => id).sort();
        };
        assert.deepEqual(await reaching("top/one.txt"), [made.id]);
        assert.deepEqual(await reaching("top/sub/deep/four.txt"), [made.id, folder.id]);
        for (const key of ["top/one", "top/one.txt.bak", "top/subsecret.txt"]) {
          assert.deepEqual(await reaching(key), [], key);
        }
        assert.equal(await status(client.delete(`/api/shares/${folder.id}`)), 204);
        assert.deepEqual(await reaching("top/sub/three.txt"), [made.id, folder.id]);
        const { shares } = await json(client.get("/api/shares?reaches=top/sub/three.txt&state=active"));
        assert.deepEqual(shares.map(({ id }: { id: number }) => id), [made.id]);
      });

      await context.step("recipients see what is selected, by names relative to its folder", async () => {
        const about = await json(recipient.get(`${path}/info`));
        assert.deepEqual([about.kind, about.name, about.downloads_left], ["selection", "selection", 100]);
        const root = await json(recipient.get(`${path}/list`));
        assert.deepEqual(root.folders, ["sub"]);
        assert.deepEqual(
          root.files.map(({ name, path, size }: Record<string, unknown>) => ({ name, path, size })),
          [{ name: "one.txt", path: "one.txt", size: 3 }, { name: "two.txt", path: "two.txt", size: 3 }],
        );
        assert.equal(root.next_token, null);
        const sub = await json(recipient.get(`${path}/list?path=sub/`));
        assert.deepEqual([sub.path, sub.folders, sub.files[0].path], ["sub/", ["deep"], "sub/three.txt"]);
        const page = await (await recipient.get(path)).text();
        assert.match(page, /one\.txt/);
        for (const trace of [bucketName, "top", "secret", "other"]) assert.ok(!page.includes(trace), trace);
        for (const [path, content] of [["one.txt", "one"], ["sub/deep/four.txt", "four"]]) {
          assert.equal(await (await raw(path)).text(), content);
        }
      });

      await context.step("and reach nothing else, however they ask", async () => {
        const escapes = [
          "one",
          "one.txt.bak",
          "one.txt/",
          "ONE.txt",
          "subsecret.txt",
          "other/secret.txt",
          "other/",
          "../secret.txt",
          "./one.txt",
          "sub/../other/secret.txt",
          "sub/../../secret.txt",
          "sub/..",
          "..",
          "%2e%2e/secret.txt",
          "sub%2f..%2f..%2fsecret.txt",
          "/one.txt",
          "//top/one.txt",
          "top/one.txt",
          "\0",
          "sub\0/three.txt",
          "one.txt\0",
          " one.txt",
          "one.txt ",
          "x".repeat(2000),
        ];
        for (const escape of escapes) {
          for (const kind of ["raw", "list", "zip"]) {
            const answer = await recipient.get(`${path}/${kind}?path=${encoded(escape)}`);
            const text = await answer.text();
            assert.equal(answer.status, 404, `${kind} ${escape}: ${text}`);
            assert.doesNotMatch(text, /top|secret|bucket|backend/, escape);
          }
        }
        assert.equal(await refusal(recipient.get(`${path}/raw`)), "400 bad_request");
        for (const path of ["one.txt", "two.txt"]) {
          const list = `/s/${made.code}/list?path=${path}`;
          assert.equal(await refusal(recipient.get(list)), "404 not_found");
        }
      });

      await context.step("all of it is one zip file", async () => {
        const answer = await recipient.get(`${path}/zip`);
        assert.match(answer.headers.get("content-disposition") ?? "", /filename="selection\.zip"/);
        assert.deepEqual(texts(await readArchive(await answer.bytes())), {
          "one.txt": "one",
          "sub/deep/four.txt": "four",
          "sub/three.txt": "three",
          "two.txt": "two",
        });
        const part = await recipient.get(`${path}/zip?path=sub/deep/`);
        assert.deepEqual(texts(await readArchive(await part.bytes())), { "sub/deep/four.txt": "four" });
      });

      await context.step("what is deleted is left out, what is added to a folder is in it", async () => {
        assert.equal(await status(client.delete(object("top/two.txt"))), 204);
        await upload("top/sub/five.txt", "five");
        assert.equal(await refusal(raw("two.txt")), "404 not_found");
        const root = await json(recipient.get(`${path}/list`));
        assert.deepEqual(root.files.map(({ name }: { name: string }) => name), ["one.txt"]);
        assert.equal(await (await raw("sub/five.txt")).text(), "five");
      });

      await context.step("what makes no sense is refused", async () => {
        const refusals: [Record<string, unknown>, string][] = [
          [{ keys: [] }, "400 bad_request"],
          [{ keys: ["top/one.txt"], key: "top/" }, "400 bad_request"],
          [{ keys: ["top/one.txt", "top/missing.txt"] }, "404 not_found"],
          [{ keys: ["top/one.txt", "missing/"] }, "404 not_found"],
          [{ keys: ["top/one.txt", "top/../secret.txt"] }, "400 invalid_key"],
          [{ keys: ["top/one.txt"], kind: "object" }, "400 bad_request"],
          [{ key: "top/one.txt", kind: "folder" }, "400 bad_request"],
          [{ keys: [""] }, "400 invalid_key"],
          [{ keys: ["a\0b"] }, "400 invalid_key"],
          [{ keys: Array.from({ length: 1001 }, (_, index) => `${index}`) }, "400 bad_request"],
          [{ keys: ["top/one.txt"], version_id: "null" }, "400 bad_request"],
        ];
        for (const [fields, expected] of refusals) {
          assert.equal(await refusal(make(fields)), expected, JSON.stringify(fields).slice(0, 80));
        }
      });

      await context.step("a long one is looked at page by page", async () => {
        const many = Array.from({ length: 120 }, (_, index) => `many/${String(index).padStart(3, "0")}.txt`);
        await Promise.all(many.map((key) => upload(key, "x")));
        const long = await json(make({ keys: [...many, "secret.txt"] }), 201);
        const first = await json(recipient.get(`/s/${long.code}/list`));
        assert.equal(first.files.length, 100);
        const token = encoded(first.next_token);
        const rest = await json(recipient.get(`/s/${long.code}/list?token=${token}`));
        assert.deepEqual(
          [...first.files, ...rest.files].map(({ path }: { path: string }) => path),
          [...many, "secret.txt"],
        );
        assert.equal(rest.next_token, null);
        assert.equal(await refusal(recipient.get(`${path}/list?token=${token}`)), "400 bad_request");
        assert.match(await (await recipient.get(`/s/${long.code}`)).text(), /Next files/);
      });
    }, { config: { ratelimit: { share_per_minute: 0 } } }),
);

Deno.test("a backend that does not answer holds up no other, and only so much waits for it", async () => {
  const released = Promise.withResolvers<Record<string, never>>();
  let now = 0;
  let asked = 0;
  await using slow = answeredBucket("slow", () => {
    asked++;
    return released.promise;
  });
  await using quick = answeredBucket("quick", () => ({}));
  const objects = new SelectedObjects(() => now);
  const waiting = Array.from({ length: 520 }, (_, index) => objects.find(slow.scope, `${index}`));
  await assert.rejects(objects.find(slow.scope, "too much"), { status: 502, code: "backend_error" });
  assert.equal((await objects.find(quick.scope, "a.txt"))?.size, 0);
  // What was long waited for is believed from when it is told.
  now = 60_000;
  released.resolve({});
  for (const object of waiting) assert.equal((await object)?.size, 0);
  now += 20_000;
  assert.equal((await objects.find(slow.scope, "0"))?.size, 0);
  assert.equal(asked, 520);
  assert.equal((await objects.find(slow.scope, "too much"))?.size, 0);
});
