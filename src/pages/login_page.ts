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
    handler({ request, principal, query: { next, error, retry_after: retryAfter, register } }) {
      const target = localPath(next);
      if (principal !== null) return new Response(null, { status: 303, headers: { location: target } });
      const registering = register !== undefined && signIn.allowSelfRegistration;
      const props = { ...signIn, next: target, error: error ?? "", retryAfter: retryAfter ?? 0, registering };
      return shell.respond({ request, principal }, {
        title: registering ? "Create an account" : "Sign in",
        island: { name: "login", component: Login, props },
      });
    },
  });
}
