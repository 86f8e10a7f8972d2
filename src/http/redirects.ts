import type { Principal } from "../auth/principal.ts";
import { requestPath } from "./request_path.ts";
import type { Route } from "./route.ts";

/** Where a page sends who may not see it yet: to sign in, or to change the password. */
export function pageRedirect(route: Route, principal: Principal | null, url: URL): string | null {
  if (route.page === undefined || route.guard === "public") return null;
  if (principal === null) {
    const target = url.pathname + url.search;
    return target === "/" ? "/login" : `/login?next=${encodeURIComponent(target)}`;
  }
  return principal.user.mustChangePassword && route.duringPasswordChange === undefined ? "/me" : null;
}

/** The answer to a request for the base path itself, which the address of the overview has a slash after; else `null`. */
export function baseRedirect(requestUrl: string, basePath: string): Response | null {
  if (basePath === "" || requestPath(requestUrl) !== basePath) return null;
  const location = `${basePath}/${new URL(requestUrl).search}`;
  return new Response(null, { status: 308, headers: { location } });
}
