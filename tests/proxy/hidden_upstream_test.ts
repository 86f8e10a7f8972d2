import assert from "node:assert/strict";
import { type Endpoint, withEndpoint } from "../support/endpoint.ts";
import { json } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { skipUpstream, type UpstreamKind } from "../support/upstreams.ts";
import { formOf, signedFields } from "./support/post_form.ts";
import { exchangeOnce, type WireAnswer, type WireRequest } from "./support/wire.ts";

const part = "x".repeat(5 << 20);
const tags = "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>";
const removal = "<Delete><Object><Key>copy</Key></Object><Object><Key>missing</Key></Object></Delete>";

/** Headers that an answer may have besides those that begin with `x-amz-`. */
const answerHeaders = new Set([
  "accept-ranges",
  "connection",
  "content-length",
  "content-range",
  "content-type",
  "date",
  "etag",
  "last-modified",
  "transfer-encoding",
]);

/** Sends every operation, in success and in error, and gives each answer together with what was asked. */
async function* everyOperation(endpoint: Endpoint): AsyncGenerator<readonly [WireRequest, WireAnswer]> {
  let last: WireAnswer | undefined;
  const send = async (method: string, target: string, more: Partial<WireRequest> = {}) => {
    const request = { method, target, ...more };
    last = await exchangeOnce(endpoint, request, endpoint);
    return [request, last] as const;
  };
  const copySource = { headers: { "x-amz-copy-source": "/bucket/key" } };
  const missingSource = { headers: { "x-amz-copy-source": "/bucket/missing" } };

  yield await send("GET", "/");
  yield await send("HEAD", "/bucket");
  yield await send("GET", "/bucket?location");
  yield await send("GET", "/bucket?versioning");
  yield await send("PUT", "/bucket/key", { body: "hello", headers: { "content-type": "text/plain" } });
  yield await send("PUT", "/bucket/key", {
    body: "hello",
    headers: { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" },
  });
  yield await send("GET", "/bucket/key");
  yield await send("GET", "/bucket/missing");
  yield await send("HEAD", "/bucket/key");
  yield await send("HEAD", "/bucket/missing");
  yield await send("GET", "/bucket");
  yield await send("GET", "/bucket?list-type=2&delimiter=%2F");
  yield await send("GET", "/bucket?list-type=2&fetch-owner=true");
  yield await send("GET", "/bucket?list-type=2&fetch-owner=TRUE");
  yield await send("GET", "/bucket?list-type=2&max-keys=none");
  yield await send("GET", "/bucket?versions");
  yield await send("PUT", "/bucket/copy", copySource);
  yield await send("PUT", "/bucket/copy", missingSource);
  yield await send("GET", "/bucket/key?tagging");
  yield await send("PUT", "/bucket/key?tagging", { body: tags });
  yield await send("PUT", "/bucket/key?tagging", { body: "<Tagging>" });
  yield await send("DELETE", "/bucket/key?tagging");
  yield await send("GET", "/bucket/key?attributes", { headers: { "x-amz-object-attributes": "ETag" } });
  yield await send("POST", "/bucket/parts?uploads");
  const upload = /<UploadId>(.*)<\/UploadId>/.exec(last?.text ?? "")?.[1] ?? "";
  assert.notEqual(upload, "");
  const id = encodeURIComponent(upload);
  yield await send("PUT", `/bucket/parts?partNumber=1&uploadId=${id}`, { body: part });
  const etag = last?.headers.get("etag") ?? "";
  yield await send("PUT", `/bucket/parts?partNumber=2&uploadId=${id}`, copySource);
  yield await send("PUT", `/bucket/parts?partNumber=3&uploadId=${id}`, missingSource);
  yield await send("GET", `/bucket/parts?uploadId=${id}`);
  yield await send("GET", "/bucket?uploads");
  const complete = (etag: string) => ({
    body:
      `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`,
  });
  yield await send("POST", `/bucket/parts?uploadId=${id}`, complete('"00000000000000000000000000000000"'));
  yield await send("POST", `/bucket/parts?uploadId=${id}`, complete(etag));
  assert.match(last?.text ?? "", /<CompleteMultipartUploadResult/);
  yield await send("POST", "/bucket/parts?uploads");
  const other = encodeURIComponent(/<UploadId>(.*)<\/UploadId>/.exec(last?.text ?? "")?.[1] ?? "");
  yield await send("DELETE", `/bucket/parts?uploadId=${other}`);
  yield await send("DELETE", `/bucket/parts?uploadId=${other}`);
  yield await send("GET", `/bucket/parts?uploadId=${other}`);
  yield await send("POST", "/bucket?delete", { body: removal });
  yield await send("DELETE", "/bucket/key");
  yield await send("DELETE", "/bucket/missing");
}

for (const kind of ["minio", "versitygw", "seaweedfs"] satisfies UpstreamKind[]) {
  Deno.test({
    name: `no answer names the upstream, in success or in error [${kind}]`,
    ignore: skipUpstream(kind),
    fn: () =>
      withEndpoint(kind, {}, async (endpoint) => {
        const { host, port } = new URL(endpoint.upstream.endpoint);
        const forbidden = new RegExp(`${host}|:${port}|minio|versity|seaweed|upstream-access-key`, "i");
        const ids: string[] = [];
        const errors: string[] = [];
        for await (const [{ method, target }, answer] of everyOperation(endpoint)) {
          const about = `${method} ${target}: ${answer.text.slice(0, 2000)}`;
          assert.doesNotMatch(answer.text, forbidden, about);
          assert.ok(answer.status < 500 || answer.status === 501, about);
          for (const name of answer.headers.keys()) {
            assert.ok(answerHeaders.has(name) || name.startsWith("x-amz-"), `${name} in ${about}`);
            assert.ok(name !== "x-amz-id-2", about);
          }
          const id = answer.headers.get("x-amz-request-id") ?? "";
          const named = /<RequestId>(.*)<\/RequestId>/.exec(answer.text)?.[1] ?? id;
          assert.equal(named, id, about);
          ids.push(id);
          if (answer.status >= 400) errors.push(id);
        }
        // The ids are those by which the audit knows the requests.
        assert.equal(new Set(ids).size, ids.length);
        await until(async () => {
          const { events } = await json(
            endpoint.client.get("/api/admin/audit?action=s3.proxy.*&limit=200"),
          );
          const known = new Set(events.map((event: { request_id: string }) => event.request_id));
          return errors.every((id) => known.has(id));
        }, { what: "the audit" });
      }),
  });
}

Deno.test("the locations that answers tell are the endpoint's own", () =>
  withEndpoint("embedded", { proxy: { host_suffixes: ["s3.test"] } }, async (endpoint) => {
    const locationOf = async (prefix: string, host?: string) => {
      const send = (request: WireRequest) => exchangeOnce(endpoint, { ...request, host }, endpoint);
      const created = await send({ method: "POST", target: `${prefix}/a%20b%3F?uploads` });
      const upload = /<UploadId>(.*)<\/UploadId>/.exec(created.text)?.[1];
      const target = `${prefix}/a%20b%3F?uploadId=${upload}`;
      const { headers } = await send({ method: "PUT", target: `${target}&partNumber=1`, body: "x" });
      const part = `<Part><PartNumber>1</PartNumber><ETag>${headers.get("etag")}</ETag></Part>`;
      const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
      return /<Location>(.*)<\/Location>/.exec((await send({ method: "POST", target, body })).text)?.[1];
    };
    assert.equal(await locationOf("/bucket"), `${endpoint.url}/bucket/a%20b%3F`);
    assert.equal(await locationOf("", "bucket.s3.test:81"), "http://bucket.s3.test:81/a%20b%3F");
    const fields = signedFields(endpoint, { fields: { success_action_status: "201" } });
    const form = formOf(fields);
    const posted = await fetch(`${endpoint.url}/bucket`, { method: "POST", body: form });
    const text = await posted.text();
    assert.equal(posted.headers.get("location"), `${endpoint.url}/bucket/posted.txt`);
    assert.ok(text.includes(`<Location>${endpoint.url}/bucket/posted.txt</Location>`), text);
  }));
