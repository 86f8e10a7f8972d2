import { randomUUID } from "node:crypto";
import { meRoutes } from "./account/me_routes.ts";
import { registrationRoutes } from "./account/registration_routes.ts";
import { signInRoutes } from "./account/sign_in_routes.ts";
import { type Accounts, buildAccounts } from "./accounts.ts";
import { auditRoutes } from "./audit/routes.ts";
import { AuditService } from "./audit/service.ts";
import { AuditWriter } from "./audit/writer.ts";
import { PasswordSignIn } from "./auth/sign_in.ts";
import { type StaticAccount, storeStaticAccount } from "./auth/static_account.ts";
import { backendAdminRoutes } from "./backends/admin_routes.ts";
import { CapabilityStore } from "./backends/capabilities.ts";
import { HealthMonitor } from "./backends/probe.ts";
import { BackendRegistry } from "./backends/registry.ts";
import { backendRoutes } from "./backends/routes.ts";
import { ProxyCorsStore } from "./buckets/proxy_cors.ts";
import { BucketService } from "./buckets/service.ts";
import type { Config } from "./config/schema.ts";
import { Pipeline } from "./http/pipeline.ts";
import { RateLimiter } from "./http/rate_limiter.ts";
import type { Route } from "./http/route.ts";
import { Router } from "./http/router.ts";
import type { Handler } from "./http/server.ts";
import { WindowLimiter } from "./http/window_limiter.ts";
import type { Logger } from "./logging/logger.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { ServiceMetrics } from "./metrics/service_metrics.ts";
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
import { s3CredentialRoutes } from "./s3_credential_routes.ts";
import { buildS3Endpoint } from "./s3_endpoint.ts";
import { buildPages } from "./dashboard_pages.ts";
import { openSealer } from "./secrets/open_sealer.ts";
import { Database } from "./store/database.ts";
import { buildStorage } from "./storage.ts";
import { hasUsers } from "./store/users_repository.ts";
import { userRoutes } from "./users/routes.ts";

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

/** Attempts to sign in by client address: fixed by the specification. */
const signInLimit = { max: 10, window: 15 * 60_000 };

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
  const accounts = await buildAccounts(database, auth, clock);
  const { directory, sessions, lockout, hasher, users } = accounts;
  const writer = new AuditWriter(database, logger);
  const audit = new AuditService(database, directory, writer);
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
  const metrics = new ServiceMetrics({
    databaseBytes: () => database.size(),
    activeSessions: () => sessions.count(),
    auditQueueDepth: () => writer.depth,
    auditRowsLost: () => writer.lost,
    credentials: () => credentials.all.size,
    malformedSecrets: () => credentials.kubernetes?.malformedSecrets,
  }, clock());
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
      metrics: metrics.s3,
      logger,
      journal,
      clock,
      newRequestId: requestIds(),
    })
    : null;
  const buckets = new BucketService(database, quotas.service);
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
  const localEnabled = auth.modes.includes("local");
  const allowSelfRegistration = localEnabled && auth.local.allow_self_registration;
  const signIn = new PasswordSignIn({
    database,
    users: directory,
    sessions,
    lockout,
    hasher,
    localEnabled,
    staticAccount,
    clock,
  });
  const files = await StaticFiles.load();
  const pages = buildPages({
    config,
    files,
    clock,
    sessions,
    users,
    audit,
    registry,
    monitor,
    capabilities,
    buckets,
    allowSelfRegistration,
    noteVisit: storage.noteVisit,
  });
  const backendDeps = { registry, monitor, capabilities, clock };
  const routes: Route[] = [
    ...signInRoutes({
      signIn,
      sessions,
      limiter: new WindowLimiter(signInLimit, clock),
      sessionLifetime: auth.session.lifetime,
    }),
    ...registrationRoutes({
      users,
      modes: auth.modes,
      allowed: allowSelfRegistration,
      requireApproval: auth.local.require_admin_approval,
      limiter: new WindowLimiter(signInLimit, clock),
    }),
    ...meRoutes({ users, sessions }),
    ...userRoutes({ users }),
    ...auditRoutes({ audit, clock }),
    ...metricsRoutes(metrics.registry),
    ...backendRoutes(backendDeps),
    ...backendAdminRoutes({
      ...backendDeps,
      references: credentialReferences(credentials.stored, credentials.all),
    }),
    ...(config.s3_proxy.enabled
      ? s3CredentialRoutes({
        credentials,
        config,
        registry,
        users: directory,
        s3Port,
        clock,
      })
      : []),
    ...storage.routes,
    ...pages.routes,
  ];
  const pipeline = new Pipeline({
    router: new Router([...routes, ...openApiRoutes(routes)]),
    sessions,
    audit: writer,
    logger,
    apiLimiter: ratelimit.api_per_minute === 0
      ? null
      : new RateLimiter({ burst: ratelimit.api_per_minute, window: minute }, clock),
    trustedProxies: server.trusted_proxies,
    publicOrigin: server.public_url === "" ? null : new URL(server.public_url).origin,
    clock,
    newRequestId: randomUUID,
    staticFile: (request, pathname) => files.respond(request, pathname),
    errorPage: pages.errorPage,
    onAnswered: (answered) =>
      metrics.http.observe({
        ...answered,
        backend: registry.has(answered.backend) ? answered.backend : "",
      }),
  });
  monitor.start();
  quotas.scanner.start();
  journal.start();
  const sweeper = setInterval(() => {
    sessions.sweep();
    lockout.sweep();
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
      monitor.stop();
      storage.jobs.close();
      journal.close();
      quotas.close();
      kubernetes?.stop();
      writer.flush();
      sessions.sweep();
      s3?.close();
      registry.close();
      database.close();
    },
  };
}

/** The static account, when the configuration uses it. */
function staticAccountOf({ auth }: Config): StaticAccount | null {
  const { username, password_hash: passwordHash } = auth.static;
  return passwordHash === undefined ? null : { username, passwordHash };
}
