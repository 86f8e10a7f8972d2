import assert from "node:assert/strict";
import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { makeCertificates } from "../support/certificates.ts";
import { json } from "../support/http_client.ts";
import { withProgram } from "../support/program.ts";
import { s3Client } from "../support/s3_client.ts";
import { startTlsProxy } from "../support/tls_proxy.ts";
import { withUpstream } from "../support/upstreams.ts";
import { exchangeOnce, type WireAnswer, type WireRequest } from "./support/wire.ts";

/** Runs `body` with the endpoint in front of an upstream that speaks TLS. */
async function withTlsUpstream(
  body: (exchange: (request: WireRequest) => Promise<WireAnswer>) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "certificates-" });
  try {
    await makeCertificates(directory);
    const read = (name: string) => Deno.readTextFileSync(join(directory, name));
    await withUpstream("embedded", async (upstream) => {
      using s3 = s3Client(upstream);
      await s3.send(new CreateBucketCommand({ Bucket: "bucket" }));
      const proxy = startTlsProxy(upstream.endpoint, { cert: read("server.crt"), key: read("server.key") });
      try {
        await withProgram({
          backends: [{ id: "main", upstream: { ...upstream, endpoint: proxy.url } }],
          config: { s3_proxy: { enabled: true, listen: "127.0.0.1:0" } },
          env: { DENO_CERT: join(directory, "ca.crt") },
        }, async (program) => {
          const client = await program.signedIn();
          const scope = { backend_id: "main", buckets: ["bucket"] };
          const made = await json(client.post("/api/admin/s3-credentials", { json: scope }), 201);
          const url = await program.proxyUrl();
          const keys = { accessKey: made.access_key, secretKey: made.secret_key };
          await body((request) => exchangeOnce({ url }, request, keys));
        });
      } finally {
        await proxy.stop();
      }
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("an upstream is reached over TLS", () =>
  withTlsUpstream(async (exchange) => {
    for (const size of [5, 3_000_000]) {
      const body = new Uint8Array(size).fill(65);
      const stored = await exchange({ method: "PUT", target: "/bucket/key", body });
      assert.equal(stored.status, 200, stored.text);
      const read = await exchange({ method: "GET", target: "/bucket/key" });
      assert.deepEqual(read.body, body);
    }
  }));
