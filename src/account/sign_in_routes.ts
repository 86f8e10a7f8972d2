import { z } from "zod";
import type { SessionService } from "../auth/sessions.ts";
import type { PasswordSignIn } from "../auth/sign_in.ts";
import type { ClientAddress } from "../http/client_address.ts";
import { localPath } from "../http/local_path.ts";
import { isForm } from "../http/parse.ts";
import { addressKey } from "../http/rate_limiter.ts";
import { defineRoute, type RequestContext, type Route } from "../http/route.ts";
import type { WindowLimiter } from "../http/window_limiter.ts";
import { Problem, tooMany } from "../problem.ts";
import { identitySourceField, usernameField } from "../users/fields.ts";
import { clearSessionCookies, handOverSession, noteSignedOut } from "./session_cookies.ts";

/** What {@link signInRoutes} works with. */
export interface SignInRoutesDeps {
  readonly signIn: PasswordSignIn;
  readonly sessions: SessionService;
  /** Attempts to sign in by client address. */
  readonly limiter: WindowLimiter;
  /** Milliseconds. */
  readonly sessionLifetime: number;
  /**
   * Ends a session. Resolves to where the browser has to go to end the one at the identity provider too, or to `null`.
   */
  readonly endSession: (id: string, client: ClientAddress) => Promise<URL | null>;
}

const credentials = z.object({
  username: z.string().min(1, "must not be empty").max(256),
  password: z.string().min(1, "must not be empty"),
  next: z.string().optional(),
});
type Credentials = z.output<typeof credentials>;
type SignInContext = RequestContext<unknown, Credentials, "public">;

/** Signing in with a password, and signing out. */
export function signInRoutes(deps: SignInRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/auth/login/local",
      guard: "public",
      summary: "Sign in with a user name and password",
      audit: "auth.login",
      body: credentials,
      form: true,
      answers: {
        200: z.strictObject({
          status: z.literal("ok"),
          source: identitySourceField,
          must_change_pw: z.literal(true).optional(),
        }),
        303: null,
      },
      errors: [401, 429],
      async handler(context) {
        const form = isForm(context.request);
        try {
          return await answerSignIn(deps, context, form);
        } catch (error) {
          if (!form || !(error instanceof Problem)) throw error;
          context.audit.status = "error";
          context.audit.detail.code = error.code;
          return redirect(failurePath(error, context.body.next));
        }
      },
    }),
    defineRoute({
      method: "POST",
      path: "/auth/logout",
      guard: "session",
      summary: "End the session",
      audit: "auth.logout",
      duringPasswordChange: true,
      answers: { 200: z.strictObject({ redirect: z.url() }), 204: null },
      async handler({ principal, client }) {
        const redirect = await deps.endSession(principal.session.id, client);
        const response = redirect === null
          ? new Response(null, { status: 204 })
          : Response.json({ redirect });
        clearSessionCookies(response.headers, client.secure);
        noteSignedOut(response.headers, client.secure);
        return response;
      },
    }),
  ];
}

async function answerSignIn(
  deps: SignInRoutesDeps,
  context: SignInContext,
  form: boolean,
): Promise<Response> {
  const { signIn, sessions, limiter, sessionLifetime } = deps;
  const { request, client, body, audit } = context;
  audit.detail.username = recordedName(body.username);
  // For the audit; the answer tells less.
  const refuse = (reason: string, problem: Problem) => {
    audit.detail.reason = reason;
    return problem;
  };
  if (!signIn.enabled) {
    const problem = new Problem(403, "mode_disabled", "Signing in with a password is switched off.");
    throw refuse("mode_disabled", problem);
  }
  const wait = limiter.take(addressKey(client.ip));
  if (wait > 0) {
    const message = "Too many attempts to sign in from this address. Try again later.";
    throw refuse("rate_limited", tooMany(wait / 1000, message));
  }
  const agent = request.headers.get("user-agent") ?? "";
  const result = await signIn.signIn(body.username, body.password, client.ip, agent);
  if (result.outcome === "locked") {
    audit.userId = result.userId;
    const message = "Too many wrong passwords: this account is locked. Try again later.";
    throw refuse("account_locked", tooMany(result.retryAfter / 1000, message, "account_locked"));
  }
  if (result.outcome === "invalid_credentials") {
    audit.userId = result.userId;
    const problem = new Problem(401, "invalid_credentials", "The user name or password is not right.");
    throw refuse(result.reason, problem);
  }
  const { user, session } = result;
  audit.userId = user.id;
  const response = form ? redirect(localPath(body.next)) : Response.json({
    status: "ok",
    source: user.identitySource,
    must_change_pw: user.mustChangePassword || undefined,
  });
  handOverSession(response, context, session, sessions, sessionLifetime);
  return response;
}

/** The name that somebody gave, for the audit: people type passwords into this field, and few of those can be a name. */
function recordedName(username: string): string | undefined {
  return usernameField.safeParse(username).success ? username : undefined;
}

function failurePath({ code, headers }: Problem, next: string | undefined): string {
  const query = new URLSearchParams({ error: code });
  if (next !== undefined) query.set("next", localPath(next));
  const retryAfter = headers?.["retry-after"];
  if (retryAfter !== undefined) query.set("retry_after", retryAfter);
  return `/login?${query}`;
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}
