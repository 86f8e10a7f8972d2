import { createHash } from "node:crypto";
import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import { version } from "../version.ts";
import { openApiDocument } from "./document.ts";

/**
 * The route that answers the OpenAPI document of all `routes`, itself included, below `basePath`. It is made at the first
 * request.
 */
export function openApiRoutes(routes: readonly Route[], basePath: string): Route[] {
  let made: { readonly text: string; readonly etag: string } | undefined;
  const make = () => {
    const text = JSON.stringify(openApiDocument([...routes, route], version, basePath));
    return { text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
  };
  const route: Route = defineRoute({
    method: "GET",
    path: "/api/openapi.json",
    guard: "public",
    summary: "This document",
    audit: "none",
    headers: { "If-None-Match": "ETag of an earlier answer" },
    answers: { 200: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }), 304: null },
    handler: ({ request }) => {
      const { text, etag } = made ??= make();
      const headers = { etag, "cache-control": "no-cache" };
      const known = request.headers.get("if-none-match")?.split(",") ?? [];
      return known.some((entry) => ["*", etag].includes(entry.trim().replace(/^W\//, "")))
        ? new Response(null, { status: 304, headers })
        : new Response(text, { headers: { ...headers, "content-type": "application/json" } });
    },
  });
  return [route];
}
