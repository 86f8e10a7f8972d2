import type { AnsweredRequest } from "../http/answered_request.ts";
import type { RequestContext } from "../proxy/context.ts";
import { BucketRequests } from "./bucket_requests.ts";
import { RecentFailures } from "./failures.ts";
import { Traffic } from "./traffic.ts";

/** What {@link Activity} works with. */
export interface ActivityDeps {
  /** Whether a backend is one of ours: clients can make up others. */
  readonly hasBackend: (id: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** What goes on, of both listeners, for administrators to look at. It is in memory only, and bounded. */
export class Activity {
  readonly dashboard = new Traffic();
  readonly s3 = new Traffic();
  readonly buckets = new BucketRequests();
  readonly failures = new RecentFailures();
  /** When counting began, in milliseconds since the epoch. */
  readonly since: number;
  readonly #deps: ActivityDeps;

  constructor(deps: ActivityDeps) {
    this.#deps = deps;
    this.since = deps.clock();
  }

  /** Counts a request to the dashboard that has been answered. */
  observeDashboard(request: AnsweredRequest): void {
    const { status, bytesIn, bytes: bytesOut = 0, bucket, requestId, code, userId } = request;
    const now = this.#deps.clock();
    const isServerError = status >= 500;
    const isClientError = status >= 400 && !isServerError;
    const durationMs = request.isEventStream ? undefined : request.durationMs;
    this.dashboard.observe({ isClientError, isServerError, durationMs, bytesIn, bytesOut }, now);
    const backend = this.#deps.hasBackend(request.backend) ? request.backend : "";
    if (isClientError || isServerError) {
      this.failures.add({
        at: now,
        listener: "dashboard",
        requestId,
        operation: `${request.method} ${request.route}`.trim(),
        status,
        code,
        backend,
        bucket: backend === "" ? "" : bucket,
        userId,
        accessKey: "",
        isAudited: request.action !== "none",
      }, isServerError);
    } else if (backend !== "" && bucket !== "") this.buckets.observe(backend, bucket, now);
  }

  /** Counts a request to the S3 endpoint that has been answered, or cannot be any more, after `durationMs`. */
  observeS3(request: RequestContext, durationMs: number): void {
    const { status, result, backend, target: { bucket }, exchange, requestId } = request;
    const now = request.startedAt + durationMs;
    // A backend that dies in the middle of a body has been answered for with its first status.
    const isServerError = status >= 500 || result === "upstream_error" || result === "internal_error";
    const isClientError = status >= 400 && !isServerError;
    const { bytesOut, body: { bytesIn } } = exchange;
    this.s3.observe({ isClientError, isServerError, durationMs, bytesIn, bytesOut }, now);
    if (isClientError || isServerError) {
      this.failures.add({
        at: now,
        listener: "s3",
        requestId,
        operation: request.operation.name,
        status,
        code: result,
        backend,
        bucket,
        userId: request.credential?.userId ?? "",
        accessKey: request.accessKeyId,
        // Of requests that succeeded at first, only some are recorded.
        isAudited: status >= 400,
      }, isServerError);
    } else if (backend !== "" && bucket !== "") this.buckets.observe(backend, bucket, now);
  }
}
