import assert from "node:assert/strict";
import { bucketName, type TestBucket, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import type { ProxiedRequest } from "../support/fault_rules.ts";
import { json, refusal } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { enableVersioning } from "../support/versions.ts";

const pathOf = ({ object }: TestBucket, key: string, more = "") =>
  `${object(key).replace("/object?", "/object/tags?")}${more}`;

upstreamTest(["embedded", "minio", "versitygw"], "tags are set, read and removed", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, object, upload, backend } = test;
    const tags = {
      "project": "x1",
      "empty": "",
      "number": "007",
      "blank": " a  b ",
      "+-=._:/@": "+-=._:/@",
      "constructor": "toString",
      "Case": "1",
      "case": "2",
      ["k".repeat(128)]: "v".repeat(256),
    };
    const keys = ["plain.txt", "a\u0001b\r\nc\ufffe", "ünï cöde/…&+%41?.txt", "quote\"'<>"];
    for (const key of keys) {
      await upload(key, "content");
      const path = pathOf(test, key);
      assert.deepEqual(await json(client.get(path)), { tags: {} });
      assert.deepEqual(await json(client.put(path, { json: { tags } })), { tags });
      assert.deepEqual((await json(client.get(path))).tags, tags, key);
      const info = object(key).replace("/object?", "/object/info?");
      assert.equal((await json(client.get(info))).tag_count, 9);
      assert.deepEqual(await json(client.put(path, { json: { tags: { only: "this" } } })), {
        tags: { only: "this" },
      });
      assert.deepEqual(await json(client.get(path)), { tags: { only: "this" } });
      assert.deepEqual(await json(client.put(path, { json: { tags: {} } })), { tags: {} });
      assert.deepEqual(await json(client.get(path)), { tags: {} });
      assert.equal(await (await client.get(object(key))).text(), "content");
    }
    const tagged = { tags: { team: "red" } };
    await json(client.put(pathOf(test, keys[0]), { json: tagged }));
    const many = pathOf(test, "").replace("/object/tags?key=", "/objects/tags");
    assert.deepEqual(await json(client.post(many, { json: { keys: ["missing", ...keys.slice(0, 2)] } })), {
      objects: [{ key: "missing" }, { key: keys[0], ...tagged }, { key: keys[1], tags: {} }],
    });
    assert.equal(await refusal(client.post(many, { json: { keys: [] } })), "400 bad_request");
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, "v"]));
    assert.deepEqual(await json(client.put(pathOf(test, keys[0]), { json: { tags: ten } })), { tags: ten });
    assert.equal((await json(client.get(backend))).capabilities.tagging, true);
  });
});

upstreamTest(["embedded"], "tags that S3 does not allow are refused and change nothing", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, upload } = test;
    await upload("a", "content");
    const path = pathOf(test, "a");
    const before = { tags: { kept: "yes" } };
    await json(client.put(path, { json: before }));

    const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, "v"]));
    assert.equal(await refusal(client.put(path, { json: { tags: eleven } })), "400 too_many_tags");
    const badTexts = [
      ...["\0", "\x01", "\x1f", "\x7f", "\t", "\n", "\r", "\u2028", "\ufffe", "\ud800"],
      ...["<", "&", "*", "#", ",", "!", "(", '"', "'", "😀"],
    ];
    const bad: Record<string, string>[] = [
      { "": "v" },
      { ["k".repeat(129)]: "v" },
      { ["𠀀".repeat(65)]: "v" },
      { k: "v".repeat(257) },
      { "aws:k": "v" },
      { "AWS:k": "v" },
      ...badTexts.map((text) => ({ [`k${text}`]: "v" })),
      ...badTexts.map((text) => ({ k: `v${text}` })),
    ];
    for (const tags of bad) {
      assert.equal(
        await refusal(client.put(path, { json: { tags } })),
        "400 invalid_tag",
        JSON.stringify(tags),
      );
    }
    for (const tags of [undefined, null, 1, "a=b", [], [["a", "b"]], { a: 1 }, { a: null }, { a: ["b"] }]) {
      assert.equal(
        await refusal(client.put(path, { json: { tags } })),
        "400 bad_request",
        JSON.stringify(tags),
      );
    }
    assert.equal(await refusal(client.put(path, { body: "{" })), "400 bad_request");
    assert.equal(await refusal(client.put(path)), "400 bad_request");
    assert.deepEqual(await json(client.get(path)), before);

    // JSON.parse makes it a property like any other, and so do we.
    const strange = '{"tags":{"__proto__":"x","hasOwnProperty":"y"}}';
    const headers = { "content-type": "application/json" };
    await json(client.put(path, { body: strange, headers }));
    assert.equal(await (await client.get(path)).text(), strange);

    for (const key of ["", "a\0b", "../a", "a".repeat(1025)]) {
      assert.equal(await refusal(client.get(pathOf(test, key))), "400 invalid_key");
      assert.equal(await refusal(client.put(pathOf(test, key), { json: before })), "400 invalid_key");
    }
    assert.equal(await refusal(client.put(pathOf(test, "x/../a"), { json: before })), "400 invalid_key");
    assert.equal(await refusal(client.get(pathOf(test, "a").replace("key=", "k="))), "400 bad_request");
  });
});

upstreamTest(["minio", "versitygw"], "tags of what is not there are not found", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, object, upload, program } = test;
    await enableVersioning(upstream);
    const set = (key: string, more = "") =>
      client.put(pathOf(test, key, more), { json: { tags: { a: "b" } } });
    await upload("a", "one");
    const { version_id: first } = await json(client.get(object("a").replace("/object?", "/object/info?")));
    await upload("a", "two");
    await json(set("a", `&version_id=${first}`));
    assert.deepEqual(await json(client.get(pathOf(test, "a"))), { tags: {} });
    assert.deepEqual(await json(client.get(pathOf(test, "a", `&version_id=${first}`))), { tags: { a: "b" } });

    const absent = upstream.kind === "minio"
      ? "3c3ee0f4-1f0f-4f3a-9c9f-8a3a8f4f1c11"
      : "01HF0000000000000000000000";
    for (const [key, more] of [["b", ""], ["a", `&version_id=${absent}`]]) {
      assert.equal(await refusal(client.get(pathOf(test, key, more))), "404 not_found");
      assert.equal(await refusal(set(key, more)), "404 not_found");
    }
    for (const version of ["nonsense", "", "%00", "a%20b", "x".repeat(1025)]) {
      const more = `&version_id=${version}`;
      assert.equal(await refusal(client.get(pathOf(test, "a", more))), "400 bad_request", version);
      assert.equal(await refusal(set("a", more)), "400 bad_request", version);
    }

    await client.delete(object("a"));
    const { versions } = await json(client.get(object("a").replace("/object?", "/object/versions?")));
    const marker = `&version_id=${versions[0].version_id}`;
    for (const more of ["", marker]) {
      assert.equal(await refusal(client.get(pathOf(test, "a", more))), "404 not_found", more);
      assert.equal(await refusal(set("a", more)), "404 not_found", more);
    }
    assert.equal(
      await refusal(client.get(pathOf(test, "a").replace(bucketName, "no-such-bucket"))),
      "404 not_found",
    );

    // To MinIO this is the key "c", to versitygw "d//e" is "d/e".
    await upload("c", "content");
    await upload("d/e", "content");
    assert.match(await refusal(set("/c")), /^400 invalid_key$/);
    assert.match(await refusal(set("d//e")), /^(400 invalid_key|404 not_found)$/);
    for (const key of ["c", "d/e"]) assert.deepEqual(await json(client.get(pathOf(test, key))), { tags: {} });

    const reader = await program.signedIn("reader");
    const path = pathOf(test, "c");
    const tags = { json: { tags: { a: "b" } } };
    assert.deepEqual(await json(reader.get(path)), { tags: {} });
    assert.equal(await refusal(reader.put(path, tags)), "403 forbidden");
    assert.equal(await refusal(client.put(path, { ...tags, withoutCsrf: true })), "403 csrf_invalid");
    assert.equal(await refusal(program.client().get(path)), "401 unauthorized");
    assert.deepEqual(await json(client.get(path)), { tags: {} });
    const { events } = await json(client.get(`/api/admin/audit?bucket=${bucketName}&key=c`));
    assert.deepEqual(events.map(({ action }: { action: string }) => action), ["object.upload"]);
  }, { users: { admin: "admin", reader: "readonly" } });
});

upstreamTest(["minio"], "the tags of a dead backend or of one without tags", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  try {
    await withBucket(proxy, async (test) => {
      const { client, upload, backend } = test;
      await upload("a", "content");
      const path = pathOf(test, "a");
      const tags = { json: { tags: { a: "b" } } };
      proxy.set("refuse");
      for (const answer of [await client.get(path), await client.put(path, tags)]) {
        const text = await answer.clone().text();
        assert.equal(await refusal(answer), "502 backend_error");
        assert.ok(!text.includes(new URL(proxy.endpoint).port) && !text.includes(proxy.accessKey), text);
      }
      proxy.set("html");
      assert.equal(await refusal(client.get(path)), "502 backend_error");
      assert.equal(await refusal(client.put(path, tags)), "502 backend_error");
      proxy.set("none");
      for (const [code, status] of [["NotImplemented", 501], ["MethodNotAllowed", 405]] as const) {
        const matches = ({ query }: ProxiedRequest) => query.has("tagging");
        const rule = proxy.rule({ matches, fault: { kind: "status", status, code } });
        assert.equal(await refusal(client.get(path)), "400 not_supported");
        assert.equal(await refusal(client.put(path, tags)), "400 not_supported");
        assert.equal((await json(client.get(backend))).capabilities.tagging, false);
        rule.remove();
        assert.deepEqual(await json(client.get(path)), { tags: {} });
        assert.equal((await json(client.get(backend))).capabilities.tagging, true);
      }
      proxy.rule({
        matches: ({ query }) => query.has("tagging"),
        fault: { kind: "status", status: 404, code: "NoSuchTagSet" },
      });
      assert.deepEqual(await json(client.get(path)), { tags: {} });
    });
  } finally {
    await proxy.stop();
  }
});
