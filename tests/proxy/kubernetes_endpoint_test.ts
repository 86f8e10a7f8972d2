import assert from "node:assert/strict";
import { join } from "node:path";
import { endpointBackend, type EndpointKeys, withEndpoint } from "../support/endpoint.ts";
import { json } from "../support/http_client.ts";
import { type KubernetesServer, withKubernetes } from "../support/kubernetes_server.ts";
import { binding, credential } from "../support/kubernetes_source.ts";
import { until } from "../support/poll.ts";
import { exchangeOnce, WireConnection, type WireRequest } from "./support/wire.ts";

const mebibyte = 1 << 20;

/** Writes a kubeconfig for the server and returns its path. */
async function kubeconfigOf({ directory, port, token }: KubernetesServer): Promise<string> {
  const path = join(directory, "config");
  const config = {
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "main", user: "robot" } }],
    clusters: [{
      name: "main",
      cluster: { server: `https://127.0.0.1:${port}`, "certificate-authority": "ca.crt" },
    }],
    users: [{ name: "robot", user: { token } }],
  };
  await Deno.writeTextFile(path, JSON.stringify(config));
  return path;
}

Deno.test("what Secrets say counts at the endpoint within a second", () =>
  withKubernetes(async (server) => {
    const keys: EndpointKeys = { accessKey: "ID-app", secretKey: "secret-of-app" };
    const scope = { backend: endpointBackend, bucket_name: "bucket" };
    server.put(credential("app", {}, { ...scope, quota_hard_bytes: String(2 * mebibyte) }));
    const kubernetes = { enabled: true, namespace: server.namespace, kubeconfig: await kubeconfigOf(server) };
    const proxy = { anonymous_enabled: true, kubernetes };
    await withEndpoint("embedded", { proxy }, async ({ url, client, program, ...stored }) => {
      using connection = await WireConnection.open(url);
      const send = async (request: WireRequest, signer?: EndpointKeys) => {
        const { status, code } = await connection.exchange(request, signer);
        return `${status} ${code}`.trim();
      };
      const put = async (key: string, bytes: number, signer = keys) => {
        const request = { method: "PUT", target: `/bucket/${key}`, body: new Uint8Array(bytes) };
        const { status, code } = await exchangeOnce({ url }, request, signer);
        return `${status} ${code}`.trim();
      };
      /** Waits until a request ends so; a change that only a new list told of would take a minute. */
      const becomes = async (request: WireRequest, outcome: string, signer?: EndpointKeys) => {
        const changedAt = performance.now();
        await until(async () => await send(request, signer) === outcome, { what: outcome, intervalMs: 5 });
        assert.ok(performance.now() - changedAt < 10_000);
      };
      const read = { method: "GET", target: "/bucket/key" };
      await until(() => server.watching === 1, { what: "a watch" });

      const quotaPath = `/api/backends/${endpointBackend}/buckets/bucket/quota`;
      await until(async () => (await json(client.get(quotaPath))).has_usage, {
        what: "the count at the start",
      });
      assert.equal(await put("key", mebibyte), "200");
      assert.equal(await put("more", 2 * mebibyte), "507 QuotaExceeded");
      assert.equal(await put("more", 2 * mebibyte, stored), "507 QuotaExceeded");
      const quota = await json(client.get(quotaPath));
      assert.deepEqual([quota.source, quota.hard_bytes], ["kubernetes", 2 * mebibyte]);

      assert.equal(await send(read), "403 AccessDenied");
      server.put(binding("open", "bucket", {}, scope));
      await becomes(read, "200");
      server.remove("open");
      await becomes(read, "403 AccessDenied");

      assert.equal(await send(read, keys), "200");
      server.put(credential("app", {}, { ...scope, secret_access_key: "secret-of-another" }));
      await becomes(read, "403 SignatureDoesNotMatch", keys);
      // The new Secret gives no quota any more.
      const rotated = { ...keys, secretKey: "secret-of-another" };
      assert.equal(await put("more", 2 * mebibyte, rotated), "200");
      server.put(credential("lost", {}, { ...scope, backend: "nowhere" }));
      const lost = { accessKey: "ID-lost", secretKey: "secret-of-lost" };
      await becomes(read, "503 ServiceUnavailable", lost);
      server.remove("app");
      await becomes(read, "403 InvalidAccessKeyId", rotated);
      assert.equal(await send(read, stored), "200");
      const log = program.child.stderr.join("\n");
      assert.ok(!log.includes("secret-of-") && !log.includes(server.token));
    });
  }));
