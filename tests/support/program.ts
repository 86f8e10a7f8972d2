import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hash } from "@node-rs/argon2";
import { stringify } from "yaml";
import type { Role } from "../../src/auth/principal.ts";
import { Database } from "../../src/store/database.ts";
import { insertUser } from "../../src/store/users_repository.ts";
import { forgetProgram, noteConfiguration } from "./api_document.ts";
import { type Child, startChild } from "./child.ts";
import { Client } from "./http_client.ts";
import { until } from "./poll.ts";
import type { Upstream } from "./upstreams.ts";

/** The password of every user that {@link startProgram} makes. */
export const testPassword = "correct horse battery staple";

/** The library declares its algorithms as a const enum, which modules compiled one by one cannot read. */
const argon2id = 2;

/** A backend of the program: an upstream, and what its entry in the configuration says besides. */
export interface TestBackend {
  readonly id: string;
  readonly upstream: Pick<Upstream, "endpoint" | "region" | "accessKey" | "secretKey">;
  readonly name?: string;
  /** Other keys of the entry. */
  readonly entry?: Record<string, unknown>;
}

/** What {@link startProgram} starts. */
export interface ProgramOptions {
  readonly backends?: readonly TestBackend[];
  /** Keys of the configuration, merged over those that the tests need. */
  readonly config?: Record<string, unknown>;
  /** Users by name; an administrator called `admin` unless told. */
  readonly users?: Readonly<Record<string, Role>>;
  /** Added to the environment. */
  readonly env?: Record<string, string>;
  /** What runs the program in place of {@link programCommand}. */
  readonly command?: readonly string[];
  /** A directory of an earlier run, to start again on its state. It is not removed at the end. */
  readonly directory?: string;
}

/** A line of the program's log. */
export type LogLine = { readonly level: string; readonly msg: string } & Record<string, unknown>;

/** The real program, running. */
export interface Program {
  /** Base URL of the dashboard, without a trailing slash. */
  readonly url: string;
  /** Holds the configuration and the database. */
  readonly directory: string;
  readonly databasePath: string;
  readonly child: Child;
  /** Base URL of the S3 endpoint, without a trailing slash, once it listens. */
  proxyUrl(): Promise<string>;
  /** The log so far. */
  logs(): LogLine[];
  /** A client without a session. */
  client(): Client;
  /** A client that has signed in. */
  signedIn(username?: string): Promise<Client>;
  /** Ends the program and removes its directory. */
  stop(): Promise<void>;
}

/** The program's command line, from source. */
export function programCommand(): string[] {
  const mainModule = fileURLToPath(new URL("../../main.ts", import.meta.url));
  // As in the tasks of deno.json: without these the heap may become twice as large, and nothing is faster for it.
  const heapFlags = "--v8-flags=--max-semi-space-size=8,--heap-growing-percent=50";
  // The tests have brought node_modules up to date: looking at all of it again is half of what a start costs.
  const flags = ["--quiet", "--allow-all", "--node-modules-dir=manual", heapFlags];
  return [Deno.execPath(), "run", ...flags, mainModule];
}

/** Starts `serve` on a free loopback port and waits until it listens. */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const directory = options.directory ?? await Deno.makeTempDir({ prefix: "program-" });
  const { config, env } = configuration(directory, options);
  const configPath = join(directory, "config.yaml");
  await Deno.writeTextFile(configPath, stringify(config));
  const databasePath = join(directory, "service.db");
  if (options.directory === undefined) await makeUsers(databasePath, options.users ?? { admin: "admin" });
  const child = startChild([...options.command ?? programCommand(), "serve", "--config", configPath], {
    cwd: directory,
    env: { ...inheritedEnv(), ...env, ...options.env },
    clearEnv: true,
  });
  const logs = () => child.stderr.flatMap(parseLogLine);
  const removeDirectory = async () => {
    if (options.directory === undefined) await Deno.remove(directory, { recursive: true });
  };
  try {
    const url = await until(() => {
      if (child.hasExited()) return "exited";
      return addressOf(logs(), "listening");
    }, { timeoutMs: 60_000, what: "the program to listen" });
    if (url === "exited") throw new Error("the program ended at once");
    noteConfiguration(url, JSON.stringify([options.command, options.config, options.env]));
    return {
      url,
      directory,
      databasePath,
      child,
      logs,
      proxyUrl: () =>
        until(() => addressOf(logs(), "S3 endpoint listening"), { what: "the S3 endpoint to listen" }),
      client: () => new Client(url),
      signedIn: (username = "admin") => new Client(url).signIn(username, testPassword),
      async stop() {
        await child.stop();
        forgetProgram(url);
        await removeDirectory();
      },
    };
  } catch (cause) {
    await child.stop();
    await removeDirectory();
    throw new Error(`the program did not start:\n${child.stderr.slice(-20).join("\n")}`, { cause });
  }
}

/** Runs `body` with the program, which is stopped whatever happens. */
export async function withProgram<T>(
  options: ProgramOptions,
  body: (program: Program) => Promise<T>,
): Promise<T> {
  const program = await startProgram(options);
  try {
    return await body(program);
  } finally {
    await program.stop();
  }
}

function configuration(directory: string, { backends = [], config = {} }: ProgramOptions) {
  const env: Record<string, string> = {};
  const entries = backends.map(({ id, name, upstream, entry }, index) => {
    env[`BACKEND_${index}_ACCESS_KEY`] = upstream.accessKey;
    env[`BACKEND_${index}_SECRET_KEY`] = upstream.secretKey;
    return {
      id,
      name: name ?? id,
      type: "s3v4",
      endpoint: upstream.endpoint,
      region: upstream.region,
      path_style: true,
      access_key_env: `BACKEND_${index}_ACCESS_KEY`,
      secret_key_env: `BACKEND_${index}_SECRET_KEY`,
      ...entry,
    };
  });
  const base = {
    server: { listen: "127.0.0.1:0", secret_key_file: join(directory, "root.key") },
    db: { sqlite: { path: join(directory, "service.db") } },
    backends: entries,
  };
  return { config: merge(base, config), env };
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    merged[key] = isMapping(merged[key]) && isMapping(value) ? merge(merged[key], value) : value;
  }
  return merged;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Stores users straight into the database, with the cheapest hash there is: what argon2id costs by the parameters of the
 * program, a user made through the API pays.
 */
async function makeUsers(databasePath: string, users: Readonly<Record<string, Role>>): Promise<void> {
  const passwordHash = await hash(testPassword, {
    algorithm: argon2id,
    memoryCost: 8,
    timeCost: 1,
    parallelism: 1,
  });
  const database = new Database(databasePath);
  try {
    for (const [username, role] of Object.entries(users)) {
      insertUser(database, {
        id: crypto.randomUUID(),
        username,
        email: null,
        emailVouched: true,
        role,
        identitySource: "local",
        passwordHash,
        enabled: true,
        mustChangePassword: false,
        createdAt: Date.now(),
        lastLoginAt: null,
      });
    }
  } finally {
    database.close();
  }
}

/** The environment of the tests without the `SERVICE_*` variables, which would change the program's configuration. */
export function inheritedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("SERVICE_")),
  );
}

function addressOf(logs: LogLine[], message: string): string | undefined {
  return logs.find(({ msg }) => msg === message)?.address as string | undefined;
}

function parseLogLine(line: string): LogLine[] {
  return line.startsWith("{") ? [JSON.parse(line)] : [];
}
