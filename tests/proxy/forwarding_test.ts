import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketVersioningCommand,
} from "@aws-sdk/client-s3";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { until } from "../support/poll.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { exchangeOnce, type WireAnswer, type WireRequest } from "./support/wire.ts";

/** Sends a request, signed, over a connection of its own. */
type Send = (method: string, target: string, more?: Partial<WireRequest>) => Promise<WireAnswer>;

const servers: readonly UpstreamKind[] = ["minio", "versitygw"];

function endpointTest(
  kinds: readonly UpstreamKind[],
  name: string,
  body: (send: Send, endpoint: Endpoint) => Promise<void>,
): void {
  for (const kind of kinds) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () =>
        withEndpoint(kind, {}, (endpoint) => {
          const send: Send = (method, target, more = {}) =>
            exchangeOnce(endpoint, { method, target, ...more }, endpoint);
          return body(send, endpoint);
        }),
    });
  }
}

function outcome({ status, code }: WireAnswer): string {
  return code === "" ? String(status) : `${status} ${code}`;
}

const decoder = new TextDecoder();

endpointTest(servers, "ranges and conditions are the upstream's to decide", async (send) => {
  const put = await send("PUT", "/bucket/digits", { body: "0123456789" });
  const etag = put.headers.get("etag") ?? "";
  const get = async (headers: Record<string, string>) => {
    const answer = await send("GET", "/bucket/digits", { headers });
    const range = answer.headers.get("content-range");
    return `${outcome(answer)} ${answer.status < 300 ? decoder.decode(answer.body) : ""} ${range ?? ""}`
      .trim();
  };
  assert.equal(await get({ range: "bytes=2-4" }), "206 234 bytes 2-4/10");
  assert.equal(await get({ range: "bytes=-3" }), "206 789 bytes 7-9/10");
  assert.equal(await get({ range: "bytes=8-" }), "206 89 bytes 8-9/10");
  assert.match(await get({ range: "bytes=10-" }), /^416 InvalidRange/);
  assert.equal(await get({ "if-none-match": etag }), "304");
  assert.equal(await get({ "if-none-match": '"other"' }), "200 0123456789");
  assert.equal(await get({ "if-match": '"other"' }), "412 PreconditionFailed");
  // A server may look at fractions of a second that the header does not tell.
  const unmodified = () => get({ "if-modified-since": new Date().toUTCString() });
  await until(async () => await unmodified() === "304", { what: "the time after the change" });
  assert.equal(
    await get({ "if-unmodified-since": new Date(Date.now() - 86_400_000).toUTCString() }),
    "412 PreconditionFailed",
  );

  const head = await send("HEAD", "/bucket/digits");
  assert.deepEqual([head.status, head.headers.get("content-length"), head.headers.get("etag")], [
    200,
    "10",
    etag,
  ]);
  assert.equal((await send("HEAD", "/bucket/digits", { headers: { "if-none-match": etag } })).status, 304);
  assert.equal((await send("HEAD", "/bucket/digits", { headers: { "if-match": '"other"' } })).status, 412);
  assert.equal((await send("HEAD", "/bucket/missing")).status, 404);

  const putIf = async (headers: Record<string, string>, key = "digits") =>
    outcome(await send("PUT", `/bucket/${key}`, { body: "new", headers }));
  assert.equal(await putIf({ "if-none-match": "*" }), "412 PreconditionFailed");
  assert.equal(await putIf({ "if-match": '"other"' }), "412 PreconditionFailed");
  assert.equal(await get({}), "200 0123456789");
  assert.equal(await putIf({ "if-none-match": "*" }, "fresh"), "200");
  assert.equal(await putIf({ "if-match": etag }), "200");
  assert.equal(await get({}), "200 new");
});

endpointTest(
  servers,
  "an object comes as it was stored, with all that was said of it",
  async (send, endpoint) => {
    const headers = {
      "content-type": "text/x-odd; charset=utf-8",
      "content-encoding": "gzip",
      "content-language": "de",
      "content-disposition": 'attachment; filename="a b.txt"',
      "cache-control": "max-age=60",
      "expires": "Thu, 01 Jan 2032 00:00:00 GMT",
      "x-amz-meta-plain": "word",
      "x-amz-meta-odd": 'a  b;c="d", ~`|^{}%20=?UTF-8?Q?x?=',
      "x-amz-tagging": "colour=blue&size=x%20l",
    };
    const body = new Uint8Array(gzipSync("hello".repeat(1000)));
    assert.equal(outcome(await send("PUT", "/bucket/gz", { body, headers })), "200");
    for (const method of ["GET", "HEAD"]) {
      const answer = await send(method, "/bucket/gz");
      assert.equal(answer.headers.get("content-length"), String(body.length), method);
      if (method === "GET") assert.deepEqual(answer.body, body);
      for (const [name, value] of Object.entries(headers)) {
        if (name === "x-amz-tagging") continue;
        // A header's value is one run of text to HTTP: servers may fold its blanks.
        const fold = (text: string | null) => text?.replace(/ +/g, " ");
        assert.equal(fold(answer.headers.get(name)), fold(value), `${method} ${name}`);
      }
    }
    assert.match((await send("GET", "/bucket/gz?tagging")).text, /<Key>colour<\/Key><Value>blue<\/Value>/);
    const tagging = "<Tagging><TagSet><Tag><Key>only</Key><Value>one</Value></Tag></TagSet></Tagging>";
    assert.equal(outcome(await send("PUT", "/bucket/gz?tagging", { body: tagging })), "200");
    const tags = (await send("GET", "/bucket/gz?tagging")).text;
    assert.ok(tags.includes("<Key>only</Key>") && !tags.includes("colour"), tags);
    assert.equal((await send("DELETE", "/bucket/gz?tagging")).status, 204);

    const overrides =
      "response-content-type=text%2Fplain&response-content-disposition=inline%3B%20x&response-cache-control=no-store";
    const overridden = await send("GET", `/bucket/gz?${overrides}`);
    assert.deepEqual(
      ["content-type", "content-disposition", "cache-control"].map((name) => overridden.headers.get(name)),
      ["text/plain", "inline; x", "no-store"],
    );

    assert.equal(outcome(await send("PUT", "/bucket/empty", { body: "" })), "200");
    const empty = await send("GET", "/bucket/empty");
    assert.deepEqual([empty.status, empty.headers.get("content-length"), empty.body.length], [200, "0", 0]);

    using s3 = s3Client(endpoint.upstream);
    const stored = await s3.send(new HeadObjectCommand({ Bucket: "bucket", Key: "gz" }));
    assert.equal(stored.Metadata?.plain, "word");
  },
);

/** Each as it is written in a request, and the key that it names. */
const keys: readonly (readonly [written: string, key: string])[] = [
  ["a%20b", "a b"],
  ["a+b", "a+b"],
  ["a%2Bb", "a+b"],
  ["100%25", "100%"],
  ["%2541", "%41"],
  ["a;b=c&d,e@f:g$h", "a;b=c&d,e@f:g$h"],
  ["it's(a)*test!", "it's(a)*test!"],
  ["it%27s%28b%29%2Atest%21", "it's(b)*test!"],
  ["what%3Fnot%23this", "what?not#this"],
  ["~tilde", "~tilde"],
  ["%7Etilde2", "~tilde2"],
  ["gr%C3%BC%C3%9Fe/%E6%97%A5%E6%9C%AC/%F0%9F%A6%95", "grüße/日本/🦕"],
  ["%e6%97%a5", "日"],
  ["q%22%3C%3E%7B%7D%7C%5E%60%5B%5D", 'q"<>{}|^`[]'],
];

endpointTest(
  [...servers, "seaweedfs"],
  "a key is the same here and upstream, however it is written",
  async (send, endpoint) => {
    using s3 = s3Client(endpoint.upstream);
    // Where objects are files, a folder has no content.
    const more = endpoint.upstream.kind !== "minio"
      ? []
      : [["folder/", "folder/"], ["tail%20/", "tail /"]] as const;
    for (const [written, key] of [...keys, ...more]) {
      const body = `content of ${key}`;
      assert.equal(outcome(await send("PUT", `/bucket/${written}`, { body })), "200", key);
      const stored = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: key }));
      assert.equal(await stored.Body?.transformToString(), body, key);
      assert.equal(decoder.decode((await send("GET", `/bucket/${written}`)).body), body, key);
      assert.equal((await send("HEAD", `/bucket/${written}`)).status, 200, key);
      const source = encodeURIComponent(`bucket/${key}`);
      const copy = await send("PUT", "/bucket/copy", { headers: { "x-amz-copy-source": source } });
      assert.equal(outcome(copy), "200", `${key}: ${copy.text}`);
      assert.equal(decoder.decode((await send("GET", "/bucket/copy")).body), body, key);
      assert.equal((await send("DELETE", `/bucket/${written}`)).status, 204, key);
    }
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
    assert.deepEqual(Contents.map(({ Key }) => Key), ["copy"]);
  },
);

endpointTest(servers, "versions are read and deleted by their id", async (send, endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  const VersioningConfiguration = { Status: "Enabled" } as const;
  await s3.send(new PutBucketVersioningCommand({ Bucket: "bucket", VersioningConfiguration }));
  assert.match((await send("GET", "/bucket?versioning")).text, /<Status>Enabled<\/Status>/);
  const versions: string[] = [];
  for (const body of ["first", "second"]) {
    const { headers } = await send("PUT", "/bucket/key", { body });
    versions.push(encodeURIComponent(headers.get("x-amz-version-id") ?? ""));
  }
  const first = `/bucket/key?versionId=${versions[0]}`;
  assert.equal(decoder.decode((await send("GET", first)).body), "first");
  const source = `/bucket/key?versionId=${versions[0]}`;
  assert.equal((await send("PUT", "/bucket/copy", { headers: { "x-amz-copy-source": source } })).status, 200);
  assert.equal(decoder.decode((await send("GET", "/bucket/copy")).body), "first");
  const marker = await send("DELETE", "/bucket/key");
  assert.equal(marker.headers.get("x-amz-delete-marker"), "true");
  const gone = await send("GET", "/bucket/key");
  assert.equal(outcome(gone), "404 NoSuchKey");
  assert.equal((await send("GET", "/bucket?versions")).text.match(/<Version>/g)?.length, 3);
  const markerId = encodeURIComponent(marker.headers.get("x-amz-version-id") ?? "");
  assert.equal((await send("DELETE", `/bucket/key?versionId=${markerId}`)).status, 204);
  assert.equal(decoder.decode((await send("GET", "/bucket/key")).body), "second");
  assert.equal((await send("DELETE", first)).status, 204);
  assert.equal((await send("GET", first)).status, 404);
});

endpointTest(
  ["minio"],
  "what an upstream cannot do it refuses; nothing is left out in silence",
  async (send, endpoint) => {
    const key = btoa("k".repeat(32));
    const sse = {
      "x-amz-server-side-encryption-customer-algorithm": "AES256",
      "x-amz-server-side-encryption-customer-key": key,
      "x-amz-server-side-encryption-customer-key-md5": "2bxPQtNEFEGW7KcCuZHuIA==",
    };
    const refused = await send("PUT", "/bucket/secret", { body: "x", headers: sse });
    assert.ok(refused.status >= 400 && refused.code !== "", refused.text);
    const storage = await send("PUT", "/bucket/cold", {
      body: "x",
      headers: { "x-amz-storage-class": "NONE_SUCH" },
    });
    assert.equal(outcome(storage), "400 InvalidStorageClass");
    const reduced = { "x-amz-storage-class": "REDUCED_REDUNDANCY" };
    assert.equal(outcome(await send("PUT", "/bucket/reduced", { body: "x", headers: reduced })), "200");
    assert.equal(
      (await send("HEAD", "/bucket/reduced")).headers.get("x-amz-storage-class"),
      "REDUCED_REDUNDANCY",
    );
    const lock = { "x-amz-object-lock-legal-hold": "ON" };
    const locked = await send("PUT", "/bucket/locked", { body: "x", headers: lock });
    assert.equal(locked.status, 400, locked.text);
    using s3 = s3Client(endpoint.upstream);
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
    assert.deepEqual(Contents.map(({ Key }) => Key), ["reduced"]);
  },
);

Deno.test("in virtual-hosted style the bucket comes from the host name", () =>
  withEndpoint(
    "embedded",
    { proxy: { host_suffixes: ["s3.test", "storage.example"] } },
    async (endpoint) => {
      const send = (method: string, target: string, host?: string, body?: string) =>
        exchangeOnce(endpoint, { method, target, host, body }, endpoint);
      assert.equal(outcome(await send("PUT", "/a%20b//c", "bucket.s3.test", "x")), "200");
      assert.equal(decoder.decode((await send("GET", "/a%20b//c", "BUCKET.S3.test:8090")).body), "x");
      assert.equal(decoder.decode((await send("GET", "/bucket/a%20b//c")).body), "x");
      assert.equal(decoder.decode((await send("GET", "/bucket/a%20b//c", "s3.test")).body), "x");
      assert.match(
        (await send("GET", "/?list-type=2", "bucket.storage.example")).text,
        /<Key>a b\/\/c<\/Key>/,
      );
      assert.equal((await send("HEAD", "/", "bucket.s3.test")).status, 200);
      assert.equal(outcome(await send("GET", "/a", "other.s3.test")), "403 AccessDenied");
      assert.match((await send("GET", "/", "s3.test")).text, /<ListAllMyBucketsResult/);
      using s3 = s3Client(endpoint.upstream);
      await s3.send(new CreateBucketCommand({ Bucket: "dotted.name" }));
      const dotted = await endpoint.mint({ buckets: ["dotted.name"] });
      const head = { method: "HEAD", target: "/", host: "dotted.name.s3.test" };
      assert.equal((await exchangeOnce(endpoint, head, dotted)).status, 200);
    },
  ));
