import assert from "node:assert/strict";
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { skipUpstream, type UpstreamKind, upstreamKinds } from "../support/upstreams.ts";
import { type Endpoint, endpointBackend, withEndpoint, withSharedEndpoint } from "../support/endpoint.ts";
import { json } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { formOf, type FormPlan, signedFields } from "./support/post_form.ts";

const mebibyte = 1 << 20;

function endpointTest(
  kinds: readonly UpstreamKind[],
  name: string,
  body: (endpoint: Endpoint) => Promise<void>,
): void {
  for (const kind of kinds) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: () => withSharedEndpoint(kind, { buckets: ["bucket", "other"] }, body),
    });
  }
}

async function send({ url }: Endpoint, body: BodyInit, headers: HeadersInit = {}) {
  const response = await fetch(`${url}/bucket`, { method: "POST", body, headers, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

/** Posts a form; its fields are signed by the endpoint's keys unless given. */
function post(endpoint: Endpoint, plan: FormPlan = {}, fields = signedFields(endpoint, plan)) {
  return send(endpoint, formOf(fields, plan));
}

async function refused(
  answer: Promise<{ status: number; text: string }>,
  status: number,
  code: string,
): Promise<void> {
  const { status: actual, text } = await answer;
  assert.match(text, new RegExp(`<Code>${code}</Code>`));
  assert.equal(actual, status);
}

async function keysOf({ upstream }: Endpoint): Promise<string[]> {
  using s3 = s3Client(upstream);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: "bucket" }));
  return Contents.map(({ Key }) => Key ?? "");
}

endpointTest(upstreamKinds, "a form stores its file as its fields say", async (endpoint) => {
  const fields = {
    "key": "user/${filename}",
    "Content-Type": "text/css",
    "Cache-Control": "max-age=60",
    "x-amz-meta-who": "somebody",
    "success_action_status": "201",
  };
  const plan = {
    fields,
    filename: "C:\\folder\\my file.css",
    conditions: [["content-length-range", 1, 100]],
  };
  const answer = await post(endpoint, plan);
  assert.equal(answer.status, 201, answer.text);
  const location = `${endpoint.url}/bucket/user/my%20file.css`;
  assert.match(answer.text, /<Key>user\/my file\.css<\/Key>/);
  assert.ok(answer.text.includes(`<Location>${location}</Location>`), answer.text);
  assert.equal(answer.headers.get("location"), location);
  using s3 = s3Client(endpoint.upstream);
  const stored = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "user/my file.css" }));
  assert.equal(await stored.Body?.transformToString(), "hello");
  assert.equal(stored.ETag, answer.headers.get("etag"));
  assert.equal(stored.ContentType, "text/css");
  assert.equal(stored.CacheControl, "max-age=60");
  assert.deepEqual(stored.Metadata, { who: "somebody" });
});

endpointTest(upstreamKinds, "a large file keeps its headers and bytes", async (endpoint) => {
  const file = new Uint8Array(17 * mebibyte + 5).map((_, index) => index * 7 + (index >> 10));
  const fields = {
    "x-amz-meta-who": "somebody",
    "Content-Type": "text/plain",
    "Content-Disposition": "inline",
  };
  const answer = await post(endpoint, { fields, file });
  assert.equal(answer.status, 204, answer.text);
  using s3 = s3Client(endpoint.upstream);
  const stored = await s3.send(new GetObjectCommand({ Bucket: "bucket", Key: "posted.txt" }));
  assert.deepEqual(await stored.Body?.transformToByteArray(), file);
  assert.equal(stored.ContentType, "text/plain");
  assert.equal(stored.ContentDisposition, "inline");
  assert.deepEqual(stored.Metadata, { who: "somebody" });
});

endpointTest(
  ["minio", "versitygw"],
  "a file that is too small or too large is not stored",
  async (endpoint) => {
    const range = (min: number, max: number) => ({ conditions: [["content-length-range", min, max]] });
    await refused(post(endpoint, range(6, 10)), 400, "EntityTooSmall");
    await refused(post(endpoint, range(0, 4)), 400, "EntityTooLarge");
    const file = new Uint8Array(17 * mebibyte);
    await refused(post(endpoint, { ...range(0, file.length - 1), file }), 400, "EntityTooLarge");
    await refused(post(endpoint, { ...range(file.length + 1, 1e9), file }), 400, "EntityTooSmall");
    assert.deepEqual(await keysOf(endpoint), []);
    assert.equal((await post(endpoint, range(5, 5))).status, 204);
  },
);

endpointTest(["embedded"], "a form that its policy does not allow is refused", async (endpoint) => {
  const now = Date.now();
  await refused(post(endpoint, { expiresAt: now - 1000 }), 403, "AccessDenied");
  await refused(post(endpoint, { signedAt: now + 20 * 60_000 }), 403, "AccessDenied");
  await refused(post(endpoint, { bucket: "other" }), 403, "AccessDenied");
  await refused(post(endpoint, { conditions: [["starts-with", "$key", "user/"]] }), 403, "AccessDenied");
  await refused(post(endpoint, { policy: { conditions: [] } }), 400, "InvalidPolicyDocument");
  const signed = signedFields(endpoint);
  const changes: [change: Record<string, string>, status: number, code: string][] = [
    [{ "x-amz-meta-added": "1" }, 403, "AccessDenied"],
    [{ "x-amz-signature": "0".repeat(64) }, 403, "SignatureDoesNotMatch"],
    [{ "policy": `${signed.policy}=` }, 403, "SignatureDoesNotMatch"],
    [
      { "x-amz-credential": signed["x-amz-credential"].replace(endpoint.accessKey, "NOBODY") },
      403,
      "InvalidAccessKeyId",
    ],
    [{ "bucket": "elsewhere" }, 403, "AccessDenied"],
  ];
  for (const [change, status, code] of changes) {
    await refused(post(endpoint, {}, { ...signed, ...change }), status, code);
  }
  await refused(post(endpoint, {}, { key: "a" }), 403, "AccessDenied");
  const fields = { acl: "public-read" };
  await refused(post(endpoint, { fields }), 501, "NotImplemented");
  await refused(post(endpoint, { fields: { key: "" } }), 400, "MalformedPOSTRequest");
  for (const key of ["../bucket2/a", "a/../../b", "./a", "a/.."]) {
    await refused(post(endpoint, { fields: { key } }), 400, "InvalidURI");
  }
  await refused(post(endpoint, { fields: { key: "a/${filename}" }, filename: ".." }), 400, "InvalidURI");
  await refused(
    post(endpoint, { fields: { success_action_redirect: "javascript:alert(1)" } }),
    400,
    "InvalidArgument",
  );
  assert.deepEqual(await keysOf(endpoint), []);
});

endpointTest(["embedded"], "a form reaches only what its key may write", async (endpoint) => {
  const inside = await endpoint.mint({ buckets: ["bucket"], prefix: "mine/" });
  await refused(post(endpoint, {}, signedFields(inside)), 403, "AccessDenied");
  const fields = { key: "mine/a.txt" };
  assert.equal((await post(endpoint, {}, signedFields(inside, { fields }))).status, 204);
  const reader = await endpoint.mint({ buckets: ["bucket"], read_only: true });
  await refused(post(endpoint, {}, signedFields(reader)), 403, "AccessDenied");
  const stranger = await endpoint.mint({ buckets: ["other"] });
  await refused(post(endpoint, {}, signedFields(stranger)), 403, "AccessDenied");
  assert.deepEqual(await keysOf(endpoint), ["mine/a.txt"]);
});

endpointTest(["embedded"], "what is no form with a file is refused", async (endpoint) => {
  const type = "multipart/form-data; boundary=b";
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const many = Array.from({ length: 70 }, (_, index) => field(`x-ignore-${index}`, "1")).join("");
  const bodies = [
    "",
    "--b--\r\n",
    `${field("key", "a")}--b--\r\n`,
    `${field("key", "a")}${field("Key", "b")}--b--\r\n`,
    field("key", "a"),
    `${field("policy", "x".repeat(70_000))}--b--\r\n`,
    `${many}${field("file", "hello")}--b--\r\n`,
    "no form at all",
  ];
  for (const body of bodies) {
    await refused(send(endpoint, body, { "content-type": type }), 400, "MalformedPOSTRequest");
  }
  const noBoundary = { "content-type": "multipart/form-data" };
  await refused(send(endpoint, "--b--\r\n", noBoundary), 400, "MalformedPOSTRequest");
});

endpointTest(["minio", "versitygw"], "a form that is cut off stores nothing", async (endpoint) => {
  for (const size of [100, 17 * mebibyte]) {
    const form = formOf(signedFields(endpoint), { file: new Uint8Array(size) });
    const whole = new Response(form);
    const bytes = new Uint8Array(await whole.clone().arrayBuffer());
    const type = whole.headers.get("content-type") ?? "";
    const answer = send(endpoint, bytes.subarray(0, -4), { "content-type": type });
    await refused(answer, 400, "MalformedPOSTRequest");
  }
  assert.deepEqual(await keysOf(endpoint), []);
});

endpointTest(["embedded"], "what follows the file counts for nothing", async (endpoint) => {
  const form = formOf(signedFields(endpoint));
  form.append("submit", "Upload");
  form.append("x-amz-meta-late", "1");
  assert.equal((await send(endpoint, form)).status, 204);
  using s3 = s3Client(endpoint.upstream);
  const { Metadata } = await s3.send(new HeadObjectCommand({ Bucket: "bucket", Key: "posted.txt" }));
  assert.deepEqual(Metadata, {});
});

endpointTest(["embedded"], "a form leads back to the page that it names", async (endpoint) => {
  const fields = { success_action_redirect: "http://127.0.0.1:1/done?from=form" };
  const answer = await post(endpoint, { fields });
  assert.equal(answer.status, 303, answer.text);
  const url = new URL(answer.headers.get("location") ?? "");
  assert.equal(url.pathname, "/done");
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    from: "form",
    bucket: "bucket",
    key: "posted.txt",
    etag: answer.headers.get("etag"),
  });
});

Deno.test({
  name: "forms count for the quota as they come [minio]",
  ignore: skipUpstream("minio"),
  fn: () =>
    withEndpoint("minio", {}, async (endpoint) => {
      const quota = { soft_bytes: 0, hard_bytes: 10 * mebibyte };
      await json(
        endpoint.client.put(`/api/backends/${endpointBackend}/buckets/bucket/quota`, { json: quota }),
        200,
      );
      const file = new Uint8Array(6 * mebibyte);
      const range = { conditions: [["content-length-range", 0, 1e10]] };
      assert.equal((await post(endpoint, { ...range, file })).status, 204);
      const second = { ...range, file, fields: { key: "second" } };
      await refused(post(endpoint, second), 507, "QuotaExceeded");
      assert.deepEqual(await keysOf(endpoint), ["posted.txt"]);
      const small = { ...range, fields: { key: "small" } };
      assert.equal((await post(endpoint, small)).status, 204);
    }),
});
