import assert from "node:assert/strict";
import fc from "fast-check";
import { HeaderList } from "../../src/http1/header_list.ts";
import type { Target } from "../../src/proxy/request.ts";
import { S3Error } from "../../src/proxy/s3_error.ts";
import { encodeKey, hasDotSegments, parseTarget, prepareHostSuffixes } from "../../src/proxy/target.ts";
import { assertS3Error } from "./credential.ts";

const suffixes = prepareHostSuffixes(["s3.example.org", ".EU.s3.example.org"]);

function parse(path: string, host = "localhost:8090"): Target {
  return parseTarget({ method: "GET", path, query: "", headers: HeaderList.of([["host", host]]) }, suffixes);
}

Deno.test("in path style the first segment is the bucket and the rest is the key", () => {
  const cases: readonly (readonly [path: string, bucket: string, key: string])[] = [
    ["/", "", ""],
    ["/photos", "photos", ""],
    ["/photos/", "photos", ""],
    ["/photos/a", "photos", "a"],
    ["/photos/a/", "photos", "a/"],
    ["/photos//", "photos", "/"],
    ["/photos/a//b", "photos", "a//b"],
    ["/photos/a+b", "photos", "a+b"],
    ["/photos/a%2Bb%20c", "photos", "a+b c"],
    ["/photos/%2525", "photos", "%25"],
    ["/photos/a%2Fb", "photos", "a/b"],
    ["/photos/%c3%A4%F0%9F%98%80", "photos", "ä😀"],
    ["/photos/a%0Ab", "photos", "a\nb"],
    ["/photos/.hidden/..name", "photos", ".hidden/..name"],
    ["/photos/a/../b/./c", "photos", "a/../b/./c"],
    ["/phot%6Fs/a", "photos", "a"],
  ];
  for (const [path, bucket, key] of cases) {
    const target = parse(path);
    assert.deepEqual([target.bucket, target.key, target.virtualHosted], [bucket, key, false], path);
  }
});

Deno.test("the raw key is what stood in the path", () => {
  assert.equal(parse("/photos/a%2fb+%41").rawKey, "a%2fb+%41");
  assert.equal(parse("/a%2fb", "photos.s3.example.org").rawKey, "a%2fb");
});

Deno.test("the bucket comes from a host below a suffix, whatever its case and port; the longest suffix counts", () => {
  const cases: readonly (readonly [host: string, path: string, bucket: string, key: string])[] = [
    ["photos.s3.example.org", "/a/b", "photos", "a/b"],
    ["Photos.S3.Example.ORG:8090", "/", "photos", ""],
    ["my.photos.s3.example.org", "//a", "my.photos", "/a"],
    ["photos.eu.s3.example.org", "/a", "photos", "a"],
    ["s3.example.org", "/photos/a", "photos", "a"],
    ["xs3.example.org", "/photos/a", "photos", "a"],
    ["[::1]:8090", "/photos/a", "photos", "a"],
  ];
  for (const [host, path, bucket, key] of cases) {
    const target = parse(path, host);
    assert.deepEqual([target.bucket, target.key], [bucket, key], host);
  }
  assert.equal(parse("/a", "photos.eu.s3.example.org").virtualHosted, true);
});

Deno.test("paths that are not plain, or that servers disagree about, are refused", () => {
  const paths = [
    "",
    "photos",
    "http://other/photos/a",
    "//photos/a",
    "//",
    "/photos/%",
    "/photos/%4",
    "/photos/%zz",
    "/photos/%00",
    "/photos/a%00b",
    "/photos/%ff",
    "/photos/%c0%ae",
    "/photos/%ed%a0%80",
    "/photos/\\a",
    "/photos/a b",
    "/photos/a#b",
    "/photos/\u00e4",
    "/photos/a\u0001",
    "/photos%2Fa",
    "/photos%2f..%2fsecret/a",
    "/%2Fphotos/a",
  ];
  for (const path of paths) assertS3Error(() => parse(path), "InvalidURI", path);
});

Deno.test("a key never leads out of its bucket, however it is written", () => {
  const keys = [
    "..",
    "../secret/a",
    "a/../../secret",
    "%2e%2E/secret",
    ".%2e%2Fsecret",
    "./..",
    "//../x",
    "..%5Csecret",
    "a%5c..%5C../b",
  ];
  for (const key of keys) {
    assertS3Error(() => parse(`/photos/${key}`), "InvalidURI", key);
    assertS3Error(() => parse(`/${key}`, "photos.s3.example.org"), "InvalidURI", key);
  }
});

Deno.test("names that no bucket has are refused before anything is sent", () => {
  for (
    const name of [
      "ab",
      "Photos",
      "my_bucket",
      "-photos",
      "photos-",
      "a..b",
      "a".repeat(64),
      "..",
      "%2e%2e",
      "photos%20",
    ]
  ) {
    assertS3Error(() => parse(`/${name}/key`), "InvalidBucketName", name);
  }
  assertS3Error(() => parse("/key", "my_bucket.s3.example.org"), "InvalidBucketName");
});

Deno.test("a key has at most 1,024 bytes", () => {
  assert.equal(parse(`/photos/${"k".repeat(1024)}`).key.length, 1024);
  assertS3Error(() => parse(`/photos/${"k".repeat(1025)}`), "KeyTooLongError");
  assert.equal(parse(`/photos/${"%C3%A4".repeat(512)}`).key.length, 512);
  assertS3Error(() => parse(`/photos/${"%C3%A4".repeat(513)}`), "KeyTooLongError");
});

Deno.test("dot segments are found between slashes and backslashes only", () => {
  for (const key of [".", "..", "a/.", "./a", "a/../b", "a/..", "a\\..\\b", "..\\a"]) {
    assert.ok(hasDotSegments(key), key);
  }
  for (const key of ["", ".a", "a.", "a..b", "a/.b", "a/...", "a/..b/c", "a./b"]) {
    assert.ok(!hasDotSegments(key), key);
  }
});

Deno.test("any key survives encoding and parsing, and its encoding is stable", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), (key) => {
    const path = `/photos/${encodeKey(key)}`;
    let target: Target;
    try {
      target = parse(path);
    } catch (error) {
      assert.ok(error instanceof S3Error && (key.includes("\0") || key.includes("..")), String(error));
      return;
    }
    assert.equal(target.key, key);
    assert.equal(encodeKey(target.key), target.rawKey);
  }));
});

Deno.test("whatever the path, parsing gives a target that is sent as it was checked, or an S3 error", () => {
  const piece = fc.constantFrom(
    "/",
    ".",
    "..",
    "%2e",
    "%2F",
    "%5C",
    "%",
    "%25",
    "photos",
    "a",
    "+",
    "%00",
    "\\",
    "ä",
    "%C3%A4",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = `/${pieces.join("")}`;
      let target: Target;
      try {
        target = parse(path);
      } catch (error) {
        assert.ok(error instanceof S3Error, String(error));
        return;
      }
      const sent = parse(target.bucket === "" ? "/" : `/${target.bucket}/${encodeKey(target.key)}`);
      assert.deepEqual([sent.bucket, sent.key], [target.bucket, target.key]);
    }),
    { numRuns: 2000 },
  );
});
