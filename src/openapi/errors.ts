import { pathParameters } from "./names.ts";
import type { DescribedRoute } from "./operation.ts";

/** What each status of an error means. */
export const errorDescriptions: Readonly<Record<number, string>> = {
  400: "The request is not as it should be, or the backend does not support it.",
  401: "There is no session, or what was given does not prove who it is.",
  403: "Not allowed: by role, by CSRF token, by the backend, or as a script of a page.",
  404: "There is no such thing.",
  405: "Not by this method.",
  409: "Not possible as things stand.",
  410: "No longer there.",
  411: "The body needs a Content-Length.",
  412: "The object is not in the state that was asked for.",
  413: "Larger than is allowed.",
  416: "The range is not within the object.",
  429: "Too many requests; Retry-After tells for how long.",
  500: "Something went wrong on the server.",
  502: "The backend failed, or cannot be reached.",
  503: "Not now: the service is starting or shutting down, or its store cannot be used.",
  504: "The backend did not answer in time.",
  507: "The quota of the bucket does not allow it.",
};

/** What a backend refuses is passed on as one of these. */
const errorsOfBackends = [400, 403, 404, 502, 504];
const errorsOfBackendWrites = [409, 412, 413];

/** The statuses of the errors that a route can answer, in their order. */
export function errorStatuses(route: DescribedRoute): number[] {
  const { path, method, guard, query, body, bodies = {}, errors = [] } = route;
  const hasBody = body !== undefined || Object.keys(bodies).length > 0;
  const parameters = pathParameters(path);
  // No answer of a route is served as a script, whoever asks.
  const statuses = new Set([...errors, 403, 500, 503]);
  const add = (...all: number[]) => all.forEach((status) => statuses.add(status));
  if (query !== undefined || hasBody || parameters.length > 0) add(400);
  if (guard !== "public") add(401);
  if (parameters.length > 0) add(404);
  if (hasBody) add(413);
  if (guard !== "public" && path.startsWith("/api/")) add(429);
  if (path.startsWith("/api/backends/{bid}/buckets")) {
    add(...errorsOfBackends);
    if (method !== "GET") add(...errorsOfBackendWrites);
  }
  return [...statuses].sort((a, b) => a - b);
}
