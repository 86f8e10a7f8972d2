import assert from "node:assert/strict";
import { GetBucketCorsCommand } from "@aws-sdk/client-s3";
import { bucketName, withBucket } from "../support/bucket.ts";
import { startFaultProxy } from "../support/fault_proxy.ts";
import { json, refusal } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { plain, startRawUpstream } from "../support/raw_upstream.ts";
import { s3Client } from "../support/s3_client.ts";
import { upstreamTest } from "../support/upstreams.ts";

const rule = { allowed_origins: ["*"], allowed_methods: ["GET"] };
const statement = { Effect: "Deny", Principal: "*", Action: "s3:*", Resource: `arn:aws:s3:::${bucketName}` };
const bodies = {
  versioning: { enabled: true },
  cors: { rules: [rule] },
  policy: { policy: { Statement: [statement] } },
  lifecycle: { rules: [{ enabled: true, expiration_days: 1 }] },
};

upstreamTest(
  ["versitygw"],
  "settings of a backend that fails have clear answers",
  async (upstream, context) => {
    const proxy = startFaultProxy(upstream);
    try {
      await withBucket(proxy, async ({ client, backend, bucket, program }) => {
        /** Every request ends in `expected`, and none tells where the backend is. */
        const all = async (expected: string) => {
          const requests = Object.entries(bodies).flatMap(([name, body]) => [
            client.get(`${bucket}/${name}`),
            client.put(`${bucket}/${name}`, { json: body }),
          ]);
          // Changes of the same policy would wait for each other.
          requests.push(client.delete(`${backend}/buckets/another-bucket/policy`));
          for (const request of requests) {
            const response = await request;
            const text = await response.text();
            assert.equal(`${response.status} ${JSON.parse(text).error.code}`, expected, text);
            assert.ok(!text.includes(new URL(proxy.endpoint).port) && !text.includes(proxy.accessKey), text);
          }
        };
        const faults = {
          refuse: "502 backend_error",
          html: "502 backend_error",
          unavailable: "502 backend_error",
          hang: "504 backend_timeout",
        } as const;
        for (const [fault, expected] of Object.entries(faults)) {
          await context.step(fault, async () => {
            proxy.set(fault as keyof typeof faults);
            await all(expected);
          });
        }
        await context.step(
          "a change whose answer is lost is not taken for one that was refused",
          async () => {
            proxy.set("none");
            const isChange = ({ method, query }: { method: string; query: URLSearchParams }) =>
              method === "PUT" && query.has("cors");
            proxy.rule({ matches: isChange, fault: { kind: "lost_answer" } });
            const { error } = await json(client.put(`${bucket}/cors`, { json: bodies.cors }), 502);
            assert.equal(error.detail.reason, "connection_lost");
            using s3 = s3Client(upstream);
            assert.equal(
              (await s3.send(new GetBucketCorsCommand({ Bucket: bucketName }))).CORSRules?.length,
              1,
            );
          },
        );
        await context.step("the next request finds a queue that goes on", async () => {
          proxy.clear();
          assert.equal((await json(client.put(`${bucket}/cors`, { json: { rules: [] } }))).rules.length, 0);
        });
        assert.ok(!program.child.stderr.join("\n").includes(upstream.secretKey));
      });
    } finally {
      await proxy.stop();
    }
  },
);

Deno.test("what a backend says is passed on, but not what it tells of itself", async () => {
  const upstream = startRawUpstream();
  try {
    await withProgram({ backends: [{ id: "main", upstream }] }, async (program) => {
      const client = await program.signedIn();
      const path = "/api/backends/main/buckets/test-bucket/cors";
      const error = (status: string, code: string, message: string) =>
        plain(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
      const none = error("404 Not Found", "NoSuchCORSConfiguration", "none");
      const put = async (answer: string) => {
        upstream.set(({ method }) => ({ text: method === "PUT" ? answer : none }));
        const response = await client.put(path, { json: bodies.cors });
        const text = await response.text();
        const { error } = JSON.parse(text);
        return { outcome: `${response.status} ${error.code}`, text, ...error };
      };
      const said = await put(error("400 Bad Request", "MalformedXML", "The origin &quot;x&quot; is wrong"));
      assert.equal(said.outcome, "400 invalid_cors");
      assert.equal(said.message, 'The backend does not accept this: The origin "x" is wrong');
      const hidden = ["see https://docs.test", "at 10.1.2.3:9000", `by ${upstream.accessKey}`, "&#233;", ""];
      for (const message of hidden) {
        const { outcome, detail, text } = await put(error("400 Bad Request", "InvalidRequest", message));
        assert.equal(outcome, "400 invalid_cors");
        assert.equal(detail.reason, undefined, text);
        assert.ok(message === "" || !text.includes(message), text);
      }
      const cases: [status: string, code: string, expected: string][] = [
        ["400 Bad Request", "ExpiredToken", "502 backend_error"],
        ["400 Bad Request", "InvalidBucketState", "409 conflict"],
        ["403 Forbidden", "AccessDenied", "403 forbidden"],
        ["404 Not Found", "NoSuchBucket", "404 not_found"],
        ["405 Not Allowed", "MethodNotAllowed", "400 not_supported"],
        ["409 Conflict", "OperationAborted", "409 conflict"],
        ["500 Error", "InternalError", "502 backend_error"],
        ["501 Not Implemented", "NotImplemented", "400 not_supported"],
      ];
      for (const [status, code, expected] of cases) {
        const { outcome, detail } = await put(error(status, code, "no"));
        assert.equal(outcome, expected, code);
        assert.deepEqual([`${detail.upstream_status}`, detail.upstream_code], [status.slice(0, 3), code]);
      }
      for (const text of ["<Other/>", "<CORSConfiguration><CORSRule>", "", "<!doctype html>"]) {
        upstream.set(() => ({ text: plain("200 OK", text) }));
        assert.equal(await refusal(client.get(path)), "502 backend_error", text);
      }
    });
  } finally {
    await upstream.stop();
  }
});
