import { csrfCookie } from "../http/cookies.ts";
import { components } from "./components.ts";
import { tagOf } from "./names.ts";
import { type DescribedRoute, operation } from "./operation.ts";
import { probeRoutes } from "./probes.ts";
import type { JsonObject } from "./schema.ts";

const description = "Every GET may be a HEAD. Times are RFC 3339 in UTC, sizes are bytes. " +
  `A change repeats the cookie ${csrfCookie} in the header X-CSRF-Token. ` +
  "A request with X-Background: 1 does not keep the session from ending when idle. " +
  "JSON bodies have 1 MiB at most.";

/**
 * The OpenAPI document (https://spec.openapis.org/oas/v3.1.1.html) of the probes and of all `routes` but pages; `version` is
 * that of the program, `basePath` the path below which it is, or empty.
 */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  version: string,
  basePath = "",
): JsonObject {
  const described = [...probeRoutes, ...routes.filter(({ page }) => page === undefined)];
  const paths: Record<string, JsonObject> = {};
  for (const route of described) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  const tags = new Set(described.map(({ path }) => tagOf(path)));
  return {
    openapi: "3.1.1",
    info: {
      title: "Storage dashboard",
      version,
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: basePath || "/" }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components,
  };
}
