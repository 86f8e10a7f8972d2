import { z } from "zod";
import { Island as Login } from "../../static/islands/login.js";
import { t } from "../../static/lib/i18n.js";
import { cookie, readCookie, signedOutCookie } from "../http/cookies.ts";
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
  /** The language that this browser is to be answered in from now on. */
  language: z.enum(["en", "de"]).optional().catch(undefined),
});

/** How long a browser keeps the choice of a language, in seconds: a year. */
const languageMaxAge = 365 * 86_400;

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
    handler({ request, client, principal, url, query }) {
      if (query.language !== undefined) return chooseLanguage(query.language, url, client.secure);
      const { next, error = "", reason = "", request_id: requestId = "", register } = query;
      const retryAfter = query.retry_after ?? 0;
      const target = localPath(next);
      if (principal !== null) return new Response(null, { status: 303, headers: { location: target } });
      const registering = register !== undefined && signIn.allowSelfRegistration;
      const signedOut = readCookie(request.headers, signedOutCookie) !== null;
      const props = { ...signIn, next: target, error, reason, requestId, retryAfter, signedOut, registering };
      const response = shell.respond({ request, principal }, () => ({
        title: registering ? t("sign_in.create_title") : t("sign_in.title"),
        island: { name: "login", component: Login, props },
      }));
      if (signedOut) {
        const removal = { httpOnly: true, secure: client.secure, maxAge: 0, path: "/login" };
        response.headers.append("set-cookie", cookie(signedOutCookie, "", removal));
      }
      return response;
    },
  });
}

/** Back to the same page, with the language kept in the cookie that the pages' script sets, too. */
function chooseLanguage(language: string, url: URL, secure: boolean): Response {
  const target = new URL(url);
  target.searchParams.delete("language");
  const choice = cookie("ui_language", language, { httpOnly: false, secure, maxAge: languageMaxAge });
  return new Response(null, {
    status: 303,
    headers: { "location": target.pathname + target.search, "set-cookie": choice },
  });
}
