import assert from "node:assert/strict";
import { ListMultipartUploadsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { startChecksum } from "../../src/checksums/checksum.ts";
import type { ChunkSigning } from "../../src/sigv4/chunked.ts";
import { type Endpoint, withSharedEndpoint } from "../support/endpoint.ts";
import { s3Client } from "../support/s3_client.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { encodeChunks } from "./support/aws_chunked.ts";
import { type RawRequest, sendSigned } from "./support/signed_request.ts";

const mebibyte = 1 << 20;

/** Below and above what the endpoint reads before it sends anything on, and more than one connection holds. */
const bodies = [1_000, mebibyte + 1, 6 * mebibyte].map(patterned);

/** Bytes of which no two chunks are the same. */
function patterned(length: number): Uint8Array {
  return new Uint8Array(length).map((_, index) => index * 17 + (index >> 8) + (index >> 16));
}

function crc32(body: Uint8Array): string {
  const checksum = startChecksum("crc32");
  checksum.update(body);
  return checksum.value();
}

const chunkSize = (body: Uint8Array) => body.length < 65_536 ? 256 : 65_536;
const signatureStart = ";chunk-signature=".length;

/** Bytes of a whole chunk with its signature. */
function signedFrame(body: Uint8Array): number {
  return chunkSize(body).toString(16).length + signatureStart + 64 + 2 + chunkSize(body) + 2;
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const text = (value: string) => new TextEncoder().encode(value);

/** Changes one byte so that it stays a hexadecimal digit. */
function otherDigit(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = changed[at] === 0x30 ? 0x31 : 0x30;
  return changed;
}

/** What is done to a body in signed chunks. */
const signedTampering: Readonly<Record<string, (bytes: Uint8Array, body: Uint8Array) => Uint8Array>> = {
  "two chunks change places": (bytes, body) => {
    const frame = signedFrame(body);
    return joined(bytes.subarray(frame, 2 * frame), bytes.subarray(0, frame), bytes.subarray(2 * frame));
  },
  "a chunk comes twice": (bytes, body) => joined(bytes.subarray(0, signedFrame(body)), bytes),
  "a chunk is missing": (bytes, body) => bytes.subarray(signedFrame(body)),
  "the last chunk is missing": (bytes) => bytes.subarray(0, -(1 + signatureStart + 64 + 4)),
  "the end is missing": (bytes) => bytes.subarray(0, -2),
  "something follows the end": (bytes) => joined(bytes, text("0\r\n\r\n")),
  "the first signature is wrong": (bytes, body) =>
    otherDigit(bytes, chunkSize(body).toString(16).length + signatureStart),
  "the last signature is wrong": (bytes) => otherDigit(bytes, bytes.length - 5),
  "there are no signatures": (_, body) => encodeChunks(body, { chunkSize: chunkSize(body) }),
};

const checksum = "x-amz-checksum-crc32";
const wrongChecksum = crc32(text("another body"));

/** What stands behind a body in place of its checksum. */
const trailerTampering: Readonly<Record<string, (value: string) => string>> = {
  "the checksum is wrong": () => `${checksum}:${wrongChecksum}\r\n`,
  "the checksum is empty": () => `${checksum}:\r\n`,
  "there is no checksum": () => "",
  "it is another checksum": () => `x-amz-checksum-crc32c:${wrongChecksum}\r\n`,
  "there is another one besides": (value) =>
    `${checksum}:${value}\r\nx-amz-checksum-crc32c:${wrongChecksum}\r\n`,
  "it comes twice": (value) => `${checksum}:${value}\r\n${checksum}:${value}\r\n`,
  "it brings a header": (value) => `${checksum}:${value}\r\nx-amz-acl:public-read\r\n`,
};

function tamperedTest(name: string, body: (endpoint: Endpoint) => Promise<void>): void {
  for (const kind of ["minio", "versitygw"] satisfies UpstreamKind[]) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () =>
        withSharedEndpoint(kind, {}, async (endpoint) => {
          await body(endpoint);
          using s3 = s3Client(endpoint.upstream);
          const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
          assert.deepEqual(Contents.map(({ Key }) => Key), []);
          const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: "bucket" }));
          assert.deepEqual(Uploads, []);
        }),
    });
  }
}

type Upload = Omit<RawRequest, "method" | "path">;

async function assertRefused(endpoint: Endpoint, upload: Upload, about: string): Promise<void> {
  const { status, text } = await sendSigned(endpoint, { method: "PUT", path: "/bucket/key", ...upload });
  assert.ok(status === 400 || status === 403, `${about}: ${status} ${text}`);
  // Refused for its body, not for its head.
  assert.ok(!text.includes("The calculated signature"), `${about}: ${text}`);
}

const decoded = (body: Uint8Array) => ({ "x-amz-decoded-content-length": String(body.length) });

tamperedTest("signed chunks that were tampered with are stored nowhere", async (endpoint) => {
  for (const [name, tamper] of Object.entries(signedTampering)) {
    for (const body of bodies) {
      await assertRefused(endpoint, {
        payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        headers: decoded(body),
        body: (signing) => tamper(encodeChunks(body, { chunkSize: chunkSize(body), signing }), body),
      }, `${name}, ${body.length}`);
    }
  }
});

tamperedTest("nor is a body with a wrong trailer", async (endpoint) => {
  for (const [name, tamper] of Object.entries(trailerTampering)) {
    for (const body of bodies) {
      const trailer = tamper(crc32(body));
      await assertRefused(endpoint, {
        payload: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        headers: { ...decoded(body), "x-amz-trailer": checksum },
        body: () => {
          const plain = encodeChunks(body, { chunkSize: chunkSize(body) });
          return joined(plain.subarray(0, -2), text(`${trailer}\r\n`));
        },
      }, `${name}, ${body.length}`);
    }
  }
});

tamperedTest("nor is one whose trailer is not signed as it is", async (endpoint) => {
  const upload = (body: Uint8Array, value: string, change: (bytes: Uint8Array) => Uint8Array): Upload => ({
    payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    headers: { ...decoded(body), "x-amz-trailer": checksum },
    body: (signing: ChunkSigning) =>
      change(encodeChunks(body, { chunkSize: chunkSize(body), signing, trailer: [checksum, value] })),
  });
  const signature = "x-amz-trailer-signature:".length + 64;
  for (const body of bodies) {
    const value = crc32(body);
    const refused: Record<string, Upload> = {
      "signed, but wrong": upload(body, wrongChecksum, (bytes) => bytes),
      "a wrong signature": upload(body, value, (bytes) => otherDigit(bytes, bytes.length - 5)),
      "no signature": upload(
        body,
        value,
        (bytes) => joined(bytes.subarray(0, bytes.length - signature - 3), text("\r\n")),
      ),
      "another checksum than was signed": upload(body, value, (bytes) => {
        const changed = bytes.slice();
        const at = bytes.length - signature - 3 - "\r\n".length - value.length;
        changed.set(text(value === wrongChecksum ? value.toLowerCase() : wrongChecksum), at);
        return changed;
      }),
    };
    for (const [name, request] of Object.entries(refused)) {
      await assertRefused(endpoint, request, `${name}, ${body.length}`);
    }
  }
});

tamperedTest("nor is one that is longer or shorter than was said", async (endpoint) => {
  for (const body of bodies) {
    for (
      const said of [body.length + 1, body.length - 1, 0, 2 * body.length, Math.max(1, body.length >> 1)]
    ) {
      const headers = { "x-amz-decoded-content-length": String(said) };
      const about = `${said} of ${body.length}`;
      await assertRefused(endpoint, {
        payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        headers,
        body: (signing) => encodeChunks(body, { chunkSize: chunkSize(body), signing }),
      }, `signed chunks, ${about}`);
      await assertRefused(endpoint, {
        payload: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        headers: { ...headers, "x-amz-trailer": checksum },
        body: () => encodeChunks(body, { chunkSize: chunkSize(body), trailer: [checksum, crc32(body)] }),
      }, `a trailer, ${about}`);
    }
    for (const said of ["-1", "1.5", "abc", "", `${body.length},${body.length}`, "9".repeat(20)]) {
      await assertRefused(endpoint, {
        payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        headers: { "x-amz-decoded-content-length": said },
        body: (signing) => encodeChunks(body, { chunkSize: chunkSize(body), signing }),
      }, said);
    }
  }
});
