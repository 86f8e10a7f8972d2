import { z } from "zod";
import { flagField, integerField } from "../http/query_fields.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { emailField, identitySourceField, passwordField, roleField, usernameField } from "./fields.ts";
import type { UserService } from "./service.ts";
import { belongingsSchema, userJson, userSchema, usersJson } from "./user_json.ts";

const pageSize = integerField(1, 500).default(100);
const offset = integerField(0, 999_999_999).default(0);

/** Which users are meant, as query parameters. */
export const userFilterQuery = z.object({
  query: z.string().optional(),
  role: roleField.optional(),
  source: identitySourceField.optional(),
  enabled: flagField.optional(),
});

/** Administration of users: `/api/admin/users`. */
export function userRoutes({ users }: { users: UserService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/admin/users",
      guard: "admin",
      summary: "List users",
      audit: "none",
      query: userFilterQuery.extend({ limit: pageSize, offset }),
      answers: {
        200: z.strictObject({
          users: z.array(userSchema),
          total: z.int(),
          enabled_admins: z.int().meta({
            description: "The last of them can be neither disabled nor deleted nor given another role",
          }),
        }),
      },
      handler({ query: { limit, offset, ...filter } }) {
        const { users: found, total } = users.list(filter, limit, offset);
        return Response.json({
          users: usersJson(found, users),
          total,
          enabled_admins: users.enabledAdmins(),
        });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/admin/users",
      guard: "admin",
      summary: "Create a local user",
      audit: "user.create",
      body: z.object({
        username: usernameField,
        email: emailField.nullish(),
        password: passwordField,
        role: roleField,
        must_change_pw: z.boolean().optional(),
      }),
      answers: { 201: userSchema },
      errors: [409],
      async handler({ body, audit }) {
        audit.detail.username = body.username;
        audit.detail.role = body.role;
        const user = await users.create({ ...body, mustChangePassword: body.must_change_pw });
        audit.detail.user_id = user.id;
        return Response.json(userJson(user, users), { status: 201 });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/admin/users/{id}",
      guard: "admin",
      summary: "One user, and how much there is that is deleted with them",
      audit: "none",
      answers: { 200: userSchema.extend({ belongings: belongingsSchema }) },
      handler: ({ params }) =>
        Response.json({
          ...userJson(users.get(params.id), users),
          belongings: users.belongings(params.id),
        }),
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/admin/users/{id}",
      guard: "admin",
      summary: "Change a user's role, state or e-mail address",
      audit: "user.update",
      body: z.object({
        role: roleField.optional(),
        enabled: z.boolean().optional(),
        email: emailField.nullish(),
      }),
      answers: { 200: userSchema },
      errors: [409],
      handler({ params, body, principal, audit }) {
        const { role, enabled, email } = body;
        Object.assign(audit.detail, { user_id: params.id, role, enabled, email });
        const user = users.update(principal.user, params.id, body);
        audit.detail.username = user.username;
        return Response.json(userJson(user, users));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/admin/users/{id}",
      guard: "admin",
      summary: "Delete a user and what belongs to them",
      audit: "user.delete",
      answers: { 204: null },
      errors: [409],
      handler({ params, principal, audit }) {
        audit.detail.user_id = params.id;
        const { user, removed } = users.remove(principal.user, params.id);
        Object.assign(audit.detail, { username: user.username, removed });
        return new Response(null, { status: 204 });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/admin/users/{id}/reset-password",
      guard: "admin",
      summary: "Give a local user a new password: the given one, or a random one that is in the answer",
      audit: "user.password.reset",
      body: z.object({ password: passwordField.optional(), must_change_pw: z.boolean().optional() }),
      answers: { 200: z.strictObject({ status: z.literal("ok"), password: z.string().optional() }) },
      errors: [409],
      async handler({ params, body, audit }) {
        audit.detail.user_id = params.id;
        audit.detail.username = users.get(params.id).username;
        const password = await users.resetPassword(params.id, body.password, body.must_change_pw);
        return Response.json({ status: "ok", ...(password === null ? {} : { password }) });
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/admin/users/{id}/unlock",
      guard: "admin",
      summary: "End a user's lockout",
      audit: "user.unlock",
      answers: { 200: z.strictObject({ status: z.literal("ok") }) },
      handler({ params, audit }) {
        audit.detail.user_id = params.id;
        audit.detail.username = users.unlock(params.id).username;
        return Response.json({ status: "ok" });
      },
    }),
  ];
}
