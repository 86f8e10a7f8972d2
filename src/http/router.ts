import { badRequest, notFound, Problem } from "../problem.ts";
import type { Method, Route } from "./route.ts";

/** A route and the path parameters of the request that it matched. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: Record<string, string>;
}

/** What one segment of a path must be: this very text, or anything, as the value of a parameter. */
type Segment = string | { readonly parameter: string };

interface Entry {
  readonly segments: readonly Segment[];
  readonly routes: Map<Method, Route>;
}

/** Finds the route for a request. Built once; a look-up tests only paths with as many segments. */
export class Router {
  readonly #byCount = new Map<number, Entry[]>();

  /** Throws `TypeError` when two of `routes` share method and path. */
  constructor(readonly routes: readonly Route[]) {
    const byPath = new Map<string, Entry>();
    for (const route of routes) {
      let entry = byPath.get(route.path);
      if (entry === undefined) {
        entry = { segments: route.path.split("/").map(toSegment), routes: new Map() };
        byPath.set(route.path, entry);
        this.#entries(entry.segments.length).push(entry);
      }
      if (entry.routes.has(route.method)) throw new TypeError(`two routes for ${route.method} ${route.path}`);
      entry.routes.set(route.method, route);
    }
    // A literal segment wins over a parameter: `/s/{code}/info` is never taken for `/s/{code}/{other}`.
    for (const entries of this.#byCount.values()) {
      entries.sort((a, b) => parameterCount(a) - parameterCount(b));
    }
  }

  /**
   * The route for a method and a path. Throws {@link Problem}: 404 `not_found`, 405 `method_not_allowed` with `Allow`,
   * 400 `bad_request` for a path parameter that is not valid percent-encoded UTF-8.
   */
  match(method: string, pathname: string): RouteMatch {
    const allowed = new Set<string>();
    const given = pathname.split("/");
    for (const { segments, routes } of this.#byCount.get(given.length) ?? []) {
      if (!segments.every((segment, index) => fits(segment, given[index]))) continue;
      const route = routes.get((method === "HEAD" ? "GET" : method) as Method);
      if (route !== undefined) return { route, params: paramsOf(segments, given) };
      for (const other of routes.keys()) allowed.add(other);
    }
    if (allowed.size === 0) throw notFound();
    if (allowed.has("GET")) allowed.add("HEAD");
    throw new Problem(405, "method_not_allowed", `${method} is not possible here.`, {
      headers: { allow: [...allowed].join(", ") },
    });
  }

  #entries(count: number): Entry[] {
    const entries = this.#byCount.get(count) ?? [];
    this.#byCount.set(count, entries);
    return entries;
  }
}

function toSegment(text: string): Segment {
  const parameter = /^\{(\w+)\}$/.exec(text)?.[1];
  return parameter === undefined ? text : { parameter };
}

function parameterCount({ segments }: Entry): number {
  return segments.filter((segment) => typeof segment !== "string").length;
}

function fits(segment: Segment, given: string): boolean {
  return typeof segment === "string" ? segment === given : given !== "";
}

function paramsOf(segments: readonly Segment[], given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if (typeof segment !== "string") params[segment.parameter] = decoded(segment.parameter, given[index]);
  }
  return params;
}

function decoded(name: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw badRequest(`The path parameter "${name}" is not valid percent-encoded UTF-8.`);
  }
}
