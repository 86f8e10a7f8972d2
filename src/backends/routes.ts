import { z } from "zod";
import { abilities, type Principal } from "../auth/principal.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { notFound } from "../problem.ts";
import type { CapabilityStore } from "./capabilities.ts";
import type { HealthMonitor } from "./probe.ts";
import type { BackendRegistry, RegisteredBackend } from "./registry.ts";
import { storageClassesOf } from "./storage_classes.ts";
import { healthSchema, healthView, publicSchema, publicView } from "./views.ts";

/** What the routes of backends need. */
export interface BackendRoutesDeps {
  readonly registry: BackendRegistry;
  readonly monitor: HealthMonitor;
  readonly capabilities: CapabilityStore;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Routes by which everyone sees backends, and administrators their health. */
export function backendRoutes({ registry, monitor, capabilities }: BackendRoutesDeps): Route[] {
  const requireEnabled = (id: string) => {
    const backend = registry.describe(id);
    if (!backend.enabled) throw notFound("There is no such backend.");
    return backend;
  };
  const view = (backend: RegisteredBackend, { user }: Principal) =>
    publicView(backend, monitor, capabilities, { withError: abilities(user.role).read_health });
  const health = () =>
    Response.json({ backends: registry.list().map((backend) => healthView(backend, monitor)) });

  return [
    defineRoute({
      method: "GET",
      path: "/api/backends",
      guard: "session",
      summary: "List the enabled backends",
      audit: "none",
      answers: { 200: z.strictObject({ backends: z.array(publicSchema) }) },
      handler: ({ principal }) =>
        Response.json({
          backends: registry.list().filter(({ enabled }) => enabled)
            .map((backend) => view(backend, principal)),
        }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/backends/{bid}",
      guard: "session",
      summary: "Get a backend",
      audit: "none",
      answers: { 200: publicSchema },
      handler: ({ params, principal }) => Response.json(view(requireEnabled(params.bid), principal)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/backends/{bid}/health",
      guard: "session",
      summary: "Probe a backend now",
      audit: "none",
      answers: { 200: publicSchema.extend({ latency_ms: z.number() }) },
      handler: async ({ params, principal }) => {
        const backend = requireEnabled(params.bid);
        const { latencyMs } = await monitor.probe(backend.id);
        return Response.json({ ...view(backend, principal), latency_ms: latencyMs });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/backends/{bid}/storage-classes",
      guard: "session",
      summary: "List the storage classes that a backend is known to have, its usual one first",
      audit: "none",
      answers: { 200: z.strictObject({ storage_classes: z.array(z.string()) }) },
      handler: ({ params }) =>
        Response.json({ storage_classes: storageClassesOf(registry.connect(params.bid)) }),
    }),
    ...["/admin/backends/health", "/api/admin/backends/health"].map((path) =>
      defineRoute({
        method: "GET",
        path,
        guard: "admin",
        summary: "Health of every backend with its probe history",
        audit: "none",
        answers: { 200: z.strictObject({ backends: z.array(healthSchema) }) },
        handler: health,
      })
    ),
  ];
}
