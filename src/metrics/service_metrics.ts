import { version } from "../version.ts";
import { backendMetrics, type BackendProbe, type BackendStorage } from "./backends.ts";
import { CallbackMetric } from "./callback_metric.ts";
import { CallbackSeries } from "./callback_series.ts";
import { EventLoopLag } from "./event_loop_lag.ts";
import { HttpMetrics } from "./http_requests.ts";
import { type JobCounts, jobMetrics } from "./jobs.ts";
import { LoginMetrics } from "./logins.ts";
import { processMetrics } from "./process.ts";
import { MetricsRegistry } from "./registry.ts";
import { S3RequestMetrics } from "./s3_requests.ts";
import { ShareMetrics } from "./shares.ts";

/** Where the values come from that other parts of the program keep; read at each scrape. */
export interface MetricsSources {
  readonly databaseBytes: () => number;
  readonly activeSessions: () => number;
  /** Audit rows that are not on disk yet. */
  readonly auditQueueDepth: () => number;
  /** Audit rows that could not be written. */
  readonly auditRowsLost: () => number;
  /** Audit rows that were removed since the start because of their age. */
  readonly auditRowsRemoved: () => number;
  /** Virtual credentials in memory. */
  readonly credentials: () => number;
  /** Kubernetes Secrets that are skipped; `undefined` when they are no source of credentials. */
  readonly malformedSecrets: () => number | undefined;
  readonly jobs: () => JobCounts;
  /** The last probe of each backend that has been probed. */
  readonly probes: () => Iterable<BackendProbe>;
  /** What each backend holds in the buckets that are counted. */
  readonly storage: () => Iterable<BackendStorage>;
}

/** Every metric of the service. */
export class ServiceMetrics {
  readonly registry = new MetricsRegistry();
  readonly http = new HttpMetrics();
  readonly s3 = new S3RequestMetrics();
  readonly logins = new LoginMetrics();
  readonly shares = new ShareMetrics();
  readonly #lag: EventLoopLag;

  /** `startedAt` is when the process began, in milliseconds since the epoch, as is the time of `clock`. */
  constructor(sources: MetricsSources, startedAt: number, clock: () => number) {
    this.#lag = new EventLoopLag(clock);
    this.registry.add(
      ...this.http.metrics,
      ...this.s3.metrics,
      ...credentialMetrics(sources),
      ...this.logins.metrics,
      ...this.shares.metrics,
      ...backendMetrics(sources),
      ...jobMetrics(sources.jobs),
      ...stateMetrics(sources),
      ...processMetrics(startedAt),
      ...this.#lag.metrics,
    );
  }

  /** Begins to measure what has to be measured all the time. */
  start(): void {
    this.#lag.start();
  }

  /** Ends what {@link start} began. */
  stop(): void {
    this.#lag.stop();
  }
}

function credentialMetrics({ credentials, malformedSecrets }: MetricsSources) {
  return [
    new CallbackMetric({
      name: "service_s3_credential_cache_size",
      help: "Virtual credentials in memory.",
      read: credentials,
    }),
    new CallbackMetric({
      name: "service_s3_kubernetes_malformed_secrets",
      help: "Kubernetes Secrets that are skipped because they are malformed.",
      read: malformedSecrets,
    }),
  ];
}

function stateMetrics(sources: MetricsSources) {
  return [
    new CallbackMetric({
      name: "service_sessions_active",
      help: "Sessions of the dashboard that have not ended.",
      read: sources.activeSessions,
    }),
    new CallbackMetric({
      name: "service_audit_queue_depth",
      help: "Audit rows that are not on disk yet.",
      read: sources.auditQueueDepth,
    }),
    new CallbackMetric({
      name: "service_audit_rows_lost_total",
      help: "Audit rows that could not be written.",
      type: "counter",
      read: sources.auditRowsLost,
    }),
    new CallbackMetric({
      name: "service_audit_rows_removed_total",
      help: "Audit rows that were removed because of their age.",
      type: "counter",
      read: sources.auditRowsRemoved,
    }),
    new CallbackMetric({
      name: "service_sqlite_db_bytes",
      help: "Size of the database, without its write-ahead log.",
      read: sources.databaseBytes,
    }),
    new CallbackSeries({
      name: "service_build_info",
      help: "Always 1; the label tells the version of the program.",
      label: "version",
      read: () => [[version, 1]],
    }),
  ];
}
