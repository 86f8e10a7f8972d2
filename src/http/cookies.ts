/** The cookie that holds the opaque session token. */
export const sessionCookie = "service_session";

/** The cookie, readable by script, whose value a mutation repeats in `X-CSRF-Token`. */
export const csrfCookie = "service_csrf";

/** The cookie that lets the sign-in page tell whoever has just signed out that this is done. */
export const signedOutCookie = "service_signed_out";

/** Attributes that differ from cookie to cookie; every cookie has `SameSite=Lax`. */
export interface CookieOptions {
  readonly httpOnly: boolean;
  readonly secure: boolean;
  /** Seconds; 0 removes the cookie. */
  readonly maxAge: number;
  /** `/` unless told. */
  readonly path?: string;
}

/** The value of a request's cookie, or `null`. Of several with the same name the first counts (RFC 6265, 5.4). */
export function readCookie(headers: Headers, name: string): string | null {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const separator = pair.indexOf("=");
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim();
  }
  return null;
}

/** A `Set-Cookie` value (RFC 6265, 4.1). `value` must hold no control characters, commas, semicolons or spaces. */
export function cookie(name: string, value: string, options: CookieOptions): string {
  return `${name}=${value}; Path=${options.path ?? "/"}; SameSite=Lax; Max-Age=${options.maxAge}` +
    (options.httpOnly ? "; HttpOnly" : "") + (options.secure ? "; Secure" : "");
}
