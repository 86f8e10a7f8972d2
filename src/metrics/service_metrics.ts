import { CallbackMetric } from "./callback_metric.ts";
import { HttpMetrics } from "./http_requests.ts";
import { processMetrics } from "./process.ts";
import { MetricsRegistry } from "./registry.ts";
import { S3RequestMetrics } from "./s3_requests.ts";

/** Where the values come from that other parts of the program keep; read at each scrape. */
export interface MetricsSources {
  readonly databaseBytes: () => number;
  readonly activeSessions: () => number;
  /** Audit rows that are not on disk yet. */
  readonly auditQueueDepth: () => number;
  /** Audit rows that could not be written. */
  readonly auditRowsLost: () => number;
  /** Virtual credentials in memory. */
  readonly credentials: () => number;
  /** Kubernetes Secrets that are skipped; `undefined` when they are no source of credentials. */
  readonly malformedSecrets: () => number | undefined;
}

/** Every metric of the service. */
export class ServiceMetrics {
  readonly registry = new MetricsRegistry();
  readonly http = new HttpMetrics();
  readonly s3 = new S3RequestMetrics();

  /** `startedAt` is when the process began, in milliseconds since the epoch. */
  constructor(sources: MetricsSources, startedAt: number) {
    this.registry.add(
      ...this.http.metrics,
      ...this.s3.metrics,
      new CallbackMetric({
        name: "service_s3_credential_cache_size",
        help: "Virtual credentials in memory.",
        read: sources.credentials,
      }),
      new CallbackMetric({
        name: "service_s3_kubernetes_malformed_secrets",
        help: "Kubernetes Secrets that are skipped because they are malformed.",
        read: sources.malformedSecrets,
      }),
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
        name: "service_sqlite_db_bytes",
        help: "Size of the database, without its write-ahead log.",
        read: sources.databaseBytes,
      }),
      ...processMetrics(startedAt),
    );
  }
}
