import { CallbackMetric } from "./callback_metric.ts";
import { Counter } from "./counter.ts";
import type { Metric } from "./exposition.ts";
import { durationBounds, Histogram } from "./histogram.ts";

/** A request to the S3 endpoint that has been answered. Every text is a label, so it must be of a fixed set. */
export interface S3RequestObservation {
  /** S3's name of the operation. */
  readonly operation: string;
  readonly status: number;
  /** As in the audit record. */
  readonly result: string;
  readonly authMode: string;
  /** From the head of the request to the end of the answer, in milliseconds. */
  readonly durationMs: number;
  /** From the request sent on to the head of the upstream's answer, in milliseconds; left out when none was asked. */
  readonly upstreamMs?: number;
  /** Bytes of the body that the client sent. */
  readonly bytesIn: number;
  /** Bytes of the body that the client was sent. */
  readonly bytesOut: number;
  /** Why it was refused. */
  readonly reason?: string;
}

const otherReason = "other";

/** The metrics of requests to the S3 endpoint. */
export class S3RequestMetrics {
  readonly #requests = new Counter(
    "service_s3_request_total",
    "Requests to the S3 endpoint that were answered.",
    ["operation", "status", "result", "auth_mode"],
  );
  readonly #durations = new Histogram({
    name: "service_s3_request_duration_seconds",
    help: "Time from the head of a request to the end of its answer.",
    label: "operation",
    bounds: durationBounds,
  });
  readonly #upstreamDurations = new Histogram({
    name: "service_s3_upstream_duration_seconds",
    help: "Time from a request sent on to the head of the upstream's answer.",
    label: "operation",
    bounds: durationBounds,
  });
  readonly #bytesIn = new Counter("service_s3_bytes_in_total", "Bytes of bodies from clients.", [
    "operation",
  ]);
  readonly #bytesOut = new Counter("service_s3_bytes_out_total", "Bytes of bodies to clients.", [
    "operation",
  ]);
  readonly #authFailures = new Counter(
    "service_s3_auth_failure_total",
    "Requests whose signature was not accepted.",
    ["reason"],
  );
  readonly #scopeViolations = new Counter(
    "service_s3_scope_violation_total",
    "Requests outside the scope of their credential.",
  );
  readonly #anonymousRejects = new Counter(
    "service_s3_anonymous_reject_total",
    "Requests without a signature that were refused.",
    ["reason"],
  );
  #inflight = 0;

  /** What is to be scraped. */
  readonly metrics: readonly Metric[] = [
    this.#requests,
    this.#durations,
    this.#upstreamDurations,
    this.#bytesIn,
    this.#bytesOut,
    this.#authFailures,
    this.#scopeViolations,
    this.#anonymousRejects,
    new CallbackMetric({
      name: "service_s3_inflight_requests",
      help: "Requests that are being answered.",
      read: () => this.#inflight,
    }),
  ];

  /** A request has begun. */
  started(): void {
    this.#inflight++;
  }

  /** A request that had {@link started} has ended, in whatever way. */
  ended(): void {
    this.#inflight--;
  }

  /** Counts a request that has been answered. */
  observe(request: S3RequestObservation): void {
    const { operation, result, upstreamMs, bytesIn, bytesOut } = request;
    this.#requests.add(1, operation, String(request.status), result, request.authMode);
    this.#durations.observe(request.durationMs / 1000, operation);
    if (upstreamMs !== undefined) this.#upstreamDurations.observe(upstreamMs / 1000, operation);
    if (bytesIn > 0) this.#bytesIn.add(bytesIn, operation);
    if (bytesOut > 0) this.#bytesOut.add(bytesOut, operation);
    if (result !== "ok") this.#observeRefusal(request);
  }

  #observeRefusal({ result, authMode, reason = otherReason }: S3RequestObservation): void {
    if (result === "auth_failure") this.#authFailures.add(1, reason);
    else if (result === "scope_violation") this.#scopeViolations.add(1);
    else if (result === "anonymous_denied") this.#anonymousRejects.add(1, reason);
    else if (result === "rate_limited" && authMode === "anonymous") this.#anonymousRejects.add(1, result);
  }
}
