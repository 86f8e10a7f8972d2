import { dirname, resolve } from "node:path";
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import {
  type ClientCertificate,
  type ClusterAccess,
  ClusterAccessError,
  readAccessFile,
  readTokenFile,
  requireCertificate,
  requireToken,
} from "./cluster_access.ts";

const text = z.string().nullish();

const clusterSchema = z.object({
  server: z.string(),
  "certificate-authority": text,
  "certificate-authority-data": text,
});

const userSchema = z.object({
  token: text,
  tokenFile: text,
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
});

/** Entries are checked once the context has chosen one, so that a fault in another one does no harm. */
const entry = z.record(z.string(), z.unknown()).nullish().transform((value) => value ?? {});

/** https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/ */
const kubeconfigSchema = z.object({
  "current-context": text,
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) }),
  ).nullish(),
  clusters: z.array(z.object({ name: z.string(), cluster: entry })).nullish(),
  users: z.array(z.object({ name: z.string(), user: entry })).nullish(),
});

/** Fields that cannot be passed over, since the server would be trusted, reached or asked in another way. */
const refusedOfCluster = ["insecure-skip-tls-verify", "tls-server-name", "proxy-url"];
const refusedOfUser = [
  "exec",
  "auth-provider",
  "username",
  "password",
  "as",
  "as-uid",
  "as-groups",
  "as-user-extra",
];

/**
 * The access that the current context of a kubeconfig file gives. Paths in it are relative to the file; inline data goes
 * before a path, and a token file before a token, as for kubectl. Throws {@link ClusterAccessError}, which never holds a
 * value of the file.
 */
export async function loadKubeconfig(path: string): Promise<ClusterAccess> {
  const { clusterName, cluster, userName, user } = currentContext(await readAccessFile(path), path);
  const clusterPlace = `${path}: the cluster "${clusterName}"`;
  const userPlace = `${path}: the user "${userName}"`;
  refuse(cluster, refusedOfCluster, clusterPlace);
  refuse(user, refusedOfUser, userPlace);
  const files = new ReferencedFiles(dirname(path));
  const clusterFields = check(clusterSchema, cluster, clusterPlace);
  const ca = await files.pem(clusterFields, "certificate-authority", clusterPlace);
  const userFields = check(userSchema, user, userPlace);
  const token = await tokenOf(userFields, files, userPlace);
  const clientCertificate = await clientCertificateOf(userFields, files, userPlace);
  if (token === undefined && clientCertificate === undefined) {
    throw new ClusterAccessError(`${userPlace} has neither a token nor a client certificate`);
  }
  return {
    server: requireServer(clusterFields.server, clusterPlace),
    caCertificates: ca === undefined
      ? []
      : [requireCertificate(ca, `${clusterPlace}: certificate-authority`)],
    token,
    clientCertificate,
  };
}

/** The cluster and the user that the current context names. */
function currentContext(content: string, path: string) {
  const config = check(kubeconfigSchema, parseYaml(content, path), path);
  const contextName = config["current-context"];
  if (!contextName) throw new ClusterAccessError(`${path} has no current-context`);
  const find = <Item extends { name: string }>(
    items: Item[] | null | undefined,
    name: string,
    kind: string,
  ) => {
    const found = items?.find((item) => item.name === name);
    if (found === undefined) throw new ClusterAccessError(`${path} has no ${kind} "${name}"`);
    return found;
  };
  const { context } = find(config.contexts, contextName, "context");
  const { cluster } = find(config.clusters, context.cluster, "cluster");
  const { user } = find(config.users, context.user, "user");
  return { clusterName: context.cluster, cluster, userName: context.user, user };
}

function parseYaml(content: string, path: string): unknown {
  try {
    return parse(content);
  } catch (error) {
    // The parser's own message quotes the file, which holds secrets.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new ClusterAccessError(`${path} is not YAML${line === undefined ? "" : `: see line ${line}`}`);
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0];
  throw new ClusterAccessError(`${place}: ${[...path, message].join(": ")}`);
}

function refuse(fields: Record<string, unknown>, refused: readonly string[], place: string): void {
  const field = refused.find((name) => isSet(fields[name]));
  if (field !== undefined) throw new ClusterAccessError(`${place} has ${field}, which is not supported`);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}

function requireServer(server: string, place: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== "https:" || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new ClusterAccessError(`${place}: server is not an https URL`);
  }
  return url.href.replace(/\/$/, "");
}

async function tokenOf(
  fields: z.output<typeof userSchema>,
  files: ReferencedFiles,
  place: string,
): Promise<ClusterAccess["token"]> {
  const { token, tokenFile } = fields;
  if (tokenFile) {
    const read = () => readTokenFile(files.locate(tokenFile));
    await read();
    return read;
  }
  if (!token) return undefined;
  const checked = requireToken(token, `${place}: token`);
  return () => Promise.resolve(checked);
}

async function clientCertificateOf(
  fields: z.output<typeof userSchema>,
  files: ReferencedFiles,
  place: string,
): Promise<ClientCertificate | undefined> {
  const cert = await files.pem(fields, "client-certificate", place);
  const key = await files.pem(fields, "client-key", place);
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new ClusterAccessError(`${place} has only one of client-certificate and client-key`);
  }
  return { cert: requireCertificate(cert, `${place}: client-certificate`), key };
}

/** What a kubeconfig holds by path or as base64. */
class ReferencedFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  locate(path: string): string {
    return resolve(this.#directory, path);
  }

  /** The text of `NAME-data`, else of the file that `NAME` is the path of, else `undefined`. */
  async pem<Name extends string>(
    fields: { readonly [Field in Name | `${Name}-data`]?: string | null },
    name: Name,
    place: string,
  ): Promise<string | undefined> {
    const data = fields[`${name}-data`];
    const path = fields[name];
    if (!data) return path ? await readAccessFile(this.locate(path)) : undefined;
    try {
      return atob(data);
    } catch {
      throw new ClusterAccessError(`${place}: ${name}-data is not base64`);
    }
  }
}
