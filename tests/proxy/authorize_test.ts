import assert from "node:assert/strict";
import { HeaderList } from "../../src/http1/header_list.ts";
import { authorize } from "../../src/proxy/authorize.ts";
import type { VirtualCredential } from "../../src/proxy/credentials/source.ts";
import { classify } from "../../src/proxy/operation.ts";
import { QueryList } from "../../src/proxy/query.ts";
import type { S3Error } from "../../src/proxy/s3_error.ts";
import { parseTarget } from "../../src/proxy/target.ts";
import { assertS3Error, testCredential } from "./credential.ts";

function backendOf(line: string, credential: VirtualCredential): string {
  const [method, location] = line.split(" ");
  const [path, query = ""] = location.split("?");
  const headers = new HeaderList();
  const target = parseTarget({ method, path, query, headers }, []);
  const parameters = QueryList.parse(query);
  return authorize(classify(method, target, parameters, headers), target, parameters, credential).backend;
}

function assertViolation(line: string, credential: VirtualCredential, reason: string): S3Error {
  const error = assertS3Error(() => backendOf(line, credential), "AccessDenied", line);
  assert.deepEqual([error.status, error.result, error.reason], [403, "scope_violation", reason], line);
  return error;
}

Deno.test("a bucket in scope leads to its backend", () => {
  const credential = testCredential();
  assert.equal(backendOf("GET /photos/a", credential), "near");
  assert.equal(backendOf("PUT /archive/a", credential), "far");
  assert.equal(backendOf("GET /", credential), "");
});

Deno.test("every other bucket is refused in the same words, whatever is asked", () => {
  const lines = [
    "GET /secret/a",
    "PUT /secret/a",
    "GET /secret?location",
    "HEAD /secret",
    "PUT /secret",
    "GET /secret?acl",
    "GET /photos.old/a",
  ];
  const messages = lines.map((line) => assertViolation(line, testCredential(), "bucket").message);
  assert.equal(new Set(messages).size, 1);
});

Deno.test("a read-only key reads and lists, and changes nothing", () => {
  const credential = testCredential({ readOnly: true });
  for (
    const line of [
      "GET /photos/a",
      "HEAD /photos/a",
      "GET /photos?list-type=2",
      "GET /photos?uploads",
      "GET /photos/a?uploadId=u",
    ]
  ) {
    assert.equal(backendOf(line, credential), "near", line);
  }
  const writes = [
    "PUT /photos/a",
    "DELETE /photos/a",
    "POST /photos?delete",
    "POST /photos/a?uploads",
    "PUT /photos/a?tagging",
    "DELETE /photos/a?uploadId=u",
    "PUT /photos",
  ];
  for (const line of writes) assertViolation(line, credential, "read_only");
});

Deno.test("a key with a prefix reaches nothing outside of it", () => {
  const credential = testCredential({ prefix: "team/" });
  const inside = [
    "GET /photos/team/a",
    "PUT /photos/team/a",
    "GET /photos?prefix=team%2F",
    "GET /photos?list-type=2&prefix=team%2Fsub&start-after=a",
    "GET /photos?versions&prefix=team%2F",
    "GET /photos?uploads&prefix=team%2F",
    "HEAD /photos",
    "GET /photos?location",
  ];
  for (const line of inside) assert.equal(backendOf(line, credential), "near", line);
  const outside = [
    "GET /photos/a",
    "GET /photos/team",
    "GET /photos/Team/a",
    "GET /photos//team/a",
    "PUT /photos/teams/a",
    "GET /photos/team/../a",
    "GET /photos/team/%2e%2E/a",
    "GET /photos/team/./a",
    "GET /photos/team/..%5Ca",
    "PUT /photos/team/x/../../a",
    "GET /photos",
    "GET /photos?list-type=2",
    "GET /photos?list-type=2&prefix=tea",
    "GET /photos?list-type=2&prefix=team%2F..%2F",
    "GET /photos?versions",
    "GET /photos?uploads&prefix=other%2F",
    "GET /photos?uploads&key-marker=team%2F",
  ];
  for (const line of outside) assertViolation(line, credential, "prefix");
});

Deno.test("keys with dot segments are read as they are, but not written", () => {
  assert.equal(backendOf("GET /photos/a/../b", testCredential()), "near");
  for (
    const line of [
      "PUT /photos/a/../b",
      "DELETE /photos/a/%2E/b",
      "POST /photos/a/..%2Fb?uploads",
      "PUT /photos/a%5C..%5Cb",
    ]
  ) {
    assertS3Error(() => backendOf(line, testCredential()), "InvalidURI", line);
  }
});

Deno.test("a listing's prefix does not lead out of the bucket", () => {
  assertS3Error(
    () => backendOf("GET /photos?list-type=2&prefix=..%2Fsecret%2F", testCredential()),
    "InvalidArgument",
  );
});

Deno.test("what is not offered says so", () => {
  const owned = assertS3Error(() => backendOf("PUT /photos", testCredential()), "BucketAlreadyOwnedByYou");
  assert.equal(owned.status, 409);
  assertViolation("DELETE /photos", testCredential(), "operation");
  assertViolation("PUT /photos?policy", testCredential(), "operation");
  const unknown = assertS3Error(() => backendOf("GET /photos/a?torrent", testCredential()), "NotImplemented");
  assert.deepEqual([unknown.status, unknown.result], [501, "not_implemented"]);
  assert.equal(assertS3Error(() => backendOf("DELETE /", testCredential()), "MethodNotAllowed").status, 405);
});
