import assert from "node:assert/strict";
import fc from "fast-check";
import { scopeText, signingKey } from "../../src/sigv4/canonical.ts";
import { type ChunkedOptions, type ChunkSigning, decodeChunkedBody } from "../../src/sigv4/chunked.ts";

/** The worked example of https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html */
const scope = { date: "20130524", region: "us-east-1", service: "s3" };
const signing: ChunkSigning = {
  key: signingKey("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", scope),
  time: "20130524T000000Z",
  scope: scopeText(scope),
  seedSignature: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
};
const published = [
  "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
  "a".repeat(65536),
  "400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
  "a".repeat(1024),
  "0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
  "",
  "",
].join("\r\n");

/** The one with a trailing checksum: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html */
const trailerSigning: ChunkSigning = {
  ...signing,
  seedSignature: "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
};
const publishedTrailer = [
  "10000;chunk-signature=b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
  "a".repeat(65536),
  "400;chunk-signature=1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
  "a".repeat(1024),
  "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
  "x-amz-checksum-crc32c:sOO8/Q==",
  "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435",
  "",
  "",
].join("\r\n");

/** Decodes `text` given in pieces of at most `step` bytes. */
async function decode(text: string, options: ChunkedOptions, step = 1000) {
  async function* pieces() {
    const bytes = new TextEncoder().encode(text);
    for (let start = 0; start < bytes.length; start += step) yield bytes.subarray(start, start + step);
  }
  const decoded: number[] = [];
  const chunks = decodeChunkedBody(pieces(), options);
  while (true) {
    const { done, value } = await chunks.next();
    if (done) return { text: new TextDecoder().decode(new Uint8Array(decoded)), trailers: value };
    for (const byte of value) decoded.push(byte);
  }
}

Deno.test("the published chunk signatures verify", async () => {
  assert.equal((await decode(published, { signing, trailer: false })).text, "a".repeat(65536 + 1024));
});

Deno.test("the published signature of a trailer verifies", async () => {
  const { text, trailers } = await decode(publishedTrailer, { signing: trailerSigning, trailer: true });
  assert.equal(text, "a".repeat(65536 + 1024));
  assert.deepEqual([...trailers], [["x-amz-checksum-crc32c", "sOO8/Q=="]]);
});

Deno.test("a changed, renamed, added or unsigned trailer is refused", async () => {
  const broken = [
    publishedTrailer.replace("sOO8", "sOO9"),
    publishedTrailer.replace("crc32c", "crc32"),
    publishedTrailer.replace("x-amz-trailer-", "x-amz-extra:1\r\nx-amz-trailer-"),
    publishedTrailer.replace("d81f", "d81e"),
    publishedTrailer.replace(/x-amz-trailer-signature:.*\r\n/, "\r\n"),
  ];
  for (const text of broken) {
    await assert.rejects(decode(text, { signing: trailerSigning, trailer: true }), {
      code: "SignatureDoesNotMatch",
    });
  }
});

Deno.test("the two ways in which minio-go ends a trailer are understood", async () => {
  const early = publishedTrailer.replace("sOO8/Q==\r\n", "sOO8/Q==\n\r\n");
  assert.equal((await decode(early, { signing: trailerSigning, trailer: true })).trailers.size, 1);
  const late = "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\n\r\n\r\n";
  assert.equal((await decode(late, { trailer: true })).trailers.size, 1);
});

Deno.test("a changed byte, a dropped chunk and a missing signature are refused", async () => {
  const lines = published.split("\r\n");
  const broken = [
    published.replace("aaaa", "aaab"),
    lines.filter((_, index) => index !== 2 && index !== 3).join("\r\n"),
    published.replace(/;chunk-signature=0055[0-9a-f]+/, ""),
    published.replace("b6c6ea", "b6c6eb"),
    [...lines.slice(2, 4), ...lines.slice(0, 2), ...lines.slice(4)].join("\r\n"),
  ];
  for (const text of broken) {
    await assert.rejects(decode(text, { signing, trailer: false }), { code: "SignatureDoesNotMatch" });
  }
});

Deno.test("a body cut anywhere is refused as incomplete", async () => {
  const body = "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n";
  for (let length = 0; length < body.length; length++) {
    await assert.rejects(decode(body.slice(0, length), { trailer: true }), { code: "IncompleteBody" });
  }
  const whole = await decode(body, { trailer: true });
  assert.equal(whole.text, "hello");
  assert.deepEqual([...whole.trailers], [["x-amz-checksum-crc32", "NhCmhg=="]]);
});

Deno.test("nothing may follow the end of a body", async () => {
  const hello = "5\r\nhello\r\n0\r\n";
  const bodies: [text: string, options: ChunkedOptions][] = [
    [`${hello}\r\n0\r\n\r\n`, { trailer: false }],
    [`${hello}\r\n\r\n`, { trailer: false }],
    [`${hello}x-amz-checksum-crc32:NhCmhg==\r\n\r\n\r\n\r\n`, { trailer: true }],
    [`${hello}x-amz-checksum-crc32:NhCmhg==\r\n\r\n5`, { trailer: true }],
    [`${published}0`, { signing, trailer: false }],
    [`${publishedTrailer}\r\n`, { signing: trailerSigning, trailer: true }],
  ];
  for (const [text, options] of bodies) {
    for (const step of [1, 1_000_000]) {
      await assert.rejects(decode(text, options, step), { code: "InvalidRequest" });
    }
  }
});

Deno.test("no other extension, no signature in an unsigned body, no endless line and no crowd of trailers", async () => {
  const end = "0\r\n\r\n";
  const bodies = [
    `5;name=value\r\nhello\r\n${end}`,
    `5;chunk-signature=${"0".repeat(64)}\r\nhello\r\n${end}`,
    `5;chunk-signature=${"0".repeat(63)}\r\nhello\r\n${end}`,
    `5 \r\nhello\r\n${end}`,
    `+5\r\nhello\r\n${end}`,
    `-5\r\nhello\r\n${end}`,
    `${"0".repeat(12)}5\r\nhello\r\n${end}`,
    "0".repeat(5000),
  ];
  for (const body of bodies) {
    for (const step of [1, 10_000]) {
      await assert.rejects(decode(body, { trailer: false }, step), { code: "InvalidRequest" }, body);
    }
  }
  const trailers = [
    Array.from({ length: 20 }, (_, index) => `x-amz-trailer-${index}:1\r\n`).join(""),
    "x-amz-checksum-crc32:a\r\nx-amz-checksum-crc32:a\r\n",
    "no colon\r\n",
    ":no name\r\n",
    `x-amz-checksum-crc32:${"a".repeat(5000)}\r\n`,
  ];
  for (const lines of trailers) {
    await assert.rejects(decode(`0\r\n${lines}\r\n`, { trailer: true }), { code: "InvalidRequest" }, lines);
  }
});

Deno.test("a body that is not in chunks is refused", async () => {
  for (const body of ["hello world\r\n", "zz\r\nhello\r\n", "5\nhello\n0\n\n", "3\r\nhello\r\n0\r\n\r\n"]) {
    await assert.rejects(decode(body, { trailer: false }), { code: "InvalidRequest" }, body);
  }
});

Deno.test("chunks decode to the same bytes however the network splits them", async () => {
  const chunk = fc.string({ unit: fc.constantFrom("a", "\r", "\n", "0", ";"), minLength: 1, maxLength: 40 });
  await fc.assert(fc.asyncProperty(fc.array(chunk), fc.integer({ min: 1, max: 50 }), async (chunks, step) => {
    const body = [...chunks, ""].map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
    assert.equal((await decode(body, { trailer: false }, step)).text, chunks.join(""));
  }));
});
