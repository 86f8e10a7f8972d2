import { Activity } from "./activity/activity.ts";
import { describeDashboard, type WindowName } from "./activity/dashboard.ts";
import { activityRoutes } from "./activity/routes.ts";
import type { Dashboard } from "./activity/schema.ts";
import type { AuditLog } from "./audit_log.ts";
import type { SessionService } from "./auth/sessions.ts";
import type { UserDirectory } from "./auth/user_directory.ts";
import type { HealthMonitor } from "./backends/probe.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { AnsweredRequest } from "./http/answered_request.ts";
import type { Route } from "./http/route.ts";
import type { BackendProbe, BackendStorage } from "./metrics/backends.ts";
import type { JobCounts } from "./metrics/jobs.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { type MetricsSources, ServiceMetrics } from "./metrics/service_metrics.ts";
import type { RequestContext } from "./proxy/context.ts";
import type { QuotaService } from "./quotas/service.ts";
import type { S3Credentials } from "./s3_credentials.ts";
import type { Database } from "./store/database.ts";

/** What {@link buildMonitoring} works with. */
export interface MonitoringDeps {
  readonly database: Database;
  readonly users: UserDirectory;
  readonly sessions: SessionService;
  readonly audit: AuditLog;
  readonly registry: BackendRegistry;
  readonly monitor: HealthMonitor;
  readonly quotas: QuotaService;
  readonly credentials: S3Credentials;
  /** Called only after everything is built. */
  readonly jobCounts: () => JobCounts;
  readonly s3Enabled: boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** What watches over the program: metrics, and what administrators see of its activity. */
export interface Monitoring {
  readonly metrics: ServiceMetrics;
  readonly routes: readonly Route[];
  /** As `GET /api/admin/dashboard` answers. */
  readonly describe: (window: WindowName) => Dashboard;
  /** To be called at the end of each request to the dashboard. */
  readonly onAnswered: (request: AnsweredRequest) => void;
  /** To be called at the end of each request to the S3 endpoint. */
  readonly onS3Finished: (request: RequestContext, durationMs: number) => void;
}

/** Builds what watches over the program. */
export function buildMonitoring(deps: MonitoringDeps): Monitoring {
  const { registry, quotas, users, s3Enabled, clock } = deps;
  const startedAt = clock();
  const sources = metricsSources(deps);
  const metrics = new ServiceMetrics(sources, startedAt, clock);
  const activity = new Activity({ hasBackend: (id) => registry.has(id), clock });
  const dashboardDeps = { activity, sources, registry, quotas, users, s3Enabled, startedAt, clock };
  const describe = (window: WindowName) => describeDashboard(dashboardDeps, window);
  return {
    metrics,
    routes: [...metricsRoutes(metrics.registry), ...activityRoutes(describe)],
    describe,
    onAnswered(request) {
      const backend = registry.has(request.backend) ? request.backend : "";
      metrics.http.observe({ ...request, backend });
      if (request.action === "auth.login") metrics.logins.observe(loginMode(request), request.code || "ok");
      if (request.action === "share.access") metrics.shares.observe(request.result);
      activity.observeDashboard(request);
    },
    onS3Finished: (request, durationMs) => activity.observeS3(request, durationMs),
  };
}

function metricsSources(deps: MonitoringDeps): MetricsSources {
  const { database, sessions, audit: { writer, retention }, registry, monitor, quotas, credentials } = deps;
  return {
    databaseBytes: () => database.size(),
    activeSessions: () => sessions.count(),
    auditQueueDepth: () => writer.depth,
    auditRowsLost: () => writer.lost,
    auditRowsRemoved: () => retention.removed,
    credentials: () => credentials.all.size,
    malformedSecrets: () => credentials.kubernetes?.malformedSecrets,
    jobs: deps.jobCounts,
    probes: () => registry.list().flatMap(({ id }) => lastProbe(monitor, id)),
    storage: () => registry.list().flatMap(({ id }) => storageOf(quotas, id)),
  };
}

function loginMode({ route }: AnsweredRequest): "password" | "oidc" {
  return route === "/auth/login/local" ? "password" : "oidc";
}

function lastProbe(monitor: HealthMonitor, backend: string): BackendProbe[] {
  const last = monitor.last(backend);
  return last === undefined ? [] : [{ backend, healthy: last.healthy, latencyMs: last.latencyMs }];
}

/** Nothing for a backend of which no bucket was counted: 0 would say that it is empty. */
function storageOf(quotas: QuotaService, backend: string): BackendStorage[] {
  const counted = quotas.tracked(backend).flatMap(({ usage }) => usage ?? []);
  if (counted.length === 0) return [];
  return [{
    backend,
    bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0),
    objects: counted.reduce((sum, { objects }) => sum + objects, 0),
  }];
}
