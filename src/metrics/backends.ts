import { CallbackSeries } from "./callback_series.ts";
import type { Metric } from "./exposition.ts";

/** What the last probe of a backend found. */
export interface BackendProbe {
  readonly backend: string;
  readonly healthy: boolean;
  readonly latencyMs: number;
}

/** What a backend holds in the buckets that are counted: those with size tracking or a quota. */
export interface BackendStorage {
  readonly backend: string;
  readonly bytes: number;
  readonly objects: number;
}

/** Where the figures of the backends come from; read at each scrape. */
export interface BackendSources {
  readonly probes: () => Iterable<BackendProbe>;
  readonly storage: () => Iterable<BackendStorage>;
}

/** The metrics of the backends themselves. The label is one of the ids that administrators gave them. */
export function backendMetrics({ probes, storage }: BackendSources): Metric[] {
  const label = "backend";
  return [
    new CallbackSeries({
      name: "service_backend_up",
      help: "Whether the backend answered its last probe: 1 or 0.",
      label,
      read: () => [...probes()].map(({ backend, healthy }) => [backend, Number(healthy)]),
    }),
    new CallbackSeries({
      name: "service_backend_probe_duration_seconds",
      help: "How long the last probe of the backend took.",
      label,
      read: () => [...probes()].map(({ backend, latencyMs }) => [backend, latencyMs / 1000]),
    }),
    new CallbackSeries({
      name: "service_backend_stored_bytes",
      help: "Bytes in the backend's buckets that have size tracking or a quota.",
      label,
      read: () => [...storage()].map(({ backend, bytes }) => [backend, bytes]),
    }),
    new CallbackSeries({
      name: "service_backend_stored_objects",
      help: "Objects in the backend's buckets that have size tracking or a quota.",
      label,
      read: () => [...storage()].map(({ backend, objects }) => [backend, objects]),
    }),
  ];
}
