import assert from "node:assert/strict";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { exchangeRaw, RawConnection } from "../support/raw_connection.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { signed, type SignedRequest } from "./support/signature.ts";

function attackTest(
  kinds: readonly UpstreamKind[],
  name: string,
  body: (endpoint: Endpoint) => Promise<void>,
): void {
  for (const kind of kinds) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () => withEndpoint(kind, {}, body),
    });
  }
}

/** A signed request as bytes, with lines that nobody signs. */
function wire({ method, target, lines, body }: SignedRequest, unsigned = ""): string {
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${target} HTTP/1.1\r\n${head}${unsigned}\r\n${body}`;
}

async function keysOf({ upstream }: Endpoint): Promise<string[]> {
  using s3 = s3Client(upstream);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
  return Contents.map(({ Key }) => Key ?? "");
}

const answers = (text: string) => text.match(/HTTP\/1\.1 \d{3} /g) ?? [];

attackTest(
  ["minio"],
  "what is no valid request is refused in S3's words, and its connection closed",
  async (endpoint) => {
    const put = signed(endpoint);
    const attacks: Readonly<Record<string, [request: string, code: string]>> = {
      "a length and a coding": [
        wire(put, "content-length: 5\r\ntransfer-encoding: chunked\r\n"),
        "InvalidRequest",
      ],
      "two lengths": [wire(put, "content-length: 5\r\ncontent-length: 6\r\n"), "InvalidRequest"],
      "two hosts": [wire(put, "content-length: 5\r\nhost: other\r\n"), "InvalidRequest"],
      "an absolute target": [
        wire({ ...put, target: `${endpoint.url}/bucket/key` }, "content-length: 5\r\n"),
        "InvalidRequest",
      ],
      "a folded header": [wire(put, "content-length: 5\r\nx-a: 1\r\n b\r\n"), "InvalidRequest"],
      "a huge header": [wire(put, `x-a: ${"a".repeat(40_000)}\r\n`), "RequestHeaderSectionTooLarge"],
      "many headers": [wire(put, "x-a: 1\r\n".repeat(300)), "RequestHeaderSectionTooLarge"],
      "a huge target": [
        `GET /bucket/${"a".repeat(40_000)} HTTP/1.1\r\nhost: h\r\n\r\n`,
        "RequestHeaderSectionTooLarge",
      ],
      "HTTP/2": ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "InvalidRequest"],
    };
    for (const [name, [request, code]] of Object.entries(attacks)) {
      const text = await exchangeRaw(endpoint.url, request);
      assert.match(text, /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r\n/, name);
      assert.ok(text.includes(`<Code>${code}</Code>`), `${name}: ${text}`);
      assert.match(text, /\r\nx-amz-request-id: \w+\r\n/, name);
      assert.equal(answers(text).length, 1, name);
    }
    assert.deepEqual(await keysOf(endpoint), []);
  },
);

attackTest(["minio", "versitygw"], "no request hides in the body of another", async (endpoint) => {
  const hidden = wire(signed(endpoint, { target: "/bucket/hidden", body: "" }), "content-length: 0\r\n");
  const length = `content-length: ${hidden.length}\r\n`;
  const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  const stranger = { ...endpoint, secretKey: "wrong" };
  const carriers = [
    // Refused with their bodies unread.
    wire({ ...signed(stranger), body: hidden }, length),
    wire({ ...signed(endpoint, { target: "/elsewhere/key" }), body: hidden }, length),
    wire({ ...signed(endpoint, { method: "POST" }), body: hidden }, length),
    wire({ ...signed(endpoint), body: chunk }, "transfer-encoding: chunked\r\n"),
    `PUT /bucket/key HTTP/1.1\r\nhost: h\r\n${length}expect: 100-continue\r\n\r\n${hidden}`,
    // Answered without need of a body.
    wire({ ...signed(endpoint, { method: "GET", body: "" }), body: hidden }, length),
    wire({ ...signed(endpoint, { method: "HEAD", body: "" }), body: hidden }, length),
    wire({ ...signed(endpoint, { method: "GET", target: "/", body: "" }), body: hidden }, length),
  ];
  for (const carrier of carriers) {
    const text = await exchangeRaw(endpoint.url, carrier);
    assert.equal(answers(text).length, 1, `${carrier.split("\r\n")[0]}: ${text}`);
    assert.match(text, /\r\nconnection: close\r\n/);
  }
  assert.deepEqual(await keysOf(endpoint), []);
});

attackTest(["minio"], "nobody is asked for a body that will be refused", async (endpoint) => {
  const refused = [
    signed({ ...endpoint, secretKey: "wrong" }),
    signed({ ...endpoint, accessKey: "UNKNOWN" }),
    signed(endpoint, { target: "/elsewhere/key" }),
  ];
  for (const request of refused) {
    using connection = await RawConnection.open(endpoint.url);
    await connection.send(wire({ ...request, body: "" }, "content-length: 5\r\nexpect: 100-continue\r\n"));
    assert.equal((await connection.answer()).status, 403);
  }
  using connection = await RawConnection.open(endpoint.url);
  await connection.send(
    wire({ ...signed(endpoint), body: "" }, "content-length: 5\r\nexpect: 100-continue\r\n"),
  );
  assert.equal((await connection.answer()).status, 100);
  await connection.send("hello");
  assert.equal((await connection.answer()).status, 200);
});

attackTest(
  ["minio"],
  "requests on one connection are answered in their order, each by its own signature",
  async (endpoint) => {
    const other = await endpoint.mint({ buckets: ["bucket"], prefix: "elsewhere/" });
    const get = { method: "GET", body: "" };
    using connection = await RawConnection.open(endpoint.url);
    await connection.send([
      wire(signed(endpoint), "content-length: 5\r\n"),
      wire(signed({ ...endpoint, ...other }, get)),
      wire(signed(endpoint, get)),
      wire(signed(endpoint, { ...get, method: "HEAD" })),
      "GET /bucket/key HTTP/1.1\r\nhost: h\r\n\r\n",
      wire(signed(endpoint, { ...get, target: "/bucket/none" })),
    ].join(""));
    const statuses: number[] = [];
    for (const isHead of [false, false, false, true, false, false]) {
      const { status, body } = await connection.answer({ isHead });
      statuses.push(status);
      if (status === 200 && statuses.length === 3) assert.equal(body, "hello");
    }
    assert.deepEqual(statuses, [200, 403, 200, 200, 403, 404]);
  },
);

attackTest(["minio"], "an upload that does not say how long it is stores nothing", async (endpoint) => {
  const request = signed(endpoint, { target: "/bucket/endless", body: "" });
  const lines = request.lines.filter(([name]) => name.toLowerCase() !== "content-length");
  const answer = await exchangeRaw(endpoint.url, wire({ ...request, lines }, "connection: close\r\n"));
  assert.match(answer, /^HTTP\/1\.1 411 /);
  assert.match(answer, /<Code>MissingContentLength<\/Code>/);
  assert.deepEqual(await keysOf(endpoint), []);
});
