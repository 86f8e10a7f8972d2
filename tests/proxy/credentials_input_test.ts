import assert from "node:assert/strict";
import { type ApiError, json, refusal, status } from "../support/http_client.ts";
import { freePorts } from "../support/ports.ts";
import { withProgram } from "../support/program.ts";
import { withUpstream } from "../support/upstreams.ts";

const path = "/api/admin/s3-credentials";
const s3_proxy = { enabled: true, listen: "127.0.0.1:0" };
const scope = { backend_id: "main", buckets: ["photos"] };

const badFields: readonly [Record<string, unknown>, RegExp][] = [
  [{ backend_id: undefined }, /^backend_id: /],
  [{ backend_id: "nowhere" }, /^backend_id: there is no such backend$/],
  [{ buckets: undefined }, /^buckets: /],
  [{ buckets: [] }, /^buckets: must name at least one bucket$/],
  [{ buckets: "photos" }, /^buckets: /],
  [{ buckets: [7] }, /^buckets\.0: /],
  [{ buckets: ["photos", "../etc"] }, /^buckets: "\.\.\/etc" is not the name of a bucket$/],
  [{ buckets: [""] }, /^buckets: "" is not the name of a bucket$/],
  [{ buckets: ["*"] }, /^buckets: "\*" is not the name of a bucket$/],
  [{ buckets: Array.from({ length: 101 }, (_, index) => `bucket-${index}`) }, /over 100 buckets/],
  [{ prefix: "a/../b" }, /segment "\." or "\.\."/],
  [{ prefix: "./a" }, /segment "\." or "\.\."/],
  [{ prefix: "a\0" }, /NUL/],
  [{ prefix: "é".repeat(513) }, /1024 bytes/],
  [{ prefix: null }, /^prefix: /],
  [{ read_only: "yes" }, /^read_only: /],
  [{ readonly: true }, /"readonly"/],
  [{ description: "x".repeat(501) }, /^description: /],
  [{ expires_at: "tomorrow" }, /^expires_at: must be an RFC 3339 time/],
  [{ expires_at: "2100-02-30T00:00:00Z" }, /^expires_at: must be an RFC 3339 time/],
  [{ expires_at: "2100-01-01" }, /^expires_at: must be an RFC 3339 time/],
  [{ expires_at: "2001-01-01T00:00:00Z" }, /^expires_at: must lie in the future$/],
  [{ user_id: "nobody" }, /^user_id: there is no such user$/],
];

Deno.test("wrong fields of a credential are named, and nothing is made or changed", () =>
  withUpstream(
    "embedded",
    (upstream) =>
      withProgram({ backends: [{ id: "main", upstream }], config: { s3_proxy } }, async (program) => {
        const admin = await program.signedIn();
        await json(admin.post("/api/backends/main/buckets", { json: { name: "photos" } }), 201);
        const messageOf = async (answer: Promise<Response>) =>
          (await json(answer, 400) as ApiError).error.message;
        for (const [fields, expected] of badFields) {
          assert.match(await messageOf(admin.post(path, { json: { ...scope, ...fields } })), expected);
        }
        assert.deepEqual((await json(admin.get(path))).credentials, []);

        const { secret_key: _, bucket_urls: __, ...made } = await json(
          admin.post(path, { json: scope }),
          201,
        );
        for (const [fields, expected] of badFields) {
          const [name] = Object.keys(fields);
          if (["backend_id", "user_id"].includes(name) || Object.values(fields)[0] === undefined) continue;
          assert.match(
            await messageOf(admin.patch(`${path}/${made.access_key}`, { json: fields })),
            expected,
          );
        }
        for (const fixed of [{ backend_id: "main" }, { user_id: null }, { access_key: "AKIA" }]) {
          assert.match(
            await messageOf(admin.patch(`${path}/${made.access_key}`, { json: fixed })),
            /there is no field "\w+"/,
          );
        }
        const { credentials: [kept], endpoint_url } = await json(admin.get(path));
        assert.deepEqual({ ...kept, endpoint_url }, made);
        for (const unknown of ["AKIAUNKNOWN", "..", "%2e%2e%2f", "a%00b"]) {
          const answer = await status(admin.delete(`${path}/${unknown}`));
          assert.ok(answer === 404 || answer === 405, `${unknown}: ${answer}`);
        }
      }),
  ));

Deno.test("a user cannot make a credential for someone else", () =>
  withProgram({ users: { admin: "admin", writer: "user" }, config: { s3_proxy } }, async (program) => {
    const writer = await program.signedIn("writer");
    const json_ = { ...scope, user_id: "someone" };
    assert.equal(await refusal(writer.post("/api/me/s3-credentials", { json: json_ })), "400 bad_request");
  }));

Deno.test("a backend that cannot be asked for its buckets makes no credential", () => {
  const [port] = freePorts(1);
  const upstream = {
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    accessKey: "access",
    secretKey: "secret",
  };
  return withProgram({ backends: [{ id: "main", upstream }], config: { s3_proxy } }, async (program) => {
    const admin = await program.signedIn();
    const answer = await admin.post(path, { json: scope });
    const { error } = await json(answer, 502);
    assert.equal(error.code, "backend_error");
    assert.ok(!JSON.stringify(error).includes(String(port)), "the endpoint is told");
    assert.deepEqual((await json(admin.get(path))).credentials, []);
  });
});

Deno.test("without a root key no credential is made", () =>
  withUpstream("embedded", (upstream) => {
    const config = { s3_proxy, server: { secret_key_file: "" } };
    return withProgram({ backends: [{ id: "main", upstream }], config }, async (program) => {
      const admin = await program.signedIn();
      assert.equal(await refusal(admin.post(path, { json: scope })), "503 secret_key_unset");
      assert.deepEqual((await json(admin.get(path))).credentials, []);
    });
  }));

Deno.test("while the S3 endpoint is off its addresses do not exist", () =>
  withProgram({}, async (program) => {
    const admin = await program.signedIn();
    const addresses = [
      path,
      "/api/me/s3-credentials",
      "/api/admin/s3-anonymous",
      "/api/admin/s3-proxy/credentials",
      "/api/admin/s3-proxy/anonymous",
    ];
    for (const address of addresses) {
      assert.equal(await refusal(admin.get(address)), "404 not_found", address);
    }
  }));
