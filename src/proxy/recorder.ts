import type { AuditWriter } from "../audit/writer.ts";
import type { Logger } from "../logging/logger.ts";
import type { S3RequestMetrics } from "../metrics/s3_requests.ts";
import type { RequestContext } from "./context.ts";
import { isRecorded } from "./sampling.ts";

/** What {@link Recorder} works with. */
export interface RecorderDeps {
  readonly audit: AuditWriter;
  readonly metrics: S3RequestMetrics;
  /** Called at the end of each request, which took `durationMs`. */
  readonly onFinished: (request: RequestContext, durationMs: number) => void;
  readonly logger: Logger;
  /** Share of successful reads that are recorded, from 0 to 1. */
  readonly successReadRate: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** Keeps what became of each request: in the audit, the metrics and the log. */
export class Recorder {
  readonly #deps: RecorderDeps;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** A request has come. */
  begin(): void {
    this.#deps.metrics.started();
  }

  /** A request has been answered, or cannot be any more. */
  async finish(context: RequestContext): Promise<void> {
    const durationMs = this.#deps.clock() - context.startedAt;
    if (context.status >= 400) this.#log(context, durationMs);
    this.#measure(context, durationMs);
    const { successReadRate, random } = this.#deps;
    if (isRecorded(context.head.method, context.status, successReadRate, random)) {
      await this.#record(context, durationMs);
    }
  }

  #measure(context: RequestContext, durationMs: number): void {
    const { exchange, status, result, authMode, upstreamMs, reason } = context;
    const { metrics, onFinished } = this.#deps;
    onFinished(context, durationMs);
    metrics.ended();
    metrics.observe({
      operation: context.operation.name,
      status,
      result,
      authMode,
      durationMs,
      upstreamMs,
      bytesIn: exchange.body.bytesIn,
      bytesOut: exchange.bytesOut,
      reason,
    });
  }

  async #record(context: RequestContext, durationMs: number): Promise<void> {
    const { exchange, head, target, credential } = context;
    try {
      await this.#deps.audit.enqueue({
        at: this.#deps.clock(),
        action: `s3.proxy.${context.operation.audit}`,
        userId: credential?.userId ?? "",
        backend: context.backend,
        bucket: target.bucket,
        key: target.key,
        requestId: context.requestId,
        ip: context.ip,
        userAgent: head.headers.get("user-agent")?.slice(0, 512) ?? "",
        status: context.status < 400 && context.result === "ok" ? "ok" : "error",
        detail: {
          access_key_id: context.accessKeyId,
          auth_mode: context.authMode,
          result: context.result,
          reason: context.reason,
          operation: context.operation.name,
          status: context.status,
          bytes_in: exchange.body.bytesIn,
          bytes_out: exchange.bytesOut,
          duration_ms: durationMs,
        },
      });
    } catch {
      // The writer has logged why.
    }
  }

  /** Never a query: it may hold a signature. */
  #log(context: RequestContext, durationMs: number): void {
    const isFault = context.result === "upstream_error" || context.result === "internal_error";
    this.#deps.logger[isFault ? "warn" : "debug"]("S3 request refused", {
      request_id: context.requestId,
      ip: context.ip,
      method: context.head.method,
      operation: context.operation.name,
      status: context.status,
      result: context.result,
      reason: context.reason,
      duration_ms: durationMs,
    });
  }
}
