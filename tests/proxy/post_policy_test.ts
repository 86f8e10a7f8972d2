import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { parsePolicy, requirePolicy } from "../../src/proxy/post/policy.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const later = "2026-11-21T13:00:00.000Z";

function encode(policy: unknown): string {
  return Buffer.from(typeof policy === "string" ? policy : JSON.stringify(policy)).toString("base64");
}

/** Holds `fields`, with those that are always there, against conditions besides those on the bucket and on the key. */
function check(
  conditions: readonly unknown[],
  fields: Record<string, string> = {},
  expiration = later,
): void {
  const policy = parsePolicy(encode({
    expiration,
    conditions: [{ bucket: "bucket" }, ["starts-with", "$key", "user/"], ...conditions],
  }));
  const all = { bucket: "bucket", key: "user/photo.jpg", policy: "…", "x-amz-signature": "…", ...fields };
  requirePolicy(policy, new Map(Object.entries(all)), now);
}

Deno.test("what a policy allows passes", () => {
  const cases: [conditions: unknown[], fields: Record<string, string>][] = [
    [[], {}],
    [[["eq", "$key", "user/photo.jpg"]], {}],
    [[{ "Content-Type": "image/png" }], { "content-type": "image/png" }],
    [[["eq", "$Content-Type", "image/png"]], { "content-type": "image/png" }],
    [[["starts-with", "$Content-Type", "image/"]], { "content-type": "image/png, image/gif" }],
    [[["starts-with", "$x-amz-meta-tag", ""]], { "x-amz-meta-tag": "" }],
    [[["starts-with", "$x-amz-meta-tag", ""]], { "x-amz-meta-tag": "anything" }],
    [[["starts-with", "$x-amz-meta-tag", ""]], {}],
    [[], { "x-ignore-this": "1" }],
    [[], {
      "x-amz-algorithm": "…",
      "x-amz-credential": "…",
      "x-amz-date": "…",
      "x-amz-security-token": "",
    }],
    [[["content-length-range", 0, 10]], {}],
    [[{ success_action_status: "201" }], { success_action_status: "201" }],
    [[["starts-with", "$key", "user/p"], ["starts-with", "$key", "user/photo"]], {}],
  ];
  for (const [conditions, fields] of cases) check(conditions, fields);
});

Deno.test("what a policy does not allow is refused", () => {
  const cases: [conditions: unknown[], fields: Record<string, string>, reason: string][] = [
    [[], { key: "other/photo.jpg" }, "policy_condition"],
    [[], { key: "User/photo.jpg" }, "policy_condition"],
    [[], { bucket: "other" }, "policy_condition"],
    [[["eq", "$key", "user/other.jpg"]], {}, "policy_condition"],
    [[["eq", "$key", "user/"]], {}, "policy_condition"],
    [[{ "content-type": "image/png" }], { "content-type": "image/PNG" }, "policy_condition"],
    [[{ "content-type": "image/png" }], {}, "policy_condition"],
    [[["starts-with", "$content-type", "image/"]], { "content-type": "text/html" }, "policy_condition"],
    [
      [["starts-with", "$content-type", "image/"]],
      { "content-type": "image/png, text/html" },
      "policy_condition",
    ],
    [[{ acl: "private" }], { acl: "public-read" }, "policy_condition"],
    [[{ "x-amz-meta-a": "1" }, { "x-amz-meta-a": "2" }], { "x-amz-meta-a": "2" }, "policy_condition"],
    [[["starts-with", "$key", "user/a"], ["starts-with", "$key", ""]], {}, "policy_condition"],
    [[{ "x-amz-date": "20261121T000000Z" }], { "x-amz-date": "20261122T000000Z" }, "policy_condition"],
    [[], { acl: "private" }, "policy_field"],
    [[], { "content-type": "image/png" }, "policy_field"],
    [[], { "x-amz-meta-a": "1" }, "policy_field"],
    [[], { "x-amz-storage-class": "STANDARD" }, "policy_field"],
    [[], { success_action_redirect: "https://example.com/" }, "policy_field"],
    [[], { submit: "Upload" }, "policy_field"],
    [[], { "x-ignored": "1" }, "policy_field"],
  ];
  for (const [conditions, fields, reason] of cases) {
    assert.throws(() => check(conditions, fields), { code: "AccessDenied", reason }, JSON.stringify(fields));
  }
});

Deno.test("a policy that says nothing of the bucket allows none", () => {
  const policy = parsePolicy(encode({ expiration: later, conditions: [["starts-with", "$key", ""]] }));
  const fields = new Map([["bucket", "bucket"], ["key", "a"]]);
  assert.throws(() => requirePolicy(policy, fields, now), { code: "AccessDenied", reason: "policy_field" });
});

Deno.test("a policy ends at its expiration", () => {
  for (
    const expiration of ["2026-11-21T12:00:00.001Z", "2026-11-21T12:00:01Z", "2026-11-21T14:00:01+02:00"]
  ) {
    check([], {}, expiration);
  }
  for (const expiration of ["2026-11-21T12:00:00Z", "2026-11-21T11:59:59.999Z", "2007-12-01T12:00:00.000Z"]) {
    assert.throws(() => check([], {}, expiration), { code: "AccessDenied", reason: "policy_expired" });
  }
});

Deno.test("a policy that is not understood to its last word is refused", () => {
  const conditions = [{ bucket: "bucket" }];
  const documents: unknown[] = [
    "",
    "not json",
    "[]",
    "null",
    '"text"',
    {},
    { conditions },
    { expiration: later },
    { expiration: later, conditions, Version: "1" },
    { expiration: later, conditions: {} },
    ...["tomorrow", "2026-11-21", "2026-11-21T12:00:00", "2026-13-21T12:00:00Z", 1795262400, null].map(
      (expiration) => ({ expiration, conditions }),
    ),
    ...[
      [],
      {},
      { a: "1", b: "2" },
      { a: 1 },
      { a: null },
      "text",
      null,
      ["eq", "$key"],
      ["eq", "key", "a"],
      ["eq", "$", "a"],
      ["eq", "$key", 1],
      ["eq", "$key", "a", "b"],
      ["matches", "$key", "a"],
      ["EQ", "$key", "a"],
      ["content-length-range", 0],
      ["content-length-range", 0, 1, 2],
      ["content-length-range", 2, 1],
      ["content-length-range", -1, 1],
      ["content-length-range", 0, 1.5],
      ["content-length-range", 0, "ten"],
      ["content-length-range", null, 1],
      ["content-length-range", 0, 1e20],
    ].map((condition) => ({ expiration: later, conditions: [condition] })),
  ];
  for (const document of documents) {
    assert.throws(() => parsePolicy(encode(document)), { code: "InvalidPolicyDocument" }, encode(document));
  }
  for (const text of ["%%%", "{}", "e30=e30=", Buffer.from([0x22, 0xff, 0x22]).toString("base64")]) {
    assert.throws(() => parsePolicy(text), { code: "InvalidPolicyDocument" }, text);
  }
});

Deno.test("ranges of sizes add up, also those written as text", () => {
  const policy = parsePolicy(encode({
    expiration: later,
    conditions: [["content-length-range", 1, "1000"], ["content-length-range", 10, 2000]],
  }));
  assert.deepEqual(policy.size, { min: 10, max: 1000 });
  assert.deepEqual(parsePolicy(encode({ expiration: later, conditions: [] })).size, {
    min: 0,
    max: 5 * 1024 ** 3,
  });
});

Deno.test("the escapes of S3 that JSON does not have are understood", () => {
  const text = `{"expiration":"${later}","conditions":[{"key":"a\\$b\\v\\u00e9\\\\$"}]}`;
  assert.deepEqual(parsePolicy(encode(text)).conditions, [
    { kind: "eq", field: "key", value: "a$b\u000bé\\$" },
  ]);
});
