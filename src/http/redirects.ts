import type { Principal } from "../auth/principal.ts";
import { readCookie, sessionCookie } from "./cookies.ts";
import { requestPath } from "./request_path.ts";
import type { Route } from "./route.ts";

/**
 * Where a page sends who may not see it yet: to sign in, or to change the password, from where they come back as `next` says.
 * Whoever comes with the cookie of a session that is no more is told that it has ended.
 */
export function pageRedirect(
  route: Route,
  principal: Principal | null,
  url: URL,
  headers: Headers,
): string | null {
  if (route.page === undefined || route.guard === "public") return null;
  const query = new URLSearchParams();
  const target = url.pathname + url.search;
  if (target !== "/") query.set("next", target);
  if (principal === null) {
    if (readCookie(headers, sessionCookie) !== null) query.set("error", "unauthorized");
    return withQuery("/login", query);
  }
  const isHeldBack = principal.user.mustChangePassword && route.duringPasswordChange === undefined;
  return isHeldBack ? withQuery("/me", query) : null;
}

function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The answer to a request for the base path itself, which the address of the overview has a slash after; else `null`. */
export function baseRedirect(requestUrl: string, basePath: string): Response | null {
  if (basePath === "" || requestPath(requestUrl) !== basePath) return null;
  const location = `${basePath}/${new URL(requestUrl).search}`;
  return new Response(null, { status: 308, headers: { location } });
}
