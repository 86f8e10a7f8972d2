import { join } from "node:path";
import { startEmbeddedS3 } from "../../src/quickstart/embedded_s3/server.ts";
import { Signer, unsignedPayload } from "../../src/sigv4/sign.ts";
import { type Child, startChild } from "./child.ts";
import { type ExternalProgram, requireExecutable, skipWithout } from "./executables.ts";
import { until } from "./poll.ts";
import { freePorts } from "./ports.ts";

/** The S3 servers that tests run against; `embedded` is the one inside `quickstart`. */
export type UpstreamKind = "embedded" | "minio" | "versitygw" | "seaweedfs";

/** Every upstream, for tests that hold all of them to the same behaviour. */
export const upstreamKinds: readonly UpstreamKind[] = ["embedded", "minio", "versitygw", "seaweedfs"];

/** A running S3 server of our own, empty, on a random loopback port. */
export interface Upstream {
  readonly kind: UpstreamKind;
  /** Base URL, without a trailing slash. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Process id, unless the server runs inside the tests. */
  readonly pid?: number;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/** A server's command line and environment, for the ports and the empty directory it was given. */
interface ServerCommand {
  readonly program: ExternalProgram;
  /** How many ports the server needs; the first is the S3 port. */
  readonly portCount: number;
  build(directory: string, ports: number[]): { args: string[]; env: Record<string, string> };
}

const region = "us-east-1";
const accessKey = "upstream-access-key";
/** A server that accepts it was started here, and not by tests that run at the same time. */
const secretKey = `upstream-secret-key-${crypto.randomUUID()}`;

/** How many times a server is started, each time on other ports: they may be taken between their choice and its start. */
const startTries = 5;

const minio: ServerCommand = {
  program: "minio",
  portCount: 1,
  build: (directory, [port]) => ({
    args: ["server", "--quiet", "--address", `127.0.0.1:${port}`, join(directory, "data")],
    env: {
      HOME: directory,
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: "off",
      MINIO_UPDATE: "off",
      // Otherwise it answers before it knows its own buckets and storage classes.
      MINIO_SYNC_BOOT: "on",
    },
  }),
};

const versitygw: ServerCommand = {
  program: "versitygw",
  portCount: 1,
  build(directory, [port]) {
    const data = join(directory, "data");
    const versions = join(directory, "versions");
    Deno.mkdirSync(data, { recursive: true });
    Deno.mkdirSync(versions, { recursive: true });
    return {
      args: ["--quiet", "--port", `127.0.0.1:${port}`, "posix", "--versioning-dir", versions, data],
      env: { ROOT_ACCESS_KEY_ID: accessKey, ROOT_SECRET_ACCESS_KEY: secretKey },
    };
  },
};

const seaweedfs: ServerCommand = {
  program: "weed",
  portCount: 8,
  build(directory, ports) {
    const data = join(directory, "data");
    const config = join(directory, "s3.json");
    Deno.mkdirSync(data, { recursive: true });
    const identity = {
      name: "admin",
      credentials: [{ accessKey, secretKey }],
      actions: ["Admin", "Read", "Write", "List", "Tagging"],
    };
    Deno.writeTextFileSync(config, JSON.stringify({ identities: [identity] }));
    const options = {
      "dir": data,
      "ip": "127.0.0.1",
      "ip.bind": "127.0.0.1",
      "s3.port": ports[0],
      "s3.port.grpc": ports[1],
      "filer.port": ports[2],
      "filer.port.grpc": ports[3],
      "volume.port": ports[4],
      "volume.port.grpc": ports[5],
      "master.port": ports[6],
      "master.port.grpc": ports[7],
      "s3.port.iceberg": 0,
      "s3.port.lance": 0,
      "s3.config": config,
      // Sockets in the shared temporary directory would outlive the run and clash with other users' ones.
      "s3.localSocket": join(directory, "s3.sock"),
      "filer.localSocket": join(directory, "filer.sock"),
      // The default lets a non-empty bucket be deleted, which no other S3 server does.
      "s3.allowDeleteBucketNotEmpty": false,
      "master.telemetry": false,
      "master.volumeSizeLimitMB": 512,
      "volume.max": 50,
      "volume.preStopSeconds": 0,
    };
    const flags = Object.entries(options).map(([name, value]) => `-${name}=${value}`);
    return { args: ["server", "-filer", "-s3", ...flags], env: { HOME: directory } };
  },
};

const serverCommands: Record<Exclude<UpstreamKind, "embedded">, ServerCommand> = {
  minio,
  versitygw,
  seaweedfs,
};

/**
 * Whether tests against `kind` must be skipped because its program is not installed, for the `ignore` option of
 * `Deno.test`; never in CI, where they fail.
 */
export function skipUpstream(kind: UpstreamKind): boolean {
  return kind !== "embedded" && skipWithout(serverCommands[kind].program);
}

/** Starts an S3 server with an empty temporary data directory and waits until it answers. */
export async function startUpstream(kind: UpstreamKind): Promise<Upstream> {
  const directory = await Deno.makeTempDir({ prefix: `upstream-${kind}-` });
  const removeDirectory = () => Deno.remove(directory, { recursive: true });
  const common = { kind, region, accessKey, secretKey };
  try {
    if (kind === "embedded") {
      const server = await startEmbeddedS3({ directory, port: 0, accessKey, secretKey, clock: Date.now });
      return {
        ...common,
        endpoint: server.url,
        stop: () => server.stop().then(removeDirectory),
      };
    }
    const { child, endpoint } = await startServer(serverCommands[kind], directory);
    return {
      ...common,
      endpoint,
      pid: child.pid,
      // Nobody needs its data any more, over which `weed` would take five seconds.
      stop: () => child.stop(0).then(removeDirectory),
    };
  } catch (error) {
    await removeDirectory();
    throw error;
  }
}

/** Runs `body` with a fresh upstream, which is stopped whatever happens. */
export async function withUpstream<T>(
  kind: UpstreamKind,
  body: (upstream: Upstream) => Promise<T>,
): Promise<T> {
  const upstream = await startUpstream(kind);
  try {
    return await body(upstream);
  } finally {
    await upstream.stop();
  }
}

/** Registers a test that runs with a fresh upstream of each of `kinds`, one test a kind. */
export function upstreamTest(
  kinds: readonly UpstreamKind[],
  name: string,
  body: (upstream: Upstream, context: Deno.TestContext) => Promise<void>,
): void {
  for (const kind of kinds) {
    Deno.test({
      name: `${name} [${kind}]`,
      ignore: skipUpstream(kind),
      fn: (context) => withUpstream(kind, (upstream) => body(upstream, context)),
    });
  }
}

async function startServer(
  command: ServerCommand,
  directory: string,
): Promise<{ child: Child; endpoint: string }> {
  for (let left = startTries; true; left--) {
    const ports = freePorts(command.portCount);
    const { args, env } = command.build(directory, ports);
    const child = startChild([requireExecutable(command.program), ...args], { cwd: directory, env });
    const endpoint = `http://127.0.0.1:${ports[0]}`;
    try {
      await until(async () => child.hasExited() || await isReady(endpoint), {
        timeoutMs: 60_000,
        intervalMs: 50,
        what: `${command.program} on ${endpoint}`,
      });
      if (!child.hasExited()) return { child, endpoint };
      if (left === 1) throw new Error(`${command.program} ended at once, ${startTries} times`);
    } catch (cause) {
      await child.stop();
      const output = [...child.stdout, ...child.stderr].slice(-20).join("\n");
      throw new Error(`could not start ${command.program}; its last output:\n${output}`, { cause });
    }
  }
}

/**
 * Whether a server tells its keys from others already, and is the one that was started: MinIO answers 503 for a while after
 * it has begun to listen, and what else may have taken the port knows no keys, or others.
 */
async function isReady(endpoint: string): Promise<boolean> {
  return await refuses(endpoint, "stranger") && !await refuses(endpoint, accessKey);
}

async function refuses(endpoint: string, accessKeyId: string): Promise<boolean> {
  const headers = new Headers({ host: new URL(endpoint).host });
  const request = { method: "GET", path: "/", query: "", headers };
  new Signer({ accessKeyId, secretKey, region }).sign(request, unsignedPayload, Date.now());
  const answer = await fetch(endpoint, { headers, signal: AbortSignal.timeout(2_000) });
  await answer.body?.cancel();
  return answer.status >= 400 && answer.status < 500;
}
