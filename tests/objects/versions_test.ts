import assert from "node:assert/strict";
import { PutObjectTaggingCommand } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { enableVersioning, type Version, versionsOf } from "../support/versions.ts";

upstreamTest(["minio", "versitygw"], "versions are listed, read and deleted", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, object, upload } = test;
    const { list, of, at, info, remove } = versionsOf(test);
    await upload("before", "unversioned");
    const [single, ...others] = await of("before");
    assert.deepEqual([single.version_id, single.is_latest, others.length], ["null", true, 0]);
    assert.equal(await (await client.get(at("before", "null"))).text(), "unversioned");
    assert.deepEqual(await of("never was"), []);

    await enableVersioning(upstream);
    const removeAll = (keys: readonly Record<string, unknown>[]) =>
      json(client.post(`${test.bucket}/objects/delete`, { json: { keys } }));
    for (const key of ["before", "odd\u0001"]) {
      await upload(key, "content");
      const { deleted: [{ delete_marker_version_id: marker }] } = await removeAll([{ key }]);
      assert.equal((await info(key)).status, 404);
      const answer = await removeAll([{ key, version_id: marker }]);
      assert.deepEqual(answer.deleted, [{ key, version_id: marker }]);
      assert.equal((await info(key)).status, 200, "the object is back");
    }
    for (const key of ["k", "k2", "k.txt"]) {
      for (const content of ["1", "22", "333"]) await upload(key, content);
    }
    const versions = await of("k");
    assert.deepEqual(versions.map(({ key, size, is_latest }) => ({ key, size, is_latest })), [
      { key: "k", size: 3, is_latest: true },
      { key: "k", size: 2, is_latest: false },
      { key: "k", size: 1, is_latest: false },
    ]);
    for (const { version_id, size } of versions) {
      const answer = await client.get(at("k", version_id));
      assert.equal(await answer.text(), String(size).repeat(size));
      assert.equal(answer.headers.get("x-amz-version-id"), version_id);
      const described = await json(info("k", `&version_id=${version_id}`));
      assert.deepEqual([described.version_id, described.size], [version_id, size]);
    }
    assert.equal((await json(info("k"))).version_id, versions[0].version_id);

    for (const maxKeys of [1, 2, 3]) {
      const found: Version[] = [];
      let next = "";
      do {
        const page = await list(`key=k&max_keys=${maxKeys}${next}`);
        assert.ok(page.versions.length > 0 && page.versions.length <= maxKeys);
        assert.equal(page.is_truncated, page.next_continuation_token !== undefined);
        found.push(...page.versions);
        next = page.is_truncated ? `&token=${page.next_continuation_token}` : "";
      } while (next !== "");
      assert.deepEqual(found, versions, String(maxKeys));
    }

    assert.equal(await status(client.delete(object("k"))), 204);
    assert.equal(await refusal(client.get(object("k"))), "404 not_found");
    assert.equal(await refusal(info("k")), "404 not_found");
    const [marker, ...kept] = await of("k");
    assert.deepEqual([marker.is_delete_marker, marker.is_latest, marker.size], [true, true, 0]);
    assert.deepEqual(kept.map(({ version_id }) => version_id), versions.map(({ version_id }) => version_id));
    assert.equal(await refusal(client.get(at("k", marker.version_id))), "404 not_found");
    assert.equal(await status(client.request("HEAD", at("k", marker.version_id))), 404);
    assert.equal(await refusal(info("k", `&version_id=${marker.version_id}`)), "404 not_found");

    // Deleted objects are found by their prefix, page by page.
    const all: Version[] = [];
    let next = "";
    do {
      const page = await list(`prefix=k&max_keys=4${next}`);
      all.push(...page.versions);
      next = page.is_truncated ? `&token=${encodeURIComponent(page.next_continuation_token)}` : "";
    } while (next !== "");
    const deleted = all.filter((version) => version.is_latest && version.is_delete_marker);
    assert.deepEqual(deleted.map(({ key }) => key), ["k"]);
    assert.equal(new Set(all.map(({ key, version_id }) => `${key} ${version_id}`)).size, all.length);
    assert.equal(all.length, 10);
    assert.ok((await list("prefix=")).versions.length > all.length);

    // Without its delete marker the object is there again.
    assert.equal(await status(client.delete(at("k", marker.version_id))), 204);
    assert.equal(await (await client.get(object("k"))).text(), "333");
    assert.equal(await status(client.delete(at("k", versions[1].version_id))), 204);
    const bulk = await json(remove({ key: "k", version_id: versions[0].version_id }, { key: "k2" }));
    assert.deepEqual(bulk.errors, []);
    assert.deepEqual(
      bulk.deleted.find(({ key }: Version) => key === "k"),
      { key: "k", version_id: versions[0].version_id },
    );
    assert.deepEqual((await of("k")).map(({ version_id }) => version_id), [versions[2].version_id]);
    assert.equal(await (await client.get(object("k"))).text(), "1");
    assert.equal((await of("k2")).length, 4);
  });
});

upstreamTest(["minio", "versitygw"], "versions that are not there are told apart", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, bucket, upload } = test;
    const { at, info, restore, of, remove } = versionsOf(test);
    await enableVersioning(upstream);
    await upload("k", "content");
    const absent = upstream.kind === "minio"
      ? "3c3ee0f4-1f0f-4f3a-9c9f-8a3a8f4f1c11"
      : "01HF0000000000000000000000";
    assert.equal(await refusal(client.get(at("k", absent))), "404 not_found");
    assert.equal(await status(client.request("HEAD", at("k", absent))), 404);
    assert.equal(await refusal(info("k", `&version_id=${absent}`)), "404 not_found");
    assert.equal(await refusal(restore("k", absent)), "404 not_found");
    assert.equal(await refusal(restore("never was", absent)), "404 not_found");
    for (const version of ["nonsense", "../x", "%F0%9F%98%80", "a%20b", "%00", "", "x".repeat(1025)]) {
      assert.match(await refusal(client.get(at("k", version))), /^400 (bad_request|invalid_key)$/, version);
      assert.match(await refusal(info("k", `&version_id=${version}`)), /^400 (bad_request|invalid_key)$/);
      assert.match(await refusal(client.delete(at("k", version))), /^400 (bad_request|invalid_key)$/);
    }
    for (const version_id of ["nonsense", "../x"]) {
      assert.match(await refusal(restore("k", version_id)), /^400 (bad_request|invalid_key)$/);
    }
    for (const version_id of ["", "a b", "\ud800", "\0", "x".repeat(1025), null, 1, undefined]) {
      const body = { json: { key: "k", version_id } };
      assert.equal(await refusal(client.post(`${bucket}/object/restore`, body)), "400 bad_request");
      if (version_id === undefined) continue;
      assert.equal(await refusal(remove({ key: "k", version_id })), "400 bad_request", String(version_id));
    }
    for (const key of ["", "a\0b", "../a", "a/../b"]) {
      assert.equal(await refusal(restore(key, "null")), "400 invalid_key");
    }
    const path = `${bucket}/object/versions`;
    const tokens = [
      "x",
      "W10",
      btoa('["k"]'),
      btoa('["k","a b"]'),
      btoa('["other","x"]'),
      btoa('["k\\ud800",null]'),
    ];
    const queries = ["", "?key=k&prefix=k", "?key=k&max_keys=0", "?key=k&max_keys=1001", "?key=k&token="];
    for (const query of [...queries, ...tokens.map((token) => `?key=k&token=${encodeURIComponent(token)}`)]) {
      assert.equal(await refusal(client.get(`${path}${query}`)), "400 bad_request", query);
    }
    assert.equal(await refusal(client.get(`${path}?key=`)), "400 invalid_key");
    assert.equal(await refusal(client.get(`${path}?prefix=%00`)), "400 invalid_prefix");
    const elsewhere = bucket.replace(bucketName, "no-such-bucket");
    assert.equal(await refusal(client.get(`${elsewhere}/object/versions?key=k`)), "404 not_found");
    assert.equal((await of("k")).length, 1);
  });
});

upstreamTest(["minio", "versitygw"], "a version is restored with its metadata and tags", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, bucket, object, upload, program } = test;
    const { of, restore, info, at } = versionsOf(test);
    await enableVersioning(upstream);
    const form = new FormData();
    form.set("key", "k");
    form.set("content_type", "text/x-first");
    form.set("metadata[colour]", "grün");
    form.set("file", new Blob(["first"]));
    const first = await json(client.post(`${bucket}/object`, { body: form }), 201);
    using s3 = s3Client(upstream);
    const Tagging = { TagSet: [{ Key: "a", Value: "b" }] };
    await s3.send(new PutObjectTaggingCommand({ Bucket: bucketName, Key: "k", Tagging }));
    await upload("k", "second");

    const restored = await json(restore("k", first.version_id), 201);
    assert.deepEqual([restored.key, restored.size, restored.etag], ["k", 5, first.etag]);
    assert.notEqual(restored.version_id, first.version_id);
    const now = await json(info("k"));
    assert.equal(now.version_id, restored.version_id);
    assert.equal(now.content_type, "text/x-first");
    assert.deepEqual(now.metadata, { colour: "grün" });
    assert.equal(now.tag_count, 1);
    assert.equal(await (await client.get(object("k"))).text(), "first");
    assert.equal((await of("k")).length, 3);

    // What is the latest version already stays it.
    assert.equal((await json(restore("k", restored.version_id))).version_id, restored.version_id);
    assert.equal((await of("k")).length, 3);

    // A deleted object comes back by any of its versions, but a delete marker has nothing to bring back.
    await client.delete(object("k"));
    const [marker] = await of("k");
    assert.equal(await refusal(restore("k", marker.version_id)), "400 bad_request");
    assert.equal(await refusal(client.get(object("k"))), "404 not_found");
    await json(restore("k", first.version_id), 201);
    assert.equal(await (await client.get(object("k"))).text(), "first");
    assert.equal(await refusal(restore("k", marker.version_id)), "400 bad_request");

    const reader = await program.signedIn("reader");
    assert.equal((await json(reader.get(`${bucket}/object/versions?key=k`))).versions.length, 5);
    assert.equal(await (await reader.get(at("k", first.version_id))).text(), "first");
    const body = { json: { key: "k", version_id: first.version_id } };
    assert.equal(await refusal(reader.post(`${bucket}/object/restore`, body)), "403 forbidden");
    const forged = client.post(`${bucket}/object/restore`, { ...body, withoutCsrf: true });
    assert.equal(await refusal(forged), "403 csrf_invalid");
    assert.equal(await refusal(program.client().get(`${bucket}/object/versions?key=k`)), "401 unauthorized");
    assert.equal((await of("k")).length, 5);

    const { events } = await json(client.get("/api/admin/audit?action=object.restore"));
    assert.deepEqual(events.at(-1).detail, {
      version_id: first.version_id,
      new_version_id: restored.version_id,
    });
    assert.deepEqual([events.at(-1).bucket, events.at(-1).key, events.at(-1).status], [
      bucketName,
      "k",
      "ok",
    ]);
    assert.equal(events.filter(({ status }: { status: string }) => status === "error").length, 4);
  }, { users: { admin: "admin", reader: "readonly" } });
});

upstreamTest(["minio", "versitygw"], "versions of keys that XML cannot hold", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, object, upload } = test;
    const { list, of, restore, at } = versionsOf(test);
    await enableVersioning(upstream);
    for (const key of ["a\u0001b", "tab\tcr\rlf\n", "a\ufffeb%41+&<é"]) {
      await upload(key, "one");
      await upload(key, "two");
      await upload(`${key}longer`, "other");
      const versions = await of(key);
      assert.deepEqual(versions.map((version) => version.key), [key, key]);
      const page = await list(`key=${encodeURIComponent(key)}&max_keys=1`);
      const rest = await list(`key=${encodeURIComponent(key)}&token=${page.next_continuation_token}`);
      assert.deepEqual([...page.versions, ...rest.versions], versions);
      await json(restore(key, versions[1].version_id), 201);
      assert.equal(await (await client.get(object(key))).text(), "one");
      assert.equal(await status(client.delete(at(key, versions[0].version_id))), 204);
      assert.equal((await of(key)).length, 2);
    }
  });
});

upstreamTest(["minio"], "what versions do to the quota of their bucket", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, bucket, object, upload } = test;
    const { of, restore, at, remove } = versionsOf(test);
    await enableVersioning(upstream);
    await json(client.put(`${bucket}/quota`, { json: { soft_bytes: 0, hard_bytes: 100 } }));
    const usage = async () => {
      const { usage_bytes, object_count } = await json(client.get(`${bucket}/quota`));
      return [usage_bytes, object_count];
    };
    await upload("k", "x".repeat(60));
    await upload("k", "x".repeat(10));
    assert.deepEqual(await usage(), [10, 1]);

    const [small, large] = await of("k");
    await upload("other", "x".repeat(70));
    assert.equal(await refusal(restore("k", large.version_id)), "507 quota_exceeded");
    assert.deepEqual(await usage(), [80, 2]);
    await client.delete(object("other"));
    assert.deepEqual(await usage(), [10, 1]);
    await json(restore("k", large.version_id), 201);
    assert.deepEqual(await usage(), [60, 1]);

    // Without a delete marker, or the latest version, what was there before counts again.
    await client.delete(object("k"));
    assert.deepEqual(await usage(), [0, 0]);
    const [marker, restored] = await of("k");
    assert.equal(await status(client.delete(at("k", marker.version_id))), 204);
    assert.deepEqual(await usage(), [60, 1]);
    assert.equal(await refusal(client.post(object("more"), { body: "x".repeat(41) })), "507 quota_exceeded");
    await json(remove({ key: "k", version_id: restored.version_id }));
    assert.deepEqual(await usage(), [10, 1]);
    await json(remove({ key: "k", version_id: small.version_id }, { key: "absent", version_id: "null" }));
    assert.deepEqual(await usage(), [60, 1]);
    await client.delete(at("k", large.version_id));
    assert.deepEqual(await usage(), [0, 0]);
    assert.deepEqual(await of("k"), []);
    assert.equal((await json(client.post(`${bucket}/quota/recompute`))).usage_bytes, 0);
  });
});

upstreamTest(["minio"], "the versions of a dead backend", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  try {
    await withBucket(proxy, async (test) => {
      const { client, bucket, upload } = test;
      const { restore } = versionsOf(test);
      await upload("k", "content");
      for (const fault of ["refuse", "html", "unavailable"] as const) {
        proxy.set(fault);
        for (
          const send of [() => client.get(`${bucket}/object/versions?key=k`), () => restore("k", "null")]
        ) {
          const answer = await send();
          const text = await answer.clone().text();
          assert.equal(await refusal(answer), "502 backend_error");
          assert.ok(!text.includes(new URL(proxy.endpoint).port) && !text.includes(proxy.accessKey), text);
        }
      }
      proxy.set("none");
      proxy.rule({
        matches: ({ query }) => query.has("versions"),
        fault: { kind: "status", status: 501, code: "NotImplemented" },
      });
      assert.equal(await refusal(client.get(`${bucket}/object/versions?key=k`)), "400 not_supported");
    });
  } finally {
    await proxy.stop();
  }
});
