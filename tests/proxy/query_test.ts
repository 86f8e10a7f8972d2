import assert from "node:assert/strict";
import fc from "fast-check";
import { HeaderList } from "../../src/http1/header_list.ts";
import { effectiveHeaders } from "../../src/proxy/hoisted_headers.ts";
import { QueryList } from "../../src/proxy/query.ts";
import { canonicalQuery } from "../../src/sigv4/canonical.ts";
import { assertS3Error } from "./credential.ts";

Deno.test("names and values are decoded once; a plus is a space", () => {
  const query = QueryList.parse("prefix=a%2Fb+c%2B&uploads&&key%3D=%2525&empty=");
  assert.deepEqual(query.names, ["prefix", "uploads", "key=", "empty"]);
  assert.equal(query.get("prefix"), "a/b c+");
  assert.equal(query.get("uploads"), "");
  assert.equal(query.get("key="), "%25");
  assert.equal(query.get("Prefix"), undefined);
  assert.equal(query.has("empty"), true);
});

Deno.test("what cannot be decoded, and what comes twice, is refused", () => {
  for (const query of ["a=%", "a=%ff", "%zz", "a=%00", "a=\u00e4", "a=\u0001"]) {
    assertS3Error(() => QueryList.parse(query), "InvalidURI", query);
  }
  assertS3Error(() => QueryList.parse("prefix=a&prefix=b"), "InvalidArgument");
  assertS3Error(() => QueryList.parse("prefix=a&pre%66ix=a"), "InvalidArgument");
});

Deno.test("the signature, x-id and headers in the query stay behind", () => {
  const query = QueryList.parse(
    "versionId=v&x-id=GetObject&X-Amz-Algorithm=a&X-Amz-Credential=c&X-Amz-Date=d&X-Amz-Expires=1" +
      "&X-Amz-SignedHeaders=host&X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&X-Amz-Security-Token=t" +
      "&x-amz-acl=private&response-content-type=text%2Fplain&X-Amz-Signature=s",
  );
  assert.equal(query.forwarded(), "response-content-type=text%2Fplain&versionId=v");
});

Deno.test("what is sent on is already canonical", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) =>
    !text.includes("\0") && !/^x-/i.test(text)
  );
  fc.assert(fc.property(fc.dictionary(name, fc.webFragments()), (parameters) => {
    const raw = Object.entries(parameters)
      .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join("&");
    const sent = QueryList.parse(raw).forwarded();
    assert.equal(sent, canonicalQuery(raw));
    assert.equal(sent, canonicalQuery(sent));
  }));
});

Deno.test("headers in the query count like headers, in any case", () => {
  const headers = HeaderList.of([["host", "localhost"]]);
  const query = QueryList.parse("X-Amz-Acl=public-read&x-amz-meta-name=%C3%A4&X-Amz-Date=d");
  assert.deepEqual([...effectiveHeaders(headers, query)], [
    ["host", "localhost"],
    ["x-amz-acl", "public-read"],
    ["x-amz-meta-name", "\u00c3\u00a4"],
  ]);
  assert.equal(effectiveHeaders(headers, QueryList.parse("X-Amz-Signature=s")), headers);
});

Deno.test("the checksum of nothing in a presigned URL says nothing about the body that comes", () => {
  const query = QueryList.parse(
    "x-amz-checksum-crc32=AAAAAA%3D%3D&x-amz-sdk-checksum-algorithm=CRC32&x-amz-checksum-mode=ENABLED",
  );
  assert.deepEqual([...effectiveHeaders(new HeaderList(), query)], [["x-amz-checksum-mode", "ENABLED"]]);
  assert.equal(query.forwarded(), "");
});

Deno.test("headers in the query cannot add lines, nor come beside the header itself", () => {
  const headers = HeaderList.of([["x-amz-acl", "private"]]);
  const queries = [
    "x-amz-acl=private",
    "x-amz-meta-a=b%0D%0Ax-amz-acl:public-read",
    "x-amz-meta%0A=b",
    "x-amz-tagging=a&X-Amz-Tagging=b",
  ];
  for (const query of queries) {
    assertS3Error(() => effectiveHeaders(headers, QueryList.parse(query)), "InvalidArgument", query);
  }
});
