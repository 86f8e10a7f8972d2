import { defineRoute, type Route } from "../http/route.ts";
import { expositionType } from "./exposition.ts";
import type { MetricsRegistry } from "./registry.ts";

/** The route that Prometheus scrapes. It needs no session: labels and values name no bucket, key, user or address. */
export function metricsRoutes(registry: MetricsRegistry): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/metrics",
      guard: "public",
      atRoot: true,
      summary: "Metrics in the text format of Prometheus",
      audit: "none",
      answers: { 200: { contentType: "text/plain" } },
      handler: () => new Response(registry.text(), { headers: { "content-type": expositionType } }),
    }),
  ];
}
