import { z } from "zod";
import type { DescribedRoute } from "./operation.ts";

/** What the server answers by itself, before there is a route table. */
export const probeRoutes: readonly DescribedRoute[] = [
  {
    method: "GET",
    path: "/healthz",
    guard: "public",
    summary: "Whether the process lives",
    answers: { 200: z.strictObject({ status: z.literal("ok") }) },
  },
  {
    method: "GET",
    path: "/readyz",
    guard: "public",
    summary: "Whether requests are taken",
    answers: {
      200: z.strictObject({ status: z.literal("ready") }),
      503: z.strictObject({ status: z.enum(["starting", "draining"]) }),
    },
  },
];
