import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { App } from "../app.ts";
import { passwordFault } from "../auth/password_policy.ts";
import { S3Connection } from "../backends/s3_client.ts";
import { addressesCollide, type ListenAddress, parseListenAddress } from "../config/listen_address.ts";
import { loadConfig } from "../config/load.ts";
import { configSchema } from "../config/schema.ts";
import { Problem } from "../problem.ts";
import { configurationEnvironment, writeConfiguration } from "../quickstart/configuration.ts";
import { DirectoryInUseError } from "../quickstart/embedded_s3/server.ts";
import { sampleBucket, storeSampleData } from "../quickstart/sample_data.ts";
import { loadState, type QuickstartState, saveState, StateError } from "../quickstart/state.ts";
import { checkUpstream, startUpstream, type Upstream } from "../quickstart/upstream.ts";
import { UpstreamError } from "../quickstart/upstream_error.ts";
import { usernameField } from "../users/fields.ts";
import { CommandError, type CommandIo, defineCommand, type FlagValues, UsageError } from "./command.ts";
import { podEnvironment } from "./pod.ts";
import { announceEndpoint } from "./quickstart_endpoint.ts";
import { listenFailure, runService } from "./run_service.ts";
import { errorMessage } from "../error_message.ts";

const flags = {
  "data-dir": { value: "FOLDER", summary: "Where everything is kept (default ./data)" },
  listen: { value: "ADDRESS", summary: "Where the dashboard listens (default 127.0.0.1:8080)" },
  "proxy-listen": {
    value: "ADDRESS",
    summary: "Where the S3 endpoint listens (default 127.0.0.1:8090)",
  },
  upstream: {
    value: "URL",
    summary: "Another S3 server in place of the embedded one, or minio or versitygw to start it from PATH",
  },
  "admin-username": { value: "NAME", summary: "User name of the administrator (default admin)" },
  "admin-password": {
    value: "PASSWORD",
    summary: "Sets the administrator's password (default: a random one)",
  },
} as const;

/** The flags, checked, with their defaults. */
interface Plan {
  readonly directory: string;
  readonly listen: ListenAddress;
  readonly proxyListen: ListenAddress;
  readonly upstream: string | undefined;
  readonly username: string;
  readonly password: string | undefined;
}

/** `quickstart`: runs the program with an S3 server, sample data and an administrator. Nothing is open to other machines. */
export const quickstartCommand = defineCommand({
  flags,
  async run(values, io) {
    const plan = readPlan(values, io);
    requireFree(plan.listen, "--listen");
    requireFree(plan.proxyListen, "--proxy-listen");
    const stopListening = endOnSignal();
    const state = await prepareDirectory(plan.directory);
    io.stdout(`Data folder: ${plan.directory}`);
    const upstream = await prepareUpstream(plan, state, io);
    try {
      const filled = await prepareSampleData(plan, state, upstream, io);
      const path = await writeConfiguration(plan.directory, plan, upstream);
      const env = configurationEnvironment(io.env, upstream);
      const loaded = await loadConfig({ path, env, readTextFile: Deno.readTextFile });
      io.stdout(`Configuration: ${path}`);
      stopListening();
      return await runService(loaded, {
        writeLog: io.stderr,
        listenSource: "--listen",
        s3ListenSource: "--proxy-listen",
        pod: podEnvironment(io.env),
        onReady: async (app, url, s3Url) => {
          announce(url, plan.username, await prepareAdmin(app, plan), io);
          await announceEndpoint(app, s3Url, { directory: plan.directory, state: filled, upstream }, io);
          io.stdout("Ctrl-C stops it.");
        },
      });
    } finally {
      await upstream.stop();
    }
  },
});

function readPlan(values: FlagValues<typeof flags>, { cwd, env }: CommandIo): Plan {
  const listen = readAddress("--listen", values.listen ?? "127.0.0.1:8080");
  const proxyListen = readAddress("--proxy-listen", values["proxy-listen"] ?? "127.0.0.1:8090");
  if (addressesCollide(listen, proxyListen)) throw new UsageError("--proxy-listen must differ from --listen");
  const username = usernameField.safeParse(values["admin-username"] ?? "admin");
  if (!username.success) throw new UsageError(`--admin-username ${username.error.issues[0].message}`);
  const password = values["admin-password"];
  const { min_length: minLength, prevent_reuse: preventReuse } = configSchema.parse({}).auth.local.password;
  const fault = password === undefined ? null : passwordFault({ minLength, preventReuse }, password);
  if (fault !== null) throw new UsageError(`--admin-password: ${fault}`);
  try {
    checkUpstream(values.upstream, env);
  } catch (error) {
    if (error instanceof UpstreamError) throw new UsageError(`--upstream: ${error.message}`);
    throw error;
  }
  const directory = resolve(cwd, values["data-dir"] ?? "data");
  return { directory, listen, proxyListen, upstream: values.upstream, username: username.data, password };
}

function readAddress(flag: string, text: string): ListenAddress {
  const address = parseListenAddress(text);
  if (address === null) {
    throw new UsageError(`${flag} ${JSON.stringify(text)} is not an address such as :8080`);
  }
  return address;
}

/** Finds out that the port is taken before anything is made. */
function requireFree(listen: ListenAddress, flag: string): void {
  try {
    Deno.listen({ hostname: listen.hostname, port: listen.port }).close();
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) throw listenFailure(listen, flag, error);
  }
}

/** Lets a signal end the process, and with it the S3 server, in the middle of the start. Returns what undoes it. */
function endOnSignal(): () => void {
  const end = () => Deno.exit(1);
  Deno.addSignalListener("SIGTERM", end);
  Deno.addSignalListener("SIGINT", end);
  return () => {
    Deno.removeSignalListener("SIGTERM", end);
    Deno.removeSignalListener("SIGINT", end);
  };
}

async function prepareDirectory(directory: string): Promise<QuickstartState> {
  try {
    await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
    return await loadState(directory);
  } catch (error) {
    if (error instanceof StateError) throw new CommandError(error.message);
    const reason = errorMessage(error);
    throw new CommandError(`--data-dir: ${directory} cannot be used: ${reason}`);
  }
}

async function prepareUpstream(plan: Plan, state: QuickstartState, io: CommandIo): Promise<Upstream> {
  try {
    const upstream = await startUpstream({
      choice: plan.upstream,
      directory: plan.directory,
      accessKey: state.access_key,
      secretKey: state.secret_key,
      env: io.env,
      clock: Date.now,
      onError: (error) => io.stderr(`S3 server: ${error}`),
    });
    io.stdout(`S3 server: ${upstream.name} at ${upstream.endpoint}`);
    return upstream;
  } catch (error) {
    if (error instanceof UpstreamError) throw new CommandError(`--upstream: ${error.message}`);
    if (error instanceof DirectoryInUseError) throw new CommandError(`--data-dir: ${error.message}`);
    throw error;
  }
}

/** Returns the state as it is now. */
async function prepareSampleData(
  plan: Plan,
  state: QuickstartState,
  upstream: Upstream,
  io: CommandIo,
): Promise<QuickstartState> {
  const isThere = state.sample_data_in.includes(upstream.id);
  if (!upstream.isOwn || isThere) {
    io.stdout(
      `Sample data: ${
        isThere ? "kept from the last start" : "none, for this S3 server is not quickstart's own"
      }`,
    );
    return state;
  }
  const { id, name, endpoint, region, accessKey, secretKey } = upstream;
  const connection = new S3Connection({
    id,
    name,
    type: "s3v4",
    endpoint,
    region,
    pathStyle: true,
    presign: false,
    enabled: true,
    source: "config",
    credentials: { accessKey, secretKey },
  }, Date.now);
  try {
    const count = await storeSampleData(connection);
    const filled = { ...state, sample_data_in: [...state.sample_data_in, id] };
    await saveState(plan.directory, filled);
    io.stdout(`Sample data: ${count} objects in the bucket ${sampleBucket}`);
    return filled;
  } catch (error) {
    if (error instanceof Problem) {
      throw new CommandError(`the sample data could not be stored: ${error.message}`);
    }
    throw error;
  } finally {
    connection.close();
  }
}

/** Makes the administrator, or gives it the password of the flag. Returns what to say about its password. */
async function prepareAdmin({ accounts: { users } }: App, { username, password }: Plan): Promise<string> {
  const found = users.list({ query: username }, Number.MAX_SAFE_INTEGER, 0).users
    .find((user) => user.username.toLowerCase() === username.toLowerCase());
  if (found === undefined) {
    const random = randomBytes(15).toString("base64url");
    await users.create({ username, password: password ?? random, role: "admin" });
    return password === undefined ? random : "as given";
  }
  if (found.role !== "admin") throw new CommandError(`--admin-username: ${username} is not an administrator`);
  if (password === undefined) return "as before (start with --admin-password NEW to reset it)";
  await users.resetPassword(found.id, password, false);
  return "as given; the former one is void";
}

function announce(url: string, username: string, password: string, io: CommandIo): void {
  const lines = [
    "",
    "The dashboard is ready:",
    `  URL       ${url}`,
    `  User      ${username}`,
    `  Password  ${password}`,
    "",
  ];
  lines.forEach(io.stdout);
}
