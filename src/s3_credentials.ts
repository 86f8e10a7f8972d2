import type { UserDirectory } from "./auth/user_directory.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { Config } from "./config/schema.ts";
import type { Logger } from "./logging/logger.ts";
import type { PodEnvironment } from "./proxy/credentials/kubernetes/in_cluster.ts";
import { loadClusterAccess } from "./proxy/credentials/kubernetes/load_access.ts";
import { KubernetesSource } from "./proxy/credentials/kubernetes/source.ts";
import { MergedCredentials } from "./proxy/credentials/merged.ts";
import { CredentialService } from "./proxy/credentials/service.ts";
import type { CredentialSource } from "./proxy/credentials/source.ts";
import { SqliteCredentials } from "./proxy/credentials/sqlite.ts";
import { CredentialUses } from "./proxy/credentials/uses.ts";
import type { Sealer } from "./secrets/seal.ts";
import type { Database } from "./store/database.ts";

/** What {@link openS3Credentials} takes from the rest of the program. */
export interface S3CredentialsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly users: UserDirectory;
  readonly registry: BackendRegistry;
  /** `null` without a root key. */
  readonly sealer: Sealer | null;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly pod: PodEnvironment;
}

/** The credentials of the S3 endpoint. */
export interface S3Credentials {
  /** Those of the dashboard. */
  readonly stored: SqliteCredentials;
  /** Those of Kubernetes, when these are switched on. */
  readonly kubernetes: KubernetesSource | null;
  readonly all: CredentialSource;
  /** Changes those of the dashboard. */
  readonly service: CredentialService;
  /** When they were last used, those of every source. */
  readonly uses: CredentialUses;
}

/** Opens every source of credentials. Those of Kubernetes are there from the start, if it answers in time. */
export async function openS3Credentials(options: S3CredentialsOptions): Promise<S3Credentials> {
  const { database, users, registry, sealer, logger, clock } = options;
  const stored = new SqliteCredentials({ database, users, sealer, logger });
  const kubernetes = await openKubernetes(options);
  const all = kubernetes === null ? stored : new MergedCredentials(kubernetes, stored, logger);
  const service = new CredentialService({ stored, all, users, registry, clock });
  return { stored, kubernetes, all, service, uses: new CredentialUses({ database, logger, clock }) };
}

async function openKubernetes(
  { config, logger, clock, pod }: S3CredentialsOptions,
): Promise<KubernetesSource | null> {
  const { enabled, kubernetes } = config.s3_proxy;
  if (!enabled || !kubernetes.enabled) return null;
  const source = new KubernetesSource({
    access: await loadClusterAccess(kubernetes.kubeconfig, pod),
    namespace: kubernetes.namespace,
    logger,
    clock,
    random: Math.random,
  });
  await source.start();
  return source;
}
