import assert from "node:assert/strict";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { type Client, json, refusal } from "../support/http_client.ts";
import { tryUntil, until } from "../support/poll.ts";
import { withProgram } from "../support/program.ts";
import { startRawUpstream } from "../support/raw_upstream.ts";
import { skipUpstream, type Upstream, withUpstream } from "../support/upstreams.ts";

interface Found {
  readonly backend_id: string;
  readonly bucket: string;
  readonly key?: string;
}

interface SearchError {
  readonly backend_id: string;
  readonly code: string;
  readonly detail?: { readonly reason?: string };
}

const search = (client: Client, q: string, more = "") =>
  json(client.get(`/api/search?q=${encodeURIComponent(q)}${more}`));

/** Whether a backend other than `faulty` has not answered within its 2 s, which a busy machine may need for once. */
const isLate = (errors: readonly SearchError[] = [], faulty?: string) =>
  errors.some(({ backend_id, code }) => backend_id !== faulty && code === "backend_timeout");

/** Whether a connection was used that had been there from before the fault. */
const hasLost = (errors: readonly SearchError[] = []) =>
  errors.some(({ detail }) => detail?.reason === "connection_lost");

/** A search with the answers of all backends, where they have any. */
const searchInTime = (client: Client, q: string, more?: string) =>
  tryUntil(5, () => search(client, q, more), ({ errors }) => !isLate(errors));

const places = (found: Found[]) =>
  found.map(({ backend_id, bucket, key }) => [backend_id, bucket, key].filter(Boolean).join("/"));

/** Runs `body` with a MinIO and a versitygw. */
function withBoth(body: (first: Upstream, second: Upstream) => Promise<void>): Promise<void> {
  return withUpstream("minio", (first) => withUpstream("versitygw", (second) => body(first, second)));
}

async function fill(client: Client, backend: string, bucket: string, ...keys: string[]): Promise<void> {
  const path = `/api/backends/${backend}/buckets`;
  await json(client.post(path, { json: { name: bucket } }), 201);
  for (const key of keys) {
    const headers = { "content-type": "text/plain" };
    await json(
      client.post(`${path}/${bucket}/object?key=${encodeURIComponent(key)}`, { body: "x", headers }),
      201,
    );
  }
}

Deno.test({
  name: "search over two backends",
  ignore: skipUpstream("minio") || skipUpstream("versitygw"),
  fn: (context) =>
    withBoth(async (minio, versitygw) => {
      const proxy = startFaultProxy(versitygw);
      const backends = [{ id: "one", upstream: minio }, { id: "two", upstream: proxy }];
      const users = { admin: "admin", reader: "readonly" } as const;
      await withProgram({ backends, users }, async (program) => {
        const client = await program.signedIn();
        await fill(client, "one", "reports-2024", "report/a.txt", "report/b.txt", "Report/c.txt");
        await fill(client, "one", "photos");
        await fill(client, "two", "old-reports", "report/z.txt");

        await context.step("finds buckets by a part of their name, in any case", async () => {
          const { query, buckets, objects, truncated, errors } = await searchInTime(client, "REPORT");
          assert.equal(query, "REPORT");
          assert.deepEqual(places(buckets), ["one/reports-2024", "two/old-reports"]);
          assert.deepEqual([objects, truncated, errors], [[], false, undefined]);
          assert.deepEqual((await searchInTime(client, "nothing")).buckets, []);
        });
        await context.step("finds objects by prefix in pinned buckets, and in those one was in", async () => {
          await json(
            client.post("/api/me/pins", { json: { backend_id: "one", bucket: "reports-2024" } }),
            201,
          );
          const pinned = await searchInTime(client, "report/");
          assert.deepEqual(places(pinned.objects), [
            "one/reports-2024/report/a.txt",
            "one/reports-2024/report/b.txt",
          ]);
          assert.equal(pinned.objects[0].size, 1);
          assert.ok(Date.parse(pinned.objects[0].last_modified) > Date.now() - 60_000);
          await json(client.get("/api/backends/two/buckets/old-reports/objects"));
          assert.deepEqual(
            places((await searchInTime(client, "report/")).objects).at(-1),
            "two/old-reports/report/z.txt",
          );
          const reader = await program.signedIn("reader");
          assert.deepEqual((await searchInTime(reader, "report/")).objects, []);
          await (await reader.get("/b/two/old-reports")).body?.cancel();
          assert.deepEqual(places((await searchInTime(reader, "report/")).objects), [
            "two/old-reports/report/z.txt",
          ]);
        });
        await context.step("searches one backend, or one bucket, when asked to", async () => {
          const { buckets, objects } = await searchInTime(client, "report", "&backend=two");
          assert.deepEqual(places(buckets), ["two/old-reports"]);
          assert.deepEqual(places(objects), ["two/old-reports/report/z.txt"]);
          const reader = await program.signedIn("reader");
          const within = await searchInTime(reader, "report/a", "&backend=one&bucket=reports-2024");
          assert.deepEqual(places(within.objects), ["one/reports-2024/report/a.txt"]);
          assert.deepEqual((await searchInTime(client, "report", "&backend=none")).buckets, []);
          assert.equal(await refusal(client.get("/api/search?q=a&bucket=photos")), "400 bad_request");
          const folder = "&backend=one&bucket=reports-2024&prefix=report/";
          const inFolder = await searchInTime(reader, "b", folder);
          assert.deepEqual(places(inFolder.objects), ["one/reports-2024/report/b.txt"]);
          assert.deepEqual((await searchInTime(reader, "report", folder)).objects, []);
          assert.deepEqual((await searchInTime(reader, "report", folder)).buckets, []);
          assert.equal(
            await refusal(client.get("/api/search?q=a&backend=one&prefix=report/")),
            "400 bad_request",
          );
          // Names that lead elsewhere: to another path, or, as an ARN, to another host.
          for (const bucket of ["..", "photos/../old-reports", "a?b", "a\0b", "arn:aws:s3:::photos", ""]) {
            const query = `/api/search?q=a&backend=one&bucket=${encodeURIComponent(bucket)}`;
            assert.equal(await refusal(client.get(query)), "400 bad_request", JSON.stringify(bucket));
          }
        });
        await context.step("says when there is more than the limit", async () => {
          const { buckets, objects, truncated } = await searchInTime(client, "report", "&limit=1");
          assert.deepEqual([places(buckets), places(objects), truncated], [
            ["one/reports-2024"],
            ["one/reports-2024/report/a.txt"],
            true,
          ]);
          assert.equal((await searchInTime(client, "report/", "&limit=3")).truncated, false);
        });
        await context.step("refuses a query that makes no sense", async () => {
          const bad = [
            "",
            "?q=",
            `?q=${"x".repeat(201)}`,
            "?q=a%00",
            "?q=a&limit=0",
            "?q=a&limit=101",
            "?q=%ff",
          ];
          for (const query of bad) {
            assert.equal(await refusal(client.get(`/api/search${query}`)), "400 bad_request", query);
          }
          assert.equal(await refusal(program.client().get("/api/search?q=a")), "401 unauthorized");
        });
        await context.step("answers for the others when a backend is refused or hangs", async () => {
          const faults = [
            ["refuse", { code: "backend_error", detail: { reason: "connection_refused" } }],
            ["hang", { code: "backend_timeout" }],
          ] as const;
          for (const [fault, told] of faults) {
            proxy.set(fault);
            const attempt = async () => {
              const startedAt = performance.now();
              const answer = await search(client, "report");
              return { ...answer, took: performance.now() - startedAt };
            };
            const { buckets, truncated, errors, took } = await tryUntil(
              5,
              attempt,
              (answer) => !isLate(answer.errors, "two") && !hasLost(answer.errors),
            );
            assert.deepEqual(places(buckets), ["one/reports-2024"]);
            assert.deepEqual([truncated, errors], [true, [{ backend_id: "two", ...told }]]);
            // A backend has 2 s here, elsewhere 15 s.
            assert.ok(took < 10_000, "one backend held up the answer");
          }
        });
        await context.step("gives each backend's findings as they come to who asks for lines", async () => {
          const headers = { accept: "application/x-ndjson" };
          const attempt = async () => {
            const answer = await client.get("/api/search?q=report", { headers });
            assert.equal(answer.headers.get("content-type"), "application/x-ndjson");
            const times: number[] = [];
            let text = "";
            for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
              times.push(performance.now());
              text += piece;
            }
            const lines = text.trim().split("\n").map((line) => JSON.parse(line));
            if (isLate(lines.flatMap(({ errors = [] }) => errors), "two")) return 0;
            assert.deepEqual(lines.map(({ buckets }) => places(buckets)), [["one/reports-2024"], []]);
            assert.deepEqual(lines[1].errors, [{ backend_id: "two", code: "backend_timeout" }]);
            return times[1] - times[0];
          };
          const apart = await tryUntil(5, attempt, (time) => time > 500);
          assert.ok(apart > 500, `the lines came within ${apart} ms`);
        });
        await context.step("looks into no bucket that is gone", async () => {
          proxy.set("none");
          await fill(client, "one", "shortlived");
          await json(client.get("/api/backends/one/buckets/shortlived/objects"));
          assert.equal((await client.delete("/api/backends/one/buckets/shortlived")).status, 204);
          const { errors } = await searchInTime(client, "report/");
          assert.equal(errors, undefined);
        });
      }).finally(() => proxy.stop());
    }),
});

Deno.test("a search ends at the backends when its client goes away", async () => {
  const upstream = startRawUpstream();
  upstream.set(() => ({ text: "", hold: true }));
  try {
    await withProgram({ backends: [{ id: "raw", upstream }] }, async (program) => {
      const client = await program.signedIn();
      await until(() => upstream.open() === 0, { what: "the first probe to end", timeoutMs: 20_000 });
      const attempt = async () => {
        const abort = new AbortController();
        const answer = client.get("/api/search?q=a", { signal: abort.signal });
        await until(() => upstream.open() === 1, { what: "the search to reach the backend", intervalMs: 5 });
        const abortedAt = performance.now();
        abort.abort();
        await assert.rejects(answer);
        await until(() => upstream.open() === 0, { what: "the search to end at the backend", intervalMs: 5 });
        return performance.now() - abortedAt;
      };
      const took = await tryUntil(5, attempt, (time) => time < 1_500);
      assert.ok(took < 1_500, "it ended by itself only, after 2 s");
    });
  } finally {
    await upstream.stop();
  }
});
