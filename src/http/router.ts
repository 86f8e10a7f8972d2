import { badRequest, notFound, Problem } from "../problem.ts";
import type { Method, Route } from "./route.ts";

/** A route and the path parameters of the request that it matched. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Record<string, string>;
}

interface Entry {
  readonly pattern: URLPattern;
  readonly routes: Map<Method, Route>;
}

/** Finds the route for a request. Built once; a look-up tests only patterns with the path's number of segments. */
export class Router {
  readonly #bySegments = new Map<number, Entry[]>();

  /** Throws `TypeError` when two of `routes` share method and path. */
  constructor(readonly routes: readonly Route[]) {
    const byPath = new Map<string, Entry>();
    for (const route of routes) {
      let entry = byPath.get(route.path);
      if (entry === undefined) {
        const pathname = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
        entry = { pattern: new URLPattern({ pathname }), routes: new Map() };
        byPath.set(route.path, entry);
        this.#entries(segmentCount(route.path)).push(entry);
      }
      if (entry.routes.has(route.method)) throw new TypeError(`two routes for ${route.method} ${route.path}`);
      entry.routes.set(route.method, route);
    }
    // A literal segment wins over a parameter: `/s/{code}/info` is never taken for `/s/{code}/{other}`.
    for (const entries of this.#bySegments.values()) {
      entries.sort((a, b) => parameterCount(a) - parameterCount(b));
    }
  }

  /**
   * The route for a method and a path. Throws {@link Problem}: 404 `not_found`, 405 `method_not_allowed` with `Allow`,
   * 400 `bad_request` for a path parameter that is not valid percent-encoded UTF-8.
   */
  match(method: string, pathname: string): RouteMatch {
    const allowed = new Set<string>();
    for (const { pattern, routes } of this.#bySegments.get(segmentCount(pathname)) ?? []) {
      const result = pattern.exec({ pathname });
      if (result === null) continue;
      const route = routes.get((method === "HEAD" ? "GET" : method) as Method);
      if (route !== undefined) return { route, params: decodeParams(result.pathname.groups) };
      for (const other of routes.keys()) allowed.add(other);
    }
    if (allowed.size === 0) throw notFound();
    if (allowed.has("GET")) allowed.add("HEAD");
    throw new Problem(405, "method_not_allowed", `${method} is not possible here.`, {
      headers: { allow: [...allowed].join(", ") },
    });
  }

  #entries(segments: number): Entry[] {
    const entries = this.#bySegments.get(segments) ?? [];
    this.#bySegments.set(segments, entries);
    return entries;
  }
}

function segmentCount(pathname: string): number {
  return pathname.split("/").length;
}

function parameterCount({ pattern }: Entry): number {
  return pattern.pathname.split(":").length;
}

function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) {
    try {
      params[name] = decodeURIComponent(value ?? "");
    } catch {
      throw badRequest(`The path parameter "${name}" is not valid percent-encoded UTF-8.`);
    }
  }
  return params;
}
