import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { checksumAlgorithms } from "../../src/checksums/checksum.ts";
import { HeaderList } from "../../src/http1/header_list.ts";
import { maxCollectedBytes } from "../../src/proxy/payload/payload.ts";
import { contentMd5, readDocument } from "../../src/proxy/payload/document.ts";
import { declarePayload } from "../../src/proxy/payload/mode.ts";
import { chunkSigning, decodeUnsigned, encodeChunks, hexSha256 } from "./support/aws_chunked.ts";
import {
  bodies,
  checksumOf,
  large,
  refused,
  small,
  trailerHeaders,
  trailerUpload,
  type Upload,
  upload,
} from "./support/payload_upload.ts";
import { reusedPieces } from "./support/pieces.ts";

Deno.test("a body with its hash arrives unchanged and with the hash", async () => {
  for (const body of bodies) {
    const arrived = await upload({ payload: hexSha256(body), body });
    assert.deepEqual(arrived.bytes, body);
    assert.equal(arrived.declared, body.length);
    assert.equal(arrived.payloadHash, hexSha256(body));
    assert.equal(arrived.wasCollected, body.length <= maxCollectedBytes);
  }
});

Deno.test("a body that does not match its hash never arrives whole", async () => {
  for (const body of bodies) {
    const bytes = await refused(
      { payload: hexSha256(new Uint8Array([1])), body },
      "XAmzContentSHA256Mismatch",
    );
    assert.ok(bytes < body.length || body.length === 0);
  }
});

Deno.test("an unsigned body of an object is framed so that the upstream can tell where it was cut off", async () => {
  for (const payload of ["UNSIGNED-PAYLOAD", undefined]) {
    const arrived = await upload({ payload, body: large });
    assert.equal(arrived.payloadHash, "STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    assert.equal(arrived.declared, arrived.bytes.length);
    assert.deepEqual(arrived.headers, trailerHeaders("crc32", large));
    const { bytes, trailers } = decodeUnsigned(arrived.bytes);
    assert.deepEqual(bytes, large);
    assert.deepEqual(trailers, [`x-amz-checksum-crc32:${checksumOf("crc32", large)}`]);
  }
});

Deno.test("an unsigned body goes as it is where the upstream can tell a cut-off one, or makes no object of it", async () => {
  const requests: Upload[] = [
    { body: large, keepsCutOff: false },
    { body: large, headers: { "content-md5": contentMd5(large) } },
    { body: large, headers: { "x-amz-checksum-sha1": checksumOf("sha1", large) } },
    { body: small },
  ];
  for (const request of requests) {
    const arrived = await upload(request);
    assert.deepEqual(arrived.bytes, request.body);
    assert.deepEqual(arrived.headers, {});
    assert.equal(arrived.payloadHash, "UNSIGNED-PAYLOAD");
  }
});

Deno.test("a body needs a length", async () => {
  await refused({ body: small, contentLength: null }, "MissingContentLength");
  const { headers: _, ...upload } = trailerUpload(small);
  await refused({ ...upload, headers: { "x-amz-trailer": "x-amz-checksum-crc32" } }, "MissingContentLength");
});

Deno.test("a chunked body needs no Content-Length", async () => {
  for (const body of bodies) {
    const arrived = await upload({ ...trailerUpload(body), contentLength: null });
    assert.equal(arrived.declared, arrived.bytes.length);
  }
});

Deno.test("the checksum of a trailer goes with a small body as a header, with a large one as a trailer", async () => {
  for (const algorithm of checksumAlgorithms) {
    for (const signed of [false, true]) {
      for (const body of bodies) {
        const arrived = await upload(trailerUpload(body, { algorithm, signed }));
        const name = `x-amz-checksum-${algorithm}`;
        const value = checksumOf(algorithm, body);
        assert.equal(arrived.declared, arrived.bytes.length);
        if (arrived.wasCollected) {
          assert.deepEqual(arrived.bytes, body);
          assert.deepEqual(arrived.headers, { [name]: value });
          continue;
        }
        const { bytes, trailers } = decodeUnsigned(arrived.bytes);
        assert.deepEqual(bytes, body);
        assert.deepEqual(trailers, [`${name}:${value}`]);
      }
    }
  }
});

Deno.test("a wrong, missing, undeclared or foreign trailer is refused before the body's end", async () => {
  for (const body of bodies) {
    const good = trailerUpload(body);
    const wrong = await refused(trailerUpload(body, { value: "AAAAAQ==" }), "BadDigest");
    assert.equal(wrong === 0 || decodesToLess(wrong, body), true);
    const sha1 = trailerUpload(body, { algorithm: "sha1" }).body;
    await refused({ ...good, body: sha1 }, "InvalidRequest");
    await refused(
      { ...good, body: encodeChunks(body, { chunkSize: 65_536, trailer: [] }) },
      "InvalidRequest",
    );
    for (const name of [undefined, "x-amz-checksum-md5", "x-amz-checksum-crc32,x-amz-checksum-sha1"]) {
      const headers = { "x-amz-decoded-content-length": String(body.length) };
      await refused(
        { ...good, headers: name === undefined ? headers : { ...headers, "x-amz-trailer": name } },
        "InvalidRequest",
      );
    }
  }
  const both = trailerUpload(small);
  await refused(
    { ...both, headers: { ...both.headers, "x-amz-checksum-crc32": "y/Q5Jg==" } },
    "InvalidRequest",
  );
  await refused({ body: small, headers: { "x-amz-trailer": "x-amz-checksum-crc32" } }, "InvalidRequest");
});

/** Whether the last chunk and the trailer are missing from the framed form. */
function decodesToLess(bytes: number, body: Uint8Array): boolean {
  return bytes <
    encodeChunks(body, { chunkSize: maxCollectedBytes, trailer: ["x-amz-checksum-crc32", ""] }).length;
}

Deno.test("signed chunks arrive as one body", async () => {
  for (const body of bodies) {
    const request: Upload = {
      payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
      headers: { "x-amz-decoded-content-length": String(body.length) },
      body: encodeChunks(body, { chunkSize: 100_000, signing: chunkSigning }),
    };
    const object = await upload(request);
    assert.deepEqual(object.wasCollected ? object.bytes : decodeUnsigned(object.bytes).bytes, body);
    const part = await upload({ ...request, keepsCutOff: false });
    assert.deepEqual(part.bytes, body);
    assert.equal(part.payloadHash, "UNSIGNED-PAYLOAD");
  }
});

Deno.test("a forged chunk is never followed by the end of the body", async () => {
  for (const keepsCutOff of [true, false]) {
    for (const body of [small, large]) {
      const encoded = encodeChunks(body, { chunkSize: 100_000, signing: chunkSigning });
      encoded[encoded.length - 20] ^= 1;
      const bytes = await refused({
        payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        headers: { "x-amz-decoded-content-length": String(body.length) },
        body: encoded,
        keepsCutOff,
      }, "SignatureDoesNotMatch");
      assert.ok(keepsCutOff ? decodesToLess(bytes, body) : bytes < body.length);
    }
  }
});

Deno.test("a decoded length that is not true is refused, whichever way it lies", async () => {
  for (const body of bodies) {
    const { payload, body: encoded, headers } = trailerUpload(body);
    for (const lie of [body.length - 1, body.length + 1, encoded.length + 1, 0]) {
      if (lie < 0 || lie === body.length) continue;
      const lying = { ...headers, "x-amz-decoded-content-length": String(lie) };
      await refused({ payload, headers: lying, body: encoded }, "IncompleteBody");
    }
    for (const text of ["-1", "1e3", "0x10", " ", "9".repeat(16)]) {
      const lying = { ...headers, "x-amz-decoded-content-length": text };
      await refused({ payload, headers: lying, body: encoded }, "InvalidArgument");
    }
  }
});

Deno.test("a plain body that is shorter or longer than its Content-Length is refused", async () => {
  for (const payload of ["UNSIGNED-PAYLOAD", hexSha256(small)]) {
    await refused({ payload, body: small, contentLength: small.length + 1 }, "IncompleteBody");
    await refused({ payload, body: small, contentLength: small.length - 1 }, "IncompleteBody");
  }
  await refused(
    { payload: hexSha256(large), body: large, contentLength: large.length + 1 },
    "IncompleteBody",
  );
});

Deno.test("a chunk that announces more than there is takes no memory for it", async () => {
  const body = new TextEncoder().encode("ffffffffff\r\nhello");
  const headers = { "x-amz-decoded-content-length": "5", "x-amz-trailer": "x-amz-checksum-crc32" };
  await refused({ payload: "STREAMING-UNSIGNED-PAYLOAD-TRAILER", headers, body }, "IncompleteBody");
});

Deno.test("declarations that make no sense are refused", async () => {
  const sigV4a = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD";
  await refused({ payload: sigV4a, body: small }, "NotImplemented");
  await refused({ payload: `${sigV4a}-TRAILER`, body: small }, "NotImplemented");
  for (const payload of ["", "unsigned-payload", "abc", "0".repeat(63)]) {
    await refused({ payload, body: small }, "InvalidArgument");
  }
  for (const md5 of ["", "abc", contentMd5(small).slice(0, -2), checksumOf("sha1", small)]) {
    await refused({ headers: { "content-md5": md5 }, body: small }, "InvalidDigest");
  }
  const unsigned = declarePayload.bind(null, { payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" });
  assert.throws(() => unsigned(new HeaderList(), 10), { code: "InvalidRequest" });
});

Deno.test("whatever way the network cuts it, the same body arrives", async () => {
  const step = fc.integer({ min: 1, max: 40 });
  const content = fc.uint8Array({ maxLength: 300 });
  const options = fc.record({
    algorithm: fc.constantFrom(...checksumAlgorithms),
    signed: fc.boolean(),
    chunkSize: fc.integer({ min: 1, max: 100 }),
  });
  await fc.assert(fc.asyncProperty(content, options, step, async (body, choice, step) => {
    const arrived = await upload({ ...trailerUpload(body, choice), step });
    assert.deepEqual(new Uint8Array(arrived.bytes), body);
  }));
});

Deno.test("whichever byte is changed, a signed body with a trailer is refused", async () => {
  const body = small;
  const request = trailerUpload(body, { signed: true, chunkSize: 4 });
  for (let index = 0; index < request.body.length; index++) {
    const changed = request.body.slice();
    changed[index] ^= 0x15;
    await assert.rejects(upload({ ...request, body: changed }), { name: "S3Error" }, `byte ${index}`);
  }
});

Deno.test("a document is verified whichever way its digest comes", async () => {
  const document = new TextEncoder().encode("<Delete/>");
  const read = (headers: Record<string, string>, payload = "UNSIGNED-PAYLOAD", limit = 100) => {
    const list = HeaderList.of(Object.entries(headers));
    const declaration = declarePayload({ payload }, list, document.length);
    return readDocument(declaration, list, reusedPieces(document, 2), limit);
  };
  assert.deepEqual(new Uint8Array(await read({})), document);
  assert.deepEqual(new Uint8Array(await read({ "content-md5": contentMd5(document) })), document);
  assert.equal(contentMd5(document), createHash("md5").update(document).digest("base64"));
  await assert.rejects(read({ "content-md5": contentMd5(small) }), { code: "BadDigest" });
  await assert.rejects(read({}, hexSha256(small)), { code: "XAmzContentSHA256Mismatch" });
  await assert.rejects(read({}, undefined, 8), { code: "MaxMessageLengthExceeded" });
  for (const algorithm of checksumAlgorithms) {
    const name = `x-amz-checksum-${algorithm}`;
    assert.deepEqual(new Uint8Array(await read({ [name]: checksumOf(algorithm, document) })), document);
    await assert.rejects(read({ [name]: checksumOf(algorithm, small) }), { code: "BadDigest" });
  }
});
