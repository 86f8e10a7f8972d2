import assert from "node:assert/strict";
import { withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const keysOf = (objects: { key: string }[]) => objects.map(({ key }) => key);

upstreamTest(["embedded", "minio", "versitygw"], "objects are listed page by page", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, upload }) => {
    const keys = ["a/1", "a/2", "b/1", "c d+é&%.txt", "top-1", "top-2", "日本語/ファイル.txt"];
    for (const key of keys) await upload(key, key);
    const list = (query = "") => json(client.get(`${bucket}/objects${query}`));

    const folders = await list();
    assert.deepEqual(folders.common_prefixes, ["a/", "b/", "日本語/"]);
    assert.deepEqual(keysOf(folders.objects), ["c d+é&%.txt", "top-1", "top-2"]);
    assert.equal(folders.is_truncated, false);
    assert.equal(folders.objects[1].size, 5);
    assert.match(folders.objects[1].etag, /^[0-9a-f]{32}$/);
    assert.ok(Date.now() - Date.parse(folders.objects[1].last_modified) < 60_000);

    assert.deepEqual(keysOf((await list("?prefix=a/")).objects), ["a/1", "a/2"]);
    assert.deepEqual(keysOf((await list(`?prefix=${encodeURIComponent("日本語/")}`)).objects), [keys[6]]);
    assert.deepEqual(keysOf((await list("?delimiter=&start_after=b/1")).objects), keys.slice(3));
    assert.deepEqual(keysOf((await list("?delimiter=&start_after=&later_parameter=1")).objects), keys);

    const ownersOf = async (query: string) =>
      (await list(`?prefix=a/&owner=${query}`)).objects.map(({ owner }: { owner?: string }) => owner);
    assert.deepEqual(await ownersOf("false"), [undefined, undefined]);
    const [owner, other] = await ownersOf("true");
    assert.ok(owner, "who owns the object");
    assert.equal(other, owner);

    const [untagged] = (await list("?prefix=a/&etags=false")).objects;
    assert.deepEqual(Object.keys(untagged), ["key", "size", "storage_class", "last_modified"]);

    const found: string[] = [];
    let query = "?delimiter=&max_keys=3";
    for (let page = await list(query); found.length < 20; page = await list(query)) {
      found.push(...keysOf(page.objects));
      if (!page.is_truncated) break;
      query = `?delimiter=&max_keys=3&token=${encodeURIComponent(page.next_continuation_token)}`;
    }
    assert.deepEqual(found, keys);

    for (
      const bad of [
        "?max_keys=0",
        "?max_keys=1001",
        "?max_keys=x",
        "?etags=no",
        "?token=",
        "?prefix=a&prefix=b",
      ]
    ) {
      assert.equal(await refusal(client.get(`${bucket}/objects${bad}`)), "400 bad_request", bad);
    }
    assert.equal(await refusal(client.get(`${bucket}/objects?prefix=a%00`)), "400 invalid_prefix");
    assert.equal(await refusal(client.get(`${bucket}x/objects`)), "404 not_found");
  });
});

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "any key a backend takes is stored under that key",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket, object, upload }) => {
      const keys = [
        " lead",
        "a\nb",
        "p+q&r=s%2F#?",
        "quote\"'<>",
        "ünï/ç.txt",
        "…",
        "a/b/c/",
        "~tilde",
        "(1) [2] {3}!*",
      ];
      // Only the embedded server takes keys as they are; the others take them for file names.
      if (upstream.kind === "embedded") keys.push("//two//slashes", "/lead", "a//b", "...");
      for (const key of keys) await upload(key, key.endsWith("/") ? "" : `content of ${key}`);
      const { objects } = await json(client.get(`${bucket}/objects?delimiter=`));
      assert.deepEqual(keysOf(objects), [...keys].sort());
      for (const key of keys.filter((key) => !key.endsWith("/"))) {
        assert.equal(await (await client.get(object(key))).text(), `content of ${key}`);
        assert.equal((await json(client.get(object(key).replace("/object?", "/object/info?")))).key, key);
      }
      const identifiers = keys.map((key) => ({ key }));
      const { deleted, errors } = await json(
        client.post(`${bucket}/objects/delete`, { json: { keys: identifiers } }),
      );
      assert.deepEqual(errors, []);
      assert.deepEqual(keysOf(deleted).sort(), [...keys].sort());
      assert.deepEqual((await json(client.get(`${bucket}/objects?delimiter=`))).objects, []);
    });
  },
);

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "objects are deleted singly and in bulk",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket, object, upload }) => {
      await upload("one", "1");
      assert.equal(await status(client.delete(object("one"))), 204);
      assert.equal(await status(client.delete(object("one"))), 204);
      assert.equal(await refusal(client.get(object("one"))), "404 not_found");

      await Promise.all(Array.from({ length: 30 }, (_, index) => upload(`bulk/${index}`, "x")));
      const keys = Array.from({ length: 30 }, (_, index) => ({ key: `bulk/${index}` }));
      // A thousand at once, most of which are not there, as S3 allows.
      while (keys.length < 1000) keys.push({ key: `absent/${keys.length}` });
      const bulk = `${bucket}/objects/delete`;
      const { deleted, errors } = await json(client.post(bulk, { json: { keys } }));
      assert.deepEqual(keysOf(deleted).sort(), keysOf(keys).sort());
      assert.deepEqual(errors, []);
      assert.deepEqual((await json(client.get(`${bucket}/objects?delimiter=`))).objects, []);

      const tooMany = { keys: [...keys, { key: "one more" }] };
      assert.equal(await refusal(client.post(bulk, { json: tooMany })), "400 too_many_keys");
      assert.equal(await refusal(client.post(bulk, { json: { keys: [] } })), "400 bad_request");
      assert.equal(await refusal(client.post(bulk, { json: { keys: ["a"] } })), "400 bad_request");
      assert.equal(await refusal(client.post(bulk, { json: { keys: [{ key: "" }] } })), "400 invalid_key");
      const elsewhere = bulk.replace("test-bucket", "no-such-bucket");
      assert.equal(
        await refusal(client.post(elsewhere, { json: { keys: [{ key: "a" }] } })),
        "404 not_found",
      );
      assert.equal(
        await refusal(client.delete(object("a").replace("test-bucket", "no-such-bucket"))),
        "404 not_found",
      );
    });
  },
);

upstreamTest(
  ["embedded", "minio", "versitygw"],
  "a folder is an empty object that ends in a slash",
  async (upstream) => {
    await withBucket(upstream, async ({ client, bucket }) => {
      const folder = `${bucket}/objects/folder`;
      assert.equal(
        (await json(client.post(folder, { json: { key: "new folder/" } }), 201)).key,
        "new folder/",
      );
      assert.deepEqual((await json(client.get(`${bucket}/objects`))).common_prefixes, ["new folder/"]);
      assert.equal(await refusal(client.post(folder, { json: { key: "new folder/" } })), "409 object_exists");
      assert.equal(await refusal(client.post(folder, { json: { key: "file" } })), "400 invalid_key");
      const statuses = await Promise.all(
        Array.from({ length: 8 }, () => status(client.post(folder, { json: { key: "race/" } }))),
      );
      assert.deepEqual(statuses.sort(), [201, ...Array(7).fill(409)]);
      assert.equal(await refusal(client.post(folder, { json: { key: 1 } })), "400 bad_request");
    });
  },
);

upstreamTest(
  ["embedded"],
  "bad keys, missing rights and a missing token change nothing",
  async (upstream) => {
    await withBucket(upstream, async ({ program, client, bucket, object }) => {
      for (const key of ["", "a".repeat(1025), "a\0b", "../a", "a/../../b"]) {
        const path = object(key);
        assert.equal(await refusal(client.post(path, { body: "x" })), "400 invalid_key");
        assert.equal(await refusal(client.get(path)), "400 invalid_key");
        assert.equal(await refusal(client.get(path.replace("/object?", "/object/info?"))), "400 invalid_key");
        assert.equal(await refusal(client.delete(path)), "400 invalid_key");
        const keys = { keys: [{ key: "fine" }, { key }] };
        assert.equal(
          await refusal(client.post(`${bucket}/objects/delete`, { json: keys })),
          "400 invalid_key",
        );
      }
      assert.equal(await refusal(client.get(`${bucket}/object`)), "400 bad_request");
      const reader = await program.signedIn("reader");
      assert.equal(await refusal(reader.post(object("a"), { body: "x" })), "403 forbidden");
      assert.equal(await refusal(reader.delete(object("a"))), "403 forbidden");
      assert.equal(
        await refusal(client.post(object("a"), { body: "x", withoutCsrf: true })),
        "403 csrf_invalid",
      );
      assert.equal(await refusal(program.client().get(object("a"))), "401 unauthorized");
      assert.deepEqual((await json(reader.get(`${bucket}/objects`))).objects, []);
    }, { users: { admin: "admin", reader: "readonly" } });
  },
);

upstreamTest(["embedded"], "what is done to objects is in the audit", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, object, upload }) => {
    await upload("a", "content");
    const form = new FormData();
    form.set("key", "b");
    form.set("file", new Blob(["b"]));
    await json(client.post(`${bucket}/object`, { body: form }), 201);
    assert.equal(await status(client.delete(object("a"))), 204);
    await json(client.post(`${bucket}/objects/delete`, { json: { keys: [{ key: "b" }, { key: "c" }] } }));
    await json(client.post(`${bucket}/objects/delete`, { json: { keys: [{ key: "dir/d" }] } }));
    assert.equal(await refusal(client.post(object("../x"), { body: "x" })), "400 invalid_key");

    const { events } = await json(client.get("/api/admin/audit?action=object.*"));
    const seen = events.map(({ action, backend, bucket, key, status, detail }: Record<string, unknown>) => ({
      action,
      where: `${backend}/${bucket}/${key}`,
      status,
      detail,
    }));
    assert.deepEqual(seen.slice(1).reverse(), [
      { action: "object.upload", where: "main/test-bucket/a", status: "ok", detail: { size: 7 } },
      { action: "object.upload", where: "main/test-bucket/b", status: "ok", detail: { size: 1 } },
      { action: "object.delete", where: "main/test-bucket/a", status: "ok", detail: {} },
      {
        action: "object.bulk_delete",
        where: "main/test-bucket/",
        status: "ok",
        detail: { keys: ["b", "c"] },
      },
      {
        action: "object.bulk_delete",
        where: "main/test-bucket/dir/d",
        status: "ok",
        detail: { keys: ["dir/d"] },
      },
    ]);
    assert.equal(seen[0].status, "error");
    assert.equal(seen[0].where, "main/test-bucket/../x");
  });
});
