import type { NewSession } from "../auth/sessions.ts";
import { cookie, csrfCookie, sessionCookie } from "../http/cookies.ts";

/** Adds the cookies of a new session to an answer. `lifetime` is the session's, in milliseconds. */
export function setSessionCookies(
  headers: Headers,
  { token, session }: NewSession,
  lifetime: number,
  secure: boolean,
): void {
  const maxAge = Math.floor(lifetime / 1000);
  headers.append("set-cookie", cookie(sessionCookie, token, { httpOnly: true, secure, maxAge }));
  headers.append("set-cookie", cookie(csrfCookie, session.csrfToken, { httpOnly: false, secure, maxAge }));
}

/** Adds to an answer what removes the cookies of a session. */
export function clearSessionCookies(headers: Headers, secure: boolean): void {
  headers.append("set-cookie", cookie(sessionCookie, "", { httpOnly: true, secure, maxAge: 0 }));
  headers.append("set-cookie", cookie(csrfCookie, "", { httpOnly: false, secure, maxAge: 0 }));
}
