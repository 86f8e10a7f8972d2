import { z } from "zod";
import { addressKey } from "../http/rate_limiter.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { WindowLimiter } from "../http/window_limiter.ts";
import { Problem, tooMany } from "../problem.ts";
import { emailField, passwordField, roleField, usernameField } from "../users/fields.ts";
import type { UserService } from "../users/service.ts";
import { oidcStartPath } from "./oidc/routes.ts";

/** What {@link registrationRoutes} works with. */
export interface RegistrationRoutesDeps {
  readonly users: UserService;
  readonly modes: readonly string[];
  /** Whether anyone may make a local account. */
  readonly allowed: boolean;
  readonly requireApproval: boolean;
  /** Registrations by client address. */
  readonly limiter: WindowLimiter;
}

/** What a sign-in page has to know, and self-registration. */
export function registrationRoutes(deps: RegistrationRoutesDeps): Route[] {
  const { users, modes, allowed, requireApproval, limiter } = deps;
  return [
    defineRoute({
      method: "GET",
      path: "/api/auth/config",
      guard: "public",
      summary: "How one can sign in",
      audit: "none",
      answers: {
        200: z.strictObject({
          modes: z.array(z.string()),
          oidc_start_url: z.string().optional(),
          allow_self_registration: z.boolean(),
        }),
      },
      handler: () =>
        Response.json({
          modes,
          oidc_start_url: modes.includes("oidc") ? oidcStartPath : undefined,
          allow_self_registration: allowed,
        }),
    }),
    defineRoute({
      method: "POST",
      path: "/auth/register",
      guard: "public",
      summary: "Make an account of one's own",
      audit: "auth.register",
      body: z.object({ username: usernameField, password: passwordField, email: emailField.nullish() }),
      answers: {
        201: z.strictObject({
          id: z.string(),
          username: z.string(),
          role: roleField,
          enabled: z.boolean(),
        }),
      },
      errors: [409, 429],
      async handler({ client, body, audit }) {
        audit.detail.username = body.username;
        if (!allowed) throw new Problem(403, "mode_disabled", "Self-registration is switched off.");
        const wait = limiter.take(addressKey(client.ip));
        if (wait > 0) {
          throw tooMany(wait / 1000, "Too many registrations from this address. Try again later.");
        }
        const user = await users.create({
          ...body,
          role: "user",
          enabled: !requireApproval,
          emailVouched: false,
        });
        audit.userId = user.id;
        const { id, username, role, enabled } = user;
        return Response.json({ id, username, role, enabled }, { status: 201 });
      },
    }),
  ];
}
