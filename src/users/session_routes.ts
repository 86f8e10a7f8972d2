import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import type { UserService } from "./service.ts";
import { sessionJson, sessionSchema } from "./session_json.ts";

/** Administration of users' sessions: `/api/admin/users/{id}/sessions`. */
export function userSessionRoutes({ users }: { users: UserService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/admin/users/{id}/sessions",
      guard: "admin",
      summary: "A user's open sessions",
      audit: "none",
      answers: { 200: z.strictObject({ sessions: z.array(sessionSchema) }) },
      handler({ params, principal }) {
        const sessions = users.sessions(params.id).map((session) =>
          sessionJson(session, principal.session.id)
        );
        return Response.json({ sessions });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/admin/users/{id}/sessions",
      guard: "admin",
      summary: "End every session of a user, but for the one that asks",
      audit: "user.sessions.end",
      answers: { 200: z.strictObject({ ended: z.int() }) },
      handler({ params, principal, audit }) {
        audit.detail.user_id = params.id;
        const { user, ended } = users.endSessions(params.id, principal.session.id);
        Object.assign(audit.detail, { username: user.username, sessions: ended });
        return Response.json({ ended });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/admin/users/{id}/sessions/{sid}",
      guard: "admin",
      summary: "End a session of a user",
      audit: "user.sessions.end",
      answers: { 204: null },
      handler({ params, audit }) {
        Object.assign(audit.detail, { user_id: params.id, session_id: params.sid });
        audit.detail.username = users.endSession(params.id, params.sid).username;
        return new Response(null, { status: 204 });
      },
    }),
  ];
}
