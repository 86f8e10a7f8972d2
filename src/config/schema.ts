import { z } from "zod";
import {
  cidr,
  durationOrZero,
  endpoint,
  hostname,
  interval,
  issuerUrl,
  listenAddress,
  optionalListenAddress,
  positiveDuration,
  publicUrl,
  timeout,
  variableName,
} from "./fields.ts";
import type { ListenAddress } from "./listen_address.ts";

/** Where the S3 endpoint listens when nothing else is said. */
export const defaultProxyListen: ListenAddress = { hostname: "::", port: 8090, text: ":8090" };

export const serverSchema = z.strictObject({
  listen: listenAddress.prefault(":8080"),
  shutdown_timeout: timeout.prefault("10s"),
  public_url: publicUrl.prefault(""),
  trusted_proxies: z.array(cidr).prefault([]),
  secret_key_file: z.string().prefault(""),
});

const logSchema = z.strictObject({
  level: z.enum(["debug", "info", "warn", "error", ""]).transform((level) => level || "info").prefault(
    "info",
  ),
  format: z.enum(["json", "text", ""]).transform((format) => format || "json").prefault("json"),
});

const dbSchema = z.strictObject({
  driver: z.enum(["sqlite", ""]).transform((): "sqlite" => "sqlite").prefault("sqlite"),
  sqlite: z.strictObject({
    path: z.string().min(1).prefault("./service.db"),
  }).prefault({}),
});

const sessionSchema = z.strictObject({
  lifetime: positiveDuration.prefault("8h"),
  idle_timeout: positiveDuration.prefault("1h"),
});

const localSchema = z.strictObject({
  allow_self_registration: z.boolean().prefault(false),
  require_admin_approval: z.boolean().prefault(false),
  password: z.strictObject({
    min_length: z.int().min(1).prefault(12),
    prevent_reuse: z.boolean().prefault(true),
  }).prefault({}),
  lockout: z.strictObject({
    max_attempts: z.int().min(1).prefault(5),
    window: positiveDuration.prefault("15m"),
  }).prefault({}),
  reset_email: z.strictObject({
    enabled: z.boolean().prefault(false),
  }).prefault({}),
});

/** The roles of the service, strongest first. */
const role = z.enum(["admin", "user", "readonly"]);

export const oidcSchema = z.strictObject({
  issuer: issuerUrl.prefault(""),
  client_id: z.string().prefault(""),
  client_secret_env: variableName.prefault(""),
  scopes: z.array(z.string().min(1)).prefault(["openid", "profile", "email"]),
  role_claim: z.string().prefault(""),
  role_mapping: z.partialRecord(role, z.array(z.string().min(1))).prefault({}),
});

export const staticSchema = z.strictObject({
  enabled: z.boolean().prefault(false),
  username: z.string().prefault(""),
  password_hash_env: variableName.prefault(""),
});

export const authSchema = z.strictObject({
  modes: z.array(z.enum(["local", "oidc", "static"])).min(1).prefault(["local"]),
  session: sessionSchema.prefault({}),
  local: localSchema.prefault({}),
  oidc: oidcSchema.prefault({}),
  static: staticSchema.prefault({}),
});

/** An id is a path segment of the API, so that it needs no escaping there. */
const backendId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, {
  error: "is not 1 to 63 letters, digits, dots, underscores or hyphens, the first a letter or digit",
});

export const backendSchema = z.strictObject({
  id: backendId,
  name: z.string().prefault(""),
  type: z.literal("s3v4"),
  endpoint: endpoint.prefault(""),
  region: z.string().regex(/^[A-Za-z0-9_-]*$/, { error: "is not letters, digits and hyphens" }).prefault(""),
  access_key_env: variableName.prefault(""),
  secret_key_env: variableName.prefault(""),
  path_style: z.boolean().prefault(false),
  presign: z.boolean().prefault(false),
});

const requestsPerSecond = z.number().min(0);

export const s3ProxySchema = z.strictObject({
  enabled: z.boolean().prefault(false),
  listen: optionalListenAddress.prefault(defaultProxyListen.text),
  host_suffixes: z.array(hostname).prefault([]),
  global_rps: requestsPerSecond.prefault(0),
  per_key_rps: requestsPerSecond.prefault(0),
  anonymous_enabled: z.boolean().prefault(false),
  anonymous_rps: requestsPerSecond.prefault(20),
  kubernetes: z.strictObject({
    enabled: z.boolean().prefault(false),
    namespace: z.string().min(1).prefault("service-system"),
    kubeconfig: z.string().prefault(""),
  }).prefault({}),
});

/** The configuration file: its keys, types, defaults and the rules of single keys. */
export const configSchema = z.strictObject({
  server: serverSchema.prefault({}),
  log: logSchema.prefault({}),
  db: dbSchema.prefault({}),
  auth: authSchema.prefault({}),
  backends: z.array(backendSchema).prefault([]),
  quotas: z.strictObject({
    scan_interval: interval.prefault("30m"),
  }).prefault({}),
  ratelimit: z.strictObject({
    api_per_minute: z.int().min(0).prefault(600),
    share_per_minute: z.int().min(0).prefault(10),
  }).prefault({}),
  shares: z.strictObject({
    max_per_user: z.int().min(0).prefault(1000),
    max_lifetime: durationOrZero.prefault(0),
  }).prefault({}),
  s3_proxy: s3ProxySchema.prefault({}),
  audit: z.strictObject({
    sampling: z.strictObject({
      proxy_success_read_rate: z.number().min(0).max(1).prefault(0),
    }).prefault({}),
    retention: durationOrZero.prefault(0),
  }).prefault({}),
});

/** What the file says, with defaults, before secrets are added. */
type FileConfig = z.output<typeof configSchema>;
type FileAuth = FileConfig["auth"];

/** The key pair of a backend, read from the environment. */
export interface BackendCredentials {
  readonly access_key: string;
  readonly secret_key: string;
}

/**
 * A backend of the configuration file. `endpoint` is scheme, host and port; `name` and `region` are never empty.
 * Without `credentials` its requests are not signed.
 */
export interface BackendConfig extends z.output<typeof backendSchema> {
  credentials?: BackendCredentials;
}

/** `auth.oidc`, with its secret. */
export interface OidcConfig extends z.output<typeof oidcSchema> {
  client_secret?: string;
}

/** `auth.static`, with the argon2id hash of its password; there when the account is in use. */
export interface StaticConfig extends z.output<typeof staticSchema> {
  password_hash?: string;
}

/** `auth`, with its secrets. */
export interface AuthConfig extends Omit<FileAuth, "oidc" | "static"> {
  oidc: OidcConfig;
  static: StaticConfig;
}

/** `s3_proxy`. */
export interface S3ProxyConfig extends Omit<FileConfig["s3_proxy"], "listen"> {
  listen: ListenAddress;
}

/**
 * The configuration the service runs with. Durations are milliseconds; keys are those of the file. Secrets are only in
 * `credentials`, `client_secret`, `password_hash` and `root_key`, none of which the file can set.
 */
export interface Config extends Omit<FileConfig, "auth" | "backends" | "s3_proxy"> {
  auth: AuthConfig;
  backends: BackendConfig[];
  s3_proxy: S3ProxyConfig;
  /** AES-256 key of 32 bytes from `SERVICE_SECRET_KEY`; it goes before `server.secret_key_file`. */
  root_key?: Uint8Array;
  /** `SERVICE_PPROF_LISTEN`: where `/debug/pprof/*` is served. */
  pprof_listen?: ListenAddress;
}
