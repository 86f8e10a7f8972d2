import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import type { WindowName } from "./dashboard.ts";
import { type Dashboard, dashboardSchema } from "./schema.ts";

const query = z.object({ window: z.enum(["hour", "day"]).default("hour") });

/** The route that tells administrators what goes on; `describe` gives its answer. */
export function activityRoutes(describe: (window: WindowName) => Dashboard): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/admin/dashboard",
      guard: "admin",
      summary: "Requests, errors, latency, storage, busy buckets and recent failures",
      audit: "none",
      query,
      answers: { 200: dashboardSchema },
      handler: ({ query }) => Response.json(describe(query.window)),
    }),
  ];
}
