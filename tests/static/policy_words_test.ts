import assert from "node:assert/strict";
import { messages as german } from "../../static/i18n/de.js";
import { messages as english } from "../../static/i18n/en.js";
import { setLanguage } from "../../static/lib/i18n.js";
import { policyProblems } from "../../static/lib/settings/policy_rules.js";
import { withoutStatement } from "../../static/lib/settings/policy_form.js";
import { policyTemplates, withStatements } from "../../static/lib/settings/policy_templates.js";
import { explainPolicy, isPublic, publicAccess } from "../../static/lib/settings/policy_words.js";

/** A policy of one statement about the bucket `photos`. */
function policyOf(statement: Record<string, unknown>) {
  return {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: "*", Resource: "arn:aws:s3:::photos/*", ...statement }],
  };
}

function wordsOf(statement: Record<string, unknown>) {
  return explainPolicy(policyOf(statement))[0].sentence;
}

Deno.test("policy words: who, what, where and when are said", () => {
  setLanguage("en", english);
  const cases: [Record<string, unknown>, string][] = [
    [{ Action: "s3:GetObject" }, "Everyone (no sign-in needed) may read objects: all objects of photos."],
    [
      {
        Effect: "Deny",
        Action: ["s3:DeleteObject", "s3:DeleteObjectVersion"],
        Resource: "arn:aws:s3:::photos/keep/*",
      },
      "Everyone (no sign-in needed) may never delete objects, delete versions for good: objects under keep/.",
    ],
    [
      { Principal: { AWS: "arn:aws:iam::123456789012:root" }, Action: "s3:*" },
      "Account 123456789012 may do everything: all objects of photos.",
    ],
    [
      { Principal: { AWS: ["arn:aws:iam::123456789012:user/ops/anna"] }, Action: "s3:Put*" },
      "User ops/anna (123456789012) may upload objects and change settings: all objects of photos.",
    ],
    [
      { Principal: { Service: "cloudfront.amazonaws.com" }, Action: "s3:GetObject" },
      "The service cloudfront.amazonaws.com may read objects: all objects of photos.",
    ],
    [
      {
        Effect: "Deny",
        Action: "s3:*",
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      },
      "Everyone (no sign-in needed) may never do everything: all objects of photos, " +
      "but only when the connection is not encrypted (plain HTTP).",
    ],
    [
      {
        Action: "s3:ListBucket",
        Resource: "arn:aws:s3:::photos",
        Condition: {
          IpAddress: { "aws:SourceIp": ["10.0.0.0/8", "192.168.0.0/16"] },
          StringLike: { "s3:prefix": "public/*" },
        },
      },
      "Everyone (no sign-in needed) may list the objects: the bucket photos itself, " +
      "but only when the address is in 10.0.0.0/8 or 192.168.0.0/16 and the listed prefix matches public/*.",
    ],
    [
      {
        NotPrincipal: { AWS: "arn:aws:iam::123456789012:role/ci" },
        Principal: undefined,
        Action: "s3:FlyObject",
      },
      "Everyone except role ci (123456789012) may use s3:FlyObject: all objects of photos.",
    ],
    [
      { Action: "s3:GetObject", Condition: { "ForAnyValue:StringEqualsIfExists": { "aws:Moon": "full" } } },
      "Everyone (no sign-in needed) may read objects: all objects of photos, " +
      "but only when for any value: aws:Moon is full (or there is none).",
    ],
    [
      { Action: "s3:GetObject", Condition: { Sorcery: { "aws:SourceIp": "x" } } },
      "Everyone (no sign-in needed) may read objects: all objects of photos, " +
      "but only when a condition holds that is not known here: Sorcery aws:SourceIp x.",
    ],
  ];
  for (const [statement, sentence] of cases) assert.equal(wordsOf(statement), sentence);
  setLanguage("de", german);
  assert.equal(
    wordsOf({ Action: "s3:GetObject" }),
    "Erlaubt für alle (auch ohne Anmeldung): Objekte lesen – alle Objekte von photos.",
  );
});

Deno.test("policy words: what is not understood is named, and broken policies are survived", () => {
  setLanguage("en", english);
  const [statement] = explainPolicy({ Statement: { Effect: "Perhaps", Action: "s3:GetObject", Moon: 1 } });
  assert.deepEqual(statement.unknown, ["Effect", "Principal", "Moon"]);
  assert.equal(statement.effect, "unknown");
  for (const broken of ["", "{", "[]", "null", 3, null, undefined, { Statement: [null, 4] }]) {
    assert.deepEqual(explainPolicy(broken), []);
    assert.deepEqual(publicAccess(broken), { read: "no", list: "no", write: "no", remove: "no" });
    assert.equal(isPublic(broken), false);
  }
});

Deno.test("public access: allows, denials and conditions are weighed for one key and for the bucket", () => {
  const publicRead = {
    Effect: "Allow",
    Principal: "*",
    Action: "s3:GetObject",
    Resource: "arn:aws:s3:::photos/public/*",
  };
  const read = (statements: unknown, key?: string) => publicAccess({ Statement: statements }, key).read;
  assert.equal(read(publicRead, "public/a.jpg"), "yes");
  assert.equal(read(publicRead, "private/a.jpg"), "no");
  assert.equal(read(publicRead), "yes");
  const deny = {
    Effect: "Deny",
    Principal: "*",
    Action: "s3:*",
    Resource: "arn:aws:s3:::photos/public/secret/*",
  };
  assert.equal(read([publicRead, deny], "public/secret/a"), "no");
  assert.equal(read([publicRead, deny], "public/a"), "yes");
  assert.equal(read([publicRead, deny]), "yes");
  const denyAll = { ...deny, Resource: "arn:aws:s3:::photos/*" };
  assert.equal(read([publicRead, denyAll]), "no");
  const plainHttp = { ...denyAll, Condition: { Bool: { "aws:SecureTransport": "false" } } };
  assert.equal(read([publicRead, plainHttp], "public/a"), "conditional");
  assert.equal(
    read({ ...publicRead, Condition: { IpAddress: { "aws:SourceIp": "10.0.0.0/8" } } }),
    "conditional",
  );
  assert.equal(read({ ...publicRead, Action: undefined, NotAction: "s3:PutObject" }, "public/a"), "yes");
  assert.equal(
    read({ ...publicRead, Resource: undefined, NotResource: "arn:aws:s3:::photos/private/*" }, "a"),
    "yes",
  );
  assert.equal(
    read({ ...publicRead, Resource: undefined, NotResource: "arn:aws:s3:::photos/private/*" }, "private/a"),
    "no",
  );
  assert.equal(
    read({ ...publicRead, Principal: { AWS: "arn:aws:iam::123456789012:root" } }, "public/a"),
    "no",
  );
  assert.equal(read({ ...publicRead, Action: "S3:getobject*", Resource: "arn:aws:s3:::*" }, "any"), "yes");
  const list = {
    Effect: "Allow",
    Principal: { AWS: ["*"] },
    Action: ["s3:List*"],
    Resource: "arn:aws:s3:::photos",
  };
  assert.deepEqual(publicAccess({ Statement: list }), { read: "no", list: "yes", write: "no", remove: "no" });
});

Deno.test("policy templates: each is a policy that the rules take, and adding twice changes nothing", () => {
  setLanguage("en", english);
  const values = { bucket: "photos", prefix: "public/", principal: "arn:aws:iam::123456789012:user/anna" };
  for (const template of policyTemplates.filter(({ id }) => id !== "private")) {
    const policy = withStatements(null, template.statements(values));
    assert.deepEqual(policyProblems(policy, "photos"), [], template.id);
    assert.deepEqual(withStatements(policy, template.statements(values)), policy);
    assert.equal(isPublic(policy), template.id.startsWith("public"), template.id);
  }
  const single = { Version: "2012-10-17", Statement: { Sid: "a" } };
  assert.deepEqual(withStatements(single, [{ Sid: "b" }]).Statement, [{ Sid: "a" }, { Sid: "b" }]);
  assert.equal(withoutStatement(single, 0), null);
});

Deno.test("policy rules: what the server refuses is found at its place", () => {
  setLanguage("en", english);
  const pathsOf = (policy: unknown) => policyProblems(policy, "photos").map(({ path }) => path);
  assert.deepEqual(pathsOf(null), []);
  assert.deepEqual(pathsOf([]), [""]);
  assert.deepEqual(pathsOf({ Version: "2020", Statement: [], Extra: 1 }), ["Extra", "Version", "Statement"]);
  assert.deepEqual(pathsOf(policyOf({ Action: "s3:GetObject", Resource: "arn:aws:s3:::other/*" })), [
    "Statement.0.Resource",
  ]);
  assert.deepEqual(pathsOf(policyOf({ Action: [], Principal: {}, Condition: { Bool: 1 } })), [
    "Statement.0.Action",
    "Statement.0.Principal",
    "Statement.0.Condition",
  ]);
  assert.deepEqual(pathsOf(policyOf({ Action: "s3:*", NotAction: "s3:*" })), ["Statement.0"]);
  const long = policyOf({ Action: "s3:*", Sid: "x".repeat(21_000) });
  assert.deepEqual(pathsOf(long), [""]);
});
