import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "downloads serve ranges and conditions",
  async (upstream) => {
    await withBucket(upstream, async ({ client, object, upload }) => {
      const content = "0123456789".repeat(1000);
      await upload("file.txt", content, "text/plain");
      const path = object("file.txt");
      const get = (headers: Record<string, string> = {}) => client.get(path, { headers });

      const whole = await get();
      assert.equal(whole.status, 200);
      assert.equal(await whole.text(), content);
      assert.equal(whole.headers.get("content-length"), "10000");
      assert.equal(whole.headers.get("content-type"), "text/plain");
      assert.equal(whole.headers.get("accept-ranges"), "bytes");
      const etag = whole.headers.get("etag") ?? "";
      // Some servers compare with the fraction of a second that the header leaves out.
      const justAfter = new Date(Date.parse(whole.headers.get("last-modified") ?? "") + 1000).toUTCString();

      const head = await client.request("HEAD", path);
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("content-length"), "10000");
      assert.equal(head.headers.get("etag"), etag);
      assert.equal(await head.text(), "");

      for (
        const [range, expected] of [
          ["bytes=0-9", "0-9"],
          ["bytes=9995-", "9995-9999"],
          ["bytes=-3", "9997-9999"],
          ["bytes=9990-99999", "9990-9999"],
        ]
      ) {
        const part = await get({ range });
        assert.equal(part.status, 206, range);
        assert.equal(part.headers.get("content-range"), `bytes ${expected}/10000`);
        const [first, last] = expected.split("-").map(Number);
        assert.equal(await part.text(), content.slice(first, last + 1));
      }
      for (const range of ["bytes=5-2", "bytes=0-1,3-4", "bytes=a-b", "lines=0-1", "bytes=-"]) {
        assert.equal(await status(get({ range })), 200, range);
      }
      assert.equal(await refusal(get({ range: "bytes=10000-" })), "416 bad_range");

      const unchanged = await get({ "if-none-match": etag });
      assert.equal(unchanged.status, 304);
      assert.equal(await unchanged.text(), "");
      // versitygw leaves the ETag out.
      assert.equal(unchanged.headers.get("etag") ?? etag, etag);
      // It also takes no date that is yet to come.
      await until(async () => await status(get({ "if-modified-since": justAfter })) === 304, {
        what: "304 for an object that was not modified",
      });
      assert.equal(await status(get({ "if-none-match": '"other"' })), 200);
      assert.equal(await status(get({ "if-match": etag })), 200);
      assert.equal(await refusal(get({ "if-match": '"other"' })), "412 precondition_failed");
      assert.equal(await status(get({ range: "bytes=0-9", "if-range": etag })), 206);
      const modified = whole.headers.get("last-modified") ?? "";
      assert.equal(await status(get({ range: "bytes=0-9", "if-range": modified })), 206);
      for (const validator of ['"other"', `W/${etag}`, "garbage", justAfter]) {
        const answer = await get({ range: "bytes=0-9", "if-range": validator });
        assert.equal(answer.status, 200, validator);
        assert.equal(await answer.text(), content);
      }
      assert.equal(await refusal(get({ range: "bytes=10000-", "if-range": etag })), "416 bad_range");
      assert.equal(await status(get({ range: "bytes=10000-", "if-range": '"other"' })), 200);
      const both = { range: "bytes=0-9", "if-range": etag, "if-match": '"other"' };
      assert.equal(await refusal(get(both)), "412 precondition_failed");
      assert.equal(await status(client.request("HEAD", path, { headers: { range: "bytes=0-9" } })), 200);

      assert.equal(await refusal(client.get(object("missing"))), "404 not_found");
      assert.equal(await status(client.request("HEAD", object("missing"))), 404);
      const elsewhere = path.replace(bucketName, "no-such-bucket");
      assert.equal(await refusal(client.get(elsewhere)), "404 not_found");
      assert.equal(await refusal(client.get(`${path}&disposition=other`)), "400 bad_request");
    });
  },
);

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "a stored page never runs as the dashboard",
  async (upstream) => {
    await withBucket(upstream, async ({ client, object, upload }) => {
      for (const type of ["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript"]) {
        await upload("page", "<script>alert(1)</script>", type);
        for (const disposition of ["inline", "attachment"]) {
          const { headers, body } = await client.get(`${object("page")}&disposition=${disposition}`);
          await body?.cancel();
          assert.equal(headers.get("content-type"), type);
          assert.match(headers.get("content-security-policy") ?? "", /^sandbox; default-src 'none';/);
          assert.doesNotMatch(headers.get("content-security-policy") ?? "", /script-src|allow-/);
          assert.match(headers.get("content-security-policy") ?? "", /form-action 'none'; base-uri 'none'/);
          assert.equal(headers.get("x-content-type-options"), "nosniff");
          assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
          assert.match(headers.get("content-disposition") ?? "", /^attachment;/, `${type} ${disposition}`);
        }
      }
      await upload("file.pdf", "%PDF-1.7", "application/pdf");
      const { headers, body } = await client.get(`${object("file.pdf")}&disposition=inline`);
      await body?.cancel();
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none';/);

      assert.match(headers.get("content-disposition") ?? "", /^inline;/);

      // What others have stored may have any type.
      using direct = s3Client(upstream);
      for (
        const [stored, sent] of [
          ["application/pdf; x, text/html", "application/octet-stream"],
          ['application/pdf;a="b", text/html', "application/octet-stream"],
          ["application/pdf ;, text/html", "application/octet-stream"],
          ["application/pdf;x,image/svg+xml", "application/octet-stream"],
          ["Application/PDF; version=1", "application/pdf"],
          ["Multipart/x-mixed-replace; boundary=b", "application/octet-stream"],
        ]
      ) {
        const put = { Bucket: bucketName, Key: "foreign", Body: "<script>", ContentType: stored };
        await direct.send(new PutObjectCommand(put));
        const { headers, body } = await client.get(`${object("foreign")}&disposition=inline`);
        await body?.cancel();
        assert.equal(headers.get("content-type"), sent);
        const sandboxed = /^sandbox;/.test(headers.get("content-security-policy") ?? "");
        assert.equal(sandboxed, sent !== "application/pdf", stored);
      }
    });
  },
);

upstreamTest(
  ["embedded"],
  "a browser shows pictures, media and texts, and saves what it would draw as a page",
  async (upstream) => {
    await withBucket(upstream, async ({ client, object, upload }) => {
      const disposition = async (type: string, asked: string) => {
        await upload("file", "<h1>Sign in</h1>", type);
        const { headers, body } = await client.get(`${object("file")}&disposition=${asked}`);
        await body?.cancel();
        assert.match(headers.get("content-security-policy") ?? "", /img-src 'self' data:;/);
        return headers.get("content-disposition")?.split(";")[0];
      };
      const shown = ["image/png", "IMAGE/JPEG", "video/mp4", "audio/ogg; codecs=opus", "application/pdf"];
      shown.push("text/plain; charset=utf-8", "text/csv", "application/json", "application/geo+json");
      for (const type of shown) {
        assert.equal(await disposition(type, "inline"), "inline", type);
        assert.equal(await disposition(type, "attachment"), "attachment", type);
      }
      const saved = ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml", "text/xml"];
      saved.push(
        "application/xml",
        "application/rss+xml",
        "image/svg+xml",
        "video/x+xml",
        "audio/x+XML ;a=b",
      );
      saved.push("text/xsl", "multipart/related", "message/rfc822", "application/octet-stream", "x/y");
      for (const type of saved) assert.equal(await disposition(type, "inline"), "attachment", type);
    });
  },
);

upstreamTest(["embedded", "minio", "versitygw"], "file names cannot inject headers", async (upstream) => {
  await withBucket(upstream, async ({ client, object, upload }) => {
    const key = 'dir/a"b\r\nset-cookie: x=1\r\n.txt';
    await upload(key, "content");
    const { headers, body } = await client.get(object(key));
    await body?.cancel();
    assert.ok(!headers.getSetCookie().some((cookie) => cookie.startsWith("x=1")));
    assert.equal(
      headers.get("content-disposition"),
      `attachment; filename="a_b__set-cookie: x=1__.txt"; filename*=UTF-8''a%22b__set-cookie%3A%20x%3D1__.txt`,
    );
  });
});

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "compressed objects arrive as they were stored",
  async (upstream) => {
    await withBucket(upstream, async ({ client, object, bucket }) => {
      using direct = s3Client(upstream);
      const stored = gzipSync("hello ".repeat(1000));
      await direct.send(
        new PutObjectCommand({
          Bucket: bucketName,
          Key: "page.html",
          Body: stored,
          ContentEncoding: "gzip",
          ContentType: "text/plain",
          Metadata: { colour: "blue" },
        }),
      );
      const response = await client.get(object("page.html"), { headers: { "accept-encoding": "identity" } });
      assert.equal(response.headers.get("content-encoding"), "gzip");
      assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array(stored));
      const info = await json(client.get(`${bucket}/object/info?key=page.html`));
      assert.equal(info.size, stored.length);
      assert.equal(info.content_encoding, "gzip");
      assert.equal(info.content_type, "text/plain");
      assert.deepEqual(info.metadata, { colour: "blue" });
      assert.equal(info.tag_count, 0);
      assert.match(info.etag, /^[0-9a-f]{32}$/);
      assert.ok(Date.now() - Date.parse(info.last_modified) < 60_000);
    });
  },
);
