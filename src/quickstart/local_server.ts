import { join } from "node:path";
import { UpstreamError } from "./upstream_error.ts";

/** S3 servers that quickstart can start when they are on `PATH`. */
export type LocalServer = "minio" | "versitygw";

interface LocalServerOptions {
  /** Holds the server's data; made when it is not there. */
  readonly directory: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

const startTimeoutMs = 30_000;

const commands: Record<LocalServer, (address: string, options: LocalServerOptions) => Deno.CommandOptions> = {
  minio: (address, { directory, accessKey, secretKey }) => ({
    args: ["server", "--quiet", "--address", address, join(directory, "data")],
    env: {
      MINIO_ROOT_USER: accessKey,
      MINIO_ROOT_PASSWORD: secretKey,
      MINIO_BROWSER: "off",
      MINIO_UPDATE: "off",
    },
  }),
  versitygw: (address, { directory, accessKey, secretKey }) => ({
    args: [
      "--quiet",
      "--port",
      address,
      "posix",
      "--versioning-dir",
      join(directory, "versions"),
      join(directory, "data"),
    ],
    env: { ROOT_ACCESS_KEY_ID: accessKey, ROOT_SECRET_ACCESS_KEY: secretKey },
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
): Promise<{ url: string; stop: () => Promise<void> }> {
  await Deno.mkdir(join(options.directory, "data"), { recursive: true });
  await Deno.mkdir(join(options.directory, "versions"), { recursive: true });
  const port = freePort();
  const process = spawn(server, commands[server](`127.0.0.1:${port}`, options));
  const end = () => {
    try {
      process.kill("SIGTERM");
    } catch {
      // It has ended already.
    }
  };
  // Also when this program ends in the middle of its start.
  globalThis.addEventListener("unload", end);
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + startTimeoutMs;
  let ended = false;
  process.status.then(() => ended = true);
  while (!await answers(url)) {
    if (ended || performance.now() > deadline) {
      end();
      throw new UpstreamError(`${server} did not start: run it by hand to see why`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    async stop() {
      end();
      await process.status;
    },
  };
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

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.status < 500;
  } catch {
    return false;
  }
}
