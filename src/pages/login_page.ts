import { z } from "zod";
import { Island as Login } from "../../static/islands/login.js";
import { localPath } from "../http/local_path.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { PageDeps } from "./deps.ts";
import type { Shell } from "./shell.ts";

const query = z.object({
  next: z.string().optional(),
  /** Code of the problem that a form sent without script ran into. */
  error: z.string().optional(),
  /** Why single sign-on failed. */
  reason: z.string().regex(/^[a-z_]{1,32}$/).optional().catch(undefined),
  /** The request in which it did. */
  request_id: z.uuid().optional().catch(undefined),
  retry_after: z.coerce.number().int().min(0).optional().catch(undefined),
  register: z.string().optional(),
});

/** The sign-in page. Whoever is signed in already goes on to where they wanted. */
export function loginRoute(shell: Shell, { signIn }: PageDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/login",
    guard: "public",
    summary: "Sign-in page",
    audit: "none",
    page: true,
    query,
    handler({ request, principal, query }) {
      const { next, error = "", reason = "", request_id: requestId = "", register } = query;
      const retryAfter = query.retry_after ?? 0;
      const target = localPath(next);
      if (principal !== null) return new Response(null, { status: 303, headers: { location: target } });
      const registering = register !== undefined && signIn.allowSelfRegistration;
      const props = { ...signIn, next: target, error, reason, requestId, retryAfter, registering };
      return shell.respond({ request, principal }, {
        title: registering ? "Create an account" : "Sign in",
        island: { name: "login", component: Login, props },
      });
    },
  });
}
