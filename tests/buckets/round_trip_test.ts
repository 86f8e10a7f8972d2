import assert from "node:assert/strict";
import {
  GetBucketLifecycleConfigurationCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
} from "@aws-sdk/client-s3";
import fc from "fast-check";
import { editCors } from "../../src/buckets/settings/cors.ts";
import { editLifecycle, readLifecycle } from "../../src/buckets/settings/lifecycle.ts";
import { editVersioning } from "../../src/buckets/settings/versioning.ts";
import { Problem } from "../../src/problem.ts";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const tag = { Key: "k", Value: "<v>" };

/** Rules of which each has something that the form does not show. */
const rules: LifecycleRule[] = [
  {
    ID: "and",
    Status: "Enabled",
    Filter: { And: { Prefix: "x/", Tags: [tag], ObjectSizeGreaterThan: 100 } },
    Expiration: { Days: 3 },
    NoncurrentVersionExpiration: { NoncurrentDays: 4, NewerNoncurrentVersions: 2 },
  },
  {
    ID: "tag",
    Status: "Disabled",
    Filter: { Tag: tag },
    Expiration: { Date: new Date("2030-01-01T00:00:00Z") },
  },
  { ID: "old", Status: "Enabled", Prefix: "old/", Expiration: { Days: 9 } },
  {
    ID: "marker",
    Status: "Enabled",
    Filter: { Prefix: "" },
    Expiration: { ExpiredObjectDeleteMarker: true },
  },
  {
    ID: "size",
    Status: "Enabled",
    Filter: { ObjectSizeLessThan: 5000 },
    NoncurrentVersionExpiration: { NoncurrentDays: 4 },
  },
];

upstreamTest(["minio"], "lifecycle rules keep what their form does not show", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket }) => {
    const path = `${bucket}/lifecycle`;
    using s3 = s3Client(upstream);
    const Bucket = bucketName;
    const stored = async () =>
      (await s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules ?? [];
    const put = (wanted: unknown, headers?: Record<string, string>) =>
      client.put(path, { json: { rules: wanted }, headers });
    await s3.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: rules } }),
    );
    const before = await stored();

    const shown = (await json(client.get(path))).rules;
    assert.deepEqual(
      shown.map(({ id, unmodeled }: { id: string; unmodeled?: string[] }) => [id, unmodeled]),
      [
        ["and", undefined],
        ["tag", ["Expiration.Date"]],
        ["old", undefined],
        ["marker", ["Expiration.ExpiredObjectDeleteMarker"]],
        ["size", undefined],
      ],
    );
    await json(put(shown));
    assert.deepEqual(await stored(), before);

    // What cannot be kept is refused, and changes nothing: also what is right beside it.
    const [and, tagged, old, marker, size] = shown;
    const added = { id: "added", enabled: true, expiration_days: 1 };
    const conflicts = [
      [added],
      [],
      [and, { ...tagged, expiration_days: 5 }, old, marker, size, added],
      [and, tagged, old, { ...marker, expiration_days: 5 }, size, added],
      [and, { ...tagged, id: "renamed" }, old, marker, size],
    ];
    for (const wanted of conflicts) assert.equal(await refusal(put(wanted)), "409 conflict");
    assert.equal(await refusal(put([], { "if-match": "*" })), "409 conflict");
    assert.deepEqual(await stored(), before);

    // Clients that do not know all of the fields leave them out, and delete no more than before.
    const { id, prefix: _, enabled } = and;
    const plain = { id, enabled };
    const { smaller_than_bytes: __, ...unbounded } = size;
    await json(put([
      added,
      { ...plain, expiration_days: 30, noncurrent_expire_days: 5, prefix: "y/" },
      { ...tagged, prefix: "z/", enabled: true },
      { ...old, prefix: "older/" },
      marker,
      { ...unbounded, expiration_days: 8 },
    ]));
    const [first, ...others] = await stored();
    assert.equal(first.ID, "added");
    assert.deepEqual(others, [
      {
        ...before[0],
        Filter: { And: { Prefix: "y/", Tags: [tag], ObjectSizeGreaterThan: 100 } },
        Expiration: { Days: 30 },
        NoncurrentVersionExpiration: { NoncurrentDays: 5, NewerNoncurrentVersions: 2 },
      },
      { ...before[1], Status: "Enabled", Filter: { And: { Prefix: "z/", Tags: [tag] } } },
      { ...before[2], Prefix: "older/" },
      before[3],
      { ...before[4], Expiration: { Days: 8 } },
    ]);

    const removed = { tags: [], larger_than_bytes: null, noncurrent_keep_versions: null };
    const all = (await json(client.get(path))).rules;
    await json(put(all.map((rule: { id: string }) => rule.id === "and" ? { ...rule, ...removed } : rule)));
    assert.deepEqual((await stored())[1], {
      ...others[0],
      Filter: { Prefix: "y/" },
      NoncurrentVersionExpiration: { NoncurrentDays: 5 },
    });

    // Whoever has seen the rules may remove them, unless somebody was faster.
    const etag = (await client.get(path)).headers.get("etag") ?? "";
    const edits = [[], [{ ...added, expiration_days: 2 }]];
    const statuses = await Promise.all(edits.map((edit) => status(put(edit, { "if-match": etag }))));
    assert.deepEqual(statuses.sort(), [200, 412]);
    assert.equal(await refusal(put([], { "if-match": etag })), "412 precondition_failed");
    assert.ok((await json(client.get(path))).rules.length <= 1);
  });
});

const transitions = "<Transition><Days>3</Days><StorageClass>IA</StorageClass></Transition>" +
  "<Transition><Date>2030-01-01T00:00:00Z</Date><StorageClass>GLACIER</StorageClass></Transition>";

Deno.test("several transitions stay as they are, and cannot be replaced by one", () => {
  const text = `<LifecycleConfiguration><Rule><ID>a</ID><Filter/><Status>Enabled</Status>${transitions}` +
    "<NoncurrentVersionTransition><NoncurrentDays>1</NoncurrentDays><StorageClass>IA</StorageClass>" +
    "</NoncurrentVersionTransition></Rule><Vendor>kept</Vendor></LifecycleConfiguration>";
  const [rule] = readLifecycle(text);
  assert.deepEqual(rule.unmodeled, ["Transition", "NoncurrentVersionTransition"]);
  assert.equal(editLifecycle(text, [rule], false), text);
  const edited = editLifecycle(text, [{ ...rule, prefix: "p/", abort_incomplete_days: 3 }], false);
  assert.ok(edited.includes(transitions) && edited.includes("<Vendor>kept</Vendor>"));
  const replaced = { ...rule, transition_days: 5, transition_storage_class: "IA" };
  assert.throws(() => editLifecycle(text, [replaced], true), { code: "conflict" });
});

Deno.test("a rule without an id that is changed is not taken for one that is removed", () => {
  const text = "<LifecycleConfiguration><Rule><Filter><Vendor>kept</Vendor></Filter>" +
    "<Status>Enabled</Status><Expiration><Days>7</Days></Expiration></Rule></LifecycleConfiguration>";
  const [{ unmodeled, ...rule }] = readLifecycle(text);
  assert.deepEqual(unmodeled, ["Filter.Vendor"]);
  assert.equal(editLifecycle(text, [rule], false), text);
  const changed = { ...rule, expiration_days: 8 };
  assert.throws(() => editLifecycle(text, [changed], true), { code: "conflict" });
  assert.doesNotMatch(editLifecycle(text, [{ ...changed, id: "new" }], true), /Vendor/);
  assert.equal(editLifecycle(text, [], true), "");
});

Deno.test("the only transition of a rule is changed and removed", () => {
  const wanted = {
    id: "a",
    prefix: "",
    enabled: true,
    expiration_days: 90,
    transition_days: 30,
    transition_storage_class: "GLACIER",
  };
  const text = editLifecycle("", [wanted], false);
  assert.match(text, /<Transition><Days>30<\/Days><StorageClass>GLACIER<\/StorageClass><\/Transition>/);
  const { transition_days: _, transition_storage_class: __, ...without } = wanted;
  assert.doesNotMatch(editLifecycle(text, [without], false), /Transition/);
  const later = editLifecycle(text, [{ ...wanted, transition_days: 60 }], false);
  assert.equal(readLifecycle(later)[0].transition_days, 60);
});

Deno.test("what CORS rules and versioning have besides is kept", () => {
  const cors = "<CORSConfiguration><CORSRule><ID>a</ID><AllowedOrigin>*</AllowedOrigin>" +
    "<AllowedMethod>GET</AllowedMethod><Vendor>kept</Vendor></CORSRule></CORSConfiguration>";
  const rule = {
    id: "a",
    allowed_origins: ["https://a.test"],
    allowed_methods: ["GET"],
    allowed_headers: [],
    expose_headers: [],
  };
  assert.match(editCors(cors, [rule], false), /a\.test.*<Vendor>kept<\/Vendor>/);
  assert.throws(() => editCors(cors, [{ ...rule, id: "b" }], false), { code: "conflict" });
  assert.doesNotMatch(editCors(cors, [{ ...rule, id: "b" }], true), /Vendor/);
  const versioning = "<VersioningConfiguration><Status>Enabled</Status>" +
    "<ExcludedPrefixes><Prefix>tmp/</Prefix></ExcludedPrefixes></VersioningConfiguration>";
  assert.match(editVersioning(versioning, false), /Suspended.*<Prefix>tmp\/<\/Prefix>/);
  assert.equal(editVersioning(versioning, true), versioning);
});

const days = fc.integer({ min: 1, max: 99 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const formRule = fc.record({
  id: fc.constant("rule"),
  prefix: fc.constantFrom("", "a/", "b/"),
  tags: maybe(
    fc.constantFrom<{ key: string; value: string }[]>([{ key: "k", value: "v" }], [{ key: "k", value: "" }, {
      key: "l",
      value: "w",
    }]),
  ),
  larger_than_bytes: maybe(fc.constantFrom(0, 1024)),
  smaller_than_bytes: maybe(fc.constant(2 ** 20)),
  enabled: fc.boolean(),
  expiration_days: maybe(days),
  noncurrent_expire_days: maybe(days),
  noncurrent_keep_versions: maybe(days),
  abort_incomplete_days: maybe(days),
});
/** Elements with the text `kept`, each of which the form does not show. */
const hidden = {
  filter: fc.subarray([
    "<Tag><Key>k</Key><Value>v</Value><Vendor>kept</Vendor></Tag>",
    "<ObjectSizeLessThan>kept</ObjectSizeLessThan>",
  ]),
  expiration: fc.subarray(["<Days>7</Days>", "<Vendor>kept</Vendor>"]),
  noncurrent: fc.subarray([
    "<NoncurrentDays>7</NoncurrentDays>",
    "<NewerNoncurrentVersions>kept</NewerNoncurrentVersions>",
  ]),
  rule: fc.subarray(["<Vendor>kept</Vendor>", transitions.replaceAll("IA", "kept")]),
};

Deno.test("no edit of a rule loses anything that the form does not show", () => {
  fc.assert(
    fc.property(fc.record(hidden), fc.boolean(), formRule, (parts, hasPrefix, wanted) => {
      const conditions = [...parts.filter, ...(hasPrefix ? ["<Prefix>p/</Prefix>"] : [])].join("");
      const wrap = (name: string, content: readonly string[]) =>
        content.length === 0 ? "" : `<${name}>${content.join("")}</${name}>`;
      const text = `<LifecycleConfiguration><Rule><ID>rule</ID><Status>Enabled</Status><Filter>` +
        `${parts.filter.length > 1 ? `<And>${conditions}</And>` : conditions}</Filter>` +
        wrap("Expiration", parts.expiration) + wrap("NoncurrentVersionExpiration", parts.noncurrent) +
        `${parts.rule.join("")}</Rule></LifecycleConfiguration>`;
      let edited: string;
      try {
        edited = editLifecycle(text, [wanted], false);
      } catch (error) {
        assert.ok(error instanceof Problem && ["conflict", "invalid_lifecycle"].includes(error.code));
        return;
      }
      const count = (where: string) => where.split("kept").length;
      assert.equal(count(edited), count(text));
      const { unmodeled: _, ...shown } = readLifecycle(edited)[0];
      assert.deepEqual(
        { ...shown, transition_days: undefined, transition_storage_class: undefined },
        { ...wanted, transition_days: undefined, transition_storage_class: undefined },
      );
    }),
    { numRuns: 500 },
  );
});
