import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import assert from "node:assert/strict";
import { type Endpoint, type EndpointKeys, withSharedEndpoint } from "../support/endpoint.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { exchangeOnce, type WireAnswer, type WireRequest } from "./support/wire.ts";

/** A tenant that may reach the bucket `mine`, and another that may reach what begins with `team/` in it. */
interface Tenants {
  readonly endpoint: Endpoint;
  readonly team: EndpointKeys;
  send(request: WireRequest, keys?: EndpointKeys): Promise<WireAnswer>;
}

const treasure = "another tenant's words";

/** Registers a test in front of each server; whatever happens in it, the other tenant's objects stay as they were. */
function attackTest(name: string, body: (tenants: Tenants) => Promise<void>): void {
  for (const kind of ["minio", "versitygw", "embedded"] satisfies UpstreamKind[]) {
    const options = { buckets: ["mine", "secret"], proxy: { host_suffixes: ["s3.test"] } };
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () =>
        withSharedEndpoint(kind, options, async (endpoint) => {
          using s3 = s3Client(endpoint.upstream);
          await seed(s3);
          const before = await contentsOf(s3);
          const mine = await endpoint.mint({ buckets: ["mine"] });
          const team = await endpoint.mint({ buckets: ["mine"], prefix: "team/" });
          const send: Tenants["send"] = (request, keys = mine) => exchangeOnce(endpoint, request, keys);
          await body({ endpoint, team, send });
          assert.deepEqual(await contentsOf(s3), before);
        }),
    });
  }
}

async function seed(s3: S3Client): Promise<void> {
  for (const [Bucket, Key] of [["secret", "key"], ["mine", "other"], ["mine", "team/own"]]) {
    const Body = Key === "team/own" ? "own" : treasure;
    await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  }
}

/** Every object that no attack may change, with its content. */
async function contentsOf(s3: S3Client): Promise<string[]> {
  const contents: string[] = [];
  for (const Bucket of ["secret", "mine"]) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key = "" } of Contents) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      contents.push(`${Bucket}/${Key}: ${await Body?.transformToString()}`);
    }
  }
  return contents;
}

function assertRefused({ status, text }: WireAnswer, about: string): void {
  assert.ok((status >= 400 && status < 500) || status === 501, `${about}: ${text}`);
  assert.ok(!text.includes(treasure), about);
  // Refused for what it asks for, not because the test cannot sign.
  assert.ok(!text.includes("SignatureDoesNotMatch"), about);
}

const otherBuckets = [
  "/secret/key",
  "//secret/key",
  "/./secret/key",
  "/mine/../secret/key",
  "/mine/%2e%2e/secret/key",
  "/mine/.%2E/secret/key",
  "/mine/..%2Fsecret%2fkey",
  "/mine/..%5csecret%5Ckey",
  "/mine/..\\secret\\key",
  "/mine/a/../../secret/key",
  "/mine//../secret/key",
  "/mine/%252e%252e/secret/key",
  "/mine%2F..%2Fsecret/key",
  "/%2Fsecret/key",
  "/secret%2Fkey",
  "/Secret/key",
  "/s%65cret/key",
  // What is no UTF-8, no escape or no character of a path.
  "/mine/%c0%ae%c0%ae/secret/key",
  "/mine/%e0%80%ae%e0%80%ae/secret/key",
  "/mine/%u002e%u002e/secret/key",
  "/mine/..%00/secret/key",
  "/mine%00/../secret/key",
  "/mine/..%",
  "/mine/..#/../secret/key",
];

attackTest("no way of writing a path leads into another bucket", async ({ send }) => {
  for (const target of otherBuckets) {
    for (const method of ["GET", "PUT", "DELETE"]) {
      // The name of an object that nobody has; reading it may say so, writing it would be right.
      if (target.includes("%252e") && method !== "GET") continue;
      assertRefused(await send({ method, target, body: method === "PUT" ? "x" : "" }), `${method} ${target}`);
    }
  }
});

attackTest("nor does one in virtual-hosted style", async ({ send }) => {
  const host = "mine.s3.test";
  for (
    const target of ["/../secret/key", "/%2e%2e/secret/key", "/a/..%2F..%2Fsecret/key", "/..%5Csecret%5Ckey"]
  ) {
    for (const method of ["GET", "PUT", "DELETE"]) {
      assertRefused(
        await send({ method, target, host, body: method === "PUT" ? "x" : "" }),
        `${method} ${target}`,
      );
    }
  }
  for (
    const other of [
      "secret.s3.test",
      "SECRET.S3.TEST:80",
      "mine.secret.s3.test",
      "mine.s3.test@secret.s3.test",
      "secret.s3.test.",
      ".s3.test",
      "mine.s3.test/../secret.s3.test",
    ]
  ) {
    assertRefused(await send({ method: "GET", target: "/key", host: other }), other);
  }
});

attackTest("nor does the source of a copy", async ({ send }) => {
  const sources = [
    "/secret/key",
    "secret/key",
    "secret%2Fkey",
    "%2Fsecret%2Fkey",
    "%2Fsecret/key",
    "//secret/key",
    "/mine/../secret/key",
    "/mine/..%2Fsecret%2Fkey",
    "..%2Fsecret/key",
    "/mine/%2e%2e/secret/key",
    "/mine/..%5Csecret%5Ckey",
    "/mine%2F..%2Fsecret/key",
    "/secret/key?versionId=null",
    "/secret%2fkey?versionId=null",
    "arn:aws:s3:::secret/key",
    "secret%252Fkey",
    "%252Fsecret%252Fkey",
    "/mine/%252e%252e/secret/key",
    "/mine/%c0%ae%c0%ae/secret/key",
    "/mine/..%00/secret/key",
    "/mine%00/../secret/key",
    "/mine/..\\secret\\key",
    "http://127.0.0.1/secret/key",
    "/secret/key, /mine/other",
    "/mine/other, /secret/key",
    "",
    "/",
  ];
  for (const source of sources) {
    for (const target of ["/mine/stolen", "/mine/stolen?partNumber=1&uploadId=u"]) {
      assertRefused(await send({ method: "PUT", target, headers: { "x-amz-copy-source": source } }), source);
    }
    const query = `/mine/stolen?x-amz-copy-source=${encodeURIComponent(source)}`;
    assertRefused(await send({ method: "PUT", target: query }), query);
  }
});

attackTest("a key with a prefix reaches nothing else in its bucket", async ({ send, team }) => {
  assert.equal((await send({ method: "GET", target: "/mine/team/own" }, team)).status, 200);
  const targets = [
    "/mine/other",
    "/mine/team/../other",
    "/mine/team/%2E%2e/other",
    "/mine/team/..%2fother",
    "/mine/team%2F..%2Fother",
    "/mine/team/..%5Cother",
    "/mine//team/../other",
  ];
  for (const target of targets) {
    for (const method of ["GET", "PUT", "DELETE"]) {
      assertRefused(
        await send({ method, target, body: method === "PUT" ? "x" : "" }, team),
        `${method} ${target}`,
      );
    }
  }
  for (
    const target of [
      "/mine",
      "/mine?list-type=2",
      "/mine?list-type=2&prefix=team%2F..%2F",
      "/mine?versions",
      "/mine?uploads",
    ]
  ) {
    assertRefused(await send({ method: "GET", target }, team), target);
  }
  for (const source of ["/mine/other", "/mine/team/..%2Fother"]) {
    const headers = { "x-amz-copy-source": source };
    assertRefused(await send({ method: "PUT", target: "/mine/team/own", headers }, team), source);
  }
});

attackTest("nor does what it deletes by a list", async ({ send, team }) => {
  const bodies = [
    "<Delete><Object><Key>team/own</Key></Object><Object><Key>other</Key></Object></Delete>",
    "<Delete><Object><Key>team/../other</Key></Object></Delete>",
    "<Delete><Object><Key>team/own</Key><Key>other</Key></Object></Delete>",
    "<Delete><Object><Key>team/.&#46;/other</Key></Object></Delete>",
    '<!DOCTYPE Delete [<!ENTITY k "other">]><Delete><Object><Key>&k;</Key></Object></Delete>',
  ];
  for (const body of bodies) {
    assertRefused(await send({ method: "POST", target: "/mine?delete", body }, team), body);
  }
  const climbing = "<Delete><Object><Key>../secret/key</Key></Object></Delete>";
  assertRefused(await send({ method: "POST", target: "/mine?delete", body: climbing }), climbing);
});

attackTest(
  "no header or parameter publishes an object, unpacks it elsewhere or deletes a folder",
  async ({ send, team }) => {
    const refused: readonly WireRequest[] = [
      { method: "PUT", target: "/mine/team/own", headers: { "x-amz-acl": "public-read" } },
      { method: "PUT", target: "/mine/team/own?x-amz-acl=public-read" },
      { method: "PUT", target: "/mine/team/own?X-Amz-Grant-Read=id%3Da" },
      { method: "PUT", target: "/mine/team/own", headers: { "x-amz-meta-snowball-auto-extract": "true" } },
      { method: "PUT", target: "/mine/team/own?x-amz-meta-minio-snowball-prefix=elsewhere" },
      { method: "DELETE", target: "/mine/team/own", headers: { "x-minio-force-delete": "true" } },
      { method: "PUT", target: "/mine/team/own?acl" },
      { method: "PUT", target: "/mine?policy", body: "{}" },
      { method: "PUT", target: "/mine?acl", headers: { "x-amz-acl": "public-read-write" } },
      { method: "DELETE", target: "/mine" },
      { method: "PUT", target: "/mine" },
    ];
    for (const request of refused) {
      for (const keys of [team, undefined]) {
        assertRefused(await send({ body: "x", ...request }, keys), `${request.method} ${request.target}`);
      }
    }
  },
);
