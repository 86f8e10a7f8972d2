import type { AuditWriter } from "../audit/writer.ts";
import type { Logger } from "../logging/logger.ts";
import type { RequestContext } from "./context.ts";

/** What {@link Recorder} works with. */
export interface RecorderDeps {
  readonly audit: AuditWriter;
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
  }

  /** A request has been answered, or cannot be any more. */
  async finish(context: RequestContext): Promise<void> {
    const durationMs = this.#deps.clock() - context.startedAt;
    if (context.status >= 400) this.#log(context, durationMs);
    if (this.#isRecorded(context)) await this.#record(context, durationMs);
  }

  /** The specification's third rule of events. */
  #isRecorded({ head, status, result }: RequestContext): boolean {
    const isRead = head.method === "GET" || head.method === "HEAD";
    if (!isRead || status < 200 || status >= 400 || result !== "ok") return true;
    const { successReadRate, random } = this.#deps;
    return successReadRate > 0 && random() < successReadRate;
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
    this.#deps.logger[context.status >= 500 ? "warn" : "info"]("S3 request refused", {
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
