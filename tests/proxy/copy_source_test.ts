import assert from "node:assert/strict";
import fc from "fast-check";
import { authorizeCopySource, formatCopySource, parseCopySource } from "../../src/proxy/copy_source.ts";
import { S3Error } from "../../src/proxy/s3_error.ts";
import { encodeKey } from "../../src/proxy/target.ts";
import { assertS3Error, testCredential } from "./credential.ts";

function check(header: string, prefix = ""): string {
  const source = parseCopySource(header);
  authorizeCopySource(source, testCredential({ prefix }), "near");
  return formatCopySource(source);
}

Deno.test("a source is decoded once and sent on in one form", () => {
  const cases: readonly (readonly [header: string, sent: string])[] = [
    ["photos/a", "/photos/a"],
    ["/photos/a", "/photos/a"],
    ["/photos/a%20b+c", "/photos/a%20b%2Bc"],
    ["/photos/a%2Fb", "/photos/a/b"],
    ["/photos/a%252Fb", "/photos/a%252Fb"],
    ["/photos//a", "/photos//a"],
    ["/photos/\u00c3\u00a4", "/photos/%C3%A4"],
    ["/photos/a?versionId=v%2B1", "/photos/a?versionId=v%2B1"],
    ["/photos/a%3FversionId=v", "/photos/a%3FversionId%3Dv"],
    ["photos%2Fa%252Fb%20c", "/photos/a%252Fb%20c"],
    ["%2Fphotos%2fa?versionId=v", "/photos/a?versionId=v"],
  ];
  for (const [header, sent] of cases) assert.equal(check(header), sent, header);
});

Deno.test("a source that is not a bucket and a key is refused", () => {
  const headers = [
    "",
    "/",
    "photos",
    "/photos/",
    "//photos/a",
    "photos%252Fkey",
    "%2F%2Fphotos%2Fkey",
    "/secret%2Fkey/a",
    "/..%2Fsecret/a",
    "../secret/a",
    "/%70hotos/a",
    "\\photos\\a",
    "photos/%",
    "photos/%ff",
    "photos/%00",
    "photos/a%0D%0Ax-amz-acl:public-read",
    "photos/a?versionId=",
    "photos/a?versionId=v&acl",
    "photos/a?acl",
    "arn:aws:s3:us-east-1:123456789012:accesspoint/ap/object/a",
    "https://photos/a",
  ];
  for (const header of headers) assertS3Error(() => check(header), "InvalidArgument", header);
});

Deno.test("a source out of scope is refused", () => {
  for (const header of ["/secret/a", "secret/photos/a", "secret%2Fkey", "%2Fsecret%2Fkey", "/secret%2Fkey"]) {
    const error = assertS3Error(() => check(header), "AccessDenied", header);
    assert.equal(error.result, "scope_violation");
  }
  for (const header of ["/photos/a", "/photos/team%2F..%2Fa", "/photos/team/../a"]) {
    assertS3Error(() => check(header, "team/"), "AccessDenied", header);
  }
  assert.equal(check("/photos/team%2Fa", "team/"), "/photos/team/a");
});

Deno.test("dot segments do not lead a source elsewhere", () => {
  for (
    const header of [
      "/photos/../secret/a",
      "/photos/a/%2e%2E/b",
      "/photos/..%2Fsecret%2Fa",
      "photos/a%5C..%5Cb",
      "photos/.",
      "photos%2F..%2Fsecret%2Fa",
    ]
  ) {
    assertS3Error(() => check(header), "InvalidURI", header);
  }
});

Deno.test("a source on another backend is not copied", () => {
  const error = assertS3Error(() => check("/archive/a"), "NotImplemented");
  assert.equal(error.result, "not_implemented");
});

Deno.test("what is sent names the object that was checked, whatever came", () => {
  const piece = fc.constantFrom(
    "/",
    "%2F",
    "photos",
    "secret",
    "..",
    "%2e",
    "%25",
    "%",
    "a",
    "?versionId=",
    "?",
    "\\",
    "+",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      try {
        const sent = check(pieces.join(""));
        const { bucket, key } = parseCopySource(sent);
        assert.equal(bucket, "photos");
        assert.equal(sent.split("?")[0], `/photos/${encodeKey(key)}`);
      } catch (error) {
        assert.ok(error instanceof S3Error, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
