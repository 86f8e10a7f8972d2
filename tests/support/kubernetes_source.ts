import assert from "node:assert/strict";
import { Logger } from "../../src/logging/logger.ts";
import { loadServiceAccount } from "../../src/proxy/credentials/kubernetes/in_cluster.ts";
import { KubernetesSource, type KubernetesTimings } from "../../src/proxy/credentials/kubernetes/source.ts";
import { type KubernetesServer, type TestSecret, withKubernetes } from "./kubernetes_server.ts";
import { until } from "./poll.ts";

/** Timings under which nothing is waited for. */
export const quick: KubernetesTimings = {
  firstSync: 10_000,
  requests: { list: 10_000, watch: 60_000, watchSlack: 10_000 },
  backoff: { min: 2, max: 20 },
  settled: 0,
};

/** Attempts that fail are only repeated after a minute, so a test sees what is done without waiting. */
export const unforgiving: KubernetesTimings = { ...quick, backoff: { min: 60_000, max: 60_000 } };

/** A source, the server that it follows, and its log so far. */
export interface Followed {
  readonly server: KubernetesServer;
  readonly source: KubernetesSource;
  readonly log: readonly string[];
}

/** Runs `body` with a source that follows a server, the way a pod does. */
export async function following(
  options: { readonly prepare?: (server: KubernetesServer) => void; readonly timings?: KubernetesTimings },
  body: (followed: Followed) => Promise<void>,
): Promise<void> {
  await withKubernetes(async (server) => {
    options.prepare?.(server);
    const log: string[] = [];
    const source = new KubernetesSource({
      access: await loadServiceAccount({
        host: "127.0.0.1",
        port: String(server.port),
        directory: server.directory,
      }),
      namespace: server.namespace,
      logger: new Logger({
        level: "debug",
        format: "json",
        clock: Date.now,
        write: (line) => log.push(line),
      }),
      clock: Date.now,
      random: () => 0,
      timings: options.timings ?? quick,
    });
    try {
      await source.start();
      await body({ server, source, log });
    } finally {
      await source.stop();
    }
    assert.ok(!log.join("\n").includes("secret-of-"), "a secret was logged");
  });
}

/** A Secret of a credential `ID-NAME` for the bucket `bucket-NAME`. */
export function credential(
  name: string,
  over: Partial<TestSecret> = {},
  data: Record<string, string> = {},
): TestSecret {
  return {
    name,
    ...over,
    data: {
      access_key_id: `ID-${name}`,
      secret_access_key: `secret-of-${name}`,
      backend: "store",
      bucket_name: `bucket-${name}`,
      ...data,
    },
  };
}

/** A Secret that binds a bucket. */
export function binding(name: string, bucket: string, over: Partial<TestSecret> = {}, data = {}): TestSecret {
  return {
    name,
    role: "anonymous-binding",
    ...over,
    data: { backend: "store", bucket_name: bucket, anonymous_mode: "ReadOnly", ...data },
  };
}

/** The ids of all credentials, in order. */
export const ids = (source: KubernetesSource) =>
  [...source.credentials()].map(({ accessKeyId }) => accessKeyId).sort();

/** Waits until a watch is open. */
export const watchOpens = (server: KubernetesServer) =>
  until(() => server.watching === 1, { what: "a watch" });

/** Waits for the credential of {@link credential}. */
export const appears = (source: KubernetesSource, name: string) =>
  until(() => source.find(`ID-${name}`), { what: `the credential ${name}`, intervalMs: 2 });

/** Waits until the credential of {@link credential} is gone. */
export const disappears = (source: KubernetesSource, name: string) =>
  until(() => source.find(`ID-${name}`) === undefined, { what: `the end of ${name}`, intervalMs: 2 });
