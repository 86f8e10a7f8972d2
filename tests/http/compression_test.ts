import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { acceptsGzip } from "../../src/http/compression.ts";
import { bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { json } from "../support/http_client.ts";
import { RawConnection } from "../support/raw_connection.ts";
import { s3Client } from "../support/s3_client.ts";
import { withUpstream } from "../support/upstreams.ts";

const gzip = { "accept-encoding": "gzip, br" };

/** An answer of the program as it came over the wire. */
async function ask({ program, client }: TestBucket, path: string, headers: Record<string, string> = {}) {
  using connection = await RawConnection.open(program.url);
  const cookies = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const lines = Object.entries({ host: "localhost", cookie: cookies, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await connection.send(`GET ${path} HTTP/1.1\r\n${lines}\r\n`);
  const { status, head, body } = await connection.answer();
  return {
    status,
    body: Buffer.from(body, "latin1"),
    header: (name: string) => new RegExp(`^${name}: (.*)\r$`, "im").exec(head)?.[1],
  };
}

function withEmbeddedBucket(body: (bucket: TestBucket) => Promise<void>): Promise<void> {
  return withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const s3 = s3Client(upstream);
      const put = (key: string) => s3.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: key }));
      for (let first = 0; first < 1000; first += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, index) =>
          put(`logs/2026/app-${String(first + index).padStart(6, "0")}.log`)));
      }
      await body(bucket);
    }));
}

Deno.test("a page of 1,000 objects is a fifth as long for who takes gzip, and holds the same", async () => {
  await withEmbeddedBucket(async (bucket) => {
    const path = `${bucket.bucket}/objects?prefix=logs/&delimiter=&limit=1000`;
    const plain = await ask(bucket, path);
    assert.equal(plain.status, 200);
    assert.equal(plain.header("content-encoding"), undefined);
    assert.match(plain.header("vary") ?? "", /accept-encoding/i);
    assert.equal(JSON.parse(plain.body.toString()).objects.length, 1000);

    const packed = await ask(bucket, path, gzip);
    assert.equal(packed.header("content-encoding"), "gzip");
    assert.match(packed.header("vary") ?? "", /accept-encoding/i);
    assert.equal(packed.header("content-type"), plain.header("content-type"));
    assert.equal(gunzipSync(packed.body).toString(), plain.body.toString());
    // Most of it are the ETags, no two of which are alike.
    assert.ok(packed.body.length < plain.body.length / 5, `${packed.body.length} bytes`);

    const { objects } = await json(bucket.client.get(path));
    assert.equal(objects.length, 1000);
  });
});

Deno.test("pages are compressed, also as data; what varies by more goes on saying so", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const page = await ask(bucket, "/", gzip);
      assert.equal(page.header("content-encoding"), "gzip");
      assert.match(gunzipSync(page.body).toString(), /^<!doctype html>/);
      const missing = await ask(bucket, "/nowhere", gzip);
      assert.equal(missing.status, 404);
      assert.match(gunzipSync(missing.body).toString(), /^<!doctype html>/);
      const data = await ask(bucket, "/", { ...gzip, "x-page-data": "1" });
      assert.equal(data.header("content-encoding"), "gzip");
      assert.equal(data.header("vary"), "x-page-data, accept-encoding");
      JSON.parse(gunzipSync(data.body).toString());
    }));
});

Deno.test("what another site asks for is not compressed", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      for (const site of ["cross-site", "same-site"]) {
        const page = await ask(bucket, "/", { ...gzip, "sec-fetch-site": site });
        assert.equal(page.header("content-encoding"), undefined, site);
        assert.match(page.body.toString(), /^<!doctype html>/);
      }
      for (const site of ["same-origin", "none"]) {
        const page = await ask(bucket, "/", { ...gzip, "sec-fetch-site": site });
        assert.equal(page.header("content-encoding"), "gzip", site);
      }
    }));
});

Deno.test("objects, exports, events, small answers and what has an ETag come as they are", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const object = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index));
      await bucket.upload("a.json", object, "application/json");
      const path = bucket.object("a.json");
      const whole = await ask(bucket, path, gzip);
      assert.equal(whole.header("content-encoding"), undefined);
      assert.equal(whole.header("content-length"), String(object.length));
      assert.equal(whole.body.toString(), object);
      const part = await ask(bucket, path, { ...gzip, range: "bytes=0-1999" });
      assert.equal(part.status, 206);
      assert.equal(part.body.toString(), object.slice(0, 2000));

      const document = await ask(bucket, "/api/openapi.json", gzip);
      assert.equal(document.status, 200);
      assert.notEqual(document.header("etag"), undefined);
      assert.equal(document.header("content-encoding"), undefined);

      for (const other of ["/api/me", "/api/admin/audit.csv", "/healthz"]) {
        const answer = await ask(bucket, other, gzip);
        assert.equal(answer.header("content-encoding"), undefined, other);
      }
      const packed = await ask(bucket, "/", gzip);
      const plain = await ask(bucket, "/");
      assert.equal(packed.header("content-length"), String(packed.body.length));
      assert.ok(packed.body.length < plain.body.length);
    }));
});

Deno.test("gzip is taken when it or everything is named with a weight", () => {
  for (const header of ["gzip", "br;q=1, gzip", "*", "GZIP ; q=0.5", "x-gzip", "*;q=0, gzip;q=0.001"]) {
    assert.ok(acceptsGzip(header), header);
  }
  for (const header of [null, "", "br", "identity", "gzip;q=0", "gzip;q=0.000, *", "*;q=0", "gzip;q=x"]) {
    assert.ok(!acceptsGzip(header), String(header));
  }
});
