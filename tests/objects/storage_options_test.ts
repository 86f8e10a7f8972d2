import assert from "node:assert/strict";
import { pattern, Upload } from "../multipart/upload.ts";
import { type TestBucket, withBucket } from "../support/bucket.ts";
import { json, refusal } from "../support/http_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const mebibyte = 1 << 20;

const tags = { "project": "x 1+2", "a/b:c@d": "=_.-", "empty": "" };

const tagging = encodeURIComponent(new URLSearchParams(tags).toString());

interface Said {
  readonly storageClass?: string;
  readonly tags?: Readonly<Record<string, string>>;
}

/** What is stored under a key: its class and its tags. */
async function storedWith({ client, bucket }: TestBucket, key: string): Promise<Said> {
  const { storage_class } = await json(client.get(`${bucket}/object/info?key=${key}`));
  const { tags } = await json(client.get(`${bucket}/object/tags?key=${key}`));
  return { storageClass: storage_class, tags };
}

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  data.set("file", new Blob(["content"]), "chosen.bin");
  return data;
}

/** Stores an object in each way that the API has, and hands out their keys. */
async function storeInEveryWay(test: TestBucket, storageClass: string): Promise<string[]> {
  const { client, bucket, object } = test;
  const query = `&storage_class=${storageClass}&tagging=${tagging}`;
  await json(client.post(object("small") + query, { body: "content" }), 201);
  await json(client.post(object("large") + query, { body: pattern(8 * mebibyte + 1) }), 201);
  const tagFields = Object.entries(tags).map(([name, value]) => [`tags[${name}]`, value]);
  const fields = { key: "form", storage_class: storageClass, ...Object.fromEntries(tagFields) };
  await json(client.post(`${bucket}/object`, { body: form(fields) }), 201);
  const upload = await Upload.begin(client, bucket, "parts", { storage_class: storageClass, tags });
  await json(upload.complete([await upload.send(1, "content")]));
  return ["small", "large", "form", "parts"];
}

upstreamTest(
  ["minio"],
  "uploads are stored in the class and with the tags that they say",
  async (upstream) => {
    await withBucket(upstream, async (test) => {
      const { client, backend, upload } = test;
      for (const key of await storeInEveryWay(test, "REDUCED_REDUNDANCY")) {
        assert.deepEqual(await storedWith(test, key), { storageClass: "REDUCED_REDUNDANCY", tags }, key);
      }
      await upload("usual", "content");
      assert.deepEqual(await storedWith(test, "usual"), { storageClass: "STANDARD", tags: {} });
      const { storage_classes } = await json(client.get(`${backend}/storage-classes`));
      assert.deepEqual(storage_classes, ["STANDARD", "REDUCED_REDUNDANCY"]);
    });
  },
);

upstreamTest(
  ["embedded", "versitygw"],
  "uploads keep their tags where there is one class only",
  async (upstream) => {
    await withBucket(upstream, async (test) => {
      const { client, backend } = test;
      for (const key of await storeInEveryWay(test, "STANDARD")) {
        assert.deepEqual((await storedWith(test, key)).tags, tags, key);
      }
      const { storage_classes } = await json(client.get(`${backend}/storage-classes`));
      assert.deepEqual(storage_classes, upstream.kind === "versitygw" ? ["STANDARD"] : []);
      assert.equal(await refusal(client.get("/api/backends/none/storage-classes")), "404 not_found");
    });
  },
);

upstreamTest(["embedded", "minio"], "a class that is not there stores nothing", async (upstream) => {
  await withBucket(upstream, async (test) => {
    const { client, bucket, object } = test;
    const refused = async (answer: Promise<Response>) =>
      assert.equal(await refusal(answer), "400 invalid_storage_class");
    for (const body of ["content", pattern(8 * mebibyte + 1)]) {
      await refused(client.post(`${object("a")}&storage_class=NONE_SUCH`, { body }));
    }
    await refused(client.post(`${bucket}/object`, { body: form({ key: "a", storage_class: "NONE_SUCH" }) }));
    await refused(client.post(`${bucket}/multipart?key=a`, { json: { storage_class: "NONE_SUCH" } }));
    assert.deepEqual((await json(client.get(`${bucket}/objects`))).objects, []);
    assert.deepEqual((await json(client.get(`${bucket}/multipart`))).uploads, []);
    const { capabilities } = await json(client.get(test.backend));
    assert.notEqual(capabilities.multipart, false);
  });
});

upstreamTest(["embedded"], "what no upload can say is refused before anything is sent", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket, object }) => {
    const many = new URLSearchParams(Array.from({ length: 11 }, (_, index) => [`k${index}`, "v"]));
    const queries: readonly (readonly [string, string])[] = [
      ["storage_class=", "400 bad_request"],
      ["storage_class=a%20b", "400 bad_request"],
      [`tagging=${encodeURIComponent(many.toString())}`, "400 too_many_tags"],
      ["tagging=a%3D1%26a%3D2", "400 invalid_tag"],
      ["tagging=aws%3Aown%3D1", "400 invalid_tag"],
      ["tagging=a%3D%2500", "400 invalid_tag"],
    ];
    for (const [query, expected] of queries) {
      const answer = client.post(`${object("a")}&${query}`, { body: "content" });
      assert.equal(await refusal(answer), expected, query);
    }
    const forms: readonly (readonly [string, Record<string, string>, string])[] = [
      ["", { storage_class: "a b" }, "400 bad_request"],
      ["", { "tags[aws:own]": "1" }, "400 invalid_tag"],
      ["&tagging=a%3D1", { "tags[b]": "2" }, "400 bad_request"],
      ["&storage_class=STANDARD", { storage_class: "OTHER" }, "400 bad_request"],
    ];
    for (const [query, fields, expected] of forms) {
      const answer = client.post(`${object("a")}${query}`, { body: form(fields) });
      assert.equal(await refusal(answer), expected, JSON.stringify(fields));
    }
    const bodies: readonly (readonly [unknown, string])[] = [
      [{ storage_class: "" }, "400 bad_request"],
      [{ tags: { "": "x" } }, "400 invalid_tag"],
      [{ tags: ["x"] }, "400 bad_request"],
    ];
    for (const [body, expected] of bodies) {
      const answer = client.post(`${bucket}/multipart?key=a`, { json: body });
      assert.equal(await refusal(answer), expected, JSON.stringify(body));
    }
    assert.deepEqual((await json(client.get(`${bucket}/objects`))).objects, []);
  });
});
