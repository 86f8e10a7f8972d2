import assert from "node:assert/strict";
import { refusalProblem } from "../../src/backends/upstream_error.ts";
import { LockInquiry } from "../../src/objects/version_lock.ts";
import { answeredBucket } from "../support/answered_bucket.ts";
import { withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json, refusal } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { enableVersioning } from "../support/versions.ts";

interface Identifier {
  readonly key: string;
  readonly version_id?: string;
}

upstreamTest(["minio", "versitygw"], "objects and versions are deleted together", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, upload }) => {
    await enableVersioning(upstream);
    const versionsOf = async (key: string) =>
      (await json(client.get(`${bucket}/object/versions?key=${encodeURIComponent(key)}`))).versions;
    const remove = async (...keys: Identifier[]) => {
      const result = await json(client.post(`${bucket}/objects/delete`, { json: { keys } }));
      const found = [...result.deleted, ...result.errors].map(({ key, version_id }) =>
        `${key} ${version_id}`
      );
      assert.deepEqual(found.sort(), keys.map(({ key, version_id }) => `${key} ${version_id}`).sort());
      return result;
    };
    const keys = ["plain", "a\u0001b", "cr\rlf\n", " blank ", "<&>\"'", "日本語/😀", "%41+"];
    for (const key of keys) {
      await upload(key, "1");
      await upload(key, "2");
    }
    // Old versions go, latest ones stay.
    const old: Identifier[] = [];
    for (const key of keys) old.push({ key, version_id: (await versionsOf(key))[1].version_id });
    assert.deepEqual((await remove(...old)).errors, []);
    for (const key of keys) assert.equal((await versionsOf(key)).length, 1, key);

    // Without a version, an object gets a delete marker; asked for twice, it may get two.
    assert.deepEqual(
      (await remove(...keys.map((key) => ({ key })), { key: "plain" }, { key: "absent" })).errors,
      [],
    );
    assert.deepEqual((await json(client.get(`${bucket}/objects?delimiter=`))).objects, []);
    for (const key of keys) assert.ok((await versionsOf(key)).length >= 2, key);

    // Markers and versions together.
    const left: Identifier[] = [];
    for (const key of [...keys, "absent"]) {
      for (const { version_id } of await versionsOf(key)) left.push({ key, version_id });
    }
    assert.deepEqual((await remove(...left)).errors, []);
    for (const key of keys) assert.deepEqual(await versionsOf(key), [], key);

    await upload("kept", "content");
    const { errors } = await remove({ key: "kept", version_id: "nonsense" });
    assert.ok(errors.every(({ code }: { code: string }) => code === "bad_request" || code === "not_found"));
    assert.equal((await versionsOf("kept")).length, 1);
  });
});

upstreamTest(["minio"], "a deletion that the backend refuses is told object by object", async (upstream) => {
  const proxy = startFaultProxy(upstream);
  try {
    await withBucket(proxy, async ({ client, bucket, upload }) => {
      for (const key of ["a", "b\u0001", "c"]) await upload(key, "content");
      const keys = ["a", "b\u0001", "c"].map((key) => ({ key }));
      const remove = () => client.post(`${bucket}/objects/delete`, { json: { keys } });
      const rule = proxy.rule({
        matches: ({ method, key }) => method === "DELETE" && key === "b\u0001",
        fault: { kind: "status", status: 403, code: "AccessDenied" },
      });
      const { deleted, errors } = await json(remove());
      assert.deepEqual(deleted, [{ key: "a" }, { key: "c" }]);
      assert.deepEqual(errors.map(({ key, code }: Record<string, string>) => [key, code]), [[
        "b\u0001",
        "forbidden",
      ]]);
      rule.remove();
      assert.deepEqual((await json(client.get(`${bucket}/objects`))).objects.length, 1);
      for (const fault of ["refuse", "html", "unavailable"] as const) {
        proxy.set(fault);
        assert.equal(await refusal(remove()), "502 backend_error", fault);
      }
      proxy.set("none");
      assert.deepEqual((await json(remove())).errors, []);
    });
  } finally {
    await proxy.stop();
  }
});

Deno.test("of many versions that are refused, only some are asked for their locks", async () => {
  let asked = 0;
  let isHeld = true;
  await using bucket = answeredBucket("a", () => {
    asked++;
    return { "x-amz-object-lock-legal-hold": isHeld ? "ON" : "OFF" };
  });
  const problem = refusalProblem({ status: 400, code: "AccessDenied" });
  const explain = async (count: number, signal = new AbortController().signal) => {
    const locks = new LockInquiry(bucket.scope, signal);
    const codes = [];
    for (let index = 0; index < count; index++) {
      codes.push((await locks.explain({ key: `${index}`, versionId: "1" }, problem)).code);
    }
    return codes.filter((code) => code === "object_locked").length;
  };
  assert.deepEqual([await explain(110), asked], [100, 100]);
  isHeld = false;
  assert.deepEqual([await explain(110), asked], [0, 108]);
  assert.deepEqual([await explain(1, AbortSignal.abort()), asked], [0, 108]);
});
