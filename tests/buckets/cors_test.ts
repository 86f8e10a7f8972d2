import assert from "node:assert/strict";
import { GetBucketCorsCommand, PutBucketCorsCommand } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { refusalOf, s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const rule = {
  allowed_origins: ["https://app.example.com", "https://*.example.org"],
  allowed_methods: ["GET", "PUT"],
  allowed_headers: ["*"],
  expose_headers: ["ETag"],
  max_age_seconds: 600,
};

upstreamTest(["versitygw"], "CORS rules are set, shown and removed", async (upstream) => {
  await withBucket(upstream, async ({ program, client, backend, bucket }) => {
    const path = `${bucket}/cors`;
    using s3 = s3Client(upstream);
    const stored = async () => (await s3.send(new GetBucketCorsCommand({ Bucket: bucketName }))).CORSRules;
    const put = (rules: unknown, headers?: Record<string, string>) =>
      client.put(path, { json: { rules }, headers });

    assert.deepEqual(await json(client.get(path)), { rules: [] });
    const minimal = { allowed_origins: ["*"], allowed_methods: ["GET"] };
    const complete = { ...minimal, allowed_headers: [], expose_headers: [] };
    assert.deepEqual(await json(put([rule, minimal])), { rules: [rule, complete] });
    assert.deepEqual(await json(client.get(path)), { rules: [rule, complete] });
    assert.deepEqual(await stored(), [{
      AllowedOrigins: rule.allowed_origins,
      AllowedMethods: rule.allowed_methods,
      AllowedHeaders: ["*"],
      ExposeHeaders: ["ETag"],
      MaxAgeSeconds: 600,
    }, { AllowedOrigins: ["*"], AllowedMethods: ["GET"] }]);

    // One after the other, also when both come at once: the second has not seen what the first did.
    const etag = (await client.get(path)).headers.get("etag") ?? "";
    const both = await Promise.all(
      [minimal, { ...rule, max_age_seconds: 1 }].map((one) => status(put([one], { "if-match": etag }))),
    );
    assert.deepEqual(both.sort(), [200, 412]);
    assert.equal((await json(client.get(path))).rules.length, 1);
    assert.equal(await refusal(put([rule], { "if-match": '"other"' })), "412 precondition_failed");

    // The id is a label that clients which do not know it must not take away.
    const [first, second] = [{ AllowedOrigins: ["https://a.test"], AllowedMethods: ["GET"] }, {
      AllowedOrigins: ["https://b.test"],
      AllowedMethods: ["PUT"],
    }];
    const CORSConfiguration = { CORSRules: [{ ID: "first", ...first }, { ID: "second", ...second }] };
    await s3.send(new PutBucketCorsCommand({ Bucket: bucketName, CORSConfiguration }));
    const { rules: [shown, other] } = await json(client.get(path));
    assert.deepEqual([shown.id, other.id], ["first", "second"]);
    const { id: _, ...anonymous } = shown;
    await json(put([minimal, anonymous, { ...other, max_age_seconds: 5 }]));
    assert.deepEqual((await stored())?.map(({ ID, MaxAgeSeconds }) => [ID, MaxAgeSeconds]), [
      [undefined, undefined],
      ["first", undefined],
      ["second", 5],
    ]);

    assert.deepEqual(await json(put([])), { rules: [] });
    assert.equal(await refusalOf(stored()), "404 NoSuchCORSConfiguration");
    assert.deepEqual(await json(put([])), { rules: [] });

    const reader = await program.signedIn("reader");
    assert.deepEqual(await json(reader.get(path)), { rules: [] });
    assert.equal(await refusal(reader.put(path, { json: { rules: [rule] } })), "403 forbidden");
    const missing = `${backend}/buckets/missing-bucket/cors`;
    assert.equal(await refusal(client.get(missing)), "404 not_found");
    assert.equal(await refusal(client.put(missing, { json: { rules: [rule] } })), "404 not_found");
    const { events: [event] } = await json(client.get("/api/admin/audit?action=bucket.cors.set&status=ok"));
    assert.deepEqual(event.detail, { rules: 0 });
  }, { users: { admin: "admin", reader: "readonly" } });
});

upstreamTest(["versitygw"], "CORS rules that are wrong are refused with the place", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket }) => {
    const path = `${bucket}/cors`;
    await json(client.put(path, { json: { rules: [rule] } }));
    const cases: [change: Record<string, unknown>, field: string][] = [
      [{ allowed_origins: [] }, "rules.1.allowed_origins"],
      [{ allowed_origins: ["https://*.*.test"] }, "rules.1.allowed_origins.0"],
      [{ allowed_methods: [] }, "rules.1.allowed_methods"],
      [{ allowed_methods: ["OPTIONS"] }, "rules.1.allowed_methods.0"],
      [{ allowed_methods: ["GET", "patch"] }, "rules.1.allowed_methods.1"],
      [{ allowed_headers: ["x-*-*"] }, "rules.1.allowed_headers.0"],
      [{ expose_headers: ["x y"] }, "rules.1.expose_headers.0"],
      [{ max_age_seconds: -1 }, "rules.1.max_age_seconds"],
      [{ id: "x".repeat(256) }, "rules.1.id"],
      [{ id: "a\u0001" }, "rules.1.id"],
      [{ methods: ["GET"] }, "rules.1"],
    ];
    for (const [change, field] of cases) {
      const { error } = await json(
        client.put(path, { json: { rules: [rule, { ...rule, ...change }] } }),
        400,
      );
      assert.deepEqual([error.code, error.detail], ["invalid_cors", { field, rule: 1 }], field);
    }
    const long = Array(100).fill({ ...rule, allowed_headers: Array(20).fill(`x-${"long".repeat(10)}`) });
    for (const wrong of ["none", {}, Array(101).fill(rule), long]) {
      assert.equal(await refusal(client.put(path, { json: { rules: wrong } })), "400 invalid_cors");
    }
    assert.equal(await refusal(client.put(path, { json: {} })), "400 bad_request");
    assert.deepEqual(await json(client.get(path)), { rules: [rule] });
  });
});

upstreamTest(["minio"], "a backend without CORS of its own says so", async (upstream) => {
  await withBucket(upstream, async ({ client, bucket }) => {
    const path = `${bucket}/cors`;
    assert.deepEqual(await json(client.get(path)), { rules: [] });
    assert.equal(await refusal(client.put(path, { json: { rules: [rule] } })), "400 not_supported");
    const { backends: [{ capabilities }] } = await json(client.get("/api/backends"));
    assert.equal(capabilities.cors, false);
    assert.deepEqual(await json(client.put(path, { json: { rules: [] } })), { rules: [] });
  });
});
