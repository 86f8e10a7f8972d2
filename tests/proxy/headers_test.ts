import assert from "node:assert/strict";
import { HeaderList } from "../../src/http1/header_list.ts";
import { operations } from "../../src/proxy/operations.ts";
import { forwardedHeaders } from "../../src/proxy/request_headers.ts";
import { answerHeaders } from "../../src/proxy/response_headers.ts";
import { assertS3Error } from "./credential.ts";

type Pair = readonly [name: string, value: string];

function forward(pairs: readonly Pair[], operation = operations.PutObject): Pair[] {
  return [...forwardedHeaders(HeaderList.of(pairs), operation)];
}

Deno.test("what describes the object, guards it or asks for a part of it goes on as it came", () => {
  const pairs: readonly Pair[] = [
    ["content-type", "text/plain; charset=\u00fcber"],
    ["content-md5", "1B2M2Y8AsgTpgAmY7PhCfg=="],
    ["cache-control", "no-store"],
    ["range", "bytes=0-1"],
    ["if-range", '"e"'],
    ["if-match", '"e"'],
    ["if-none-match", "*"],
    ["x-amz-meta-name", "\u00c3\u00a4"],
    ["x-amz-meta-name", "again"],
    ["x-amz-tagging", "a=b"],
    ["x-amz-storage-class", "STANDARD_IA"],
    ["x-amz-checksum-crc64nvme", "AAAAAAAAAAA="],
    ["x-amz-checksum-mode", "ENABLED"],
    ["x-amz-sdk-checksum-algorithm", "CRC64NVME"],
    ["x-amz-server-side-encryption-customer-key", "a2V5"],
    ["x-amz-object-lock-mode", "COMPLIANCE"],
    ["x-amz-object-attributes", "ETag"],
    ["x-amz-website-redirect-location", "/b"],
  ];
  assert.deepEqual(forward(pairs), pairs);
});

Deno.test("what belongs to the connection, the signature or the client stays behind", () => {
  const pairs: readonly Pair[] = [
    ["host", "localhost"],
    ["connection", "close, If-Match"],
    ["if-match", '"e"'],
    ["keep-alive", "1"],
    ["te", "trailers"],
    ["transfer-encoding", "chunked"],
    ["content-length", "1"],
    ["expect", "100-continue"],
    ["authorization", "AWS4-HMAC-SHA256 x"],
    ["proxy-authorization", "Basic x"],
    ["cookie", "a=b"],
    ["origin", "https://example.org"],
    ["referer", "https://example.org"],
    ["user-agent", "curl"],
    ["accept-encoding", "gzip"],
    ["forwarded", "for=1.2.3.4"],
    ["x-forwarded-for", "1.2.3.4"],
    ["x-real-ip", "1.2.3.4"],
    ["x-http-method-override", "DELETE"],
    ["amz-sdk-request", "attempt=1"],
    ["x-amz-date", "20260101T000000Z"],
    ["x-amz-content-sha256", "UNSIGNED-PAYLOAD"],
    ["x-amz-security-token", "t"],
    ["x-amz-decoded-content-length", "1"],
    ["x-amz-trailer", "x-amz-checksum-crc32"],
    ["x-amz-acl", "private"],
    ["x-amz-acl", "bucket-owner-full-control"],
    ["x-amz-bypass-governance-retention", "false"],
  ];
  assert.deepEqual(forward(pairs), []);
});

Deno.test("aws-chunked is taken out of the content encodings", () => {
  const cases: readonly (readonly [value: string, left: readonly Pair[]])[] = [
    ["aws-chunked", []],
    ["AWS-Chunked,gzip", [["content-encoding", "gzip"]]],
    ["gzip, aws-chunked", [["content-encoding", "gzip"]]],
    ["gzip", [["content-encoding", "gzip"]]],
  ];
  for (const [value, left] of cases) assert.deepEqual(forward([["content-encoding", value]]), left, value);
});

Deno.test("what would publish an object or change the request's meaning is refused", () => {
  const pairs: readonly Pair[] = [
    ["x-amz-acl", "public-read"],
    ["x-amz-acl", "private,public-read"],
    ["x-amz-acl", ""],
    ["x-amz-grant-read", "uri=http://acs.amazonaws.com/groups/global/AllUsers"],
    ["x-amz-grant-full-control", "id=a"],
    ["x-amz-expected-bucket-owner", "123456789012"],
    ["x-amz-write-offset-bytes", "1"],
    ["x-amz-rename-source", "a"],
    ["x-amz-new-switch", "a"],
    ["x-amz-meta-snowball-auto-extract", "true"],
    ["x-amz-meta-minio-snowball-prefix", "other/"],
    ["x-minio-force-delete", "true"],
    ["x-minio-extract", "true"],
    ["x-minio-source-replication-request", "true"],
    ["x-amz-copy-source", "/photos/a"],
    ["x-amz-copy-source-range", "bytes=0-1"],
  ];
  for (const pair of pairs) {
    const error = assertS3Error(() => forward([pair]), "NotImplemented", pair[0]);
    assert.deepEqual([error.status, error.result], [501, "not_implemented"]);
  }
});

Deno.test("a governance lock is not bypassed", () => {
  const error = assertS3Error(
    () => forward([["x-amz-bypass-governance-retention", "true"]], operations.DeleteObject),
    "AccessDenied",
  );
  assert.equal(error.result, "scope_violation");
});

Deno.test("a copy is sent the source that was checked", () => {
  const headers = HeaderList.of([
    ["x-amz-copy-source", "secret/a"],
    ["x-amz-copy-source-if-match", '"e"'],
    ["x-amz-metadata-directive", "REPLACE"],
    ["connection", "x-amz-copy-source"],
  ]);
  for (const operation of [operations.CopyObject, operations.UploadPartCopy]) {
    assert.deepEqual([...forwardedHeaders(headers, operation, "/photos/a")], [
      ["x-amz-copy-source-if-match", '"e"'],
      ["x-amz-metadata-directive", "REPLACE"],
      ["x-amz-copy-source", "/photos/a"],
    ]);
  }
});

Deno.test("user metadata has at most 2 KiB, names included", () => {
  assert.equal(forward([["x-amz-meta-ab", "v".repeat(2046)]]).length, 1);
  assertS3Error(() => forward([["x-amz-meta-ab", "v".repeat(2047)]]), "MetadataTooLarge");
  assertS3Error(
    () => forward([["x-amz-meta-a", "v".repeat(1024)], ["x-amz-meta-b", "v".repeat(1024)]]),
    "MetadataTooLarge",
  );
});

Deno.test("an answer keeps what tells of the object and loses what tells of the upstream", () => {
  const kept: readonly Pair[] = [
    ["etag", '"e"'],
    ["content-length", "3"],
    ["content-range", "bytes 0-2/9"],
    ["content-encoding", "gzip"],
    ["last-modified", "Fri, 02 Jan 2026 03:04:05 GMT"],
    ["x-amz-version-id", "v"],
    ["x-amz-meta-name", "\u00c3\u00a4"],
    ["x-amz-checksum-crc32", "AAAAAA=="],
  ];
  const lost: readonly Pair[] = [
    ["server", "MinIO"],
    ["x-amz-request-id", "theirs"],
    ["x-amz-id-2", "theirs"],
    ["x-minio-deployment-id", "d"],
    ["x-served-by", "node-3.internal"],
    ["via", "1.1 node-3.internal"],
    ["location", "http://node-3.internal/"],
    ["set-cookie", "a=b"],
    ["strict-transport-security", "max-age=1"],
    ["access-control-allow-origin", "*"],
    ["vary", "Origin"],
    ["connection", "close"],
    ["transfer-encoding", "chunked"],
  ];
  assert.deepEqual([...answerHeaders(HeaderList.of([...lost, ...kept]), "ours")], [[
    "x-amz-request-id",
    "ours",
  ], ...kept]);
});
