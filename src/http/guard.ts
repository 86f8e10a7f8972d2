import { type Principal, type Role, roleIncludes } from "../auth/principal.ts";
import { tokensEqual } from "../auth/sessions.ts";
import { forbidden, Problem, unauthorized } from "../problem.ts";
import type { ClientAddress } from "./client_address.ts";
import { csrfCookie, readCookie } from "./cookies.ts";
import type { Guard, Route } from "./route.ts";

const neededRole: Record<Exclude<Guard, "public">, Role> = {
  session: "readonly",
  user: "user",
  admin: "admin",
};

/** Throws 401 `unauthorized` when `route` needs a session and there is none. */
export function enforceSession(route: Route, principal: Principal | null): void {
  if (route.guard !== "public" && principal === null) throw unauthorized();
}

/** Throws 403 `forbidden` or `password_change_required` when `principal` may not call `route`. */
export function enforceRole(route: Route, principal: Principal | null): void {
  if (route.guard === "public" || principal === null) return;
  if (!roleIncludes(principal.user.role, neededRole[route.guard])) throw forbidden();
  if (principal.user.mustChangePassword && route.duringPasswordChange === undefined) {
    throw new Problem(403, "password_change_required", "Change your password first.");
  }
}

/** Destinations in which a browser runs an answer or styles a page by it (https://www.w3.org/TR/fetch-metadata/). */
const codeDestinations = new Set([
  "audioworklet",
  "paintworklet",
  "script",
  "serviceworker",
  "sharedworker",
  "style",
  "worker",
  "xslt",
]);

/**
 * Throws 403 `forbidden` when a page wants to run the answer of a route, or be styled by it. Our own code is in static
 * files; what a route answers may have been stored by anybody, and the policy of our pages lets in all that is of this site.
 */
export function refuseAsCode({ headers }: Request): void {
  const destination = headers.get("sec-fetch-dest")?.toLowerCase() ?? "";
  if (codeDestinations.has(destination)) throw forbidden("This is not served as a script or a style sheet.");
}

/** Whether a method is one that needs no token: the specification names GET and HEAD. */
function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Refuses a mutation that another site may have had a browser send: 403 `csrf_invalid`. A mutation within a session
 * repeats the session's token, from the cookie, in `X-CSRF-Token`.
 */
export function enforceCsrf(
  request: Request,
  route: Route,
  principal: Principal | null,
  client: ClientAddress,
  publicOrigin: string | null,
): void {
  if (isSafe(request.method)) return;
  if (comesFromAnotherSite(request.headers, client, publicOrigin)) {
    throw csrfInvalid("The request comes from another site.");
  }
  if (route.guard === "public" || principal === null) return;
  const token = request.headers.get("x-csrf-token") ?? "";
  const cookie = readCookie(request.headers, csrfCookie) ?? "";
  if (!tokensEqual(token, cookie) || !tokensEqual(token, principal.session.csrfToken)) {
    throw csrfInvalid("The X-CSRF-Token header does not match the session's service_csrf cookie.");
  }
}

/**
 * Browsers say where a request comes from in `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), but to
 * trustworthy origins only; over plain HTTP `Origin` has to do, and so it has for `same-site`, which another host or port
 * of the same domain is. Clients that are not browsers send neither.
 */
function comesFromAnotherSite(headers: Headers, client: ClientAddress, publicOrigin: string | null): boolean {
  const site = headers.get("sec-fetch-site")?.toLowerCase();
  if (site === "cross-site") return true;
  if (site === "same-origin" || site === "none") return false;
  const origin = headers.get("origin");
  if (origin === null || origin === publicOrigin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== client.host?.toLowerCase();
}

function csrfInvalid(message: string): Problem {
  return new Problem(403, "csrf_invalid", message);
}
