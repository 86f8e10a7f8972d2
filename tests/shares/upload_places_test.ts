import assert from "node:assert/strict";
import { withBucket } from "../support/bucket.ts";
import { refusal, status } from "../support/http_client.ts";
import { eventually } from "../support/poll.ts";
import { RawConnection } from "../support/raw_connection.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { askForFiles, keysBelow, sendFile } from "./upload_request.ts";

const options = {
  config: { ratelimit: { share_per_minute: 0 }, server: { trusted_proxies: ["127.0.0.0/8", "::1/128"] } },
};

upstreamTest(
  ["embedded"],
  "strangers take no more than their share of what is shared by all links",
  (upstream, context) =>
    withBucket(upstream, async (test) => {
      const { program } = test;
      const sender = program.client();

      await context.step("a form is not listened to without a link that takes files", async () => {
        const { host } = new URL(program.url);
        const revoked = await askForFiles(test, "revoked/");
        assert.equal(await status(test.client.delete(`/api/shares/${revoked.id}`)), 204);
        const locked = await askForFiles(test, "locked/", { password: "open sesame" });
        const expected = [
          [`/s/${"x".repeat(22)}`, "not_found"],
          [revoked.path, "revoked"],
          [locked.path, "password_required"],
        ];
        for (const [path, code] of expected) {
          using connection = await RawConnection.open(program.url);
          // No part of the form ever comes.
          await connection.send(
            `POST ${path}/files HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: chunked\r\n` +
              `content-type: multipart/form-data; boundary=b\r\n\r\n`,
          );
          await connection.closeWrite();
          const { status, head } = await connection.answer();
          assert.equal(status, 303);
          assert.match(head, new RegExp(`^location: ${path}\\?error=${code}\r$`, "im"));
        }
      });

      await context.step("fields that are no files are bounded", async () => {
        const link = await askForFiles(test, "fields/");
        const send = (...fields: [string, string][]) => {
          const form = new FormData();
          for (const [name, value] of fields) form.append(name, value);
          form.append("file", new File(["x"], "x.txt"));
          return sender.post(`${link.path}/files`, { body: form });
        };
        const locationOf = async (answer: Promise<Response>) => {
          const { headers, body } = await answer;
          await body?.cancel();
          return headers.get("location");
        };
        const failed = `${link.path}?error=bad_request`;
        assert.equal(await locationOf(send(["note", "y".repeat(10_000)])), failed);
        const many = Array.from({ length: 101 }, (): [string, string] => ["note", ""]);
        assert.equal(await locationOf(send(...many)), failed);
        assert.deepEqual(await keysBelow(test, "fields/"), []);
        assert.equal(await locationOf(send(["note", "y"])), `${link.path}?sent=1`);
      });

      await context.step("one link takes no more than half of the memory", async () => {
        const link = await askForFiles(test, "busy/", { max_uploads: 1000 });
        const from = (index: number) => ({ "x-forwarded-for": `192.0.2.${index}` });
        // Without a length each takes two parts of 5 MiB.
        const slow = Array.from({ length: 4 }, (_, index) => {
          const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
          const answer = sendFile(program.client(), link, `${index}.txt`, readable, from(index));
          return { answer, writer: writable.getWriter() };
        });
        await Promise.all(slow.map(({ writer }) => writer.write(new Uint8Array(100))));
        const endless = () => new Blob(["x"]).stream();
        await eventually(async () =>
          assert.equal(
            await refusal(sendFile(sender, link, "more.txt", endless(), from(99))),
            "429 rate_limited",
          )
        );
        // What says how long it is takes less.
        assert.equal(await status(sendFile(sender, link, "small.txt", "x", from(99))), 201);
        const other = await askForFiles(test, "other/");
        assert.equal(await status(sendFile(sender, other, "a.txt", endless(), from(99))), 201);
        await Promise.all(slow.map(({ writer }) => writer.close()));
        for (const { answer } of slow) assert.equal(await status(answer), 201);
        assert.equal(await status(sendFile(sender, link, "after.txt", endless(), from(99))), 201);
      });

      await context.step(
        "a file that no memory is enough for is refused before any of it comes",
        async () => {
          const link = await askForFiles(test, "huge/", { max_bytes: 2 ** 50 });
          const { host } = new URL(program.url);
          using connection = await RawConnection.open(program.url);
          await connection.send(
            `POST ${link.path}/files?name=huge.bin HTTP/1.1\r\nhost: ${host}\r\n` +
              `content-type: application/octet-stream\r\ncontent-length: ${2 ** 38}\r\n\r\n`,
          );
          await connection.closeWrite();
          assert.equal((await connection.answer()).status, 413);
        },
      );
    }, options),
);
