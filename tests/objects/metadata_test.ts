import assert from "node:assert/strict";
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { encodeMetadata, readMetadata } from "../../src/objects/metadata.ts";
import { bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json, refusal } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const pathOf = ({ object }: TestBucket, key: string) => object(key).replace("/object?", "/object/metadata?");
const infoOf = ({ client, object }: TestBucket, key: string) =>
  json(client.get(object(key).replace("/object?", "/object/info?")));

upstreamTest(["minio", "versitygw"], "metadata is changed in place", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, bucket, object } = test;
    using s3 = s3Client(upstream);
    for (const key of ["a.txt", "ünï/a\u0001b +%&?.txt"]) {
      const form = new FormData();
      form.set("key", key);
      form.set("content_type", "text/plain");
      form.set("metadata[first]", "1");
      form.set("metadata[second]", "zwei äöü");
      form.set("file", new Blob(["content"]));
      const stored = await json(client.post(`${bucket}/object`, { body: form }), 201);
      const tags = { a: "b", "c d": "e+f" };
      await json(client.put(object(key).replace("/object?", "/object/tags?"), { json: { tags } }));
      const change = (body: unknown, headers?: Record<string, string>) =>
        client.put(pathOf(test, key), { json: body, headers });

      const first = await json(
        change({ cache_control: "max-age=60", content_disposition: 'inline; filename="x"' }),
      );
      assert.deepEqual(first, await infoOf(test, key));
      assert.deepEqual(
        [
          first.key,
          first.size,
          first.etag,
          first.content_type,
          first.cache_control,
          first.content_disposition,
        ],
        [key, 7, stored.etag, "text/plain", "max-age=60", 'inline; filename="x"'],
      );
      assert.deepEqual(first.metadata, { first: "1", second: "zwei äöü" });
      assert.equal(first.tag_count, 2);

      const metadata = {
        "third": '日本語 "x"',
        "x-plain_1": "a b",
        "blank": " x ",
        "word": "=?UTF-8?B?eA==?=",
      };
      const second = await json(change({
        metadata: { ...metadata, Upper: "Case" },
        content_type: "text/html; charset=utf-8",
        content_encoding: "x-packed",
        content_language: "de, en-GB",
        expires: "2030-01-31T10:00:00Z",
      }));
      assert.deepEqual(second.metadata, { ...metadata, upper: "Case" });
      assert.equal(second.content_type, "text/html; charset=utf-8");
      assert.equal(second.content_encoding, "x-packed");
      assert.equal(second.content_language, "de, en-GB");
      assert.equal(second.expires, "2030-01-31T10:00:00.000Z");
      assert.equal(second.cache_control, "max-age=60");
      assert.deepEqual(second, await infoOf(test, key));
      const { ExpiresString, CacheControl } = await s3.send(
        new HeadObjectCommand({ Bucket: bucketName, Key: key }),
      );
      assert.deepEqual([ExpiresString, CacheControl], ["Thu, 31 Jan 2030 10:00:00 GMT", "max-age=60"]);

      const fields = [
        "cache_control",
        "content_disposition",
        "content_encoding",
        "content_language",
        "expires",
      ];
      const empty = Object.fromEntries(fields.map((name) => [name, ""]));
      const removal = change({ ...empty, metadata: {} });
      if (upstream.kind === "versitygw") assert.equal(await refusal(removal), "400 not_supported");
      else assert.equal((await removal).status, 200);
      const third = await infoOf(test, key);
      assert.equal(fields.filter((name) => name in third).length, upstream.kind === "versitygw" ? 5 : 0);
      assert.deepEqual(third.metadata, {});
      assert.equal(third.content_type, "text/html; charset=utf-8");

      // Only while the object is the one that is known.
      const ifMatch = (etag: string) => change({ metadata: { matched: etag } }, { "if-match": etag });
      assert.equal(await refusal(ifMatch('"0123456789abcdef0123456789abcdef"')), "412 precondition_failed");
      assert.deepEqual((await infoOf(test, key)).metadata, {});
      await json(ifMatch(`"${stored.etag}"`));
      await json(ifMatch("*"));
      assert.deepEqual((await infoOf(test, key)).metadata, { matched: "*" });

      const { tags: kept } = await json(client.get(object(key).replace("/object?", "/object/tags?")));
      assert.deepEqual(kept, tags);
      assert.equal(await (await client.get(object(key))).text(), "content");
    }
    const { events } = await json(client.get("/api/admin/audit?action=object.*"));
    assert.ok(events.every(({ action }: { action: string }) => action === "object.upload"));
  });
});

upstreamTest(["minio"], "metadata that cannot be stored is refused and changes nothing", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, upload, program } = test;
    await upload("a", "content", "text/plain");
    await json(
      client.put(pathOf(test, "a"), { json: { metadata: { kept: "yes" }, cache_control: "no-cache" } }),
    );
    const before = await infoOf(test, "a");
    const change = (body: unknown, key = "a") => client.put(pathOf(test, key), { json: body });

    const tooLarge = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`n${index}`, "x".repeat(101)]),
    );
    const controls = ["\0", "\x01", "\t", "\n", "\r", "\r\nx-amz-acl: public-read", "\x7f"];
    const bad: unknown[] = [
      ...controls.map((text) => ({ metadata: { name: `a${text}b` } })),
      ...controls.map((text) => ({ metadata: { [`a${text}b`]: "value" } })),
      ...["", " ", "a b", "a:b", "ä", "a(b", "日本"].map((name) => ({ metadata: { [name]: "value" } })),
      { metadata: { name: "x".repeat(2045) } },
      { metadata: { name: "ä".repeat(1024) } },
      { metadata: tooLarge },
      { metadata: { Name: "1", name: "2" } },
      ...controls.flatMap((text) =>
        [
          "content_type",
          "cache_control",
          "content_disposition",
          "content_encoding",
          "content_language",
          "expires",
        ]
          .map((field) => ({ [field]: `a${text}b` }))
      ),
      { content_type: "" },
      { content_type: "text" },
      { content_type: "text/plain, text/html" },
      { content_type: "text/ä" },
      { content_disposition: 'attachment; filename="ä"' },
      { cache_control: "x".repeat(1025) },
      { content_encoding: "aws-chunked" },
      { expires: "tomorrow" },
      { expires: "2030-13-41T00:00:00Z" },
      { expires: "0" },
      { metadata: { fine: "yes" }, cache_control: "a\nb" },
    ];
    for (const body of bad) {
      assert.equal(await refusal(change(body)), "400 invalid_metadata", JSON.stringify(body));
    }
    const malformed = [
      {},
      [],
      { other: 1 },
      { metadata: [] },
      { metadata: "a=b" },
      { metadata: { a: 1 } },
      {
        metadata: { a: null },
      },
      { content_type: 1 },
      { cache_control: null },
    ];
    for (const body of malformed) {
      assert.equal(await refusal(change(body)), "400 bad_request", JSON.stringify(body));
    }
    assert.equal(
      await refusal(client.put(`${pathOf(test, "a")}&version_id=null`, { json: { metadata: {} } })),
      "400 bad_request",
    );
    const fine = { metadata: { a: "b" } };
    for (const key of ["", "../a", "x/../a", "a\0", "a".repeat(1025)]) {
      assert.equal(await refusal(change(fine, key)), "400 invalid_key", key);
    }
    assert.equal(await refusal(change(fine, "missing")), "404 not_found");
    assert.equal(await refusal(change(fine, "/a")), "400 invalid_key");
    const elsewhere = pathOf(test, "a").replace(bucketName, "no-such-bucket");
    assert.equal(await refusal(client.put(elsewhere, { json: fine })), "404 not_found");
    const reader = await program.signedIn("reader");
    assert.equal(await refusal(reader.put(pathOf(test, "a"), { json: fine })), "403 forbidden");
    const forged = client.put(pathOf(test, "a"), { json: fine, withoutCsrf: true });
    assert.equal(await refusal(forged), "403 csrf_invalid");
    assert.deepEqual(await infoOf(test, "a"), before);

    const strange = '{"metadata":{"__proto__":"x","constructor":"y"}}';
    const headers = { "content-type": "application/json" };
    const answer = await client.put(pathOf(test, "a"), { body: strange, headers });
    assert.match(await answer.text(), /"__proto__":"x"/);
  }, { users: { admin: "admin", reader: "readonly" } });
});

upstreamTest(["minio"], "metadata is changed in a full bucket", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, bucket, object, upload } = test;
    await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 100 } }));
    await upload("full", "x".repeat(100));
    await json(client.put(pathOf(test, "full"), { json: { metadata: { a: "b" } } }));
    const { usage_bytes, object_count } = await json(client.get(`${bucket}/quota`));
    assert.deepEqual([usage_bytes, object_count], [100, 1]);
    assert.equal(await refusal(client.post(object("more"), { body: "x" })), "507 quota_exceeded");

    await client.delete(object("full"));
    await json(client.post(`${bucket}/objects/folder`, { json: { key: "folder/" } }), 201);
    const folder = await json(client.put(pathOf(test, "folder/"), { json: { metadata: { a: "b" } } }));
    assert.deepEqual([folder.key, folder.size, folder.metadata], ["folder/", 0, { a: "b" }]);
  });
});

upstreamTest(["minio"], "a backend that fails leaves the metadata as it is", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  try {
    await withBucket(proxy, async (test) => {
      const { client, upload } = test;
      await upload("a", "content");
      const before = await infoOf(test, "a");
      const change = () => client.put(pathOf(test, "a"), { json: { metadata: { a: "b" } } });
      for (const fault of ["refuse", "html", "unavailable"] as const) {
        proxy.set(fault);
        const answer = await change();
        const text = await answer.clone().text();
        assert.equal(await refusal(answer), "502 backend_error");
        assert.ok(!text.includes(new URL(proxy.endpoint).port) && !text.includes(proxy.accessKey), text);
      }
      proxy.set("none");
      for (
        const [status, code, ours] of [
          [400, "MetadataTooLarge", "400 invalid_metadata"],
          [403, "AccessDenied", "403 forbidden"],
          [501, "NotImplemented", "400 not_supported"],
          [500, "InternalError", "502 backend_error"],
        ] as const
      ) {
        const matches = ({ method }: { method: string }) => method === "PUT";
        const rule = proxy.rule({ matches, fault: { kind: "status", status, code } });
        assert.equal(await refusal(change()), ours);
        rule.remove();
      }
      assert.deepEqual(await infoOf(test, "a"), before);
    });
  } finally {
    await proxy.stop();
  }
});

upstreamTest(["minio"], "what other programs have stored as metadata is readable", async (upstream) => {
  await withBucket(upstream, async (test) => {
    using s3 = s3Client(upstream);
    await s3.send(
      new PutObjectCommand({
        Bucket: bucketName,
        Key: "a",
        Body: "content",
        Metadata: { q: "=?UTF-8?Q?gr=C3=BCn_blau?=" },
        CacheControl: "no-store",
        Expires: new Date("2031-02-03T04:05:06Z"),
      }),
    );
    const { metadata, cache_control, expires } = await infoOf(test, "a");
    assert.deepEqual({ metadata, cache_control, expires }, {
      metadata: { q: "grün blau" },
      cache_control: "no-store",
      expires: "2031-02-03T04:05:06.000Z",
    });
  });
});

Deno.test("encoded words are decoded as they were meant", () => {
  const decoded = (value: string) => readMetadata(new Headers({ "x-amz-meta-a": value })).a;
  assert.equal(decoded("=?UTF-8?B?ZMO8?= =?utf-8?q?=C3=A4_x?="), "düä x");
  assert.equal(decoded("a =?UTF-8?Q?=3D?= b"), "a = b");
  for (const text of ["plain", "=?", "=?UTF-8?X?abc?=", "a=3Db_c"]) assert.equal(decoded(text), text);
  for (const text of ["grün", " blank ", "=?UTF-8?Q?=41?=", "日本語\u2028"]) {
    assert.equal(decoded(encodeMetadata(new Map([["a", text]])).a), text);
  }
});
