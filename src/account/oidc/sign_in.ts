import type { OidcClient, SignedInPerson } from "../../auth/oidc/client.ts";
import type { PendingLogin, PendingLogins } from "../../auth/oidc/pending_logins.ts";
import { decidesRoles, type RoleMapping } from "../../auth/oidc/roles.ts";
import type { NewSession, SessionService } from "../../auth/sessions.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Database } from "../../store/database.ts";
import { insertOidcSession } from "../../store/oidc_repository.ts";
import { identityOf, lacksClaims } from "./external_identity.ts";
import type { OidcProvisioning, ProvisionedUser } from "./provisioning.ts";
import { idTokenPlace } from "./provider_sessions.ts";

/** What {@link OidcSignIn} works with. */
export interface OidcSignInDeps {
  readonly database: Database;
  readonly client: OidcClient;
  readonly pending: PendingLogins;
  readonly provisioning: OidcProvisioning;
  readonly sessions: SessionService;
  /** Seals ID tokens; without it they are not kept. */
  readonly sealer: Sealer | null;
  /** Name of the claim with the groups, or empty. */
  readonly roleClaim: string;
  readonly roleMapping: RoleMapping;
}

/** A person who has signed in. */
export interface OidcSignInResult extends ProvisionedUser {
  readonly session: NewSession;
}

/** A longer ID token is not kept: it would have to fit in a URL at logout. In characters. */
const maxKeptIdToken = 6_000;

/** Signs in people by way of the identity provider. */
export class OidcSignIn {
  readonly #deps: OidcSignInDeps;

  constructor(deps: OidcSignInDeps) {
    this.#deps = deps;
  }

  /**
   * Begins a sign-in: where to send the browser, and the value of the cookie that it has to come back with. Throws
   * `OidcFailure`.
   */
  async begin(redirectUri: string, next: string): Promise<{ url: URL; state: string; cookie: string }> {
    const { url, login } = await this.#deps.client.begin(redirectUri, next);
    return { url, state: login.state, cookie: this.#deps.pending.seal(login) };
  }

  /** The sign-in that the callback with `state` belongs to; good once. Throws `OidcFailure`. */
  resume(state: string, cookie: string | null): PendingLogin {
    return this.#deps.pending.take(state, cookie);
  }

  /** Ends a sign-in with the callback's query and starts a session. Throws `OidcFailure`. */
  async finish(
    callback: URLSearchParams,
    login: PendingLogin,
    client: { readonly ip: string; readonly userAgent: string },
  ): Promise<OidcSignInResult> {
    const { provisioning, sessions } = this.#deps;
    const person = await this.#deps.client.finish(callback, login);
    const provisioned = provisioning.provision(await this.#identity(person));
    const session = sessions.create(provisioned.user, client.ip, client.userAgent);
    this.#noteSession(session.session.id, person);
    return { ...provisioned, session };
  }

  async #identity(person: SignedInPerson) {
    const { roleClaim, roleMapping } = this.#deps;
    const neededClaim = decidesRoles(roleMapping) ? roleClaim : "";
    const sources = [person.claims];
    if (lacksClaims(person.claims, neededClaim)) sources.push(await person.userinfo());
    return identityOf(person, sources, roleClaim);
  }

  #noteSession(sessionId: string, { issuer, subject, sid, idToken }: SignedInPerson): void {
    const { database, sealer } = this.#deps;
    const idTokenSealed = sealer === null || idToken.length > maxKeptIdToken
      ? null
      : sealer.seal(idToken, idTokenPlace(sessionId));
    insertOidcSession(database, { sessionId, issuer, subject, sid, idTokenSealed });
  }
}
