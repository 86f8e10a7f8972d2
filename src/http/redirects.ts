import type { Principal } from "../auth/principal.ts";
import { readCookie, sessionCookie } from "./cookies.ts";
import { requestPath } from "./request_path.ts";
import type { Route } from "./route.ts";

/**
 * Where a page sends who may not see it yet: to sign in, or to change the password. Whoever comes with the cookie of a session
 * that is no more is told that it has ended.
 */
export function pageRedirect(
  route: Route,
  principal: Principal | null,
  url: URL,
  headers: Headers,
): string | null {
  if (route.page === undefined || route.guard === "public") return null;
  if (principal === null) {
    const query = new URLSearchParams();
    const target = url.pathname + url.search;
    if (target !== "/") query.set("next", target);
    if (readCookie(headers, sessionCookie) !== null) query.set("error", "unauthorized");
    return query.size === 0 ? "/login" : `/login?${query}`;
  }
  return principal.user.mustChangePassword && route.duringPasswordChange === undefined ? "/me" : null;
}

/** The answer to a request for the base path itself, which the address of the overview has a slash after; else `null`. */
export function baseRedirect(requestUrl: string, basePath: string): Response | null {
  if (basePath === "" || requestPath(requestUrl) !== basePath) return null;
  const location = `${basePath}/${new URL(requestUrl).search}`;
  return new Response(null, { status: 308, headers: { location } });
}
