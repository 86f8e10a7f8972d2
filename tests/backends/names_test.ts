import assert from "node:assert/strict";
import {
  requireBucketName,
  requireKey,
  requireNewBucketName,
  requirePrefix,
  requireWritableKey,
} from "../../src/backends/names.ts";
import { Problem } from "../../src/problem.ts";

function codeOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.code;
  }
  return "accepted";
}

Deno.test("names of new buckets follow the rules of S3", () => {
  for (const name of ["abc", "my-bucket.2", "1a1", "a".repeat(63)]) {
    assert.equal(codeOf(() => requireNewBucketName(name)), "accepted", name);
  }
  const bad = [
    "",
    "ab",
    "a".repeat(64),
    "Upper",
    "under_score",
    "-a1",
    "a1-",
    ".a1",
    "a..b",
    "192.168.1.1",
    "a b",
    "ü12",
  ];
  for (const name of [...bad, "xn--abc", "sthree-abc", "abc-s3alias", "abc--x-s3", "a/b", "a\nb"]) {
    assert.equal(codeOf(() => requireNewBucketName(name)), "invalid_bucket_name", name);
  }
});

Deno.test("names of old buckets are accepted unless they would change the path", () => {
  for (const name of ["Upper_Case", "abc", "a.b"]) {
    assert.equal(codeOf(() => requireBucketName(name)), "accepted");
  }
  for (const name of ["", "..", ".", "a/b", "a?b", "a%2fb", "a\r\nb", "a".repeat(256)]) {
    assert.equal(codeOf(() => requireBucketName(name)), "invalid_bucket_name", name);
  }
});

Deno.test("keys have 1 to 1,024 bytes of UTF-8, no NUL, and stay in their bucket", () => {
  for (
    const key of ["a", "a".repeat(1024), "é".repeat(512), " ", "/", "a/../b", "./a", "...", "..a/b", "\u0001"]
  ) {
    assert.equal(codeOf(() => requireKey(key)), "accepted", key);
  }
  for (
    const key of [
      "",
      "a".repeat(1025),
      "é".repeat(513),
      "a\0b",
      "\ud800",
      "..",
      "../a",
      "a/../../b",
      "./../a",
    ]
  ) {
    assert.equal(codeOf(() => requireKey(key)), "invalid_key", key);
  }
});

Deno.test("keys that are written have no dot segments", () => {
  for (const key of ["a", "/", "a//b", "...", "..a/b", "a/b..", ".hidden"]) {
    assert.equal(codeOf(() => requireWritableKey(key)), "accepted", key);
  }
  for (const key of ["", "..", ".", "a/../b", "./a", "a/.", "a/..", "a/./b"]) {
    assert.equal(codeOf(() => requireWritableKey(key)), "invalid_key", key);
  }
});

Deno.test("prefixes may be empty but have the bounds of keys", () => {
  for (const prefix of ["", "a/", "a".repeat(1024)]) {
    assert.equal(codeOf(() => requirePrefix(prefix)), "accepted");
  }
  for (const prefix of ["a".repeat(1025), "a\0"]) {
    assert.equal(codeOf(() => requirePrefix(prefix)), "invalid_prefix");
  }
});
