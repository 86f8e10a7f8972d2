import { randomUUID } from "node:crypto";
import { allowsSelfRegistration, buildAccountRoutes } from "./account_routes.ts";
import { type Accounts, buildAccounts } from "./accounts.ts";
import { buildAuditLog } from "./audit_log.ts";
import { staticAccountOf, storeStaticAccount } from "./auth/static_account.ts";
import { backendAdminRoutes } from "./backends/admin_routes.ts";
import { CapabilityStore } from "./backends/capabilities.ts";
import { HealthMonitor } from "./backends/probe.ts";
import { BackendRegistry } from "./backends/registry.ts";
import { allReferences } from "./backends/references.ts";
import { backendRoutes } from "./backends/routes.ts";
import { ProxyCorsStore } from "./buckets/proxy_cors.ts";
import { BucketService } from "./buckets/service.ts";
import type { Config } from "./config/schema.ts";
import { basePathOf } from "./http/base_path.ts";
import { originOf } from "./http/origin.ts";
import { Pipeline } from "./http/pipeline.ts";
import { RateLimiter } from "./http/rate_limiter.ts";
import type { Route } from "./http/route.ts";
import { Router } from "./http/router.ts";
import type { Handler } from "./http/server.ts";
import type { Logger } from "./logging/logger.ts";
import { buildMonitoring } from "./monitoring.ts";
import { UploadJournal } from "./objects/upload_journal.ts";
import { StaticFiles } from "./pages/static_files.ts";
import { credentialReferences } from "./proxy/credentials/backend_references.ts";
import type { PodEnvironment } from "./proxy/credentials/kubernetes/in_cluster.ts";
import type { CredentialService } from "./proxy/credentials/service.ts";
import type { S3Endpoint } from "./proxy/endpoint.ts";
import { requestIds } from "./proxy/request_id.ts";
import { openApiRoutes } from "./openapi/routes.ts";
import { openQuotas } from "./quotas/quotas.ts";
import { openS3Credentials } from "./s3_credentials.ts";
import { buildS3CredentialManagement } from "./s3_credential_routes.ts";
import { buildS3Endpoint } from "./s3_endpoint.ts";
import { buildPages } from "./dashboard_pages.ts";
import { openSealer } from "./secrets/open_sealer.ts";
import { buildSharing } from "./sharing.ts";
import { Database } from "./store/database.ts";
import { buildStorage } from "./storage.ts";
import { hasUsers } from "./store/users_repository.ts";

/** What {@link createApp} takes from the outer world. */
export interface AppOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Port on which the S3 endpoint listens, when it is enabled. */
  readonly s3Port?: number;
  /** What Kubernetes tells a program that runs in it. */
  readonly pod: PodEnvironment;
}

/** The running program behind its listeners. */
export interface App {
  readonly handle: Handler;
  /** Answers requests to the S3 endpoint, when it is enabled. */
  readonly handleS3: S3Endpoint["handle"] | null;
  readonly accounts: Accounts;
  /** The credentials of the S3 endpoint, when it is enabled. */
  readonly s3Credentials: CredentialService | null;
  /** The names of a backend's buckets. Throws a `Problem`. */
  listBuckets(backendId: string, signal: AbortSignal): Promise<string[]>;
  /** Whether there is any user at all. */
  hasUsers(): boolean;
  /** Ends what goes on without a request: jobs and their events. Resolves when it has ended. */
  drain(): Promise<void>;
  /** Stops background work, writes what is queued and closes the database; once is enough. */
  close(): void;
}

const minute = 60_000;

/** Builds every service once and wires them. Throws when the database, the root key or a static file cannot be read. */
export async function createApp(options: AppOptions): Promise<App> {
  const database = new Database(options.config.db.sqlite.path);
  try {
    return await wire(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

async function wire(database: Database, { config, logger, clock, s3Port, pod }: AppOptions): Promise<App> {
  const { auth, server, ratelimit } = config;
  const staticAccount = staticAccountOf(config);
  storeStaticAccount(database, staticAccount, clock());
  const accounts = buildAccounts(database, auth, clock);
  const { directory, sessions, lockout, users } = accounts;
  const audit = buildAuditLog({
    database,
    users: directory,
    logger,
    clock,
    retentionMs: config.audit.retention,
  });
  const { writer } = audit;
  const sealer = await openSealer(config);
  const registry = new BackendRegistry({ configured: config.backends, database, sealer, logger, clock });
  const credentials = await openS3Credentials({
    config,
    database,
    users: directory,
    sealer,
    logger,
    clock,
    pod,
    registry,
  });
  const capabilities = new CapabilityStore();
  const monitor = new HealthMonitor({ registry, capabilities, logger, clock });
  const quotas = openQuotas({
    database,
    registry,
    audit: writer,
    logger,
    clock,
    scanIntervalMs: config.quotas.scan_interval,
  });
  const journal = new UploadJournal({ database, registry, logger });
  const cors = new ProxyCorsStore({ database, registry, logger, clock });
  const monitoring = buildMonitoring({
    database,
    users: directory,
    sessions,
    audit,
    registry,
    monitor,
    quotas: quotas.service,
    credentials,
    jobCounts: () => storage.jobs.counts(),
    s3Enabled: config.s3_proxy.enabled,
    clock,
  });
  const { kubernetes } = credentials;
  if (kubernetes !== null) {
    quotas.ledger.setOverride({
      find: (backend, bucket) => kubernetes.findQuota(backend, bucket),
      list: () => kubernetes.quotas(),
    });
  }
  const s3 = config.s3_proxy.enabled
    ? buildS3Endpoint({
      config,
      source: credentials.all,
      registry,
      ledger: quotas.ledger,
      cors,
      audit: writer,
      metrics: monitoring.metrics.s3,
      onFinished: (request, durationMs) => {
        monitoring.onS3Finished(request, durationMs);
        if (request.credential !== undefined) credentials.uses.note(request.credential.accessKeyId);
      },
      logger,
      journal,
      clock,
      newRequestId: requestIds(),
    })
    : null;
  const buckets = new BucketService(
    database,
    quotas.service,
    (backend, bucket) => s3 !== null && credentials.all.findBinding(bucket)?.backend === backend,
  );
  buckets.onDelete((backend, bucket) => cors.forget(backend, bucket));
  // A bucket that is made anew under an old name must not be open to everyone.
  buckets.onDelete((backendId, bucket) => credentials.stored.removeBinding(backendId, bucket));
  const storage = buildStorage({
    database,
    registry,
    capabilities,
    buckets,
    cors,
    quotas,
    journal,
    users: directory,
    audit: writer,
    logger,
    clock,
    newId: randomUUID,
  });
  const sharing = buildSharing({
    config,
    database,
    registry,
    buckets,
    accounts,
    audit: audit.service,
    ledger: quotas.ledger,
    journal,
    logger,
    clock,
  });
  const s3Management = config.s3_proxy.enabled
    ? buildS3CredentialManagement({ credentials, config, registry, users: directory, s3Port, clock })
    : null;
  const basePath = basePathOf(server.public_url);
  const files = await StaticFiles.load(basePath);
  const pages = buildPages({
    config,
    files,
    clock,
    sessions,
    users,
    audit: audit.service,
    registry,
    monitor,
    capabilities,
    buckets,
    allowSelfRegistration: allowsSelfRegistration(auth),
    noteVisit: storage.noteVisit,
    places: storage.places,
    readSetting: storage.readSetting,
    insights: storage.insights,
    describeActivity: monitoring.describe,
    listShares: sharing.list,
    transfers: { jobs: storage.jobs, users: directory },
    s3Credentials: s3Management?.views ?? null,
    sharePages: sharing.pages,
  });
  const backendDeps = { registry, monitor, capabilities, clock };
  const routes: Route[] = [
    ...buildAccountRoutes({ config, database, accounts, staticAccount, sealer, logger, clock }),
    ...audit.routes,
    ...monitoring.routes,
    ...backendRoutes(backendDeps),
    ...backendAdminRoutes({
      ...backendDeps,
      references: allReferences(
        credentialReferences(credentials.stored, credentials.all),
        sharing.references,
      ),
    }),
    ...s3Management?.routes ?? [],
    ...storage.routes,
    ...sharing.routes,
    ...pages.routes,
  ];
  const pipeline = new Pipeline({
    router: new Router([...routes, ...openApiRoutes(routes, basePath)]),
    sessions,
    audit: writer,
    logger,
    apiLimiter: ratelimit.api_per_minute === 0
      ? null
      : new RateLimiter({ burst: ratelimit.api_per_minute, window: minute }, clock),
    trustedProxies: server.trusted_proxies,
    publicOrigin: originOf(server.public_url),
    basePath,
    clock,
    newRequestId: randomUUID,
    staticFile: (request, pathname) => files.respond(request, pathname),
    errorPage: pages.errorPage,
    onAnswered: monitoring.onAnswered,
  });
  monitor.start();
  monitoring.metrics.start();
  quotas.scanner.start();
  audit.retention.start();
  journal.start();
  const sweeper = setInterval(() => {
    sessions.sweep();
    lockout.sweep();
    sharing.shares.sweep();
  }, minute);
  let closed = false;
  return {
    handle: pipeline.handle,
    handleS3: s3?.endpoint.handle ?? null,
    accounts,
    s3Credentials: config.s3_proxy.enabled ? credentials.service : null,
    listBuckets: async (id, signal) =>
      (await buckets.list(registry.connect(id), signal)).map(({ name }) => name),
    hasUsers: () => hasUsers(database),
    drain: () => storage.jobs.interrupt(),
    close() {
      if (closed) return;
      closed = true;
      clearInterval(sweeper);
      audit.retention.stop();
      monitor.stop();
      monitoring.metrics.stop();
      storage.jobs.close();
      journal.close();
      quotas.close();
      kubernetes?.stop();
      credentials.uses.close();
      writer.flush();
      sessions.sweep();
      s3?.close();
      registry.close();
      database.close();
    },
  };
}
