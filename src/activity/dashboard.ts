import type { UserDirectory } from "../auth/user_directory.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import type { MetricsSources } from "../metrics/service_metrics.ts";
import type { QuotaService } from "../quotas/service.ts";
import { version } from "../version.ts";
import type { Activity } from "./activity.ts";
import type { Failure } from "./failures.ts";
import type { Dashboard } from "./schema.ts";
import { describeStorage } from "./storage.ts";
import type { Traffic, TrafficSpan, TrafficTotals } from "./traffic.ts";
import { timestamp } from "../timestamp.ts";

/** What {@link describeDashboard} works with. */
export interface DashboardDeps {
  readonly activity: Activity;
  readonly sources: MetricsSources;
  readonly registry: BackendRegistry;
  readonly quotas: QuotaService;
  readonly users: UserDirectory;
  /** Whether there is an S3 endpoint. */
  readonly s3Enabled: boolean;
  /** When the program started, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The stretches of time that can be looked at. */
export type WindowName = Dashboard["window"]["name"];

const spans: Readonly<Record<WindowName, TrafficSpan>> = {
  hour: { minutes: 60, stepMinutes: 1 },
  day: { minutes: 1440, stepMinutes: 10 },
};

/** Buckets of each of the two lists. */
const topBuckets = 10;

const minuteMs = 60_000;

/** What an administrator sees of the service, with its traffic of the last hour or day. */
export function describeDashboard(deps: DashboardDeps, name: WindowName): Dashboard {
  const { activity, sources, registry, quotas, s3Enabled, startedAt, clock } = deps;
  const now = clock();
  const span = spans[name];
  const describe = (traffic: Traffic) => describeTraffic(traffic, span, now, activity.since);
  const dashboard = describe(activity.dashboard);
  const { storage, largest } = describeStorage(registry.list(), quotas, topBuckets);
  const { queued, running, stopping } = sources.jobs();
  return {
    generated_at: timestamp(now),
    program: {
      version,
      started_at: timestamp(startedAt),
      uptime_seconds: Math.max(0, Math.round((now - startedAt) / 1000)),
    },
    window: {
      name,
      from: dashboard.points[0].at,
      to: timestamp(now),
      step_seconds: span.stepMinutes * 60,
      counted_since: timestamp(activity.since),
    },
    traffic: { dashboard, s3: s3Enabled ? describe(activity.s3) : undefined },
    storage,
    top_buckets: { by_size: largest, by_requests: busiestBuckets(deps, now) },
    failures: activity.failures.list().map((failure) => failureJson(failure, deps)),
    sessions_active: sources.activeSessions(),
    s3_credentials: s3Enabled ? sources.credentials() : undefined,
    jobs: { queued, running, stopping },
    audit: { queue_depth: sources.auditQueueDepth(), rows_lost: sources.auditRowsLost() },
    database_bytes: sources.databaseBytes(),
  };
}

function describeTraffic(traffic: Traffic, span: TrafficSpan, now: number, since: number) {
  const totals = traffic.totals(now, span);
  const points = traffic.points(now, span);
  const { requests, clientErrors, serverErrors } = totals;
  // A program that has just started has not been counted for the whole time.
  const countedMinutes = Math.max(1, (now - Math.max(points[0].at, since)) / minuteMs);
  return {
    ...totalsJson(totals),
    requests_per_minute: rounded(requests / countedMinutes),
    error_rate: requests === 0 ? 0 : rounded((clientErrors + serverErrors) / requests),
    points: points.map((point) => ({ at: timestamp(point.at), ...totalsJson(point) })),
  };
}

/** To a ten-thousandth: what is beyond that is noise. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function totalsJson(totals: TrafficTotals) {
  return {
    requests: totals.requests,
    client_errors: totals.clientErrors,
    server_errors: totals.serverErrors,
    bytes_in: totals.bytesIn,
    bytes_out: totals.bytesOut,
    latency_ms: totals.latency,
  };
}

function busiestBuckets({ activity, registry }: DashboardDeps, now: number) {
  return activity.buckets.top(topBuckets, now)
    .filter(({ backend }) => registry.has(backend))
    .map(({ backend, bucket, requests }) => ({ backend_id: backend, bucket, requests }));
}

function failureJson(failure: Failure, { users }: DashboardDeps): Dashboard["failures"][number] {
  return {
    at: timestamp(failure.at),
    listener: failure.listener,
    request_id: failure.requestId,
    operation: failure.operation,
    status: failure.status,
    code: failure.code,
    backend_id: failure.backend,
    bucket: failure.bucket,
    user_id: failure.userId,
    username: users.find(failure.userId)?.username,
    access_key: failure.accessKey,
    audited: failure.isAudited,
  };
}
