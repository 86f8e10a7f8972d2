import assert from "node:assert/strict";
import type { ProxiedRequest, RequestFault } from "../support/fault_rules.ts";
import { type ApiError, refusal } from "../support/http_client.ts";
import { ended, startJob } from "../support/jobs.ts";
import { until } from "../support/poll.ts";
import { brokenTest, copied, digest, mebibyte, pattern } from "./copy_stage.ts";

const failing: RequestFault = { kind: "status", status: 500, code: "InternalError" };
const size = 20 * mebibyte;
const content = pattern(size);

const isPart = ({ method, query }: ProxiedRequest) => method === "PUT" && query.has("partNumber");
const isCompletion = ({ method, query }: ProxiedRequest) => method === "POST" && query.has("uploadId");
const isCreation = ({ method, query }: ProxiedRequest) => method === "POST" && query.has("uploads");
const isRead = ({ method }: ProxiedRequest) => method === "GET";
const isWhole = ({ method, query }: ProxiedRequest) => method === "PUT" && !query.has("partNumber");

/** Only requests that have to do with one object. */
function of(key: string, matches: (request: ProxiedRequest) => boolean) {
  return (request: ProxiedRequest) => request.key === key && matches(request);
}

brokenTest(
  "whatever breaks at any step, the source stays and nothing half-made does",
  async (stage, proxies) => {
    const { source, target, copy } = stage;
    const faults: Record<string, () => void> = {
      "source/head": () =>
        proxies.source.rule({
          matches: of("source/head", ({ method }) => method === "HEAD"),
          fault: failing,
        }),
      "source/read": () => proxies.source.rule({ matches: of("source/read", isRead), fault: failing }),
      "source/cut": () =>
        proxies.source.rule({
          matches: of("source/cut", isRead),
          fault: { kind: "truncated", afterBytes: 3 * mebibyte },
        }),
      "target/create": () =>
        proxies.target.rule({ matches: of("target/create", isCreation), fault: failing }),
      "target/part": () => proxies.target.rule({ matches: of("target/part", isPart), fault: failing }),
      "target/reset": () =>
        proxies.target.rule({
          matches: of("target/reset", isPart),
          fault: { kind: "reset", afterBytes: mebibyte },
        }),
      "target/last part": () =>
        proxies.target.rule({
          matches: of(
            "target/last part",
            (request) => isPart(request) && request.query.get("partNumber") === "2",
          ),
          fault: { kind: "refuse" },
        }),
      "target/complete": () =>
        proxies.target.rule({ matches: of("target/complete", isCompletion), fault: failing }),
    };
    const small = {
      "small/read": () =>
        proxies.source.rule({
          matches: of("small/read", isRead),
          fault: { kind: "truncated", afterBytes: 1000 },
        }),
      "small/write": () => proxies.target.rule({ matches: of("small/write", isWhole), fault: failing }),
      "small/reset": () =>
        proxies.target.rule({
          matches: of("small/reset", isWhole),
          fault: { kind: "reset", afterBytes: 1000 },
        }),
    };
    const keys = [...Object.keys(faults), ...Object.keys(small)];
    for (const [key, breakIt] of Object.entries({ ...faults, ...small })) {
      await source.put(key, key in small ? content.subarray(0, mebibyte) : content);
      breakIt();
    }
    const answers = await Promise.all(
      keys.map((key) => refusal(copy({ src_key: key, dst_key: key, move: true }))),
    );
    assert.deepEqual(answers, keys.map(() => "502 backend_error"));
    assert.deepEqual(await source.keys(), keys.toSorted());
    assert.deepEqual(await target.keys(), []);
    assert.equal(await target.uploads(), 0);
  },
);

brokenTest("what breaks once is done again, and counts once", async (stage, proxies) => {
  const { source, target, client } = stage;
  await source.put("a", content);
  proxies.source.rule({ matches: isRead, fault: { kind: "truncated", afterBytes: 5 * mebibyte }, count: 1 });
  proxies.target.rule({ matches: isPart, fault: { kind: "reset", afterBytes: 3 * mebibyte }, count: 1 });
  const verification = {
    matches: ({ method }: ProxiedRequest) => method === "HEAD",
    fault: failing,
    count: 1,
  };
  proxies.target.rule(verification);
  const { id } = await startJob(client, `${source.path}/object/copy`, {
    src_key: "a",
    dst_key: "a",
    dst_backend: "to",
    dst_bucket: target.bucket,
  });
  const job = await ended(client, id);
  assert.equal(job.state, "done", JSON.stringify(job));
  assert.equal(job.kind, "transfer");
  assert.equal(job.bytes, size);
  assert.equal(digest(await target.read("a")), digest(content));
  assert.equal(await target.uploads(), 0);
});

brokenTest("a source that changes is neither mixed nor deleted", async (stage, proxies) => {
  const { source, target, copy } = stage;
  const other = pattern(size, 2);

  await source.put("during", content);
  const change = () => source.put("during", other);
  proxies.source.rule({ matches: of("during", isRead), from: 2, count: 1, onRequest: change });
  assert.equal(await refusal(copy({ src_key: "during", dst_key: "during", move: true })), "409 conflict");
  assert.deepEqual(await target.keys(), []);
  assert.equal(digest(await source.read("during")), digest(other));

  await source.put("after", content);
  proxies.target.rule({
    matches: of("after", isCompletion),
    count: 1,
    onRequest: () => source.put("after", other),
  });
  const answer = await copy({ src_key: "after", dst_key: "after", move: true });
  assert.equal(answer.status, 409);
  const { error } = await answer.json() as ApiError;
  assert.equal(error.code, "conflict");
  assert.match(error.message, /copied.*not deleted.*changed/);
  assert.equal(digest(await target.read("after")), digest(content));
  assert.equal(digest(await source.read("after")), digest(other));

  await source.put("gone", content);
  proxies.source.rule({
    matches: of("gone", isRead),
    from: 2,
    count: 1,
    onRequest: async () => {
      await stage.client.delete(`${source.path}/object?key=gone`).then((response) => response.body?.cancel());
    },
  });
  assert.equal(await refusal(copy({ src_key: "gone", dst_key: "gone" })), "404 not_found");
  assert.deepEqual(await target.keys(), ["after"]);
  assert.equal(await target.uploads(), 0);
});

brokenTest(
  "a source that cannot be deleted is there after a move, and so is the copy",
  async (stage, proxies) => {
    const { source, target, copy } = stage;
    await source.put("a", content);
    const isDeletion = ({ method }: ProxiedRequest) => method === "DELETE";
    const rule = proxies.source.rule({ matches: of("a", isDeletion), fault: failing });
    const answer = await copy({ src_key: "a", dst_key: "a", move: true });
    assert.equal(answer.status, 502);
    const { error } = await answer.json() as ApiError;
    assert.match(error.message, /copied, but its source was not deleted/);
    assert.deepEqual([await source.keys(), await target.keys()], [["a"], ["a"]]);
    rule.remove();
    await copied(copy({ src_key: "a", dst_key: "a", move: true }));
    assert.deepEqual([await source.keys(), await target.keys()], [[], ["a"]]);
  },
);

brokenTest("a client that goes away ends its transfer, of which nothing is left", async (stage, proxies) => {
  const { source, target, client } = stage;
  await source.put("a", content);
  proxies.target.rule({ matches: isPart, fault: { kind: "slow", bytesPerSecond: 2 * mebibyte } });
  const leaving = new AbortController();
  const gone = client.post(`${source.path}/object/copy`, {
    json: { src_key: "a", dst_key: "a", dst_backend: "to", dst_bucket: target.bucket, move: true },
    signal: leaving.signal,
  });
  await until(() => proxies.target.requests.some(isPart), { what: "a part to be sent" });
  assert.equal(await target.uploads(), 1);
  leaving.abort();
  await assert.rejects(gone);
  await until(async () => await target.uploads() === 0, { what: "the upload to be aborted" });
  assert.deepEqual([await source.keys(), await target.keys()], [["a"], []]);
});
