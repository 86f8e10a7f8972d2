import assert from "node:assert/strict";
import fc from "fast-check";
import { HeaderList } from "../../src/http1/header_list.ts";
import { effectiveHeaders } from "../../src/proxy/hoisted_headers.ts";
import { classify, type Operation } from "../../src/proxy/operation.ts";
import { operations } from "../../src/proxy/operations.ts";
import { QueryList } from "../../src/proxy/query.ts";

const copy = { "x-amz-copy-source": "/photos/a" };
const form = { "content-type": "Multipart/Form-Data; boundary=b" };

function operationOf(line: string, headers: Record<string, string> = {}): Operation {
  const [method, location] = line.split(" ");
  const [path, query = ""] = location.split("?");
  const [, bucket, ...key] = path.split("/");
  const target = { bucket, key: key.join("/"), rawKey: key.join("/"), virtualHosted: false };
  const parsed = QueryList.parse(query);
  return classify(method, target, parsed, effectiveHeaders(HeaderList.of(Object.entries(headers)), parsed));
}

Deno.test("every operation is told by its method, target, query and headers", () => {
  const cases: readonly (readonly [
    line: string,
    name: string,
    audit: string,
    access: string,
    headers?: Record<string, string>,
  ])[] = [
    ["GET /", "ListBuckets", "listbuckets", "read"],
    ["GET /?max-buckets=2&prefix=a&x-id=ListBuckets", "ListBuckets", "listbuckets", "read"],
    ["HEAD /photos", "HeadBucket", "headbucket", "read"],
    ["GET /photos", "ListObjects", "listobjects", "read"],
    [
      "GET /photos?delimiter=%2F&marker=a&max-keys=1&encoding-type=url",
      "ListObjects",
      "listobjects",
      "read",
    ],
    ["GET /photos?list-type=2&fetch-owner=true&start-after=a", "ListObjectsV2", "listobjects", "read"],
    ["GET /photos?location", "GetBucketLocation", "unknown", "read"],
    ["GET /photos?location=", "GetBucketLocation", "unknown", "read"],
    ["GET /photos?versioning", "GetBucketVersioning", "unknown", "read"],
    ["GET /photos?versions&key-marker=a", "ListObjectVersions", "unknown", "read"],
    ["GET /photos?uploads&prefix=a", "ListMultipartUploads", "listmultipartuploads", "read"],
    ["POST /photos?delete", "DeleteObjects", "deleteobjects", "write"],
    ["POST /photos", "PostObject", "putobject", "write", form],
    ["GET /photos/a", "GetObject", "getobject", "read"],
    ["GET /photos/a?versionId=v&response-content-type=b&partNumber=1", "GetObject", "getobject", "read"],
    [
      "GET /photos/a?x-id=GetObject&x-amz-checksum-mode=ENABLED&X-Amz-Signature=s",
      "GetObject",
      "getobject",
      "read",
    ],
    ["HEAD /photos/a", "HeadObject", "headobject", "read"],
    ["GET /photos/a?uploadId=u&max-parts=2", "ListParts", "listparts", "read"],
    ["GET /photos/a?tagging", "GetObjectTagging", "unknown", "read"],
    ["GET /photos/a?attributes", "GetObjectAttributes", "unknown", "read"],
    ["PUT /photos/a", "PutObject", "putobject", "write"],
    ["PUT /photos/a", "CopyObject", "copyobject", "write", copy],
    ["PUT /photos/a?x-amz-copy-source=%2Fphotos%2Fb", "CopyObject", "copyobject", "write"],
    ["PUT /photos/a?partNumber=1&uploadId=u", "UploadPart", "uploadpart", "write"],
    ["PUT /photos/a?partNumber=1&uploadId=u", "UploadPartCopy", "uploadpart", "write", copy],
    ["PUT /photos/a?tagging", "PutObjectTagging", "unknown", "write"],
    ["POST /photos/a?uploads", "CreateMultipartUpload", "createmultipartupload", "write"],
    ["POST /photos/a?uploadId=u", "CompleteMultipartUpload", "completemultipartupload", "write"],
    ["DELETE /photos/a", "DeleteObject", "deleteobject", "write"],
    ["DELETE /photos/a?versionId=v", "DeleteObject", "deleteobject", "write"],
    ["DELETE /photos/a?uploadId=u", "AbortMultipartUpload", "abortmultipart", "write"],
    ["DELETE /photos/a?tagging", "DeleteObjectTagging", "unknown", "write"],
    ["OPTIONS /photos/a?any=thing", "Preflight", "unknown", "read"],
  ];
  for (const [line, name, audit, access, headers] of cases) {
    const operation = operationOf(line, headers);
    assert.deepEqual(
      [operation.name, operation.audit, operation.access, operation.refusal],
      [name, audit, access, undefined],
      line,
    );
  }
});

Deno.test("buckets and their settings are not managed here", () => {
  const lines = [
    "PUT /photos",
    "DELETE /photos",
    "PUT /photos?policy",
    "PUT /photos?acl",
    "DELETE /photos?cors",
    "PUT /photos?versioning",
    "PUT /photos?object-lock",
  ];
  for (const line of lines) {
    const { refusal, audit } = operationOf(line);
    assert.deepEqual([refusal, audit], ["denied", "unknown"], line);
  }
});

Deno.test("what could mean something else is never taken for an operation that is offered", () => {
  const lines = [
    "GET /photos?acl",
    "GET /photos?policy",
    "GET /photos?cors",
    "GET /photos?lifecycle&prefix=a",
    "GET /photos?events",
    "GET /photos?session",
    "GET /photos?list-type=1",
    "GET /photos?list-type=2&versions",
    "GET /photos?Uploads",
    "GET /photos?location&policy",
    "GET /?policy",
    "HEAD /photos?acl",
    "POST /photos",
    "POST /photos?restore",
    "GET /photos/a?acl",
    "GET /photos/a?torrent",
    "GET /photos/a?retention",
    "GET /photos/a?uploadId=u&tagging",
    "GET /photos/a?cache=1",
    "PUT /photos/a?acl",
    "PUT /photos/a?legal-hold",
    "PUT /photos/a?uploadId=u",
    "PUT /photos/a?partNumber=1",
    "PUT /photos/a?versionId=v",
    "PUT /photos/a?append&position=0",
    "PUT /photos/a?renameObject",
    "POST /photos/a",
    "POST /photos/a?select&select-type=2",
    "POST /photos/a?restore",
    "POST /photos/a?uploadId=u&uploads",
    "DELETE /photos/a?uploadId=u&versionId=v",
    "DELETE /photos/a?force=true",
    "GET /photos/a?x-amz-signature=s&=",
  ];
  for (const line of lines) {
    const { refusal, audit } = operationOf(line);
    assert.deepEqual([refusal, audit], ["not_implemented", "unknown"], line);
  }
});

Deno.test("other methods are not allowed", () => {
  for (
    const line of [
      "DELETE /",
      "PUT /",
      "HEAD /",
      "POST /",
      "PATCH /photos",
      "PATCH /photos/a",
      "get /photos/a",
    ]
  ) {
    assert.equal(operationOf(line).refusal, "method_not_allowed", line);
  }
});

Deno.test("whatever is asked, the audit's name is one of the specification's", () => {
  const names = new Set<string>(Object.values(operations).map(({ audit }) => audit));
  assert.equal(names.size, 16);
  const method = fc.constantFrom("GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS");
  const path = fc.constantFrom("/", "/photos", "/photos/a");
  const parameters = fc.subarray([
    "uploads",
    "uploadId=u",
    "partNumber=1",
    "tagging",
    "acl",
    "delete",
    "list-type=2",
    "odd",
  ]);
  fc.assert(fc.property(method, path, parameters, (method, path, parameters) => {
    const operation = operationOf(`${method} ${path}?${parameters.join("&")}`);
    assert.ok(names.has(operation.audit));
    if (operation.refusal !== undefined || operation.name === "Preflight") return;
    for (const parameter of parameters) {
      assert.ok(operation.parameters.has(parameter.split("=")[0]), parameter);
    }
  }));
});
