import assert from "node:assert/strict";
import { join } from "node:path";
import { stringify } from "yaml";
import { errorTexts } from "../../src/backends/upstream_error.ts";
import { ApiClient, type SecretList } from "../../src/proxy/credentials/kubernetes/api_client.ts";
import {
  type ClusterAccess,
  ClusterAccessError,
} from "../../src/proxy/credentials/kubernetes/cluster_access.ts";
import { loadServiceAccount } from "../../src/proxy/credentials/kubernetes/in_cluster.ts";
import { loadClusterAccess } from "../../src/proxy/credentials/kubernetes/load_access.ts";
import { makeCertificates } from "../support/certificates.ts";
import { base64, withKubernetes } from "../support/kubernetes_server.ts";
import { until } from "../support/poll.ts";

type Fields = Record<string, unknown>;

const outsidePod = { host: undefined, port: undefined };
const limits = { list: 10_000, watch: 60_000, watchSlack: 0 };

/** Runs `body` in a directory with certificates; `write` puts a kubeconfig there and returns its path. */
async function inDirectory(
  body: (
    context: { directory: string; write: (content: string | Fields) => Promise<string> },
  ) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "kubeconfig-" });
  try {
    await makeCertificates(directory);
    await Deno.writeTextFile(join(directory, "token"), "file-token\n");
    await body({
      directory,
      write: async (content) => {
        const path = join(directory, "config");
        await Deno.writeTextFile(path, typeof content === "string" ? content : stringify(content));
        return path;
      },
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function kubeconfig(cluster: Fields | null, user: Fields | null, over: Fields = {}): Fields {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "work",
    contexts: [
      { name: "other", context: { cluster: "elsewhere", user: "nobody" } },
      { name: "work", context: { cluster: "main", user: "robot", namespace: "ignored" } },
    ],
    clusters: [
      { name: "elsewhere", cluster: { server: "http://x", "insecure-skip-tls-verify": true } },
      { name: "main", cluster },
    ],
    users: [{ name: "nobody", user: { exec: {} } }, { name: "robot", user }],
    ...over,
  };
}

const server = "https://127.0.0.1:6443";

Deno.test("a kubeconfig gives its current context's cluster and user", async () => {
  await inDirectory(async ({ directory, write }) => {
    const pem = (name: string) => Deno.readTextFile(join(directory, name));
    const [ca, cert, key] = await Promise.all(["ca.crt", "client.crt", "client.key"].map(pem));
    const load = async (cluster: Fields, user: Fields) =>
      await loadClusterAccess(await write(kubeconfig(cluster, user)), outsidePod);
    const withToken = await load({ server: `${server}/base/`, "certificate-authority": "ca.crt" }, {
      token: "inline-token",
    });
    assert.equal(withToken.server, `${server}/base`);
    assert.deepEqual(withToken.caCertificates, [ca]);
    assert.equal(await withToken.token?.(), "inline-token");
    assert.equal(withToken.clientCertificate, undefined);

    const withFile = await load({ server, "insecure-skip-tls-verify": false, "tls-server-name": "" }, {
      token: "passed-over",
      tokenFile: "token",
    });
    assert.deepEqual(withFile.caCertificates, []);
    assert.equal(await withFile.token?.(), "file-token");
    await Deno.writeTextFile(join(directory, "token"), "rotated-token");
    assert.equal(await withFile.token?.(), "rotated-token");

    const byPath = await load({ server }, { "client-certificate": "client.crt", "client-key": "client.key" });
    assert.deepEqual(byPath.clientCertificate, { cert, key });
    assert.equal(byPath.token, undefined);
    const byData = await load({ server, "certificate-authority-data": base64(ca) }, {
      token: null,
      "client-certificate-data": base64(cert),
      "client-key-data": base64(key),
      "client-key": "missing.key",
    });
    assert.deepEqual(byData.caCertificates, [ca]);
    assert.deepEqual(byData.clientCertificate, { cert, key });
  });
});

Deno.test("a kubeconfig that cannot be used says why, by the key of the configuration", async () => {
  const cluster = { server };
  const user = { token: "secret-value" };
  const cases: [string | Fields, RegExp][] = [
    ["users: [\n{token: secret-value", /config is not YAML: see line 2$/],
    ["- a", /config: Invalid input/],
    [{}, /config has no current-context$/],
    [{ "current-context": "work" }, /config has no context "work"$/],
    [kubeconfig(cluster, user, { clusters: null }), /config has no cluster "main"$/],
    [kubeconfig(cluster, user, { users: [] }), /config has no user "robot"$/],
    [kubeconfig(null, user), /the cluster "main": server: /],
    [
      kubeconfig({ server: "http://127.0.0.1:8001" }, user),
      /the cluster "main": server is not an https URL$/,
    ],
    [kubeconfig({ server: "127.0.0.1:6443" }, user), /server is not an https URL$/],
    ...["insecure-skip-tls-verify", "tls-server-name", "proxy-url"].map((field): [Fields, RegExp] => [
      kubeconfig({ ...cluster, [field]: true }, user),
      new RegExp(`the cluster "main" has ${field}, which is not supported$`),
    ]),
    [kubeconfig({ ...cluster, "certificate-authority": "gone.crt" }, user), /gone\.crt cannot be read: /],
    [
      kubeconfig({ ...cluster, "certificate-authority-data": "%" }, user),
      /certificate-authority-data is not base64$/,
    ],
    [
      kubeconfig({ ...cluster, "certificate-authority": "token" }, user),
      /does not hold a certificate as PEM$/,
    ],
    ...["exec", "auth-provider", "username", "password", "as", "as-groups"].map((field): [Fields, RegExp] => [
      kubeconfig(cluster, { ...user, [field]: { command: "x" } }),
      new RegExp(`the user "robot" has ${field}, which is not supported$`),
    ]),
    [kubeconfig(cluster, null), /the user "robot" has neither a token nor a client certificate$/],
    [kubeconfig(cluster, { token: "secret-value and more" }), /token does not hold a bearer token$/],
    [kubeconfig(cluster, { tokenFile: "gone" }), /gone cannot be read: /],
    [kubeconfig(cluster, { token: 5 }), /the user "robot": token: Invalid input/],
    [
      kubeconfig(cluster, { "client-certificate": "client.crt" }),
      /has only one of client-certificate and client-key$/,
    ],
  ];
  await inDirectory(async ({ write }) => {
    for (const [content, expected] of cases) {
      const path = await write(content);
      await assert.rejects(loadClusterAccess(path, outsidePod), (error: Error) => {
        assert.ok(error instanceof ClusterAccessError);
        assert.ok(error.message.startsWith("s3_proxy.kubernetes.kubeconfig: "));
        assert.match(error.message, expected);
        assert.doesNotMatch(error.message, /secret-value/);
        return true;
      });
    }
  });
  await assert.rejects(loadClusterAccess("/nowhere/config", outsidePod), {
    message: /^s3_proxy\.kubernetes\.kubeconfig: \/nowhere\/config cannot be read: /,
  });
});

Deno.test("without a kubeconfig the service account of the pod is used", async () => {
  await inDirectory(async ({ directory }) => {
    const load = (over: Fields = {}) =>
      loadServiceAccount({ host: "10.0.0.1", port: "443", directory, ...over });
    assert.equal((await load()).server, "https://10.0.0.1:443");
    assert.equal((await load({ host: "fd00::1" })).server, "https://[fd00::1]:443");
    assert.equal(await (await load()).token?.(), "file-token");
    for (const over of [{ host: undefined }, { port: "" }]) {
      await assert.rejects(load(over), {
        message: /KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set$/,
      });
    }
    await assert.rejects(load({ port: "x" }), { message: /are no host and port$/ });
    await assert.rejects(load({ directory: "/nowhere" }), { message: /\/nowhere\/token cannot be read: / });
    await Deno.writeTextFile(join(directory, "token"), "");
    await assert.rejects(load(), { message: /token does not hold a bearer token$/ });
  });
  await assert.rejects(loadClusterAccess("", outsidePod), ClusterAccessError);
});

Deno.test("certificates and namespaces that cannot be used are refused at the start", () => {
  const access = { server, caCertificates: [] };
  const broken = { cert: "-----BEGIN CERTIFICATE-----\n", key: "secret-value" };
  assert.throws(
    () => new ApiClient({ ...access, clientCertificate: broken }, "broker", limits),
    (error: Error) => {
      assert.match(error.message, /^s3_proxy\.kubernetes\.kubeconfig: the certificates cannot be used: /);
      assert.doesNotMatch(error.message, /secret-value/);
      return true;
    },
  );
  for (const namespace of ["..", "a/b", "Upper", "", "-a", "a".repeat(64)]) {
    assert.throws(() => new ApiClient(access, namespace, limits), {
      message: `s3_proxy.kubernetes.namespace: "${namespace}" is not the name of a namespace`,
    });
  }
});

Deno.test("a server whose certificate is not of the authority, or that wants another token, gets nothing", async () => {
  await withKubernetes(async (kubernetes) => {
    const server = `https://127.0.0.1:${kubernetes.port}`;
    const token = () => Promise.resolve(kubernetes.token);
    const list = (access: Partial<ClusterAccess>) =>
      listSecrets({ server, caCertificates: [], token, ...access });
    const ca = await Deno.readTextFile(join(kubernetes.directory, "ca.crt"));
    assert.deepEqual((await list({ caCertificates: [ca] })).secrets, []);
    kubernetes.onUnauthorized = () => assert.fail("the token was sent");
    await assert.rejects(list({}), (error) => /UnknownIssuer/.test(errorTexts(error).join()));
    kubernetes.onUnauthorized = () => {};
    const stranger = () => Promise.resolve("stranger");
    await assert.rejects(list({ caCertificates: [ca], token: stranger }), {
      message: "the API server answered 401: Unauthorized",
    });
  });
});

Deno.test("a client certificate is shown to the server", async () => {
  await inDirectory(async ({ directory, write }) => {
    const openssl = await startCertificateServer(directory);
    try {
      const cluster = { server: `https://127.0.0.1:${openssl.port}`, "certificate-authority": "ca.crt" };
      const user = { "client-certificate": "client.crt", "client-key": "client.key" };
      const access = await loadClusterAccess(await write(kubeconfig(cluster, user)), outsidePod);
      await assert.rejects(listSecrets({ ...access, clientCertificate: undefined }));
      assert.deepEqual(await listSecrets(access), { secrets: [], resourceVersion: "1" });
    } finally {
      await openssl.stop();
    }
  });
});

async function listSecrets(access: ClusterAccess): Promise<SecretList> {
  const client = new ApiClient(access, "broker", limits);
  try {
    return await client.list(new AbortController().signal);
  } finally {
    client.close();
  }
}

/** The TLS server of `openssl`, which demands a certificate of the authority, and answers lists with an empty one. */
async function startCertificateServer(directory: string): Promise<{ port: number; stop(): Promise<void> }> {
  const query = new URLSearchParams({
    labelSelector: "broker.service.io/role in (virtual-credential,anonymous-binding)",
    limit: "500",
  });
  const folder = join(directory, "api/v1/namespaces/broker");
  await Deno.mkdir(folder, { recursive: true });
  const list = JSON.stringify({ metadata: { resourceVersion: "1" }, items: [] });
  const head = `HTTP/1.0 200 OK\r\ncontent-length: ${list.length}\r\n\r\n`;
  await Deno.writeTextFile(join(folder, `secrets?${query}`), head + list);
  const child = new Deno.Command("openssl", {
    args: [
      ...["s_server", "-accept", "127.0.0.1:0", "-HTTP", "-Verify", "1", "-verify_return_error"],
      ...["-CAfile", "ca.crt", "-cert", "server.crt", "-key", "server.key"],
    ],
    cwd: directory,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let output = "";
  const reading = child.stdout.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({ write: (text) => void (output += text) }),
  );
  const port = await until(() => Number(/^ACCEPT 127\.0\.0\.1:(\d+)$/m.exec(output)?.[1] ?? 0) || undefined, {
    what: "openssl to listen",
  });
  return {
    port,
    async stop() {
      child.kill();
      await child.status;
      await reading;
    },
  };
}
