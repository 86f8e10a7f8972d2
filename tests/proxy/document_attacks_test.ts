import assert from "node:assert/strict";
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { type Endpoint, withSharedEndpoint } from "../support/endpoint.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { exchangeOnce, WireConnection } from "./support/wire.ts";

function documentTest(
  kinds: readonly UpstreamKind[],
  name: string,
  body: (endpoint: Endpoint) => Promise<void>,
): void {
  for (const kind of kinds) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () => withSharedEndpoint(kind, {}, body),
    });
  }
}

const keyElement = (key: string) => `<Object><Key>${key}</Key></Object>`;
const laughs = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
);

/** Documents that would make a careless parser eat memory or time, read files, or name other keys than it says. */
const bombs: Readonly<Record<string, (root: string, content: string) => string>> = {
  "a billion laughs": (root, content) =>
    `<!DOCTYPE ${root} [<!ENTITY l0 "ha">${laughs.join("")}]><${root}>${content}&l9;</${root}>`,
  "an entity in a key": (root) =>
    `<!DOCTYPE ${root} [<!ENTITY k "key">]><${root}>${keyElement("&k;")}</${root}>`,
  "a file": (root) =>
    `<!DOCTYPE ${root} [<!ENTITY f SYSTEM "file:///etc/passwd">]><${root}>${keyElement("&f;")}</${root}>`,
  "another server": (root, content) =>
    `<!DOCTYPE ${root} SYSTEM "http://127.0.0.1:1/x.dtd"><${root}>${content}</${root}>`,
  "a parameter entity": (root, content) =>
    `<!DOCTYPE ${root} [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x">%p;]><${root}>${content}</${root}>`,
  "a great depth": (root, content) =>
    `<${root}>${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}${content}</${root}>`,
  "a depth without end": (root) => `<${root}>${"<a>".repeat(20_000)}`,
  "many elements": (root, content) => `<${root}>${"<a/>".repeat(300_000)}${content}</${root}>`,
  "many comments": (root, content) => `<${root}>${"<!---->".repeat(250_000)}${content}</${root}>`,
  "an open comment": (root, content) => `<${root}>${content}<!--${"-".repeat(1_000_000)}`,
  "an open section": (root, content) => `<${root}>${content}<![CDATA[${"]".repeat(1_000_000)}`,
  "an open tag": (root, content) => `<${root}>${content}<a${" ".repeat(1_000_000)}`,
  "an open attribute": (root, content) => `<${root}>${content}<a ${'b="c" '.repeat(200_000)}`,
  "an endless name": (root, content) => `<${root}>${content}<${"a".repeat(1_000_000)}`,
  "many references": (root, content) => `<${root}>${content}${"&amp;".repeat(200_000)}<a/></${root}>`,
  "a broken reference": (root) => `<${root}>${keyElement("&#0;")}</${root}>`,
  "half a character": (root) => `<${root}>${keyElement("&#xD800;")}</${root}>`,
  "two roots": (root, content) => `<${root}>${content}</${root}><${root}/>`,
  "another root": (_, content) => `<Other>${content}</Other>`,
  "no root": () => "",
};

documentTest(["minio"], "a document that is a bomb is refused, and soon", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  const object = { Bucket: "bucket", Key: "key" };
  await s3.send(new PutObjectCommand({ ...object, Body: "before" }));
  const { UploadId = "" } = await s3.send(new CreateMultipartUploadCommand(object));
  const part = "<Part><PartNumber>1</PartNumber><ETag>a</ETag></Part>";
  const documents = [
    ["/bucket?delete", "Delete", keyElement("key")],
    [`/bucket/key?uploadId=${encodeURIComponent(UploadId)}`, "CompleteMultipartUpload", part],
  ] as const;
  for (const [name, bomb] of Object.entries(bombs)) {
    for (const [target, root, content] of documents) {
      const startedAt = performance.now();
      const body = bomb(root, content);
      const { status, code, text } = await exchangeOnce(endpoint, { method: "POST", target, body }, endpoint);
      assert.equal(status, 400, `${name}, ${root}: ${text}`);
      assert.match(code, /^(?:MalformedXML|MaxMessageLengthExceeded)$/, `${name}, ${root}`);
      assert.ok(performance.now() - startedAt < 5_000, `${name}, ${root}`);
    }
  }
  const stored = await s3.send(new GetObjectCommand(object));
  assert.equal(await stored.Body?.transformToString(), "before");
});

documentTest(["minio"], "a document that is too long is refused before it is read", async (endpoint) => {
  for (const target of ["/bucket?delete", "/bucket/key?uploadId=u", "/bucket/key?tagging"]) {
    using connection = await WireConnection.open(endpoint.url);
    const method = target.endsWith("tagging") ? "PUT" : "POST";
    const headers = { expect: "100-continue" };
    await connection.sendHead({ method, target, headers, contentLength: 10_000_000 }, endpoint);
    const { status, code, text } = await connection.read();
    assert.equal(`${status} ${code}`, "400 MaxMessageLengthExceeded", text);
  }
});

documentTest(["minio", "versitygw"], "a list of keys is taken whole or not at all", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  for (const Key of ["team/a", "other", "a\rb"]) {
    await s3.send(new PutObjectCommand({ Bucket: "bucket", Key, Body: "x" }));
  }
  const keys = async () => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
    return Contents.map(({ Key }) => Key).sort();
  };
  const before = await keys();
  assert.equal(before.length, 3);
  const team = await endpoint.mint({ buckets: ["bucket"], prefix: "team/" });
  const remove = (elements: string, signer = team) => {
    const body = `<Delete>${elements}</Delete>`;
    return exchangeOnce(endpoint, { method: "POST", target: "/bucket?delete", body }, signer);
  };
  const refused = [
    keyElement("team/a") + keyElement("other"),
    keyElement("team/a") + keyElement("team/../other"),
    keyElement("team/a") + keyElement("TEAM/a"),
    keyElement("team/a") + keyElement("/team/a"),
    keyElement("team/a") + keyElement(""),
    keyElement("team/a") + keyElement(" team/a"),
    keyElement("team/a") + "<Object/>",
    keyElement("team/a") + "<Object><Key>team/b</Key><Key>other</Key></Object>",
    keyElement("team/a") + "<Object><Key>team/b</Key><key>other</key></Object>",
    keyElement("team/a") + "<Object><Key>team/b<Key>other</Key></Key></Object>",
    keyElement("team/a") + keyElement("a".repeat(1025)),
    keyElement("team/a") + "<object><Key>other</Key></object>",
    Array.from({ length: 1_001 }, () => keyElement("team/a")).join(""),
    "",
  ];
  for (const elements of refused) {
    const { status, text } = await remove(elements);
    assert.ok(status === 400 || status === 403, `${elements.slice(0, 200)}: ${text}`);
  }
  assert.deepEqual(await keys(), before);
  const thousand = Array.from({ length: 1_000 }, (_, index) => keyElement(`team/none${index}`)).join("");
  assert.equal((await remove(thousand)).status, 200);
  // One key is not another because a parser tidies line ends up.
  assert.equal((await remove(keyElement("a\nb"), endpoint)).status, 200);
  assert.deepEqual(await keys(), before);
});

documentTest(["minio"], "no parameter brings a header of its own into the answer", async (endpoint) => {
  using s3 = s3Client(endpoint.upstream);
  await s3.send(new PutObjectCommand({ Bucket: "bucket", Key: "key", Body: "content" }));
  const names = ["content-disposition", "content-type", "content-language", "cache-control", "expires"];
  for (const name of [...names, "content-encoding"]) {
    for (
      const value of [
        "a%0d%0ax-injected:%201",
        "a%0d%0a%0d%0ainjected",
        "a%0ax-injected:%201",
        "a%0dx-injected:1",
      ]
    ) {
      const target = `/bucket/key?response-${name}=${value}`;
      const { status, headers, text, code } = await exchangeOnce(
        endpoint,
        { method: "GET", target },
        endpoint,
      );
      assert.ok(!headers.has("x-injected"), text);
      assert.equal(`${status} ${code}`, "400 InvalidArgument", text);
    }
  }
});

documentTest(
  ["minio", "versitygw"],
  "metadata keeps odd bytes, and brings no header of its own",
  async (endpoint) => {
    using s3 = s3Client(endpoint.upstream);
    const bytes = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));
    const values = [
      "voil\xc3\xa0",
      bytes("Р"),
      bytes("日本語"),

      'a,b;c="d"',
      "%0d%0aX: 1",
      "\\r\\n",
    ];
    for (const value of values) {
      const headers = { "x-amz-meta-odd": value };
      const stored = await exchangeOnce(
        endpoint,
        { method: "PUT", target: "/bucket/key", headers, body: "x" },
        endpoint,
      );
      assert.equal(stored.status, 200, `${value}: ${stored.text}`);
      const { status, text } = await exchangeOnce(
        endpoint,
        { method: "GET", target: "/bucket/key" },
        endpoint,
      );
      assert.equal(status, 200, value);
      assert.equal(text.match(/\r\nx-amz-meta-/gi)?.length, 1, text);
    }
    const { Metadata } = await s3.send(new HeadObjectCommand({ Bucket: "bucket", Key: "key" }));
    assert.equal(Object.keys(Metadata ?? {}).length, 1);
    const large = { "x-amz-meta-odd": "a".repeat(2049) };
    const refused = await exchangeOnce(endpoint, {
      method: "PUT",
      target: "/bucket/key",
      headers: large,
      body: "x",
    }, endpoint);
    assert.equal(`${refused.status} ${refused.code}`, "400 MetadataTooLarge");
  },
);

documentTest(["minio"], "a query has its limits", async (endpoint) => {
  const many = Array.from({ length: 10_000 }, (_, index) => index.toString(36)).join("&");
  const names = Array.from({ length: 257 }, (_, index) => `x-amz-meta-${index}=1`).join("&");
  const queries: [query: string, code: string][] = [
    [many.slice(0, 30_000), "InvalidURI"],
    [names, "InvalidURI"],
    [`prefix=${"a".repeat(40_000)}`, "RequestHeaderSectionTooLarge"],
    [many, "RequestHeaderSectionTooLarge"],
    ["prefix=a&prefix=b", "InvalidArgument"],
    ["prefix=a&%70refix=b", "InvalidArgument"],
    ["prefix=%ff", "InvalidURI"],
    ["prefix=%00", "InvalidURI"],
    ["prefix=%", "InvalidURI"],
  ];
  // Before anybody asks who sends it.
  for (const [query, expected] of queries) {
    const { code, text } = await exchangeOnce(endpoint, { method: "GET", target: `/bucket?${query}` });
    assert.equal(code, expected, `${query.slice(0, 80)}: ${text}`);
  }
});
