import assert from "node:assert/strict";
import { GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type Endpoint, type EndpointKeys, withEndpoint } from "../support/endpoint.ts";
import { type Client, json } from "../support/http_client.ts";
import { s3Client } from "../support/s3_client.ts";
import { formOf, signedFields } from "./support/post_form.ts";
import { presigned, sendPlain, signed } from "./support/signature.ts";
import { exchangeOnce, type WireRequest } from "./support/wire.ts";

/** A record as the dashboard tells it. */
interface AuditEvent {
  readonly action: string;
  readonly user_id: string;
  readonly backend: string;
  readonly bucket: string;
  readonly key: string;
  readonly status: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The records of the endpoint, oldest first. */
async function eventsOf(client: Client): Promise<AuditEvent[]> {
  const { events } = await json(client.get("/api/admin/audit?action=s3.proxy.*&limit=200"));
  return events.toReversed();
}

const everything = { audit: { sampling: { proxy_success_read_rate: 1 } } };
const copy = { "x-amz-copy-source": "/bucket/key" };
const tagging = "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>";

Deno.test("each operation has the name that is specified", () =>
  withEndpoint("embedded", { config: everything }, async (endpoint) => {
    const send = (method: string, target: string, more: Partial<WireRequest> = {}) =>
      exchangeOnce(endpoint, { method, target, ...more }, endpoint);
    await send("PUT", "/bucket/key", { body: "hello" });
    const { text } = await send("POST", "/bucket/parts?uploads");
    const upload = `uploadId=${encodeURIComponent(/<UploadId>(.*)<\/UploadId>/.exec(text)?.[1] ?? "")}`;
    const { headers } = await send("PUT", `/bucket/parts?partNumber=1&${upload}`, { body: "part" });
    await send("PUT", `/bucket/parts?partNumber=1&${upload}`, { headers: copy });
    await send("GET", `/bucket/parts?${upload}`);
    const part = `<Part><PartNumber>1</PartNumber><ETag>${headers.get("etag")}</ETag></Part>`;
    const document = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
    await send("POST", `/bucket/parts?${upload}`, { body: document });
    await send("DELETE", `/bucket/parts?${upload}`);
    await send("GET", "/");
    await send("HEAD", "/bucket");
    await send("GET", "/bucket?uploads");
    await send("GET", "/bucket");
    await send("GET", "/bucket?list-type=2");
    await send("GET", "/bucket/key");
    await send("HEAD", "/bucket/key");
    await send("PUT", "/bucket/copy", { headers: copy });
    await send("DELETE", "/bucket/copy");
    await send("POST", "/bucket?delete", { body: "<Delete><Object><Key>a</Key></Object></Delete>" });
    const form = formOf(signedFields(endpoint));
    await (await fetch(`${endpoint.url}/bucket`, { method: "POST", body: form })).body?.cancel();
    const unknown: readonly (readonly [method: string, target: string, body?: string])[] = [
      ["GET", "/bucket?location"],
      ["GET", "/bucket?versioning"],
      ["GET", "/bucket?versions"],
      ["GET", "/bucket/key?tagging"],
      ["PUT", "/bucket/key?tagging", tagging],
      ["DELETE", "/bucket/key?tagging"],
      ["GET", "/bucket/key?acl"],
      ["GET", "/bucket?policy"],
      ["PUT", "/another"],
      ["DELETE", "/bucket"],
      ["POST", "/bucket/key?select&select-type=2"],
      ["PATCH", "/bucket/key"],
      ["OPTIONS", "/bucket/key"],
    ];
    for (const [method, target, body] of unknown) await send(method, target, { body });
    const actions = (await eventsOf(endpoint.client)).map(({ action }) => action.replace("s3.proxy.", ""));
    assert.deepEqual(actions, [
      "putobject",
      "createmultipartupload",
      "uploadpart",
      "uploadpart",
      "listparts",
      "completemultipartupload",
      "abortmultipart",
      "listbuckets",
      "headbucket",
      "listmultipartuploads",
      "listobjects",
      "listobjects",
      "getobject",
      "headobject",
      "copyobject",
      "deleteobject",
      "deleteobjects",
      "putobject",
      ...unknown.map(() => "unknown"),
    ]);
  }));

Deno.test("a record tells who, what, how much and what became of it", () => {
  const s3_proxy = { anonymous_enabled: true };
  return withEndpoint("embedded", { proxy: s3_proxy, config: everything }, async (endpoint) => {
    const { client, url, region, mint } = endpoint;
    const { id } = await json(client.get("/api/me"));
    const keys = await mint({ buckets: ["bucket"], user_id: id });
    await exchangeOnce(endpoint, { method: "PUT", target: "/bucket/a%20b", body: "hello" }, keys);
    using s3 = s3Client({ endpoint: url, region, ...keys });
    const presigned = await getSignedUrl(s3, new GetObjectCommand({ Bucket: "bucket", Key: "a b" }));
    assert.equal(await (await fetch(presigned)).text(), "hello");
    await exchangeOnce(endpoint, { method: "GET", target: "/bucket/missing" }, keys);
    const binding = { backend_id: "main", bucket: "bucket", mode: "ReadOnly" };
    await json(client.post("/api/admin/s3-anonymous", { json: binding }), 201);
    await exchangeOnce(endpoint, { method: "GET", target: "/bucket/a%20b" });
    await exchangeOnce(endpoint, { method: "DELETE", target: "/bucket/a%20b" });
    await exchangeOnce(endpoint, { method: "GET", target: "/other/key" }, keys);
    await exchangeOnce(endpoint, { method: "GET", target: "/bucket/key" }, { ...keys, secretKey: "wrong" });

    const events = await eventsOf(client);
    const shown = events.map(({ action, user_id, backend, bucket, key, status, detail }) => {
      const { access_key_id, auth_mode, result, status: code, bytes_in, bytes_out } = detail;
      assert.ok(Number.isFinite(detail.duration_ms) && Number(detail.duration_ms) >= 0);
      const isError = Number(code) >= 400;
      assert.equal(status, isError ? "error" : "ok");
      // Of an error's document only that there is one.
      const sent = isError ? Math.sign(Number(bytes_out)) : bytes_out;
      const caller = [user_id === id, access_key_id === keys.accessKey, auth_mode].join(" ");
      return [action.replace("s3.proxy.", ""), caller, backend, bucket, key, result, code, bytes_in, sent];
    });
    const signed = "true true signed";
    const anonymous = "false false anonymous";
    assert.deepEqual(shown, [
      ["putobject", signed, "main", "bucket", "a b", "ok", 200, 5, 0],
      ["getobject", signed, "main", "bucket", "a b", "ok", 200, 0, 5],
      ["getobject", signed, "main", "bucket", "missing", "upstream_404", 404, 0, 1],
      ["getobject", anonymous, "main", "bucket", "a b", "ok", 200, 0, 5],
      ["deleteobject", anonymous, "", "bucket", "a b", "anonymous_denied", 403, 0, 1],
      ["getobject", signed, "", "other", "key", "scope_violation", 403, 0, 1],
      ["getobject", "false true signed", "", "bucket", "key", "auth_failure", 403, 0, 1],
    ]);
    for (const { user_id, detail } of events) {
      if (detail.auth_mode === "anonymous") assert.deepEqual([user_id, detail.access_key_id], ["", ""]);
    }
  });
});

Deno.test("what is refused before its signature was looked at is on record as its key's", () =>
  withEndpoint("embedded", {}, async (endpoint) => {
    const hourAgo = Date.now() - 3600_000;
    const refused = [
      presigned(endpoint, { method: "GET", at: hourAgo, expires: 60 }),
      signed(endpoint, { method: "GET", at: hourAgo }),
      signed(endpoint, { method: "GET", target: "/bucket/%zz" }),
      signed(endpoint, { method: "GET", service: "iam" }),
    ];
    for (const request of refused) {
      const { status, text } = await sendPlain(endpoint, request);
      assert.ok(status === 400 || status === 403, text);
    }
    for (const { detail } of await eventsOf(await endpoint.program.signedIn())) {
      assert.deepEqual([detail.auth_mode, detail.access_key_id], ["signed", endpoint.accessKey]);
    }
    assert.equal((await eventsOf(await endpoint.program.signedIn())).length, refused.length);
  }));

Deno.test("successful reads are recorded at the rate, everything else always", () =>
  withEndpoint("embedded", {}, async (endpoint) => {
    const send = (method: string, target: string, headers = {}) =>
      exchangeOnce(endpoint, { method, target, headers, body: method === "PUT" ? "x" : "" }, endpoint);
    const { headers } = await send("PUT", "/bucket/key");
    await send("GET", "/bucket/key");
    await send("HEAD", "/bucket/key");
    await send("GET", "/bucket?list-type=2");
    await send("GET", "/");
    const unchanged = await send("GET", "/bucket/key", { "if-none-match": headers.get("etag") });
    assert.equal(unchanged.status, 304);
    await send("GET", "/bucket/missing");
    await send("HEAD", "/bucket/missing");
    await send("GET", "/bucket/key", { range: "bytes=9-" });
    await send("DELETE", "/bucket/key");
    await send("DELETE", "/bucket/key");
    const recorded = (await eventsOf(endpoint.client)).map(({ action, detail }) =>
      `${action} ${detail.status}`
    );
    assert.deepEqual(recorded, [
      "s3.proxy.putobject 200",
      "s3.proxy.getobject 404",
      "s3.proxy.headobject 404",
      "s3.proxy.getobject 416",
      "s3.proxy.deleteobject 204",
      "s3.proxy.deleteobject 204",
    ]);
  }));

/** Fails where one of `secrets` stands in `text`. */
function assertNoSecret(text: string, secrets: readonly string[], where: string): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${where}`);
}

/** Sends requests whose signatures are right and wrong; returns what nobody may find anywhere, and all answers. */
async function sendCanaries(endpoint: Endpoint, keys: EndpointKeys) {
  const { url, region } = endpoint;
  const wrong = { ...keys, secretKey: "canary-of-a-secret" };
  const secrets = [keys.secretKey, wrong.secretKey, endpoint.upstream.secretKey, "canary-of-a-token"];
  let answers = "";
  for (const signer of [keys, wrong]) {
    using s3 = s3Client({ endpoint: url, region, ...signer });
    for (const Key of ["key", "missing"]) {
      const input = { Bucket: "bucket", Key };
      for (
        const [method, presigned] of [
          ["GET", await getSignedUrl(s3, new GetObjectCommand(input))],
          ["PUT", await getSignedUrl(s3, new PutObjectCommand(input))],
        ]
      ) {
        const { pathname, search, searchParams } = new URL(presigned);
        secrets.push(searchParams.get("X-Amz-Signature") ?? "");
        const request = { method, target: pathname + search, body: method === "PUT" ? "x" : "" };
        answers += (await exchangeOnce(endpoint, request)).text;
      }
    }
    const fields = signedFields(signer);
    secrets.push(fields["x-amz-signature"]);
    const form = formOf(fields);
    answers += await (await fetch(`${url}/bucket`, { method: "POST", body: form })).text();
  }
  const signature = "c0ffee".repeat(10) + "cafe";
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKey}/20260101/us-east-1/s3/aws4_request, ` +
    `SignedHeaders=host;x-amz-date, Signature=${signature}`;
  secrets.push(signature);
  for (
    const headers of [{ authorization }, { authorization: `${authorization} x` }, {
      authorization: "AWS a:canary-of-a-token",
    }]
  ) {
    const headersWithToken = { ...headers, "x-amz-security-token": "canary-of-a-token" };
    answers +=
      (await exchangeOnce(endpoint, { method: "GET", target: "/bucket/key", headers: headersWithToken }))
        .text;
  }
  return { secrets, answers };
}

Deno.test("no secret and no signature stands in the log, the audit or an answer", () =>
  withEndpoint("minio", { config: { ...everything, log: { level: "debug" } } }, async (endpoint) => {
    const keys = await endpoint.mint({ buckets: ["bucket"] });
    const { secrets, answers } = await sendCanaries(endpoint, keys);
    assert.ok(answers.includes("SignatureDoesNotMatch"));
    assertNoSecret(answers, secrets, "an answer");
    assertNoSecret(JSON.stringify(await eventsOf(endpoint.client)), secrets, "the audit");
    const csv = await (await endpoint.client.get("/api/admin/audit.csv")).text();
    assert.ok(csv.includes("s3.proxy.getobject"));
    assertNoSecret(csv, secrets, "the audit as CSV");
    const { child } = endpoint.program;
    assertNoSecret([...child.stderr, ...child.stdout].join("\n"), secrets, "the log");
  }));
