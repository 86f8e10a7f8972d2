import { Counter } from "./counter.ts";
import type { Metric } from "./exposition.ts";
import { durationBounds, Histogram, sizeBounds } from "./histogram.ts";

/** A request to the dashboard that has been answered. */
export interface HttpRequestObservation {
  readonly method: string;
  readonly status: number;
  /** Id of the backend that the request is about, if there is such a backend; else empty. */
  readonly backend: string;
  /** From the request to the end of its answer, in milliseconds. */
  readonly durationMs: number;
  /** Size of the answer's body; `undefined` when it is not known. */
  readonly bytes?: number;
}

/** Clients can make up methods; those that are none of these share one label. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The metrics of requests to the dashboard. */
export class HttpMetrics {
  readonly #requests = new Counter(
    "service_requests_total",
    "Requests to the dashboard that were answered.",
    ["method", "status_class", "backend"],
  );
  readonly #durations = new Histogram({
    name: "service_request_duration_seconds",
    help: "Time from a request to the dashboard to the end of its answer.",
    label: "method",
    bounds: durationBounds,
  });
  readonly #sizes = new Histogram({
    name: "service_response_bytes",
    help: "Sizes of the dashboard's answers, where they are known beforehand.",
    label: "method",
    bounds: sizeBounds,
  });

  /** What is to be scraped. */
  readonly metrics: readonly Metric[] = [this.#requests, this.#durations, this.#sizes];

  /** Counts a request that has been answered. */
  observe({ method, status, backend, durationMs, bytes }: HttpRequestObservation): void {
    const known = knownMethods.has(method) ? method : "other";
    this.#requests.add(1, known, `${Math.floor(status / 100)}xx`, backend);
    this.#durations.observe(durationMs / 1000, known);
    if (bytes !== undefined) this.#sizes.observe(bytes, known);
  }
}
