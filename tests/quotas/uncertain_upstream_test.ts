import assert from "node:assert/strict";
import { type Client, json, refusal } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { plain, type RawUpstream, startRawUpstream } from "../support/raw_upstream.ts";

const bucket = "/api/backends/main/buckets/bucket";
const object = `${bucket}/object?key=a`;

/** What the upstream answers to the listing of a bucket and to the storing of an object; every bucket is there. */
interface Answers {
  list: string;
  put: string;
}

const emptyList = plain("200 OK", "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
const denied = plain("403 Forbidden", "<Error><Code>AccessDenied</Code></Error>");
const stored = plain("200 OK", "", { etag: '"etag"' });

async function withAnswers(body: (answers: Answers, client: Client) => Promise<void>): Promise<void> {
  const upstream: RawUpstream = startRawUpstream();
  const answers: Answers = { list: emptyList, put: stored };
  upstream.set(({ method, target }) => {
    const isObject = target.split("?")[0].split("/").filter(Boolean).length > 1;
    if (method === "PUT") return { text: answers.put };
    if (method === "HEAD") return { text: plain(isObject ? "404 Not Found" : "200 OK", "") };
    return { text: target.includes("list-type=2") ? answers.list : denied };
  });
  try {
    const options = {
      backends: [{ id: "main", upstream }],
      config: { quotas: { scan_interval: "-1s" } },
    };
    await withProgram(options, async (program) => await body(answers, await program.signedIn()));
  } finally {
    await upstream.stop();
  }
}

function setQuota(client: Client, softBytes: number, hardBytes: number) {
  return json(client.put(`${bucket}/quota`, { json: { soft_bytes: softBytes, hard_bytes: hardBytes } }));
}

function upload(client: Client): Promise<Response> {
  return client.post(object, { body: "12345" });
}

Deno.test("a bucket that cannot be counted takes nothing, unless it has only a soft cap", () =>
  withAnswers(async (answers, client) => {
    answers.list = denied;
    await setQuota(client, 0, 10);
    assert.equal(await refusal(upload(client)), "503 backend_error");
    answers.list = emptyList.replace("false", "true");
    assert.equal(await refusal(upload(client)), "503 backend_error");
    await setQuota(client, 1, 0);
    await json(upload(client), 201);
    answers.list = emptyList;
    await setQuota(client, 0, 10);
    await json(upload(client), 201);
  }));

Deno.test("an upload counts when the backend may have stored it, and not when it refused it", () =>
  withAnswers(async (answers, client) => {
    const usage = async () => (await json(client.get(`${bucket}/quota`))).usage_bytes;
    await setQuota(client, 0, 10);
    answers.put = denied;
    assert.equal(await refusal(upload(client)), "403 forbidden");
    assert.equal(await usage(), 0);
    answers.put = "";
    assert.equal(await refusal(upload(client)), "502 backend_error");
    assert.equal(await usage(), 5);
    assert.equal(await refusal(upload(client)), "502 backend_error");
    assert.equal(await refusal(upload(client)), "507 quota_exceeded");
    await json(client.post(`${bucket}/quota/recompute`));
    await until(async () => await usage() === 0, { what: "the count" });
    answers.put = stored;
    await json(upload(client), 201);
  }));
