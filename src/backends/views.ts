import type { CapabilityStore } from "./capabilities.ts";
import type { HealthMonitor, ProbeResult } from "./probe.ts";
import type { RegisteredBackend } from "./registry.ts";

/** A backend as everyone who is signed in may see it: without its endpoint and keys. */
export function publicView(
  backend: RegisteredBackend,
  monitor: HealthMonitor,
  capabilities: CapabilityStore,
) {
  const last = monitor.last(backend.id);
  return {
    id: backend.id,
    name: backend.name,
    type: backend.type,
    region: backend.region,
    capabilities: capabilities.get(backend.id),
    healthy: last?.healthy ?? false,
    last_probe_at: timestamp(last?.at),
    last_error: last?.error,
  };
}

/** A backend as administrators see it: everything but the secret key. */
export function adminView(backend: RegisteredBackend) {
  return {
    id: backend.id,
    name: backend.name,
    type: backend.type,
    endpoint: backend.endpoint,
    region: backend.region,
    path_style: backend.pathStyle,
    presign: backend.presign,
    access_key: backend.credentials?.accessKey ?? "",
    secret_set: backend.credentials !== undefined,
    enabled: backend.enabled,
    source: backend.source,
    created_at: timestamp(backend.createdAt),
    updated_at: timestamp(backend.updatedAt),
  };
}

/** Health of a backend with its history, for administrators. */
export function healthView(backend: RegisteredBackend, monitor: HealthMonitor) {
  const history = monitor.history(backend.id);
  const last = history.at(-1);
  return {
    id: backend.id,
    name: backend.name,
    healthy: last?.healthy ?? false,
    last_probe_at: timestamp(last?.at),
    last_error: history.findLast((result) => result.error !== undefined)?.error,
    latency_ms: last?.latencyMs,
    history: history.map(probeView),
  };
}

function probeView({ at, healthy, latencyMs, error }: ProbeResult) {
  return { at: new Date(at).toISOString(), healthy, latency_ms: latencyMs, error };
}

function timestamp(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
