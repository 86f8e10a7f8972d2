import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { ListMultipartUploadsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { beginUpload, cutOff } from "../support/handmade_upload.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { eventually, until } from "../support/poll.ts";
import { s3Client } from "../support/s3_client.ts";
import { type Upstream, upstreamTest, withUpstream } from "../support/upstreams.ts";

const mebibyte = 1 << 20;

/** Bytes that do not repeat within a part, so that a swapped or lost piece shows. */
function pattern(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer, 0, size >> 2);
  for (let index = 0, state = 1; index < words.length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[index] = state;
  }
  return bytes;
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function form(fields: Record<string, string>, file: Uint8Array<ArrayBuffer> | string, type = ""): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  data.set("file", new Blob([file], { type }), "chosen.bin");
  return data;
}

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "uploads of every size arrive unchanged",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket, object }) => {
      for (const size of [0, 1, 8 * mebibyte - 1, 8 * mebibyte, 8 * mebibyte + 1, 25 * mebibyte]) {
        const content = pattern(size);
        const raw = await json(client.post(object("raw"), { body: content }), 201);
        assert.equal(raw.size, size);
        const formed = await json(
          client.post(`${bucket}/object`, { body: form({ key: "form" }, content) }),
          201,
        );
        assert.equal(formed.size, size);
        for (const key of ["raw", "form"]) {
          const answer = await client.get(object(key));
          assert.equal(answer.headers.get("content-length"), String(size));
          assert.equal(digest(new Uint8Array(await answer.arrayBuffer())), digest(content), `${key} ${size}`);
        }
      }
    });
  },
);

upstreamTest(["embedded", "minio", "versitygw"], "uploads keep type and metadata", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, object }) => {
    await json(
      client.post(object("raw"), { body: "x", headers: { "content-type": "text/csv; charset=utf-8" } }),
      201,
    );
    const fields = {
      "key": "ünï.txt",
      "metadata[Colour]": "blue",
      "metadata[name]": "Žofie",
      "metadata[word]": "=?UTF-8?B?aGk=?=",
    };
    for (const content of ["small", pattern(9 * mebibyte)]) {
      await json(client.post(`${bucket}/object`, { body: form(fields, content, "text/plain") }), 201);
      const info = await json(client.get(`${bucket}/object/info?key=${encodeURIComponent("ünï.txt")}`));
      assert.equal(info.content_type, "text/plain");
      assert.deepEqual(info.metadata, { colour: "blue", name: "Žofie", word: "=?UTF-8?B?aGk=?=" });
    }
    const typed = form({ key: "typed", content_type: "image/png" }, "x", "text/plain");
    await json(client.post(`${bucket}/object`, { body: typed }), 201);
    assert.equal((await json(client.get(`${bucket}/object/info?key=typed`))).content_type, "image/png");
    assert.equal(
      (await json(client.get(`${bucket}/object/info?key=raw`))).content_type,
      "text/csv; charset=utf-8",
    );
  });
});

upstreamTest(["embedded", "minio", "versitygw"], "if_absent never replaces an object", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, object }) => {
    const path = `${object("once")}&if_absent=true`;
    await json(client.post(path, { body: "first" }), 201);
    assert.equal(await refusal(client.post(path, { body: "second" })), "409 object_exists");
    const fields = { key: "once", if_absent: "true" };
    for (const content of ["third", pattern(9 * mebibyte)]) {
      const answer = client.post(`${bucket}/object`, { body: form(fields, content) });
      assert.equal(await refusal(answer), "409 object_exists");
    }
    for (const fields of [{}, { key: "once" }, { key: "once", if_absent: "true" }]) {
      const answer = client.post(path, { body: form(fields as Record<string, string>, "fourth") });
      assert.equal(await refusal(answer), "409 object_exists");
    }
    assert.equal(await (await client.get(object("once"))).text(), "first");
    await json(client.post(object("by-query"), { body: form({ later_field: "x" }, "content") }), 201);
    assert.equal(await (await client.get(object("by-query"))).text(), "content");
    await json(client.post(object("once"), { body: "replaced" }), 201);
    assert.equal(await (await client.get(object("once"))).text(), "replaced");
  });
});

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "an upload that the client cuts off stores nothing",
  async (upstream) => {
    await withBucket(upstream, async (bucket) => {
      const raw = (length: number) => ({
        path: bucket.object("cut"),
        type: "application/octet-stream",
        length,
      });
      const start = '--b\r\ncontent-disposition: form-data; name="key"\r\n\r\ncut\r\n' +
        '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n';
      const formed = (length: number) => ({
        path: `${bucket.bucket}/object`,
        type: "multipart/form-data; boundary=b",
        length,
        start,
      });
      const route = "/object";
      await cutOff(bucket, raw(1000), { sent: 500, route });
      await cutOff(bucket, raw(30 * mebibyte), { sent: 20 * mebibyte, route });
      await cutOff(bucket, raw(6 * 1024 * mebibyte), { sent: 20 * mebibyte, route });
      await cutOff(bucket, formed(10_000), { sent: 500, route });
      await cutOff(bucket, formed(30 * mebibyte), { sent: 20 * mebibyte, route });
      await requireNothingStored(upstream);
    });
  },
);

Deno.test("an upload that comes back with a part that a backend stores late is aborted again", async () => {
  await withUpstream("embedded", async (upstream) => {
    const proxy = startFaultProxy(upstream);
    await withBucket(proxy, async (bucket) => {
      const aborts = () => proxy.requests.filter(({ method }) => method === "DELETE");
      await cutOff(bucket, { path: bucket.object("cut"), type: "text/plain", length: 30 * mebibyte }, {
        sent: 20 * mebibyte,
        route: "/object",
      });
      const atOnce = aborts().length;
      assert.ok(atOnce > 0);
      await until(() => aborts().length > atOnce, { what: "the second look" });
    });
    await proxy.stop();
  });
});

/** The first line of the answer. */
async function statusLine(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, "data");
  socket.destroy();
  await once(socket, "close");
  return String(chunk).split("\r\n")[0];
}

Deno.test("a body that comes together with its head is stored", async () => {
  await withUpstream("embedded", (upstream) =>
    withBucket(upstream, async (bucket) => {
      const { client, object } = bucket;
      const raw = { path: object("raw"), type: "text/plain", length: 7, start: "content" };
      assert.match(await statusLine(beginUpload(bucket, raw)), / 201 /);
      const start = "--b  \r\nContent-Disposition: form-data; name=key\r\n\r\nform\r\n" +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\ncontent\r\n--b--\r\n';
      const formed = {
        path: `${bucket.bucket}/object`,
        type: "multipart/form-data; boundary=b",
        length: start.length,
        start,
      };
      assert.match(await statusLine(beginUpload(bucket, formed)), / 201 /);
      for (const key of ["raw", "form"]) {
        assert.equal(await (await client.get(object(key))).text(), "content");
      }
    }));
});

upstreamTest(
  ["minio"],
  "a client that stalls within an upload is told so, and nothing is stored",
  async (upstream) => {
    await withBucket(upstream, async (bucket) => {
      const { object } = bucket;
      const stalled = [1000, 20 * mebibyte].map(async (length) => {
        const upload = { path: object("stalled"), type: "text/plain", length, start: "x".repeat(500) };
        return await statusLine(beginUpload(bucket, upload));
      });
      for (const line of await Promise.all(stalled)) assert.match(line, / 400 /);
      await requireNothingStored(upstream);
    });
  },
);

/** A backend may bring an upload back with a part that it stores late; the program aborts it once more some seconds later. */
async function requireNothingStored(upstream: Upstream): Promise<void> {
  using direct = s3Client(upstream);
  const { Contents = [] } = await direct.send(new ListObjectsV2Command({ Bucket: bucketName }));
  assert.deepEqual(Contents.map(({ Key }) => Key), []);
  await eventually(async () => {
    const { Uploads = [] } = await direct.send(new ListMultipartUploadsCommand({ Bucket: bucketName }));
    assert.deepEqual(Uploads.map(({ Key }) => Key), []);
  });
}

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "bad uploads are refused and store nothing",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket, object }) => {
      const path = `${bucket}/object`;
      const send = (body: FormData) => refusal(client.post(path, { body }));
      assert.equal(await refusal(client.post(path, { body: "x" })), "400 bad_request");
      const chunked = ReadableStream.from([new Uint8Array(10)]);
      assert.equal(await refusal(client.post(object("a"), { body: chunked })), "411 length_required");
      const headers = { "content-type": "nonsense" };
      assert.equal(await refusal(client.post(object("a"), { body: "x", headers })), "400 invalid_metadata");
      assert.equal(await send(form({}, "x")), "400 invalid_key");
      assert.equal(await send(form({ key: "a\0" }, "x")), "400 invalid_key");
      const cased = form({ key: "a", "metadata[B]": "1", "metadata[b]": "2" }, "x");
      assert.equal(await send(cased), "400 bad_request");
      for (
        const [query, fields] of [
          ["?key=a", { key: "b" }],
          ["?key=a&if_absent=true", { if_absent: "false" }],
        ] as [string, Record<string, string>][]
      ) {
        const answer = client.post(`${path}${query}`, { body: form(fields, "x") });
        assert.equal(await refusal(answer), "400 bad_request", query);
      }
      for (const type of ["application/pdf; x, text/html", 'application/pdf;a="b", text/html', "a/b, c/d"]) {
        const options = { body: "x", headers: { "content-type": type } };
        assert.equal(await refusal(client.post(object("a"), options)), "400 invalid_metadata", type);
      }
      assert.equal(await send(form({ key: "a", if_absent: "maybe" }, "x")), "400 bad_request");
      assert.equal(await send(form({ key: "a", content_type: "a\r\nb: c" }, "x")), "400 invalid_metadata");
      assert.equal(await send(form({ key: "a", "metadata[b c]": "x" }, "x")), "400 invalid_metadata");
      assert.equal(
        await send(form({ key: "a", "metadata[b]": "x".repeat(3000) }, "x")),
        "400 invalid_metadata",
      );
      assert.equal(await send(form({ key: "a", "metadata[b]": "x".repeat(9000) }, "x")), "400 bad_request");
      const withoutFile = new FormData();
      withoutFile.set("key", "a");
      assert.equal(await send(withoutFile), "400 bad_request");
      for (const content of ["x", pattern(20 * mebibyte)]) {
        const fileFirst = form({ key: "a" }, content);
        fileFirst.append("content_type", "text/plain");
        assert.equal(await send(fileFirst), "400 bad_request");
      }
      const broken = [
        ["multipart/form-data", "x"],
        ["multipart/form-data; boundary=b", "no boundary in here"],
        ["multipart/form-data; boundary=b", "--b\r\n\r\nno name\r\n--b--"],
      ];
      for (const [type, body] of broken) {
        const answer = client.post(path, { body, headers: { "content-type": type } });
        assert.equal(await refusal(answer), "400 bad_request", body);
      }
      const elsewhere = object("a").replace(bucketName, "no-such-bucket");
      for (const size of [1, 3 * mebibyte, 9 * mebibyte]) {
        assert.equal(
          await refusal(client.post(elsewhere, { body: pattern(size) })),
          "404 not_found",
          `${size}`,
        );
      }
      assert.equal(await status(client.get(object("a"))), 404);
      await requireNothingStored(upstream);
    });
  },
);

upstreamTest(
  ["minio"],
  "a missing bucket is told of, also by a backend that ends the connection before its answer was read",
  async (upstream) => {
    const proxy = startFaultProxy(upstream);
    await withBucket(proxy, async ({ client, object }) => {
      proxy.rule({ matches: ({ method }) => method === "PUT", fault: { kind: "reset" } });
      const body = pattern(3 * mebibyte);
      assert.equal(await refusal(client.post(object("a"), { body })), "502 backend_error");
      const elsewhere = object("a").replace(bucketName, "no-such-bucket");
      assert.equal(await refusal(client.post(elsewhere, { body })), "404 not_found");
    });
    await proxy.stop();
  },
);
