import type { NewSession, SessionService } from "../auth/sessions.ts";
import type { ClientAddress } from "../http/client_address.ts";
import { cookie, csrfCookie, readCookie, sessionCookie, signedOutCookie } from "../http/cookies.ts";

/** The request of a sign-in that has succeeded. */
interface SignInRequest {
  readonly request: Request;
  readonly client: ClientAddress;
}

/**
 * Hands a new session to the browser, in an answer's cookies, and ends the one that it had before, if any, which would go
 * on unseen beside the new one. `lifetime` is the session's, in milliseconds.
 */
export function handOverSession(
  response: Response,
  { request, client: { secure } }: SignInRequest,
  { token, session }: NewSession,
  sessions: SessionService,
  lifetime: number,
): void {
  const oldToken = readCookie(request.headers, sessionCookie);
  const previous = oldToken === null ? null : sessions.find(oldToken, true);
  if (previous !== null) sessions.end(previous.session.id);
  const maxAge = Math.floor(lifetime / 1000);
  const set = (value: string) => response.headers.append("set-cookie", value);
  set(cookie(sessionCookie, token, { httpOnly: true, secure, maxAge }));
  set(cookie(csrfCookie, session.csrfToken, { httpOnly: false, secure, maxAge }));
}

/** Time for a browser to come to the sign-in page after a sign-out, also by way of the identity provider, in seconds. */
const signedOutLifetime = 300;

/** Adds to an answer what removes the cookies of a session. */
export function clearSessionCookies(headers: Headers, secure: boolean): void {
  headers.append("set-cookie", cookie(sessionCookie, "", { httpOnly: true, secure, maxAge: 0 }));
  headers.append("set-cookie", cookie(csrfCookie, "", { httpOnly: false, secure, maxAge: 0 }));
}

/** Adds to the answer to a sign-out what lets the sign-in page say so once. */
export function noteSignedOut(headers: Headers, secure: boolean): void {
  const options = { httpOnly: true, secure, maxAge: signedOutLifetime, path: "/login" };
  headers.append("set-cookie", cookie(signedOutCookie, "1", options));
}
