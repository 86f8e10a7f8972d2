import assert from "node:assert/strict";
import { messages as german } from "../../static/i18n/de.js";
import { messages as english } from "../../static/i18n/en.js";
import { unitOf } from "../../static/lib/byte_units.js";
import { setLanguage } from "../../static/lib/i18n.js";
import { corsProblems } from "../../static/lib/settings/cors_problems.js";
import { corsPresets } from "../../static/lib/settings/cors_rules.js";
import { corsVerdict } from "../../static/lib/settings/cors_verdict.js";
import { placeOfRefusal, readDocument } from "../../static/lib/settings/json_faults.js";
import { locateJson, placeOfPath } from "../../static/lib/settings/json_locator.js";
import {
  countableRules,
  dueRules,
  matchTags,
  outermostPrefixes,
} from "../../static/lib/settings/lifecycle_estimate.js";
import { parseTagLines, tagLines } from "../../static/lib/settings/lifecycle_filter.js";
import { lifecycleProblems } from "../../static/lib/settings/lifecycle_rules.js";
import { lifecycleWords } from "../../static/lib/settings/lifecycle_words.js";
import { countChanges, diffLines, withoutFarLines } from "../../static/lib/settings/line_diff.js";
import { quotaProblems } from "../../static/lib/settings/quota_editing.js";
import { readDecimal, readWhole } from "../../static/lib/typed_numbers.js";

Deno.test("JSON locator: values are found by their path, errors by line, column and kind", () => {
  const text = '{\n  "rules": [\n    { "id": "a\\"b" },\n    { "n": -1.5e3 }\n  ]\n}\n';
  const { value, error, offsets } = locateJson(text);
  assert.deepEqual(value, JSON.parse(text));
  assert.equal(error, null);
  const place = (path: string) => {
    const { line, column } = placeOfPath(text, offsets, path);
    return [line, column];
  };
  assert.deepEqual(place("rules.1.n"), [4, 12]);
  assert.deepEqual(place("rules.1.missing.deeper"), [4, 5]);
  assert.deepEqual(place("nowhere"), [1, 1]);
  const faults: [string, string, number, number][] = [
    ["", "end", 1, 1],
    ["{", "end", 1, 2],
    ['{"a": 1,}', "trailing_comma", 1, 9],
    ["[1,\n2,\n]", "trailing_comma", 3, 1],
    ["{a: 1}", "name", 1, 2],
    ["{'a': 1}", "quotes", 1, 2],
    ['{"a" 1}', "colon", 1, 6],
    ['{"a": 1 "b": 2}', "comma_object", 1, 9],
    ["[1 2]", "comma_list", 1, 4],
    ["[01]", "number", 1, 2],
    ["[tru]", "value", 1, 2],
    ['["\\x"]', "escape", 1, 3],
    ['["a\nb"]', "control", 1, 4],
    ['"abc', "end", 1, 1],
    ["[] []", "after", 1, 4],
    ['{"a": 1,\n "a": 2}', "twice", 2, 2],
    ["[".repeat(80), "deep", 1, 66],
  ];
  for (const [wrong, fault, line, column] of faults) {
    const found = locateJson(wrong);
    assert.equal(found.value, undefined);
    assert.deepEqual(
      [found.error?.fault, found.error?.line, found.error?.column],
      [fault, line, column],
      JSON.stringify(wrong),
    );
  }
});

Deno.test("line diff: what is common stays, and far lines are left out", () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n");
  const after = before.replace("line 3\n", "line three\nand more\n").replace("line 15", "line 15,");
  const lines = diffLines(before, after);
  assert.deepEqual(countChanges(lines), { added: 3, removed: 2 });
  assert.equal(lines.filter(({ kind }) => kind !== "removed").map(({ text }) => text).join("\n"), after);
  assert.equal(lines.filter(({ kind }) => kind !== "added").map(({ text }) => text).join("\n"), before);
  assert.deepEqual(lines.find(({ text }) => text === "and more"), {
    kind: "added",
    text: "and more",
    before: null,
    after: 5,
  });
  assert.equal(withoutFarLines(lines, 1).filter((line) => line === null).length, 3);
  assert.deepEqual(diffLines("a\n", "a\n").map(({ kind }) => kind), ["same"]);
  assert.deepEqual(countChanges(diffLines("", "a\nb\n")), { added: 2, removed: 0 });
});

Deno.test("CORS: the verdict names the rule that decides, or what none of them has", () => {
  const rules = [
    {
      allowed_origins: ["https://*.example.com"],
      allowed_methods: ["GET"],
      allowed_headers: [],
      expose_headers: [],
    },
    corsPresets.app,
  ];
  const verdict = (origin: string, method: string, headers: string[] = []) => {
    const { allowed, rule, reason, preflight } = corsVerdict(rules, { origin, method, headers });
    return [allowed, rule, reason, preflight];
  };
  assert.deepEqual(verdict("https://www.example.com", "GET"), [true, 0, null, false]);
  assert.deepEqual(verdict("https://app.example.com", "PUT", ["X-Any"]), [true, 1, null, true]);
  assert.deepEqual(verdict("https://app.example.com", "GET", ["Authorization"]), [true, 1, null, true]);
  assert.deepEqual(verdict("https://www.example.com", "PUT"), [false, 0, "method", true]);
  assert.deepEqual(verdict("https://www.example.com", "GET", ["X-Any"]), [false, 0, "headers", true]);
  assert.deepEqual(verdict("http://www.example.com", "GET"), [false, -1, "origin", false]);
  assert.deepEqual(verdict("https://example.com", "GET", ["Accept"]), [false, -1, "origin", false]);
  assert.equal(corsVerdict([], { origin: "https://a.b", method: "GET", headers: [] }).reason, "rules");
});

Deno.test("CORS rules: what the server refuses is found at its place", () => {
  setLanguage("en", english);
  const pathsOf = (rule: Record<string, unknown>) => corsProblems({ rules: [rule] }).map(({ path }) => path);
  for (const preset of Object.values(corsPresets)) assert.deepEqual(corsProblems({ rules: [preset] }), []);
  const good = { allowed_origins: ["*"], allowed_methods: ["GET"] };
  assert.deepEqual(pathsOf({ ...good, max_age_seconds: -1 }), ["rules.0.max_age_seconds"]);
  assert.deepEqual(pathsOf({ ...good, allowed_origins: ["https://a.b/", "*.*", "a b"] }), [
    "rules.0.allowed_origins.0",
    "rules.0.allowed_origins.1",
    "rules.0.allowed_origins.2",
  ]);
  assert.deepEqual(pathsOf({ ...good, allowed_methods: ["PATCH"], expose_headers: ["x-*"] }), [
    "rules.0.allowed_methods.0",
    "rules.0.expose_headers.0",
  ]);
  assert.deepEqual(pathsOf({}), ["rules.0.allowed_origins", "rules.0.allowed_methods"]);
  assert.deepEqual(pathsOf({ ...good, extra: 1 }), ["rules.0.extra"]);
  assert.deepEqual(corsProblems({ rules: [{ ...good, id: "a" }] }, { ids: false }).length, 1);
  assert.deepEqual(corsProblems(null).map(({ path }) => path), ["rules"]);
});

Deno.test("lifecycle: rules are said in words, also what their form does not show", () => {
  setLanguage("en", english);
  assert.deepEqual(lifecycleWords({ prefix: "logs/", enabled: true, expiration_days: 30 }), [
    "After 30 days objects under logs/ are deleted.",
  ]);
  assert.deepEqual(
    lifecycleWords({
      enabled: true,
      noncurrent_expire_days: 1,
      noncurrent_keep_versions: 3,
      abort_incomplete_days: 7,
      transition_days: 90,
      transition_storage_class: "GLACIER",
      unmodeled: ["Filter.Tag"],
    }),
    [
      "After 90 days some objects move to GLACIER.",
      "After 1 day old versions of some objects are deleted.",
      "The newest 3 old versions are kept.",
      "After 7 days unfinished uploads are aborted.",
      "The rule says more than is shown here: Filter.Tag. That is kept as it is.",
    ],
  );
  const narrowed = { enabled: true, expiration_days: 7, tags: [{ key: "team", value: "red" }] };
  assert.deepEqual(lifecycleWords(narrowed), ["After 7 days objects (tag team=red) are deleted."]);
  assert.deepEqual(lifecycleWords({ ...narrowed, prefix: "a/", larger_than_bytes: 2 ** 20 }), [
    "After 7 days objects under a/ (tag team=red, larger than 1.00 MiB) are deleted.",
  ]);
  setLanguage("de", german);
  assert.deepEqual(lifecycleWords({ ...narrowed, smaller_than_bytes: 2 ** 30 }), [
    "Nach 7 Tagen werden Objekte (Tag team=red, kleiner als 1,00 GiB) gelöscht.",
  ]);
  assert.deepEqual(lifecycleWords({ prefix: "logs/", enabled: true, expiration_days: 30 }), [
    "Nach 30 Tagen werden Objekte unter logs/ gelöscht.",
  ]);
});

Deno.test("lifecycle: rules are checked as the server does", () => {
  setLanguage("en", english);
  const pathsOf = (rules: unknown) => lifecycleProblems({ rules }).map(({ path }) => path);
  assert.deepEqual(pathsOf([{ id: "a", enabled: true, expiration_days: 1 }]), []);
  assert.deepEqual(pathsOf([{ enabled: true }]), ["rules.0"]);
  assert.deepEqual(pathsOf([{ enabled: true, unmodeled: ["Expiration.Date"] }]), []);
  assert.deepEqual(pathsOf([{ enabled: true, expiration_days: 1.5, transition_days: 3 }]), [
    "rules.0.expiration_days",
    "rules.0.transition_storage_class",
  ]);
  const rule = { id: "a", enabled: false, abort_incomplete_days: 1 };
  assert.deepEqual(pathsOf([rule, rule]), ["rules.1.id"]);
  assert.deepEqual(pathsOf([{ ...rule, prefix: "é".repeat(600) }]), ["rules.0.prefix"]);
  assert.deepEqual(pathsOf([{ ...rule, noncurrent_keep_versions: 0 }]), [
    "rules.0.noncurrent_keep_versions",
  ]);
  assert.deepEqual(
    pathsOf([{ ...rule, larger_than_bytes: 9, smaller_than_bytes: 10, tags: [{ key: "a", value: "" }] }]),
    ["rules.0.smaller_than_bytes", "rules.0.abort_incomplete_days"],
  );
  const tags = parseTagLines("a=1\n\na=2\n=3");
  assert.deepEqual(pathsOf([{ enabled: true, expiration_days: 1, tags }]), [
    "rules.0.tags.1.key",
    "rules.0.tags.2",
  ]);
  assert.equal(tagLines(tags), "a=1\na=2\n=3");
  assert.deepEqual(pathsOf([{ enabled: true, expiration_days: 1, tags: { a: "1" } }]), ["rules.0.tags"]);
  assert.deepEqual(pathsOf("none"), ["rules"]);
});

Deno.test("lifecycle estimate: days count from the next midnight, and nothing is listed twice", () => {
  const rules = [{ prefix: "logs/", enabled: true, expiration_days: 1 }];
  const object = { key: "logs/a", size: 1024, last_modified: "2026-11-01T10:00:00Z" };
  const later = Date.parse("2027-01-01T00:00:00Z");
  assert.deepEqual(dueRules(rules, object, Date.parse("2026-11-02T23:59:59Z")), []);
  assert.deepEqual(dueRules(rules, object, Date.parse("2026-11-03T00:00:00Z")), rules);
  assert.deepEqual(dueRules(rules, { ...object, key: "data/a" }, later), []);
  const sized = { enabled: true, expiration_days: 1, larger_than_bytes: 1023, smaller_than_bytes: 1025 };
  assert.deepEqual(dueRules([sized], object, later), [sized]);
  for (const size of [1023, 1025]) assert.deepEqual(dueRules([sized], { ...object, size }, later), []);
  const tagged = { ...sized, tags: [{ key: "team", value: "red" }, { key: "old", value: "" }] };
  assert.equal(matchTags([tagged], { team: "red", old: "", other: "x" }), true);
  assert.equal(matchTags([tagged], { team: "red" }), false);
  assert.equal(matchTags([tagged, sized], {}), true);
  const others = [{ enabled: false, expiration_days: 1 }, { enabled: true, abort_incomplete_days: 1 }, {
    enabled: true,
    expiration_days: 1,
    unmodeled: ["Filter.Vendor"],
  }];
  assert.deepEqual(countableRules([...rules, ...others]), rules);
  const mistyped = { enabled: true, expiration_days: 1, larger_than_bytes: null };
  assert.deepEqual(countableRules([mistyped, { enabled: true, expiration_days: null }]), []);
  assert.deepEqual(dueRules([mistyped], object, later), []);
  assert.deepEqual(outermostPrefixes(["logs/", "logs/2026/", "data/", "logs/"]), ["logs/", "data/"]);
});

Deno.test("settings: a typed number has a point or a comma, and what is none is not taken for an empty field", () => {
  const decimals = [
    "10",
    " 1.5 ",
    "1,5",
    "2.",
    ",5",
    "",
    "  ",
    "10 GB",
    "5e",
    "1e3",
    "-1",
    "-",
    "0x10",
    "1,5,0",
    "1,000",
    "1.000",
  ];
  assert.deepEqual(decimals.map(readDecimal), [
    ...[10, 1.5, 1.5, 2, 0.5],
    ...[undefined, undefined],
    ...Array(9).fill(null),
  ]);
  assert.deepEqual(["30", "0", " ", "1.000", "1,5", "1 h", "9".repeat(400)].map(readWhole), [
    ...[30, 0, undefined],
    ...[null, null, null, null],
  ]);
});

Deno.test("quota: limits are checked, and shown in the unit that fits", () => {
  setLanguage("en", english);
  const pathsOf = (value: unknown) => quotaProblems(value).map(({ path }) => path);
  assert.deepEqual(pathsOf({ soft_bytes: 0, hard_bytes: 0 }), []);
  assert.deepEqual(pathsOf({ soft_bytes: 2, hard_bytes: 1 }), ["soft_bytes"]);
  assert.deepEqual(pathsOf({ soft_bytes: -1, hard_bytes: 1.5 }), ["soft_bytes", "hard_bytes"]);
  assert.deepEqual(quotaProblems({ soft_bytes: 0, hard_bytes: null }), [
    { path: "hard_bytes", message: "Enter a number from 0 on, such as 10 or 1.5" },
  ]);
  assert.deepEqual([unitOf(5 * 2 ** 30), unitOf(1.5 * 2 ** 40), unitOf(300 * 2 ** 20), unitOf(0)], [
    "GiB",
    "TiB",
    "MiB",
    "GiB",
  ]);
});

Deno.test("policy: what opens more to everyone asks for the bucket's name", async () => {
  const { policyEditing: { needsName } } = await import("../../static/lib/settings/policy_editing.js");
  const allow = (Resource: string, more = {}) => ({
    Effect: "Allow",
    Principal: "*",
    Action: ["s3:GetObject"],
    Resource: [`arn:aws:s3:::photos/${Resource}`],
    ...more,
  });
  const deny = { ...allow("*"), Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } };
  const policy = (...Statement: unknown[]) => ({ Statement });
  const asks = (before: Record<string, unknown> | null, after: Record<string, unknown> | null) =>
    needsName?.(before, after);
  assert.equal(asks(null, policy(allow("*"))), true);
  assert.equal(asks(policy(allow("open/*"), deny), policy(allow("open/*"), allow("*"), deny)), true);
  assert.equal(asks(policy(allow("*"), deny), policy(allow("*"))), true);
  assert.equal(asks(policy(allow("*")), policy(allow("*", { Action: ["s3:PutObject"] }))), true);
  assert.equal(asks(policy(allow("*")), policy(allow("open/*"))), false);
  assert.equal(asks(policy(allow("*")), policy(allow("*"), deny)), false);
  assert.equal(asks(policy(allow("*")), policy(deny)), false);
  assert.equal(asks(policy(deny), null), false);
});

Deno.test("a refusal belongs to the field that it names, or whose name its words hold", () => {
  const document = { rules: [{ prefix: "a/", transition_days: 3, transition_storage_class: "NONE" }] };
  const json = readDocument(JSON.stringify(document));
  const words = [[/storage\s?class/i, "transition_storage_class"], [/date/i, "date"]] as const;
  const placeOf = (detail: Record<string, unknown>) =>
    placeOfRefusal({ status: 400, code: "invalid_lifecycle", message: "", detail }, json, words);
  assert.equal(placeOf({ field: "rules.0.prefix" }), "rules.0.prefix");
  assert.equal(placeOf({ upstream_code: "InvalidStorageClass" }), "rules.0.transition_storage_class");
  assert.equal(placeOf({ reason: "the date is wrong" }), null);
  assert.equal(placeOf({ field: "rules.7.prefix" }), null);
});
