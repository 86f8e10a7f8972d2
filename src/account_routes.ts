import { ProviderSessions } from "./account/oidc/provider_sessions.ts";
import { OidcProvisioning } from "./account/oidc/provisioning.ts";
import { oidcRoutes, type OidcServices } from "./account/oidc/routes.ts";
import { OidcSignIn } from "./account/oidc/sign_in.ts";
import { meRoutes } from "./account/me_routes.ts";
import { registrationRoutes } from "./account/registration_routes.ts";
import { signInRoutes } from "./account/sign_in_routes.ts";
import type { Accounts } from "./accounts.ts";
import { OidcClient } from "./auth/oidc/client.ts";
import { Discovery } from "./auth/oidc/discovery.ts";
import { LogoutTokens } from "./auth/oidc/logout_token.ts";
import { PendingLogins } from "./auth/oidc/pending_logins.ts";
import { SigningKeys } from "./auth/oidc/signing_keys.ts";
import { PasswordSignIn } from "./auth/sign_in.ts";
import type { StaticAccount } from "./auth/static_account.ts";
import type { AuthConfig, Config } from "./config/schema.ts";
import type { ClientAddress } from "./http/client_address.ts";
import { ownOrigin } from "./http/origin.ts";
import type { Route } from "./http/route.ts";
import { WindowLimiter } from "./http/window_limiter.ts";
import type { Logger } from "./logging/logger.ts";
import type { Sealer } from "./secrets/seal.ts";
import type { Database } from "./store/database.ts";
import { deleteSessionsOfOtherIssuers } from "./store/oidc_repository.ts";
import { deleteSessionsOfSource } from "./store/sessions_repository.ts";
import { userRoutes } from "./users/routes.ts";
import { userSessionRoutes } from "./users/session_routes.ts";

/** What {@link buildAccountRoutes} works with. */
export interface AccountRoutesDeps {
  readonly config: Config;
  readonly database: Database;
  readonly accounts: Accounts;
  /** The configured account, or `null` when that mode is off. */
  readonly staticAccount: StaticAccount | null;
  readonly sealer: Sealer | null;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Attempts to sign in by client address: fixed by the specification. */
const signInLimit = { max: 10, window: 15 * 60_000 };

/** Whether people can make local accounts for themselves. */
export function allowsSelfRegistration({ modes, local }: AuthConfig): boolean {
  return modes.includes("local") && local.allow_self_registration;
}

/** Builds what signs people in and the routes about accounts: one's own and, for administrators, those of others. */
export function buildAccountRoutes(deps: AccountRoutesDeps): Route[] {
  const { config: { auth, server }, database, accounts, staticAccount, clock } = deps;
  const { directory, sessions, lockout, hasher, users } = accounts;
  const localEnabled = auth.modes.includes("local");
  const signIn = new PasswordSignIn({
    database,
    users: directory,
    sessions,
    lockout,
    hasher,
    localEnabled,
    staticAccount,
    clock,
  });
  const oidc = auth.modes.includes("oidc") ? buildOidc(deps) : null;
  // Nobody vouches for them any more.
  if (!localEnabled) deleteSessionsOfSource(database, "local");
  if (oidc === null) deleteSessionsOfSource(database, "oidc");
  else deleteSessionsOfOtherIssuers(database, oidc.issuer);
  const limiter = new WindowLimiter(signInLimit, clock);
  const sessionLifetime = auth.session.lifetime;
  const ownUrl = (client: ClientAddress) => server.public_url || ownOrigin(client, null);
  return [
    ...signInRoutes({
      signIn,
      sessions,
      limiter,
      sessionLifetime,
      async endSession(id, client) {
        if (oidc !== null) return await oidc.providerSessions.end(id, `${ownUrl(client)}/login`);
        sessions.end(id);
        return null;
      },
    }),
    ...oidcRoutes({ oidc, sessions, limiter, sessionLifetime, ownUrl }),
    ...registrationRoutes({
      users,
      modes: auth.modes,
      allowed: allowsSelfRegistration(auth),
      requireApproval: auth.local.require_admin_approval,
      limiter: new WindowLimiter(signInLimit, clock),
    }),
    ...meRoutes({ users, sessions }),
    ...userRoutes({ users }),
    ...userSessionRoutes({ users }),
  ];
}

function buildOidc({ config, database, accounts, sealer, logger, clock }: AccountRoutesDeps): OidcServices {
  const { issuer, client_id: clientId, client_secret, scopes, role_claim, role_mapping } = config.auth.oidc;
  const { directory: users, sessions } = accounts;
  const discovery = new Discovery({ issuer, logger, clock });
  const keys = new SigningKeys(clock);
  const signIn = new OidcSignIn({
    database,
    client: new OidcClient({ discovery, keys, clientId, clientSecret: client_secret, scopes, clock }),
    pending: new PendingLogins(clock),
    provisioning: new OidcProvisioning({ database, users, sessions, roleMapping: role_mapping, clock }),
    sessions,
    sealer,
    roleClaim: role_claim,
    roleMapping: role_mapping,
  });
  const logoutTokens = new LogoutTokens({ discovery, keys, clientId, clock });
  const providerSessions = new ProviderSessions({
    database,
    sessions,
    discovery,
    logoutTokens,
    clientId,
    sealer,
  });
  return { issuer, signIn, providerSessions };
}
