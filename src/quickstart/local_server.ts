import { join } from "node:path";
import { Signer, unsignedPayload } from "../sigv4/sign.ts";
import { UpstreamError } from "./upstream_error.ts";

/** S3 servers that quickstart can start when they are on `PATH`. */
export type LocalServer = "minio" | "versitygw";

interface LocalServerOptions {
  /** Holds the server's data; made when it is not there. */
  readonly directory: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** A server that answers. */
interface RunningServer {
  /** Scheme, host and port. */
  readonly url: string;
  stop(): Promise<void>;
}

const startTimeoutMs = 30_000;

/** How many times a server is started that ends at once: another program may take its port before it does. */
const startTries = 3;

const commands: Record<LocalServer, (address: string, options: LocalServerOptions) => Deno.CommandOptions> = {
  minio: (address, { directory, region, accessKey, secretKey }) => ({
    args: ["server", "--quiet", "--address", address, join(directory, "data")],
    env: {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_REGION: region,
      MINIO_BROWSER: "off",
      MINIO_UPDATE: "off",
    },
  }),
  versitygw: (address, { directory, region, accessKey, secretKey }) => ({
    args: [
      "--quiet",
      "--port",
      address,
      "posix",
      "--versioning-dir",
      join(directory, "versions"),
      join(directory, "data"),
    ],
    env: { ROOT_ACCESS_KEY_ID: accessKey, ROOT_SECRET_ACCESS_KEY: secretKey, VGW_REGION: region },
  }),
};

/** Whether a choice of upstream is the name of a server to start. */
export function isLocalServer(choice: string): choice is LocalServer {
  return Object.hasOwn(commands, choice);
}

/** Starts a server on a free loopback port and waits until it answers. Throws {@link UpstreamError}. */
export async function startLocalServer(
  server: LocalServer,
  options: LocalServerOptions,
): Promise<RunningServer> {
  await Deno.mkdir(join(options.directory, "data"), { recursive: true });
  await Deno.mkdir(join(options.directory, "versions"), { recursive: true });
  for (let tries = 0; tries < startTries; tries++) {
    const running = await start(server, options);
    if (running !== null) return running;
  }
  throw didNotStart(server);
}

/** The server on a port that was free a moment ago, or `null` when it has ended before it answered. */
async function start(server: LocalServer, options: LocalServerOptions): Promise<RunningServer | null> {
  const address = `127.0.0.1:${freePort()}`;
  const process = spawn(server, commands[server](address, options));
  const end = () => {
    try {
      process.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
  };
  // Also when this program ends in the middle of its start.
  globalThis.addEventListener("unload", end);
  const url = `http://${address}`;
  const deadline = performance.now() + startTimeoutMs;
  let ended = false;
  process.status.then(() => ended = true);
  while (performance.now() < deadline) {
    const isReady = await answers(url, options);
    // Whatever answers there now, it is not this one.
    if (ended) return null;
    if (isReady) {
      return {
        url,
        async stop() {
          end();
          await process.status;
        },
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  end();
  throw didNotStart(server);
}

function didNotStart(server: LocalServer): UpstreamError {
  return new UpstreamError(`${server} did not start: run it by hand to see why`);
}

function spawn(server: LocalServer, options: Deno.CommandOptions): Deno.ChildProcess {
  try {
    return new Deno.Command(server, { ...options, stdin: "null", stdout: "null", stderr: "null" }).spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new UpstreamError(`${server} is not on PATH: install it, or leave the flag out`);
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Whether the server answers there. What else may have taken its port does not know the keys. */
async function answers(
  url: string,
  { region, accessKey, secretKey, clock }: LocalServerOptions,
): Promise<boolean> {
  const headers = new Headers({ host: new URL(url).host });
  const signer = new Signer({ accessKeyId: accessKey, secretKey, region });
  signer.sign({ method: "GET", path: "/", query: "", headers }, unsignedPayload, clock());
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
