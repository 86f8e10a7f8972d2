import assert from "node:assert/strict";
import { HeaderList } from "../../src/http1/header_list.ts";
import { authorizeAnonymous } from "../../src/proxy/anonymous.ts";
import type { AnonymousBinding } from "../../src/proxy/credentials/source.ts";
import { classify } from "../../src/proxy/operation.ts";
import { QueryList } from "../../src/proxy/query.ts";
import { parseTarget } from "../../src/proxy/target.ts";
import { assertS3Error } from "./credential.ts";

const publicBucket: AnonymousBinding = {
  backend: "near",
  bucket: "photos",
  perSourceIpRps: 0,
  source: "sqlite",
};

function backendOf(line: string, binding: AnonymousBinding | undefined = publicBucket): string {
  const [method, location] = line.split(" ");
  const [path, query = ""] = location.split("?");
  const headers = new HeaderList();
  const target = parseTarget({ method, path, query, headers }, []);
  const parameters = QueryList.parse(query);
  return authorizeAnonymous(classify(method, target, parameters, headers), parameters, binding).backend;
}

Deno.test("anyone may read and list a bucket with a binding", () => {
  const lines = [
    "GET /photos/a",
    "GET /photos/a?x-id=GetObject",
    "GET /photos/a?partNumber=1",
    "HEAD /photos/a",
    "GET /photos?list-type=2",
    "GET /photos?list-type=2&prefix=a&delimiter=%2F&max-keys=1&continuation-token=t&encoding-type=url",
  ];
  for (const line of lines) assert.equal(backendOf(line), "near", line);
});

Deno.test("nothing else is public", () => {
  const refusals: readonly (readonly [line: string, reason: string])[] = [
    ["GET /", "operation"],
    ["HEAD /photos", "operation"],
    ["GET /photos", "operation"],
    ["GET /photos?versions", "operation"],
    ["GET /photos?location", "operation"],
    ["GET /photos?uploads", "operation"],
    ["GET /photos?policy", "operation"],
    ["PUT /photos/a", "operation"],
    ["PUT /photos", "operation"],
    ["DELETE /photos/a", "operation"],
    ["POST /photos?delete", "operation"],
    ["GET /photos/a?tagging", "operation"],
    ["GET /photos/a?attributes", "operation"],
    ["GET /photos/a?uploadId=u", "operation"],
    ["GET /photos/a?acl", "operation"],
    ["GET /photos/a?versionId=v", "parameter"],
    ["HEAD /photos/a?versionId=v", "parameter"],
    ["GET /photos/a?response-content-type=text%2Fhtml", "parameter"],
    ["GET /photos/a?x-amz-checksum-mode=ENABLED", "parameter"],
    ["GET /photos/a?X-Amz-Expires=1", "parameter"],
    ["GET /photos?list-type=2&metadata=true", "parameter"],
  ];
  for (const [line, reason] of refusals) {
    const error = assertS3Error(() => backendOf(line), "AccessDenied", line);
    assert.deepEqual([error.result, error.reason], ["anonymous_denied", reason], line);
  }
});

Deno.test("a bucket without a binding is refused in the same words", () => {
  const refused = assertS3Error(
    () =>
      authorizeAnonymous(
        classify(
          "GET",
          { bucket: "b", key: "k", rawKey: "k", virtualHosted: false },
          QueryList.parse(""),
          new HeaderList(),
        ),
        QueryList.parse(""),
        undefined,
      ),
    "AccessDenied",
  );
  assert.equal(refused.reason, "no_binding");
  assert.equal(refused.message, assertS3Error(() => backendOf("DELETE /photos/a"), "AccessDenied").message);
});

Deno.test("a public listing does not lead out of its bucket", () => {
  assertS3Error(() => backendOf("GET /photos?list-type=2&prefix=..%2Fsecret"), "InvalidArgument");
});
