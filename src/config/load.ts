import { applyEnvironment, type Environment, type Override } from "./environment.ts";
import { isLoopback } from "./listen_address.ts";
import { ConfigError, type ConfigProblem, type Finding, formatPath } from "./problem.ts";
import { readRuleInput, ruleFindings } from "./rules.ts";
import {
  type AuthConfig,
  type BackendConfig,
  type BackendCredentials,
  type backendSchema,
  type Config,
  configSchema,
  defaultProxyListen,
} from "./schema.ts";
import { schemaFindings } from "./schema_findings.ts";
import { readSecrets, type Secrets } from "./secrets.ts";
import { emptySource, parseSource, type Source } from "./source.ts";
import type { z } from "zod";
import { errorMessage } from "../error_message.ts";

/** What {@link loadConfig} reads from. */
export interface LoadOptions {
  /** The configuration file; without one, the defaults and the environment make the configuration. */
  readonly path?: string;
  readonly env: Environment;
  readonly readTextFile: (path: string) => Promise<string>;
}

/** A configuration that can be used, and what its operator should know about it. */
export interface LoadedConfig {
  readonly config: Config;
  readonly warnings: readonly string[];
}

/**
 * Loads the configuration: defaults, then the file, then the `SERVICE_*` variables. Nothing is written and no connection
 * is made. Throws {@link ConfigError} with every broken rule at once.
 */
export async function loadConfig({ path, env, readTextFile }: LoadOptions): Promise<LoadedConfig> {
  const source = path === undefined ? emptySource : await readSource(path, readTextFile);
  const { tree, overrides } = applyEnvironment(source.tree, env);
  const parsed = configSchema.safeParse(tree);
  const input = readRuleInput(tree);
  const { secrets, findings } = readSecrets(input, env);
  const all = [...schemaFindings(parsed.error?.issues ?? [], tree), ...ruleFindings(input), ...findings];
  const problems = [...source.problems, ...locate(all, source, overrides)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const config = complete(parsed.data, secrets);
  return { config, warnings: warningsOf(config) };
}

async function readSource(path: string, readTextFile: LoadOptions["readTextFile"]): Promise<Source> {
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (error) {
    return { ...emptySource, problems: [{ key: "", rule: readFailure(error), file: path }] };
  }
  return parseSource(text, path);
}

function readFailure(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "must not be read by this user";
  return `cannot be read: ${errorMessage(error)}`;
}

/** Adds to each finding where its value came from, and puts them in the order of the file. */
function locate(
  findings: readonly Finding[],
  source: Source,
  overrides: readonly Override[],
): ConfigProblem[] {
  const problems = findings.map(({ path, value, rule }): ConfigProblem => {
    const key = formatPath(path);
    const variable = overrides.find((override) => formatPath(override.path) === key)?.variable;
    return { key, value, rule, variable, ...(variable === undefined ? source.positionOf(path) : {}) };
  });
  const lineOf = ({ line }: ConfigProblem) => line ?? Number.MAX_SAFE_INTEGER;
  return problems.sort((first, second) => lineOf(first) - lineOf(second));
}

/** Fills in what depends on other keys and adds the secrets. */
function complete(file: z.output<typeof configSchema>, secrets: Secrets): Config {
  return {
    ...file,
    auth: {
      ...file.auth,
      oidc: { ...file.auth.oidc, client_secret: secrets.client_secret },
      static: { ...file.auth.static, password_hash: secrets.password_hash },
    },
    backends: file.backends.map((backend, index) => completeBackend(backend, secrets.backends[index])),
    // Only a proxy that is off may have an empty address, which nothing then uses.
    s3_proxy: { ...file.s3_proxy, listen: file.s3_proxy.listen ?? defaultProxyListen },
    root_key: secrets.root_key,
    pprof_listen: secrets.pprof_listen,
  };
}

/** The region that requests are signed for when an upstream is given without one. */
const defaultRegion = "us-east-1";

function completeBackend(
  backend: z.output<typeof backendSchema>,
  credentials: BackendCredentials | undefined,
): BackendConfig {
  return {
    ...backend,
    name: backend.name || backend.id,
    endpoint: backend.endpoint || awsEndpoint(backend.region),
    region: backend.region || defaultRegion,
    credentials,
  };
}

/** The regional endpoint of Amazon S3: https://docs.aws.amazon.com/general/latest/gr/s3.html */
function awsEndpoint(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

function warningsOf(config: Config): string[] {
  const { auth, server, s3_proxy, root_key, pprof_listen } = config;
  const warnings: string[] = [];
  const open = [
    { key: "server.listen", listen: server.listen },
    ...s3_proxy.enabled ? [{ key: "s3_proxy.listen", listen: s3_proxy.listen }] : [],
  ].find(({ listen }) => !isLoopback(listen.hostname));
  if (server.trusted_proxies.length === 0 && open !== undefined) {
    warnings.push(
      `server.trusted_proxies is empty and ${open.key} (${open.listen.text}) is open to other machines: ` +
        "the X-Forwarded-* headers of any client are believed",
    );
  }
  if (root_key === undefined && server.secret_key_file === "") {
    const users = s3_proxy.enabled ? "backends and S3 credentials" : "backends";
    warnings.push(
      `neither SERVICE_SECRET_KEY nor server.secret_key_file is set: ${users} cannot be added in the dashboard`,
    );
  }
  if (pprof_listen !== undefined && !isLoopback(pprof_listen.hostname)) {
    warnings.push(
      `SERVICE_PPROF_LISTEN (${pprof_listen.text}) is open to other machines: profiles need no sign-in`,
    );
  }
  return auth.modes.includes("oidc") ? [...warnings, ...oidcWarnings(auth)] : warnings;
}

function oidcWarnings({ oidc: { issuer, role_claim, role_mapping } }: AuthConfig): string[] {
  const warnings: string[] = [];
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !isLoopback(hostname.replace(/^\[|\]$/g, ""))) {
    warnings.push("auth.oidc.issuer is not https: whoever is on the way to it can sign in as anybody");
  }
  if (role_claim === "" && Object.values(role_mapping).some((groups) => groups.length > 0)) {
    warnings.push(
      "auth.oidc.role_mapping is set and auth.oidc.role_claim is empty: nobody has a group, nobody can sign in",
    );
  }
  return warnings;
}
