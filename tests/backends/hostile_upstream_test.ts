import assert from "node:assert/strict";
import type { Client } from "../support/http_client.ts";
import { json, refusal, status } from "../support/http_client.ts";
import { until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { plain, type RawUpstream, startRawUpstream } from "../support/raw_upstream.ts";

const backend = "/api/backends/main";
const bucket = `${backend}/buckets/bucket`;
const object = (key: string) => `${bucket}/object?key=${encodeURIComponent(key)}`;

/** Runs `body` with the program in front of an upstream that says anything. */
async function withRawUpstream(
  body: (upstream: RawUpstream, client: Client) => Promise<void>,
): Promise<void> {
  const upstream = startRawUpstream();
  try {
    await withProgram({ backends: [{ id: "main", upstream }] }, async (program) => {
      await body(upstream, await program.signedIn());
      assert.equal(program.child.hasExited(), false);
    });
  } finally {
    await upstream.stop();
  }
}

Deno.test("answers that are not those of an S3 server are told as such, and the program lives on", async () => {
  await withRawUpstream(async (upstream, client) => {
    const answers: [string, RegExp][] = [
      [plain("600 X", ""), /502/],
      [plain("999 X", ""), /502/],
      [plain("099 X", ""), /502/],
      [plain("200 OK", "text"), /502/],
      [plain("201 Created", "text", { etag: '"a"' }), /502/],
      ['HTTP/1.1 205 Reset Content\r\netag: "a"\r\ncontent-length: 10\r\nconnection: close\r\n\r\n', /502/],
      ["HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", /50[24]/],
      ["HTTP/1.1 200 OK\r\nbad header\r\n\r\n", /502/],
      ["SSH-2.0-OpenSSH_9.9\r\n\r\n", /502/],
      ["", /502/],
      ["HTTP/1.1 100 Continue\r\n\r\n".repeat(100), /50[24]/],
      [plain("302 Found", "", { location: "http://127.0.0.1:9/" }), /502/],
    ];
    // A small request, keys with dot segments, and large bodies take different ways to the backend.
    const requests: [string, () => Promise<Response>][] = [
      ["download", () => client.get(object("key"))],
      ["download of a dotted key", () => client.get(object("a/./key"))],
      ["info", () => client.get(`${bucket}/object/info?key=key`)],
      ["upload", () => client.post(object("key"), { body: "x" })],
      ["larger upload", () => client.post(object("key"), { body: new Uint8Array(3 << 20) })],
      ["buckets", () => client.get(`${backend}/buckets`)],
      ["list", () => client.get(`${bucket}/objects`)],
      ["bulk delete", () => client.post(`${bucket}/objects/delete`, { json: { keys: [{ key: "key" }] } })],
    ];
    for (const [text, expected] of answers) {
      upstream.set(() => ({ text }));
      const results = await Promise.all(
        requests.map(async ([name, send]) => `${name}: ${await refusal(send())}`),
      );
      for (const result of results) assert.match(result, expected, `${result} for ${text.slice(0, 40)}`);
    }
  });
});

Deno.test("an empty or another document is no list and no health", async () => {
  await withRawUpstream(async (upstream, client) => {
    for (const body of ["", "<foo/>", "<?xml version='1.0'?>\n<ListBucketsResult/>", "{}"]) {
      upstream.set(() => ({ text: plain("200 OK", body, { "content-type": "application/xml" }) }));
      for (const path of [`${backend}/buckets`, `${bucket}/objects`]) {
        assert.equal(await refusal(client.get(path)), "502 backend_error", `${path} ${body}`);
      }
      const health = await json(client.get(`${backend}/health`));
      assert.equal(health.healthy, false, body);
      assert.match(health.last_error, /not that of an S3 server/);
      assert.equal(health.last_error_reason, "not_s3");
    }
  });
});

Deno.test("an error code of an upstream is told only when it looks like one", async () => {
  await withRawUpstream(async (upstream, client) => {
    const error = (code: string) => ({
      text: plain("500 Error", `<Error><Code>${code}</Code></Error>`, { "content-type": "application/xml" }),
    });
    for (const code of ["x".repeat(5000), "see http://127.0.0.1:9/", "a b", "&lt;b&gt;"]) {
      upstream.set(() => error(code));
      for (const path of [`${backend}/buckets`, object("key"), `${backend}/health`]) {
        const text = await (await client.get(path)).text();
        assert.ok(
          text.length < 600 && !text.includes(code) && !text.includes("127.0.0.1"),
          text.slice(0, 300),
        );
      }
    }
    upstream.set(() => error("SlowDown"));
    assert.match(await (await client.get(`${backend}/buckets`)).text(), /SlowDown/);
  });
});

Deno.test("a list of buckets that never ends is ended", async () => {
  await withRawUpstream(async (upstream, client) => {
    const page = "<ListAllMyBucketsResult><Buckets><Bucket><Name>one</Name></Bucket></Buckets>" +
      "<ContinuationToken>more</ContinuationToken></ListAllMyBucketsResult>";
    upstream.set(() => ({ text: plain("200 OK", page, { "content-type": "application/xml" }) }));
    const { buckets } = await json(client.get(`${backend}/buckets`));
    assert.deepEqual(buckets.map(({ name }: { name: string }) => name), ["one"]);
  });
});

Deno.test("a bulk deletion accounts for every key, whatever the backend answers", async () => {
  await withRawUpstream(async (upstream, client) => {
    const result = "<DeleteResult><Deleted><Key></Key></Deleted><Deleted><Key>stranger</Key></Deleted>" +
      "<Deleted><Key>a</Key></Deleted><Error><Key>b</Key><Code>AccessDenied</Code></Error></DeleteResult>";
    upstream.set(({ method, target }) => ({
      text: method === "POST"
        ? plain("200 OK", result, { "content-type": "application/xml" })
        : target.includes("/c")
        ? plain("204 No Content", "")
        : plain("403 Forbidden", "<Error><Code>AccessDenied</Code></Error>"),
    }));
    const keys = ["a", "b", "c", "d"].map((key) => ({ key }));
    const { deleted, errors } = await json(client.post(`${bucket}/objects/delete`, { json: { keys } }));
    assert.deepEqual(deleted, [{ key: "a" }, { key: "c" }]);
    assert.deepEqual(
      errors.map(({ message: _, ...error }: Record<string, string>) => error),
      [{ key: "b", code: "forbidden" }, { key: "d", code: "forbidden" }],
    );
  });
});

Deno.test("a backend that stalls within an object breaks the download, and a client that leaves ends it", async () => {
  await withRawUpstream(async (upstream, client) => {
    const start = `HTTP/1.1 200 OK\r\netag: "a"\r\ncontent-length: 100000\r\n\r\n${"x".repeat(1000)}`;
    upstream.set(() => ({ text: start, hold: true }));
    for (const key of ["key", "a/./key"]) {
      const idle = upstream.open();
      const left = new AbortController();
      const answer = await client.get(object(key), { signal: left.signal });
      const reader = answer.body?.getReader();
      assert.equal((await reader?.read())?.value?.length, 1000);
      assert.equal(upstream.open(), idle + 1);
      left.abort();
      await reader?.read().catch(() => {});
      await until(() => upstream.open() <= idle, { what: "the end of the connection to the backend" });
    }
    await Promise.all(["key", "a/./key"].map(async (key) => {
      const answer = await client.get(object(key));
      assert.equal(answer.status, 200);
      await assert.rejects(answer.arrayBuffer());
    }));
    assert.equal(await status(client.get("/healthz")), 200);
  });
});
