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

Deno.test("a changed byte, a dropped chunk and a missing signature are refused", async () => {
  const lines = published.split("\r\n");
  const broken = [
    published.replace("aaaa", "aaab"),
    lines.filter((_, index) => index !== 2 && index !== 3).join("\r\n"),
    published.replace(/;chunk-signature=0055[0-9a-f]+/, ""),
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
