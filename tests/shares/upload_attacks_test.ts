import assert from "node:assert/strict";
import { backendId, bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { expireSoon } from "../support/expiry.ts";
import { type Client, json, refusal, status } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { RawConnection } from "../support/raw_connection.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { type MadeShare, unlock } from "./public_share.ts";
import { askForFiles, keysBelow, sendFile, uploadOf } from "./upload_request.ts";

const mebibyte = 1 << 20;
const options = {
  users: { admin: "admin", maria: "user" },
  config: { ratelimit: { share_per_minute: 0 } },
} as const;

/** A file whose bytes come when the test wants, and its answer. */
function slowly(sender: Client, link: MadeShare, name: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return { answer: sendFile(sender, link, name, readable), writer };
}

/** How many multipart uploads the bucket has that are not complete. */
async function unfinished({ client, bucket }: TestBucket): Promise<number> {
  return (await json(client.get(`${bucket}/multipart`))).uploads.length;
}

upstreamTest(
  ["minio", "versitygw"],
  "a link for files holds against strangers",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { program, client } = test;
      const sender = program.client();

      await context.step("however many come at once, no more get through than may", async () => {
        const link = await askForFiles(test, "cap/", { max_uploads: 5 });
        const answers = await Promise.all(
          Array.from(
            { length: 200 },
            (_, index) => status(sendFile(program.client(), link, `${index}.txt`, "x")),
          ),
        );
        const stored = answers.filter((answer) => answer === 201).length;
        assert.ok(answers.every((answer) => [201, 410, 429].includes(answer)), answers.join());
        assert.ok(stored >= 1 && stored <= 5, `${stored}`);
        assert.equal((await keysBelow(test, "cap/")).length, stored);
        assert.equal((await uploadOf(test, link)).count, stored);
        for (let left = 5 - stored; left > 0; left--) {
          assert.equal(await status(sendFile(sender, link, "rest.txt", "x")), 201);
        }
        assert.equal(await refusal(sendFile(sender, link, "sixth.txt", "x")), "410 exhausted");
      });

      await context.step("nor more bytes, however they come", async () => {
        const link = await askForFiles(test, "bytes/", { max_bytes: 100, max_file_bytes: 60 });
        assert.equal(await refusal(sendFile(sender, link, "a", "x".repeat(61))), "413 too_large");
        const chunked = () => new Blob(["x".repeat(61)]).stream();
        assert.equal(await refusal(sendFile(sender, link, "a", chunked())), "413 too_large");
        assert.equal(await status(sendFile(sender, link, "a", "x".repeat(60))), 201);
        assert.equal(await refusal(sendFile(sender, link, "b", "x".repeat(41))), "413 too_large");
        const both = await Promise.all([
          status(sendFile(sender, link, "c", "x".repeat(40))),
          status(sendFile(sender, link, "d", "x".repeat(40))),
        ]);
        assert.deepEqual(both.filter((answer) => answer === 201), [201]);
        assert.deepEqual(await uploadOf(test, link), { count: 2, bytes: 100, state: "exhausted" });
        assert.equal((await keysBelow(test, "bytes/")).length, 2);
      });

      await context.step("a body without end is cut off where the link ends", async () => {
        const link = await askForFiles(test, "endless/", { max_bytes: 20 * mebibyte });
        let sent = 0;
        const piece = new Uint8Array(mebibyte);
        const endless = new ReadableStream<Uint8Array>({
          pull(stream) {
            sent += piece.length;
            stream.enqueue(piece.slice());
          },
        });
        const answer = await sendFile(sender, link, "endless.bin", endless).then(refusal, () => "cut off");
        assert.ok(["413 too_large", "cut off"].includes(answer), answer);
        // What is discarded, and what lies in buffers on its way, comes on top.
        assert.ok(sent < 256 * mebibyte, `${sent}`);
        assert.deepEqual(await keysBelow(test, "endless/"), []);
        await eventually(async () => assert.equal(await unfinished(test), 0));
        assert.deepEqual(await uploadOf(test, link), { count: 0, bytes: 0, state: "active" });
      });

      await context.step("a length that is a lie stores nothing and takes no room", async () => {
        const link = await askForFiles(test, "lies/", { max_uploads: 1, max_bytes: 1000 });
        const host = new URL(program.url).host;
        const head = (length: string) =>
          `POST ${link.path}/files?name=lie.txt HTTP/1.1\r\nhost: ${host}\r\n` +
          `content-type: text/plain\r\n${length}\r\nconnection: close\r\n\r\n`;
        const bodies: [string, number][] = [
          [`${head("content-length: 500")}only a part`, 400],
          [`${head("content-length: 5000")}x`, 413],
          [`${head("content-length: -1")}x`, 400],
          [`${head("transfer-encoding: chunked")}5\r\nabcde\r\nffff`, 400],
        ];
        for (const [bytes, expected] of bodies) {
          using connection = await RawConnection.open(program.url);
          await connection.send(bytes);
          await connection.closeWrite();
          assert.equal((await connection.answer()).status, expected, bytes);
        }
        await eventually(async () => {
          assert.deepEqual(await uploadOf(test, link), { count: 0, bytes: 0, state: "active" });
        });
        assert.deepEqual(await keysBelow(test, "lies/"), []);
        await eventually(async () =>
          assert.equal(await status(sendFile(sender, link, "true.txt", "x".repeat(1000))), 201)
        );
      });

      await context.step("whoever goes away in the middle leaves nothing behind", async () => {
        const link = await askForFiles(test, "gone/", { max_uploads: 1 });
        const abort = new AbortController();
        const piece = new Uint8Array(mebibyte);
        const body = new ReadableStream<Uint8Array>({ pull: (stream) => stream.enqueue(piece.slice()) });
        const sending = fetch(`${program.url}${link.path}/files?name=gone.bin`, {
          method: "POST",
          body,
          signal: abort.signal,
        });
        await eventually(async () => assert.equal(await unfinished(test), 1));
        abort.abort();
        await assert.rejects(sending);
        await eventually(async () => assert.equal(await unfinished(test), 0));
        await eventually(async () =>
          assert.equal(await status(sendFile(sender, link, "next.txt", "x")), 201)
        );
        assert.deepEqual(await keysBelow(test, "gone/"), ["gone/next.txt"]);
      });

      await context.step("a link that ends in the middle of a file stores none of it", async () => {
        const ends: [string, (link: MadeShare) => Promise<unknown>][] = [
          ["410 revoked", ({ id }) => status(client.delete(`/api/shares/${id}`))],
          [
            "410 expired",
            ({ id }) =>
              expireSoon((expires_at) => client.patch(`/api/shares/${id}`, { json: { expires_at } })),
          ],
        ];
        for (const [expected, end] of ends) {
          const link = await askForFiles(test, "ended/");
          const { answer, writer } = slowly(sender, link, "half.txt");
          await writer.write(new Uint8Array(1000));
          await end(link);
          await writer.write(new Uint8Array(1000)).catch(() => {});
          await writer.close().catch(() => {});
          assert.equal(await refusal(answer), expected);
          assert.deepEqual(await keysBelow(test, "ended/"), [], expected);
        }
      });

      await context.step("whoever asks must be able to write themselves", async () => {
        const { users: [maria] } = await json(client.get("/api/admin/users?query=maria"));
        const asMaria = { client: await program.signedIn("maria") };
        const link = await askForFiles(asMaria, "maria/");
        const patch = (changes: Record<string, unknown>) =>
          json(client.patch(`/api/admin/users/${maria.id}`, { json: changes }));
        const send = () => sendFile(sender, link, "note.txt", "x");
        assert.equal(await status(send()), 201);
        await patch({ role: "readonly" });
        assert.equal(await refusal(send()), "410 revoked");
        assert.equal((await json(client.get(`/api/shares/${link.id}`))).state, "suspended");
        const suspended = await json(client.get("/api/shares?scope=all&state=suspended"));
        assert.deepEqual(suspended.shares.map(({ id }: { id: number }) => id), [link.id]);
        await patch({ role: "user" });
        assert.equal(await status(send()), 201);
        await patch({ enabled: false });
        assert.equal(await refusal(send()), "410 revoked");
        const downloads = await json(client.get(`/api/shares/${link.id}`));
        assert.equal(downloads.upload.upload_count, 2);
      });

      await context.step("the password comes first, and other sites cannot send", async () => {
        const link = await askForFiles(test, "locked/", { password: "open sesame" });
        const stranger = program.client();
        assert.equal(await refusal(sendFile(stranger, link, "a.txt", "x")), "401 password_required");
        const page = await (await stranger.get(link.path)).text();
        assert.match(page, /Password needed/);
        assert.equal(await status(unlock(stranger, link, "open sesame")), 204);
        assert.equal(await status(sendFile(stranger, link, "a.txt", "x")), 201);
        const foreign: Record<string, string>[] = [
          { "sec-fetch-site": "cross-site" },
          { origin: "https://evil.example" },
        ];
        for (const headers of foreign) {
          assert.equal(await refusal(sendFile(stranger, link, "b.txt", "x", headers)), "403 csrf_invalid");
        }
        assert.deepEqual(await keysBelow(test, "locked/"), ["locked/a.txt"]);
      });

      await context.step("a full bucket says so in words that name nothing", async () => {
        await json(client.put(`${test.bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 4 * mebibyte } }));
        const link = await askForFiles(test, "full/");
        for (
          const body of [new Uint8Array(5 * mebibyte), new Blob([new Uint8Array(5 * mebibyte)]).stream()]
        ) {
          const answer = await sendFile(sender, link, "big.bin", body);
          const text = await answer.text();
          assert.equal(answer.status, 507, text);
          assert.doesNotMatch(text, new RegExp(`${bucketName}|${backendId}|full|detail|\\d{3,}`));
        }
        assert.deepEqual(await uploadOf(test, link), { count: 0, bytes: 0, state: "active" });
        assert.equal(await status(client.delete(`${test.bucket}/quota`)), 204);
      });

      await context.step("a link for something else takes no files", async () => {
        await test.upload("docs/a.txt", "a");
        const body = { backend_id: backendId, bucket: bucketName, key: "docs/" };
        const { code } = await json(client.post("/api/shares", { json: body }), 201);
        assert.equal(
          await refusal(sendFile(sender, { id: 0, code, path: `/s/${code}` }, "b.txt", "x")),
          "404 not_found",
        );
        const unknown = { id: 0, code: "", path: `/s/${"x".repeat(22)}` };
        assert.equal(await refusal(sendFile(sender, unknown, "b.txt", "x")), "404 not_found");
      });
    }, options),
);
