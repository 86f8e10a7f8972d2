import type { Discovery } from "../../auth/oidc/discovery.ts";
import type { LogoutTokens } from "../../auth/oidc/logout_token.ts";
import type { SessionService } from "../../auth/sessions.ts";
import { type Sealer, SealError } from "../../secrets/seal.ts";
import type { Database } from "../../store/database.ts";
import {
  findOidcSession,
  findOidcUser,
  listOidcSessions,
  listOidcSessionsOfSid,
  type OidcSession,
} from "../../store/oidc_repository.ts";

/** What {@link ProviderSessions} works with. */
export interface ProviderSessionsDeps {
  readonly database: Database;
  readonly sessions: SessionService;
  readonly discovery: Discovery;
  readonly logoutTokens: LogoutTokens;
  readonly clientId: string;
  readonly sealer: Sealer | null;
}

/** The place that the sealed ID token of a session is bound to. */
export function idTokenPlace(sessionId: string): string {
  return `oidc_sessions/${sessionId}`;
}

/** Ends sessions here and at the identity provider together, whichever side the logout began on. */
export class ProviderSessions {
  readonly #deps: ProviderSessionsDeps;

  constructor(deps: ProviderSessionsDeps) {
    this.#deps = deps;
  }

  /**
   * Ends a session here. Resolves to where the browser has to go to end the one at the provider too, from where it comes
   * back to `returnUrl` (OpenID Connect RP-Initiated Logout 1.0); `null` for a session of another kind, a provider
   * without such a page, or one that cannot be reached.
   */
  async end(sessionId: string, returnUrl: string): Promise<URL | null> {
    const { database, sessions, discovery, clientId } = this.#deps;
    const session = findOidcSession(database, sessionId);
    const hint = session === null ? null : this.#idToken(session);
    sessions.end(sessionId);
    if (session === null) return null;
    const metadata = await discovery.metadata().catch(() => null);
    if (metadata?.end_session_endpoint === undefined || metadata.issuer !== session.issuer) return null;
    const url = new URL(metadata.end_session_endpoint);
    if (hint !== null) url.searchParams.set("id_token_hint", hint);
    url.searchParams.set("client_id", clientId);
    url.searchParams.set("post_logout_redirect_uri", returnUrl);
    return url;
  }

  /**
   * Ends the sessions that a logout token is about (OpenID Connect Back-Channel Logout 1.0): those of one session at the
   * provider, or all of a person. Returns the id of the user they were of, empty for nobody who is known here, and how
   * many there were. Throws `OidcFailure`.
   */
  async endByToken(token: string): Promise<{ userId: string; ended: number }> {
    const { database, sessions, logoutTokens } = this.#deps;
    const { issuer, subject, sid } = await logoutTokens.take(token);
    const ofSid = sid === undefined ? [] : listOidcSessionsOfSid(database, issuer, sid);
    const ofSubject = subject === undefined ? [] : listOidcSessions(database, { issuer, subject })
      // A session whose name at the provider is not known may be the one that is meant.
      .filter((session) => sid === undefined || session.sid === null);
    const found = [...ofSid, ...ofSubject];
    for (const { sessionId } of found) sessions.end(sessionId);
    const identity = { issuer, subject: subject ?? found[0]?.subject ?? "" };
    return { userId: findOidcUser(database, identity) ?? "", ended: found.length };
  }

  #idToken({ sessionId, idTokenSealed }: OidcSession): string | null {
    const { sealer } = this.#deps;
    if (sealer === null || idTokenSealed === null) return null;
    try {
      return sealer.open(idTokenSealed, idTokenPlace(sessionId));
    } catch (error) {
      // The root key has changed. The provider then asks the person who they are.
      if (error instanceof SealError) return null;
      throw error;
    }
  }
}
