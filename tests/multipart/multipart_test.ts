import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestBucket, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";
import { digest, digestOf, md5, partBytes, pattern, Upload } from "./upload.ts";

const content = [1, 2, 3].map((seed) => pattern(seed === 3 ? 1000 : partBytes, seed));

upstreamTest(["embedded", "minio", "versitygw"], "an upload in parts", async (upstream, t) => {
  const options = { users: { admin: "admin", reader: "readonly", writer: "user" } } as const;
  await withBucket(upstream, async (bucket) => {
    await t.step("makes one object of parts that come in any order", () => completes(bucket));
    await t.step("takes only what it can be made of", () => refusesBadParts(bucket));
    await t.step("is refused for bad input, which changes nothing", () => refusesBadInput(bucket));
    await t.step("takes a wrong Content-MD5 for what it is", () => verifiesDigests(bucket));
    await t.step("lists its parts page by page", () => listsParts(bucket));
    await t.step("is gone once it was aborted", () => aborts(bucket));
    await t.step("never replaces an object that must be absent", () => keepsObjects(bucket));
    await t.step("is for writers, and on record", () => isGuarded(bucket));
  }, options);
});

async function completes({ client, bucket, object }: TestBucket): Promise<void> {
  const key = "folder/ünï +%&=?.bin";
  const metadata = { Colour: "blue", name: "Žofie" };
  const upload = await Upload.begin(client, bucket, key, {
    content_type: "text/csv; charset=utf-8",
    metadata,
  });
  const sent = await Promise.all(
    [3, 1, 2].map((number) => upload.send(number, content[number - 1])),
  );
  for (const { part_number, etag } of sent) assert.equal(etag, md5(content[part_number - 1]));
  assert.equal(await status(client.get(object(key))), 404, "it is no object yet");
  const parts = await upload.list();
  assert.deepEqual(
    parts.map(({ part_number, etag, size }) => [part_number, etag, size]),
    content.map((bytes, index) => [index + 1, md5(bytes), bytes.length]),
  );
  const stored = await json(upload.complete(sent.sort((a, b) => a.part_number - b.part_number)));
  const whole = createHash("md5");
  for (const bytes of content) whole.update(md5(bytes), "hex");
  assert.deepEqual(stored, { key, size: 2 * partBytes + 1000, etag: `${whole.digest("hex")}-3` });
  assert.equal(await digestOf(client, object(key)), digest(...content));
  const info = await json(client.get(`${bucket}/object/info?key=${encodeURIComponent(key)}`));
  assert.equal(info.content_type, "text/csv; charset=utf-8");
  assert.deepEqual(info.metadata, { colour: "blue", name: "Žofie" });
  assert.equal(await refusal(client.get(upload.path("/parts"))), "404 not_found");
  assert.equal(await refusal(upload.complete(sent)), "404 not_found");
}

async function refusesBadParts({ client, bucket, object }: TestBucket): Promise<void> {
  const upload = await Upload.begin(client, bucket, "bad-parts");
  const [one, two] = [await upload.send(1, content[0]), await upload.send(2, content[1])];
  await upload.send(4, "small");
  const fault = async (parts: unknown) => {
    const { error } = await json(upload.complete(parts), 400);
    assert.equal(error.code, "bad_request");
    return error.detail?.part_number;
  };
  assert.equal(await fault([one, { ...two, etag: one.etag }]), 2);
  assert.equal(await fault([{ ...one, etag: "nonsense" }, two]), 1);
  assert.equal(await fault([one, { part_number: 3, etag: one.etag }]), 3);
  assert.equal(await fault([two, one]), 1);
  assert.equal(await fault([one, two, two]), 2);
  assert.equal(await fault([]), undefined);
  assert.equal(await fault(undefined), undefined);
  assert.equal(await fault("1"), undefined);
  for (const part of [{ part_number: 0 }, { part_number: 10_001 }, { part_number: 1.5 }, { etag: "" }]) {
    await fault([{ ...one, ...part }]);
  }
  const many = Array.from({ length: 10_001 }, () => one);
  assert.equal(await fault(many), undefined);
  // Only the last part may be smaller than 5 MiB; it is the backend that says so.
  const [first] = [await upload.send(1, "too small")];
  assert.equal(await refusal(upload.complete([first, two])), "400 bad_request");
  assert.equal(await status(client.get(object("bad-parts"))), 404);
  // What was refused can be put right.
  const again = await upload.send(1, content[0]);
  const stored = await json(upload.complete([again, { ...two, etag: `"${two.etag}"` }]));
  assert.equal(stored.size, 2 * partBytes, "part 4 is left out");
  assert.equal(await digestOf(client, object("bad-parts")), digest(content[0], content[1]));
}

async function refusesBadInput({ client, bucket }: TestBucket): Promise<void> {
  const path = `${bucket}/multipart`;
  const begin = (query: string, body: unknown = {}) =>
    refusal(client.post(`${path}?${query}`, { json: body }));
  assert.equal(await begin(""), "400 bad_request");
  assert.equal(await begin("key="), "400 invalid_key");
  assert.equal(await begin("key=a%00"), "400 invalid_key");
  assert.equal(await begin("key=a/../b"), "400 invalid_key");
  assert.equal(await begin(`key=${"a".repeat(1025)}`), "400 invalid_key");
  assert.equal(await begin("key=a", { content_type: "nonsense" }), "400 invalid_metadata");
  assert.equal(await begin("key=a", { content_type: "a/b\r\nx: y" }), "400 invalid_metadata");
  assert.equal(await begin("key=a", { metadata: { "b c": "x" } }), "400 invalid_metadata");
  assert.equal(await begin("key=a", { metadata: { b: "x\u0001" } }), "400 invalid_metadata");
  assert.equal(await begin("key=a", { metadata: { b: "x".repeat(3000) } }), "400 invalid_metadata");
  assert.equal(await begin("key=a", { metadata: { b: 1 } }), "400 bad_request");
  assert.equal(await begin("key=a", { metadata: [] }), "400 bad_request");
  assert.equal(await begin("key=a&if_absent=maybe"), "400 bad_request");
  const nowhere = path.replace("test-bucket", "no-such-bucket");
  assert.equal(await refusal(client.post(`${nowhere}?key=a`)), "404 not_found");
  assert.equal(await refusal(client.get(nowhere)), "404 not_found");
  assert.equal(await refusal(client.get(path.replace("/main/", "/other/"))), "404 not_found");

  const upload = await Upload.begin(client, bucket, "bad-input");
  for (const number of ["0", "10001", "-1", "1.5", "x", "1e1", "000001"]) {
    assert.equal(await refusal(upload.put(number, "x")), "400 bad_request", number);
  }
  const chunked = ReadableStream.from([new Uint8Array(10)]);
  assert.equal(await refusal(upload.put(1, chunked)), "411 length_required");
  const elsewhere = [
    new Upload(client, bucket, "another-key", upload.id),
    new Upload(client, bucket, "bad-input", "no-such-upload"),
    new Upload(client, bucket.replace("test-bucket", "no-such-bucket"), "bad-input", upload.id),
  ];
  for (const other of elsewhere) {
    assert.equal(await refusal(other.put(1, "x")), "404 not_found");
    assert.equal(await refusal(other.put(1, content[0])), "404 not_found");
    assert.equal(await refusal(client.get(other.path("/parts"))), "404 not_found");
    assert.equal(await refusal(other.complete([{ part_number: 1, etag: "x" }])), "404 not_found");
    assert.equal(await refusal(other.abort()), "404 not_found");
  }
  // Names of folders for servers that keep uploads in folders.
  for (const id of ["", ".", "..", "../..", `${upload.id}/..`, "a\nb", "é"]) {
    const other = new Upload(client, bucket, "bad-input", id);
    assert.equal(await refusal(other.abort()), "400 bad_request", id);
    assert.equal(await refusal(other.put(1, "x")), "400 bad_request", id);
  }
  for (const query of ["&max_parts=0", "&max_parts=10001", "&part_number_marker=-1"]) {
    assert.equal(await refusal(client.get(upload.path("/parts", query))), "400 bad_request", query);
  }
  for (const query of ["max_uploads=0", "max_uploads=1001", "max_uploads=x"]) {
    assert.equal(await refusal(client.get(`${path}?${query}`)), "400 bad_request", query);
  }
  assert.equal(await refusal(client.get(`${path}?prefix=a%00`)), "400 invalid_prefix");
  assert.equal(await refusal(client.get(`${path}?key_marker=a%00`)), "400 invalid_key");
  assert.deepEqual(await upload.list(), []);
  assert.equal(await status(upload.abort()), 204);
}

async function verifiesDigests({ client, bucket }: TestBucket): Promise<void> {
  const upload = await Upload.begin(client, bucket, "digest");
  const digestHeader = (bytes: Uint8Array) => ({
    "content-md5": createHash("md5").update(bytes).digest("base64"),
  });
  for (const bytes of [content[2], content[0]]) {
    const wrong = upload.put(1, bytes, { headers: digestHeader(content[1]) });
    assert.equal(await refusal(wrong), "400 bad_request");
    assert.deepEqual(await upload.list(), []);
  }
  const malformed = upload.put(1, "x", { headers: { "content-md5": "nonsense" } });
  assert.equal(await refusal(malformed), "400 bad_request");
  await json(upload.put(1, content[0], { headers: digestHeader(content[0]) }));
  assert.equal((await upload.list())[0].etag, md5(content[0]));
  assert.equal(await status(upload.abort()), 204);
}

async function listsParts({ client, bucket, object }: TestBucket): Promise<void> {
  const upload = await Upload.begin(client, bucket, "many");
  const numbers = [1, 2, 5, 9, 10_000];
  const sent = [];
  for (const number of numbers) sent.push(await upload.send(number, `part ${number}`));
  const numbersOf = (parts: { part_number: number }[]) => parts.map(({ part_number }) => part_number);
  assert.deepEqual(numbersOf(await upload.list()), numbers);
  assert.deepEqual(numbersOf(await upload.list("&part_number_marker=2")), [5, 9, 10_000]);
  assert.deepEqual(numbersOf(await upload.list("&part_number_marker=10000")), []);
  const first = await json(client.get(upload.path("/parts", "&max_parts=2")));
  assert.deepEqual([first.is_truncated, first.next_part_number_marker], [true, 2]);
  const last = await json(client.get(upload.path("/parts", "&max_parts=3&part_number_marker=2")));
  assert.deepEqual([numbersOf(last.parts), last.is_truncated], [[5, 9, 10_000], false]);
  const stored = await json(upload.complete([sent[4]]));
  assert.equal(stored.size, "part 10000".length);
  assert.equal(await (await client.get(object("many"))).text(), "part 10000");
}

async function aborts({ client, bucket, object }: TestBucket): Promise<void> {
  const upload = await Upload.begin(client, bucket, "aborted");
  const part = await upload.send(1, "x");
  assert.equal(await status(upload.abort()), 204);
  assert.equal(await refusal(upload.abort()), "404 not_found");
  assert.equal(await refusal(upload.put(2, "x")), "404 not_found");
  assert.equal(await refusal(upload.complete([part])), "404 not_found");
  assert.equal(await refusal(client.get(upload.path("/parts"))), "404 not_found");
  assert.equal(await status(client.get(object("aborted"))), 404);
}

async function keepsObjects({ client, bucket, object, upload: store }: TestBucket): Promise<void> {
  const path = `${bucket}/multipart?key=once`;
  const early = await Upload.begin(client, bucket, "once", { if_absent: true });
  const part = await early.send(1, "second");
  await store("once", "first");
  assert.equal(await refusal(client.post(`${path}&if_absent=true`)), "409 object_exists");
  assert.equal(await refusal(client.post(path, { json: { if_absent: true } })), "409 object_exists");
  assert.equal(await refusal(early.complete([part], "&if_absent=true")), "409 object_exists");
  assert.equal(await (await client.get(object("once"))).text(), "first");
  assert.equal((await early.list()).length, 1, "the upload is as it was");
  await json(early.complete([part]));
  assert.equal(await (await client.get(object("once"))).text(), "second");
}

async function isGuarded({ program, client, bucket }: TestBucket): Promise<void> {
  const [reader, writer] = [await program.signedIn("reader"), await program.signedIn("writer")];
  const upload = await Upload.begin(writer, bucket, "guarded");
  const part = await upload.send(1, "x");
  const read = new Upload(reader, bucket, "guarded", upload.id);
  assert.equal((await read.list()).length, 1);
  assert.equal(await status(reader.get(`${bucket}/multipart`)), 200);
  assert.equal(await refusal(reader.post(`${bucket}/multipart?key=a`)), "403 forbidden");
  assert.equal(await refusal(read.put(1, "x")), "403 forbidden");
  assert.equal(await refusal(read.complete([part])), "403 forbidden");
  assert.equal(await refusal(read.abort()), "403 forbidden");
  assert.equal(
    await refusal(writer.put(upload.path("/parts/1"), { body: "x", withoutCsrf: true })),
    "403 csrf_invalid",
  );
  assert.equal(await refusal(program.client().get(`${bucket}/multipart`)), "401 unauthorized");
  await json(upload.complete([part]));
  const other = await Upload.begin(writer, bucket, "guarded");
  assert.equal(await status(other.abort()), 204);
  const { events } = await json(client.get("/api/admin/audit?key=guarded"));
  assert.deepEqual(
    events.map(({ action, status, detail }: AuditRow) => [action, status, detail.multipart, detail.size])
      .reverse(),
    [
      ["multipart.create", "ok", undefined, undefined],
      ["object.upload", "error", undefined, undefined],
      ["multipart.abort", "error", undefined, undefined],
      ["object.upload", "ok", true, 1],
      ["multipart.create", "ok", undefined, undefined],
      ["multipart.abort", "ok", undefined, undefined],
    ],
  );
}

interface AuditRow {
  readonly action: string;
  readonly status: string;
  readonly detail: Record<string, unknown>;
}
