import type { AuditWriter } from "./audit/writer.ts";
import type { BackendRegistry } from "./backends/registry.ts";
import type { Config } from "./config/schema.ts";
import { Watchdog } from "./http1/watchdog.ts";
import type { Logger } from "./logging/logger.ts";
import type { UploadJournal } from "./objects/upload_journal.ts";
import type { S3RequestMetrics } from "./metrics/s3_requests.ts";
import { Admission } from "./proxy/admission.ts";
import { Authenticator } from "./proxy/authenticate.ts";
import type { CorsRules } from "./proxy/cors.ts";
import type { CredentialSource } from "./proxy/credentials/source.ts";
import { S3Endpoint } from "./proxy/endpoint.ts";
import { RequestLimits } from "./proxy/limits.ts";
import { Recorder, type RecorderDeps } from "./proxy/recorder.ts";
import { Upstreams } from "./proxy/upstreams.ts";
import type { QuotaLedger } from "./quotas/ledger.ts";

/** What {@link buildS3Endpoint} takes from the rest of the program. */
export interface S3EndpointOptions {
  readonly config: Config;
  readonly source: CredentialSource;
  readonly registry: BackendRegistry;
  readonly ledger: QuotaLedger;
  readonly cors: CorsRules;
  readonly audit: AuditWriter;
  readonly metrics: S3RequestMetrics;
  readonly onFinished: RecorderDeps["onFinished"];
  readonly logger: Logger;
  readonly journal: UploadJournal;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newRequestId: () => string;
}

/** The S3 endpoint behind its listener. */
export interface BuiltS3Endpoint {
  readonly endpoint: S3Endpoint;
  /** Frees the connections to the backends. */
  close(): void;
}

/** Builds the services of the S3 endpoint and wires them. */
export function buildS3Endpoint(options: S3EndpointOptions): BuiltS3Endpoint {
  const { config, source, registry, ledger, cors, audit, logger, journal, clock, newRequestId } = options;
  const { s3_proxy: proxy } = config;
  const upstreams = new Upstreams(registry, new Watchdog(clock), clock);
  const limits = new RequestLimits({
    global: proxy.global_rps,
    perKey: proxy.per_key_rps,
    anonymous: proxy.anonymous_rps,
  }, clock);
  const admission = new Admission({
    source,
    authenticator: new Authenticator(source, clock),
    limits,
    anonymousEnabled: proxy.anonymous_enabled,
  });
  const endpoint = new S3Endpoint({
    upstreams,
    ledger,
    admission,
    limits,
    cors,
    recorder: new Recorder({
      audit,
      metrics: options.metrics,
      onFinished: options.onFinished,
      logger,
      successReadRate: config.audit.sampling.proxy_success_read_rate,
      clock,
      random: Math.random,
    }),
    logger,
    journal,
    registry,
    hostSuffixes: proxy.host_suffixes,
    trustedProxies: config.server.trusted_proxies,
    clock,
    newRequestId,
  });
  return { endpoint, close: () => upstreams.close() };
}
