import { parseRootKey } from "../secrets/root_key.ts";
import { type Environment, readVariable } from "./environment.ts";
import { addressesCollide, type ListenAddress, parseListenAddress } from "./listen_address.ts";
import { type Finding, formatValue, type KeyPath } from "./problem.ts";
import { type RuleInput, usesOidc, usesStaticAccount } from "./rules.ts";
import type { BackendCredentials } from "./schema.ts";

/** What comes from the environment and has no key in the file. */
export interface Secrets {
  /** One a backend, in their order. */
  readonly backends: readonly (BackendCredentials | undefined)[];
  readonly client_secret?: string;
  readonly password_hash?: string;
  readonly root_key?: Uint8Array;
  readonly pprof_listen?: ListenAddress;
}

/**
 * Reads the variables that the configuration names, and those that have no key in it. The findings never hold the value
 * of a variable that is a secret.
 */
export function readSecrets(
  input: RuleInput,
  environment: Environment,
): { secrets: Secrets; findings: Finding[] } {
  const findings: Finding[] = [];
  const named = (path: KeyPath, name: string | undefined): string | undefined => {
    if (!name) return undefined;
    const value = readVariable(environment, name);
    if (value === undefined) {
      findings.push({
        path,
        value: shownName(name),
        rule: "names an environment variable that is not set",
      });
    }
    return value;
  };
  const { oidc, static: account } = input.auth;
  const secrets = {
    backends: input.backends.map(({ access_key_env, secret_key_env }, index) => {
      const access_key = named(["backends", index, "access_key_env"], access_key_env);
      const secret_key = named(["backends", index, "secret_key_env"], secret_key_env);
      return access_key !== undefined && secret_key !== undefined ? { access_key, secret_key } : undefined;
    }),
    client_secret: usesOidc(input)
      ? named(["auth", "oidc", "client_secret_env"], oidc.client_secret_env)
      : undefined,
    password_hash: usesStaticAccount(input.auth)
      ? named(["auth", "static", "password_hash_env"], account.password_hash_env)
      : undefined,
    root_key: readRootKey(environment, findings),
    pprof_listen: readProfilingAddress(input, environment, findings),
  };
  if (secrets.password_hash !== undefined && !isArgon2idHash(secrets.password_hash)) {
    findings.push({
      path: ["auth", "static", "password_hash_env"],
      value: shownName(account.password_hash_env),
      rule: "names an environment variable that holds no argon2id hash (hash-password makes one)",
    });
  }
  return { secrets, findings };
}

/** A name in capitals is shown, as variables are named; anything else could be a secret put in its place. */
function shownName(name: string | undefined): string | undefined {
  return name !== undefined && /^[A-Z0-9_]+$/.test(name) ? formatValue(name) : undefined;
}

function readRootKey(environment: Environment, findings: Finding[]): Uint8Array | undefined {
  const text = readVariable(environment, "SERVICE_SECRET_KEY");
  if (text === undefined) return undefined;
  const key = parseRootKey(text);
  if (key !== null) return key;
  findings.push({ path: ["SERVICE_SECRET_KEY"], rule: "is not 64 hexadecimal or 44 base64 characters" });
}

/** Profiles need no sign-in, so that an address without a host is one of loopback, unlike those of the other listeners. */
function readProfilingAddress(
  { server, s3_proxy }: RuleInput,
  environment: Environment,
  findings: Finding[],
): ListenAddress | undefined {
  const text = readVariable(environment, "SERVICE_PPROF_LISTEN");
  if (text === undefined) return undefined;
  const report = (rule: string) =>
    findings.push({ path: ["SERVICE_PPROF_LISTEN"], value: formatValue(text), rule });
  const parsed = parseListenAddress(text);
  if (parsed === null) {
    report("is not an address such as 127.0.0.1:6060");
    return undefined;
  }
  const address = text.startsWith(":") ? { ...parsed, hostname: "127.0.0.1" } : parsed;
  const others = { "server.listen": server.listen, "s3_proxy.listen": s3_proxy.enabled && s3_proxy.listen };
  for (const [key, other] of Object.entries(others)) {
    if (other && addressesCollide(other, address)) report(`must differ from ${key} (${other.text})`);
  }
  return address;
}

/** The PHC string format of argon2id: variant, version, parameters, salt and hash. */
function isArgon2idHash(text: string): boolean {
  return /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(text);
}
