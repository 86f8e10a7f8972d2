import { z } from "zod";
import type { AuditNote } from "../../audit/event.ts";
import { OidcFailure } from "../../auth/oidc/failure.ts";
import { pendingLoginLifetime } from "../../auth/oidc/pending_logins.ts";
import type { SessionService } from "../../auth/sessions.ts";
import type { ClientAddress } from "../../http/client_address.ts";
import { cookie, readCookie } from "../../http/cookies.ts";
import { localPath } from "../../http/local_path.ts";
import { addressKey } from "../../http/rate_limiter.ts";
import { defineRoute, type RequestContext, type Route } from "../../http/route.ts";
import type { WindowLimiter } from "../../http/window_limiter.ts";
import { forbidden, Problem } from "../../problem.ts";
import { handOverSession } from "../session_cookies.ts";
import type { ProviderSessions } from "./provider_sessions.ts";
import type { OidcSignIn } from "./sign_in.ts";

/** Where a sign-in at the identity provider begins. */
export const oidcStartPath = "/auth/login/oidc";

const callbackPath = "/auth/callback";

/** What signs people in by way of an identity provider. */
export interface OidcServices {
  readonly issuer: string;
  readonly signIn: OidcSignIn;
  readonly providerSessions: ProviderSessions;
}

/** What {@link oidcRoutes} works with. */
export interface OidcRoutesDeps {
  /** `null` when that mode is off. */
  readonly oidc: OidcServices | null;
  readonly sessions: SessionService;
  /** Attempts to sign in by client address; one for every way to sign in. */
  readonly limiter: WindowLimiter;
  /** Milliseconds. */
  readonly sessionLifetime: number;
  /** The URL under which a client reaches the program, without a trailing slash. */
  readonly ownUrl: (client: ClientAddress) => string;
}

type PublicContext = RequestContext<unknown, unknown, "public">;

/** Signing in at an identity provider, and being told by it of logouts there. */
export function oidcRoutes(deps: OidcRoutesDeps): Route[] {
  return [startRoute(deps), callbackRoute(deps), backChannelLogoutRoute(deps)];
}

function startRoute(deps: OidcRoutesDeps): Route {
  return defineRoute({
    method: "GET",
    path: oidcStartPath,
    guard: "public",
    summary: "Sign in with the identity provider: sends the browser there",
    // Until the browser is back there is no sign-in; one that cannot even begin is a failed one.
    audit: "none",
    errorPages: true,
    query: z.object({ next: z.string().optional() }),
    answers: { 303: null },
    errors: [403, 405],
    async handler(context) {
      const { request, client, query, audit } = context;
      refuseHead(request);
      refuseEmbedded(request);
      const next = localPath(query.next);
      try {
        const { signIn } = enabled(deps, audit);
        const wait = deps.limiter.take(addressKey(client.ip));
        if (wait > 0) {
          audit.action = "auth.login";
          const retryAfter = String(Math.ceil(wait / 1000));
          return failedPage({ error: "rate_limited", retry_after: retryAfter }, audit, next);
        }
        const begun = await signIn.begin(deps.ownUrl(client) + callbackPath, next);
        const response = redirect(begun.url.href);
        response.headers.append("set-cookie", stateCookie(begun.state, begun.cookie, client));
        return response;
      } catch (error) {
        audit.action = "auth.login";
        return failed(error, context, next);
      }
    },
  });
}

function callbackRoute(deps: OidcRoutesDeps): Route {
  return defineRoute({
    method: "GET",
    path: callbackPath,
    guard: "public",
    summary: "Where the identity provider sends the browser back to",
    audit: "auth.login",
    errorPages: true,
    query: z.object({
      code: z.string().optional(),
      state: z.string().optional(),
      iss: z.string().optional(),
      error: z.string().optional(),
    }),
    answers: { 303: null },
    errors: [403, 405],
    async handler(context) {
      const { request, client, query, audit } = context;
      refuseHead(request);
      const services = enabled(deps, audit);
      // Anything else is not a state that was made here, nor good for the name of a cookie.
      const state = /^[\w-]{1,64}$/.exec(query.state ?? "")?.[0] ?? "";
      let next = "/";
      let response: Response;
      try {
        const login = services.signIn.resume(state, readCookie(request.headers, stateCookieName(state)));
        next = login.next;
        response = await signedIn(deps, services, context, login);
      } catch (error) {
        response = failed(error, context, next);
      }
      response.headers.append("set-cookie", stateCookie(state, "", client));
      return response;
    },
  });
}

/** Ends the sign-in and starts a session. */
async function signedIn(
  { sessions, sessionLifetime }: OidcRoutesDeps,
  { signIn }: OidcServices,
  context: PublicContext,
  login: ReturnType<OidcSignIn["resume"]>,
): Promise<Response> {
  const { request, url, client, audit } = context;
  const userAgent = request.headers.get("user-agent") ?? "";
  const result = await signIn.finish(url.searchParams, login, { ip: client.ip, userAgent });
  audit.userId = result.user.id;
  audit.detail.username = result.user.username;
  audit.detail.outcome = result.outcome;
  if (result.keptAsLastAdmin) audit.detail.kept_as_last_admin = true;
  const response = redirect(login.next);
  handOverSession(response, context, result.session, sessions, sessionLifetime);
  return response;
}

/** The provider's own call, which has no session and no cookie: what is to be believed is in the token. */
function backChannelLogoutRoute(deps: OidcRoutesDeps): Route {
  return defineRoute({
    method: "POST",
    path: "/auth/backchannel-logout",
    guard: "public",
    summary: "The identity provider tells of a logout (OpenID Connect Back-Channel Logout 1.0)",
    audit: "auth.logout",
    form: true,
    body: z.object({ logout_token: z.string() }),
    answers: { 200: null },
    async handler({ body, audit }) {
      const { providerSessions } = enabled(deps, audit);
      try {
        const { userId, ended } = await providerSessions.endByToken(body.logout_token);
        audit.userId = userId;
        audit.detail.sessions = ended;
        return new Response(null, { headers: { "cache-control": "no-store" } });
      } catch (error) {
        if (!(error instanceof OidcFailure)) throw error;
        noteFailure(error, audit);
        throw new Problem(400, "oidc_failed", "The logout token cannot be used.");
      }
    },
  });
}

/** What asks for headers only, such as a link preview, neither begins nor ends a sign-in. */
function refuseHead({ method }: Request): void {
  if (method !== "HEAD") return;
  throw new Problem(405, "method_not_allowed", "HEAD is not answered here.", { headers: { allow: "GET" } });
}

/**
 * A sign-in begins in a window of its own: other sites could use up all that an address may begin by pictures and frames that
 * lead here.
 */
function refuseEmbedded({ headers }: Request): void {
  const destination = headers.get("sec-fetch-dest");
  if (destination === null || destination === "document") return;
  throw forbidden("Signing in begins by going to this address, not from within a page.");
}

/** The services, when the mode is on; throws 403 `mode_disabled`. */
function enabled({ oidc }: OidcRoutesDeps, audit: AuditNote): OidcServices {
  audit.detail.mode = "oidc";
  if (oidc === null) throw new Problem(403, "mode_disabled", "Single sign-on is switched off.");
  audit.detail.issuer = oidc.issuer;
  return oidc;
}

/**
 * The answer to a sign-in that failed: the sign-in page, which tells why. Whoever has no role here gets a 403 that says
 * so; trying again would not help them.
 */
function failed(error: unknown, { requestId, audit }: PublicContext, next: string): Response {
  if (!(error instanceof OidcFailure)) throw error;
  noteFailure(error, audit);
  if (error.reason === "no_role") {
    throw new Problem(
      403,
      "forbidden",
      "None of your groups at the identity provider has a role here. An administrator can change that.",
      {
        detail: { reason: error.reason },
      },
    );
  }
  return failedPage({ error: "oidc_failed", reason: error.reason, request_id: requestId }, audit, next);
}

/** Sends the browser to the sign-in page with what it is to tell. */
function failedPage(
  told: { readonly error: string } & Readonly<Record<string, string>>,
  audit: AuditNote,
  next: string,
): Response {
  audit.detail.code = told.error;
  audit.status = "error";
  const query = new URLSearchParams(told);
  if (next !== "/") query.set("next", next);
  return redirect(`/login?${query}`);
}

function noteFailure(failure: OidcFailure, audit: AuditNote): void {
  const { reason, providerError: provider_error, message, userId, subject } = failure;
  audit.userId = userId;
  Object.assign(audit.detail, {
    reason,
    provider_error,
    subject: subject?.slice(0, 256),
    message: message.slice(0, 256),
  });
}

/** One cookie for each sign-in, so that two tabs do not get in each other's way. */
function stateCookieName(state: string): string {
  return `service_oidc_${state.slice(0, 12)}`;
}

/** Holds what is known of a sign-in until the browser is back; an empty `value` removes it. */
function stateCookie(state: string, value: string, { secure }: ClientAddress): string {
  const maxAge = value === "" ? 0 : pendingLoginLifetime / 1000;
  return cookie(stateCookieName(state), value, { httpOnly: true, secure, maxAge, path: "/auth" });
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}
