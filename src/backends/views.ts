import { z } from "zod";
import { capabilityNames, type CapabilityStore } from "./capabilities.ts";
import type { HealthMonitor, ProbeResult } from "./probe.ts";
import type { RegisteredBackend } from "./registry.ts";

const reasonSchema = z.string().optional().meta({
  description:
    "The error as a code, such as `connection_refused`, `name_not_resolved`, `tls`, `signature`, `clock`",
});

/** A backend as everyone who is signed in may see it. */
export const publicSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.literal("s3v4"),
  region: z.string(),
  presign: z.boolean().meta({ description: "Whether it gives out presigned URLs" }),
  capabilities: z.record(z.enum(capabilityNames), z.union([z.boolean(), z.literal("unknown")])),
  healthy: z.boolean(),
  last_probe_at: z.iso.datetime().optional(),
  last_error: z.string().optional().meta({ description: "For administrators only" }),
  last_error_reason: reasonSchema,
});

/** A backend as administrators see it. */
export const adminSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.literal("s3v4"),
  endpoint: z.string(),
  region: z.string(),
  path_style: z.boolean(),
  presign: z.boolean(),
  access_key: z.string(),
  secret_set: z.boolean(),
  access_key_env: z.string().optional(),
  secret_key_env: z.string().optional(),
  enabled: z.boolean(),
  source: z.enum(["config", "ui"]),
  created_at: z.iso.datetime().optional(),
  updated_at: z.iso.datetime().optional(),
});

const probeSchema = z.strictObject({
  at: z.iso.datetime(),
  healthy: z.boolean(),
  latency_ms: z.number(),
  error: z.string().optional(),
  reason: reasonSchema,
});

/** Health of a backend with its history. */
export const healthSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  healthy: z.boolean(),
  last_probe_at: z.iso.datetime().optional(),
  last_error: z.string().optional(),
  last_error_reason: reasonSchema,
  latency_ms: z.number().optional(),
  history: z.array(probeSchema),
});

/**
 * A backend as everyone who is signed in may see it: without its endpoint and keys. Why it does not answer, which may name its
 * host, is `withError` only.
 */
export function publicView(
  backend: RegisteredBackend,
  monitor: HealthMonitor,
  capabilities: CapabilityStore,
  { withError }: { readonly withError: boolean } = { withError: false },
): z.output<typeof publicSchema> {
  const last = monitor.last(backend.id);
  return {
    id: backend.id,
    name: backend.name,
    type: backend.type,
    region: backend.region,
    presign: backend.presign,
    capabilities: capabilities.get(backend.id),
    healthy: last?.healthy ?? false,
    last_probe_at: timestamp(last?.at),
    ...(withError && { last_error: last?.error, last_error_reason: last?.reason }),
  };
}

/** A backend as administrators see it: everything but the secret key. */
export function adminView(backend: RegisteredBackend): z.output<typeof adminSchema> {
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
    access_key_env: backend.credentialVariables?.accessKey,
    secret_key_env: backend.credentialVariables?.secretKey,
    enabled: backend.enabled,
    source: backend.source,
    created_at: timestamp(backend.createdAt),
    updated_at: timestamp(backend.updatedAt),
  };
}

/** Health of a backend with its history, for administrators. */
export function healthView(
  backend: RegisteredBackend,
  monitor: HealthMonitor,
): z.output<typeof healthSchema> {
  const history = monitor.history(backend.id);
  const last = history.at(-1);
  const lastFailed = history.findLast(({ healthy }) => !healthy);
  return {
    id: backend.id,
    name: backend.name,
    healthy: last?.healthy ?? false,
    last_probe_at: timestamp(last?.at),
    last_error: lastFailed?.error,
    last_error_reason: lastFailed?.reason,
    latency_ms: last?.latencyMs,
    history: history.map(probeView),
  };
}

function probeView({ at, healthy, latencyMs, error, reason }: ProbeResult) {
  return { at: new Date(at).toISOString(), healthy, latency_ms: latencyMs, error, reason };
}

function timestamp(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}
