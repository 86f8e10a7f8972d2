import { z } from "zod";
import { abilities, type Principal } from "../auth/principal.ts";
import type { SessionService } from "../auth/sessions.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { notFound } from "../problem.ts";
import { identitySourceField, roleField } from "../users/fields.ts";
import type { UserService } from "../users/service.ts";
import { sessionJson, sessionSchema } from "../users/session_json.ts";
import { clearSessionCookies } from "./session_cookies.ts";
import { timestamp } from "../timestamp.ts";

/** What {@link meRoutes} works with. */
export interface MeRoutesDeps {
  readonly users: UserService;
  readonly sessions: SessionService;
}

/** What a role may do, as {@link abilities} tells. */
const abilitiesSchema = z.strictObject({
  write_objects: z.boolean(),
  share_objects: z.boolean(),
  write_bucket_settings: z.boolean(),
  create_buckets: z.boolean(),
  manage_backends: z.boolean(),
  manage_users: z.boolean(),
  read_audit: z.boolean(),
  read_health: z.boolean(),
});

const meSchema = z.strictObject({
  id: z.string(),
  username: z.string(),
  email: z.string().optional(),
  role: roleField,
  identity_source: identitySourceField,
  must_change_pw: z.boolean(),
  session: z.strictObject({
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    idle_expires_at: z.iso.datetime(),
  }),
  can: abilitiesSchema,
});

/** One's own account: `/api/me`. */
export function meRoutes({ users, sessions }: MeRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/me",
      guard: "session",
      summary: "Who is signed in and what they may do",
      audit: "none",
      duringPasswordChange: true,
      answers: { 200: meSchema },
      handler: ({ principal }) => Response.json(meJson(principal, sessions)),
    }),
    defineRoute({
      method: "POST",
      path: "/api/me/password",
      guard: "session",
      summary: "Change one's own password; ends one's other sessions",
      audit: "auth.password.change",
      duringPasswordChange: true,
      body: z.object({ current_password: z.string(), new_password: z.string() }),
      answers: { 200: z.strictObject({ status: z.literal("ok") }) },
      errors: [409],
      async handler({ principal: { user, session }, body }) {
        await users.changePassword(user.id, session.id, body.current_password, body.new_password);
        return Response.json({ status: "ok" });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/me/sessions",
      guard: "session",
      summary: "One's own sessions",
      audit: "none",
      answers: { 200: z.strictObject({ sessions: z.array(sessionSchema) }) },
      handler: ({ principal }) => Response.json({ sessions: sessionsJson(principal, sessions) }),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/me/sessions",
      guard: "session",
      summary: "End one's own sessions but for the one that asks",
      audit: "session.end",
      answers: { 200: z.strictObject({ ended: z.int() }) },
      handler({ principal: { user, session }, audit }) {
        const { ended } = users.endSessions(user.id, session.id);
        audit.detail.sessions = ended;
        return Response.json({ ended });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/me/sessions/{id}",
      guard: "session",
      summary: "End one of one's own sessions",
      audit: "session.end",
      answers: { 204: null },
      handler({ params, principal, client, audit }) {
        audit.detail.session_id = params.id;
        const own = sessions.list(principal.user.id).some(({ id }) => id === params.id);
        if (!own) throw notFound("There is no such session.");
        sessions.end(params.id);
        const response = new Response(null, { status: 204 });
        if (params.id === principal.session.id) clearSessionCookies(response.headers, client.secure);
        return response;
      },
    }),
  ];
}

/** The answer of `GET /api/me`. */
export function meJson(
  { user, session }: Principal,
  sessions: SessionService,
): z.output<typeof meSchema> {
  return {
    id: user.id,
    username: user.username,
    email: user.email ?? undefined,
    role: user.role,
    identity_source: user.identitySource,
    must_change_pw: user.mustChangePassword,
    session: {
      created_at: timestamp(session.createdAt),
      expires_at: timestamp(session.expiresAt),
      idle_expires_at: timestamp(sessions.idleExpiry(session)),
    },
    can: abilities(user.role),
  };
}

/** A user's open sessions as `GET /api/me/sessions` lists them. */
export function sessionsJson(
  { user, session: current }: Principal,
  sessions: SessionService,
): z.output<typeof sessionSchema>[] {
  return sessions.list(user.id).map((session) => sessionJson(session, current.id));
}
