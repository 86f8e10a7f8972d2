import assert from "node:assert/strict";
import { backendId, bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { askForFiles, keysBelow, sendFile, sendFrom, uploadOf } from "./upload_request.ts";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

upstreamTest(
  ["minio", "versitygw", "embedded"],
  "strangers send files by a link, and nothing is replaced",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { program, client, object, upload } = test;
      const sender = program.client();

      await context.step("a file arrives in its folder, with the type of its ending", async () => {
        const link = await askForFiles(test, "inbox/", { title: "Ada asks you for files" });
        const answer = await json(sendFile(sender, link, "report.pdf", "the report"), 201);
        assert.deepEqual(answer, { name: "report.pdf", folder: "", size: 10 });
        const stored = await client.get(object("inbox/report.pdf"));
        assert.equal(await stored.text(), "the report");
        assert.equal(stored.headers.get("content-type"), "application/pdf");
        assert.deepEqual(await uploadOf(test, link), { count: 1, bytes: 10, state: "active" });
      });

      await context.step("nothing that is there is replaced, and nobody learns of it", async () => {
        await upload("taken/report.pdf", "the first");
        const link = await askForFiles(test, "taken/");
        for (const body of ["second", "third"]) {
          const answer = await json(sendFile(sender, link, "report.pdf", body), 201);
          assert.deepEqual(answer, { name: "report.pdf", folder: "", size: body.length });
        }
        const keys = await keysBelow(test, "taken/");
        assert.deepEqual(keys.sort(), [
          "taken/report (1).pdf",
          "taken/report (2).pdf",
          "taken/report.pdf",
        ]);
        assert.equal(await (await client.get(object("taken/report.pdf"))).text(), "the first");
        const same = await Promise.all(
          Array.from({ length: 6 }, (_, index) => status(sendFile(sender, link, "same.txt", `${index}`))),
        );
        assert.deepEqual(new Set(same), new Set([201]));
        assert.equal((await keysBelow(test, "taken/same")).length, 6);
      });

      await context.step("nor of files and folders that are called alike", async () => {
        await upload("alike/secret.pdf", "secret");
        await upload("alike/plans/old/a.txt", "a");
        const link = await askForFiles(test, "alike/");
        for (const body of ["x", new Uint8Array(2 << 20)]) {
          const size = body.length;
          assert.deepEqual(
            await json(sendFrom(sender, link, "secret.pdf/sub", "a.txt", body), 201),
            { name: "a.txt", folder: "secret.pdf/sub/", size },
          );
          for (const name of ["plans", "secret.pdf"]) {
            assert.deepEqual(await json(sendFile(sender, link, name, body), 201), { name, folder: "", size });
          }
        }
        await json(sendFrom(sender, link, "plans/old", "b.txt"), 201);
        const expected = ["secret (1).pdf/sub/a (1).txt", "secret (1).pdf/sub/a.txt", "secret (2).pdf"];
        expected.push("secret (3).pdf", "secret.pdf");
        expected.push("plans (1)", "plans (2)", "plans/old/a.txt", "plans/old/b.txt");
        assert.deepEqual(
          (await keysBelow(test, "alike/")).sort(),
          expected.map((key) => `alike/${key}`).sort(),
        );
      });

      await context.step("whatever a name looks like, the file stays in the folder", async () => {
        const link = await askForFiles(test, "box/", { max_uploads: 50 });
        const names = [
          "../escaped.txt",
          "../../escaped.txt",
          "/escaped.txt",
          "..\\escaped.txt",
          "..",
          "a/b/../../../escaped.txt",
          "..%2fescaped.txt",
          "\0\r\n.txt",
        ];
        for (const name of names) assert.equal(await status(sendFile(sender, link, name, "x")), 201, name);
        assert.equal((await keysBelow(test, "box/")).length, names.length);
        assert.deepEqual(await keysBelow(test, "escaped"), []);
        assert.equal(await refusal(sender.post(`${link.path}/files`, { body: "x" })), "400 bad_request");
        assert.equal(await refusal(sendFile(sender, link, "x".repeat(1025), "x")), "400 bad_request");
      });

      await context.step("folders are kept below the link's own, or all files lie side by side", async () => {
        const link = await askForFiles(test, "tree/");
        assert.equal((await json(sender.get(`${link.path}/info`))).upload.keeps_folders, true);
        const sent = await json(sendFrom(sender, link, "holiday/day 1", "a.txt"), 201);
        assert.deepEqual(sent, { name: "a.txt", folder: "holiday/day 1/", size: 1 });
        const escapes = ["../..", "/", "..\\..", "a/../../b", "./\0//c", "../tree2"];
        for (const folder of escapes) {
          assert.equal(await status(sendFrom(sender, link, folder, "a.txt")), 201, folder);
        }
        await json(sendFrom(sender, link, "holiday/day 1", "a.txt"), 201);
        const expected = ["a.txt", "a (1).txt", "a (2).txt", "a/b/a.txt", "c/a.txt", "tree2/a.txt"];
        assert.deepEqual(
          (await keysBelow(test, "tree/")).sort(),
          [...expected, "holiday/day 1/a.txt", "holiday/day 1/a (1).txt"].map((key) => `tree/${key}`).sort(),
        );
        const deep = Array.from({ length: 6 }, () => "x".repeat(199)).join("/").slice(0, 1024);
        assert.equal(await refusal(sendFrom(sender, link, deep, "a.txt")), "400 invalid_key");
        assert.equal(await refusal(sendFrom(sender, link, "x".repeat(1025), "a.txt")), "400 bad_request");

        const flat = await askForFiles(test, "flat/", { keep_folders: false });
        for (const folder of ["one", "two"]) await json(sendFrom(sender, flat, folder, "a.txt"), 201);
        assert.deepEqual((await keysBelow(test, "flat/")).sort(), ["flat/a (1).txt", "flat/a.txt"]);
        const { accesses } = await json(client.get(`/api/shares/${link.id}/access?limit=200`));
        assert.ok(accesses.some(({ path }: { path?: string }) => path === "holiday/day 1/a.txt"));
      });

      await context.step("an empty file, one without a length, and one in parts", async () => {
        const link = await askForFiles(test, "", { max_uploads: 3 });
        await json(sendFile(sender, link, "empty.txt", ""), 201);
        const piece = new Uint8Array(1 << 20).fill(7);
        let left = 20;
        const body = new ReadableStream<Uint8Array>({
          pull: (stream) => left-- > 0 ? stream.enqueue(piece) : stream.close(),
        });
        const streamed = await json(sendFile(sender, link, "streamed.bin", body), 201);
        assert.equal(streamed.size, 20 << 20);
        const large = new Uint8Array(12 << 20).fill(9);
        await json(sendFile(sender, link, "large.bin", large), 201);
        const stored = await (await client.get(object("large.bin"))).bytes();
        assert.ok(stored.length === large.length && stored.every((byte) => byte === 9));
        assert.deepEqual(await uploadOf(test, link), { count: 3, bytes: 32 << 20, state: "exhausted" });
        assert.equal(await refusal(sendFile(sender, link, "more.txt", "x")), "410 exhausted");
        assert.deepEqual(await keysBelow(test, "more"), []);
      });

      await context.step("a browser's form without script", async () => {
        const link = await askForFiles(test, "form/", { max_uploads: 2 });
        const form = new FormData();
        form.append("file", new File(["one"], "one.txt"));
        form.append("file", new File([""], ""));
        form.append("file", new File(["two"], "../two.txt"));
        form.append("file", new File(["three"], "three.txt"));
        const answer = await sender.post(`${link.path}/files`, { body: form });
        assert.equal(answer.status, 303);
        assert.equal(answer.headers.get("location"), `${link.path}?error=exhausted&sent=2`);
        await answer.body?.cancel();
        assert.deepEqual((await keysBelow(test, "form/")).sort(), ["form/one.txt", "form/two.txt"]);
        const page = await (await sender.get(`${link.path}?error=exhausted&sent=2`)).text();
        assert.match(page, /2 files have arrived/);
        const open = await askForFiles(test, "open/");
        const strange = await (await sender.get(`${open.path}?error=constructor`)).text();
        assert.match(strange, /role="alert"/);
        assert.doesNotMatch(strange, /function|native code/);
      });

      await context.step("what was sent is on record, for the maker too", async () => {
        const link = await askForFiles(test, "recorded/");
        await json(sendFile(sender, link, "notes.txt", "12345"), 201);
        const { events: [row] } = await json(client.get("/api/admin/audit?action=share.upload&limit=1"));
        assert.equal(row.key, "recorded/notes.txt");
        assert.deepEqual([row.bucket, row.status, row.detail.result], [bucketName, "ok", "ok"]);
        assert.deepEqual([row.detail.size, row.detail.share_id], [5, link.id]);
        const { accesses } = await json(client.get(`/api/shares/${link.id}/access`));
        assert.deepEqual(
          accesses.map(({ result, counted, path, files, size }: Record<string, unknown>) => ({
            result,
            counted,
            path,
            files,
            size,
          })),
          [{ result: "ok", counted: true, path: "notes.txt", files: 1, size: 5 }],
        );
      });

      await context.step("a link for files gives away nothing that is there", async () => {
        const link = await askForFiles(test, "inbox/");
        const about = await json(sender.get(`${link.path}/info`));
        assert.deepEqual([about.kind, about.name, about.raw_url], ["upload", "", null]);
        for (const path of ["raw", "raw?path=report.pdf", "list", "list?path=", "zip", "zip?path=a/"]) {
          assert.equal(await refusal(sender.get(`${link.path}/${path}`)), "404 not_found", path);
        }
        const page = await (await sender.get(link.path)).text();
        for (const trace of ["inbox", "report.pdf", bucketName]) {
          assert.ok(!page.includes(trace), trace);
        }
      });
    }, { config: { ratelimit: { share_per_minute: 0 } } }),
);

upstreamTest(
  ["minio"],
  "a link for files is made and changed within bounds",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { program, client, upload } = test;
      await upload("docs/plan.txt", "the plan");
      const make = (fields: Record<string, unknown>) =>
        client.post("/api/shares", {
          json: { backend_id: backendId, bucket: bucketName, kind: "upload", key: "in/", ...fields },
        });

      await context.step("it ends, takes only so much, and says so", async () => {
        const made = await json(make({ message: " Send both pages. ", note: "for me" }), 201);
        const { upload, expires_at, kind, key, state, max_downloads } = made;
        assert.deepEqual([kind, key, state, max_downloads], ["upload", "in/", "active", null]);
        assert.deepEqual(upload, {
          title: "",
          message: "Send both pages.",
          max_uploads: 100,
          max_bytes: 10 * 2 ** 30,
          max_file_bytes: null,
          keep_folders: true,
          upload_count: 0,
          uploaded_bytes: 0,
          last_upload_at: null,
        });
        assert.ok(Math.abs(Date.parse(expires_at) - Date.parse(inDays(7))) < 60_000);
        assert.deepEqual(
          (await json(client.get("/api/shares?kind=upload"))).shares.map(({ id }: { id: number }) => id),
          [made.id],
        );
        const path = `/api/shares/${made.id}`;
        const changed = await json(
          client.patch(path, { json: { max_uploads: 1, max_file_bytes: 5, title: "Both pages" } }),
        );
        assert.deepEqual(
          [changed.upload.max_uploads, changed.upload.max_file_bytes, changed.upload.title],
          [1, 5, "Both pages"],
        );
        assert.equal(await refusal(client.patch(path, { json: { expires_at: null } })), "400 bad_request");
        assert.equal(await refusal(client.patch(path, { json: { max_downloads: 5 } })), "400 bad_request");
        assert.equal(await status(client.delete(path)), 204);
        assert.equal(await refusal(client.patch(path, { json: { title: "x" } })), "409 conflict");
      });

      await context.step("what makes no sense is refused", async () => {
        const refusals: [Record<string, unknown>, string][] = [
          [{ key: "in" }, "400 bad_request"],
          [{ key: "../in/" }, "400 invalid_key"],
          [{ key: "a/../b/" }, "400 invalid_key"],
          [{ key: "a\0/" }, "400 invalid_key"],
          [{ key: `${"x".repeat(800)}/` }, "400 invalid_key"],
          [{ keys: ["a"] }, "400 bad_request"],
          [{ expires_at: null }, "400 bad_request"],
          [{ expires_at: inDays(91) }, "400 bad_request"],
          [{ expires_at: inDays(-1) }, "400 bad_request"],
          [{ max_downloads: 5 }, "400 bad_request"],
          [{ disposition: "inline" }, "400 bad_request"],
          [{ version_id: "null" }, "400 bad_request"],
          [{ max_uploads: 0 }, "400 bad_request"],
          [{ max_uploads: 10_001 }, "400 bad_request"],
          [{ max_uploads: null }, "400 bad_request"],
          [{ max_bytes: 0 }, "400 bad_request"],
          [{ max_bytes: null }, "400 bad_request"],
          [{ max_file_bytes: 1.5 }, "400 bad_request"],
          [{ title: "x".repeat(121) }, "400 bad_request"],
          [{ message: "x".repeat(2001) }, "400 bad_request"],
          [{ kind: "download" }, "400 bad_request"],
          [{ bucket: "no-such-bucket" }, "404 not_found"],
          [{ backend_id: "gone" }, "404 not_found"],
        ];
        for (const [fields, expected] of refusals) {
          assert.equal(await refusal(make(fields)), expected, JSON.stringify(fields));
        }
        const plain = { backend_id: backendId, bucket: bucketName, key: "docs/plan.txt", max_uploads: 3 };
        assert.equal(await refusal(client.post("/api/shares", { json: plain })), "400 bad_request");
      });

      await context.step("readers ask for no files", async () => {
        const reader = await program.signedIn("reader");
        const body = { backend_id: backendId, bucket: bucketName, kind: "upload", key: "in/" };
        assert.equal(await refusal(reader.post("/api/shares", { json: body })), "403 forbidden");
      });
    }, { users: { admin: "admin", reader: "readonly" } }),
);
