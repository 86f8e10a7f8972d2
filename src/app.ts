import { randomUUID } from "node:crypto";
import { meRoutes } from "./account/me_routes.ts";
import { registrationRoutes } from "./account/registration_routes.ts";
import { signInRoutes } from "./account/sign_in_routes.ts";
import { type Accounts, buildAccounts } from "./accounts.ts";
import { auditRoutes } from "./audit/routes.ts";
import { AuditService } from "./audit/service.ts";
import { AuditWriter } from "./audit/writer.ts";
import { PasswordSignIn } from "./auth/sign_in.ts";
import { type StaticAccount, storeStaticAccount } from "./auth/static_account.ts";
import type { Config } from "./config/schema.ts";
import { Pipeline } from "./http/pipeline.ts";
import { problemResponse } from "./http/problem_response.ts";
import { RateLimiter } from "./http/rate_limiter.ts";
import type { Route } from "./http/route.ts";
import { Router } from "./http/router.ts";
import type { Handler } from "./http/server.ts";
import { WindowLimiter } from "./http/window_limiter.ts";
import type { Logger } from "./logging/logger.ts";
import { loadRootKeyFile } from "./secrets/root_key.ts";
import { Sealer } from "./secrets/seal.ts";
import { Database } from "./store/database.ts";
import { hasUsers } from "./store/users_repository.ts";
import { userRoutes } from "./users/routes.ts";

/** What {@link createApp} takes from the outer world. */
export interface AppOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The running program behind its listeners. */
export interface App {
  readonly handle: Handler;
  readonly accounts: Accounts;
  /** Whether there is any user at all. */
  hasUsers(): boolean;
  /** Stops background work, writes what is queued and closes the database. */
  close(): void;
}

/** Attempts to sign in by client address: fixed by the specification. */
const signInLimit = { max: 10, window: 15 * 60_000 };

const minute = 60_000;

/** Builds every service once and wires them. Throws when the database, the root key or a static file cannot be read. */
export async function createApp({ config, logger, clock }: AppOptions): Promise<App> {
  const database = new Database(config.db.sqlite.path);
  try {
    return await wire(database, { config, logger, clock });
  } catch (error) {
    database.close();
    throw error;
  }
}

async function wire(database: Database, { config, logger, clock }: AppOptions): Promise<App> {
  const { auth, server, ratelimit } = config;
  const staticAccount = staticAccountOf(config);
  storeStaticAccount(database, staticAccount, clock());
  const accounts = await buildAccounts(database, auth, clock);
  const { directory, sessions, lockout, verifier, users } = accounts;
  const writer = new AuditWriter(database, logger);
  const audit = new AuditService(database, directory, writer);
  const sealer = await openSealer(config);
  const localEnabled = auth.modes.includes("local");
  const signIn = new PasswordSignIn({
    database,
    users: directory,
    sessions,
    lockout,
    verifier,
    localEnabled,
    staticAccount,
    clock,
  });
  const sessionLifetime = auth.session.lifetime;
  const routes: Route[] = [
    ...signInRoutes({ signIn, sessions, limiter: new WindowLimiter(signInLimit, clock), sessionLifetime }),
    ...registrationRoutes({
      users,
      modes: auth.modes,
      allowed: auth.local.allow_self_registration,
      requireApproval: auth.local.require_admin_approval,
      limiter: new WindowLimiter(signInLimit, clock),
    }),
    ...meRoutes({ users, sessions }),
    ...userRoutes({ users }),
    ...auditRoutes({ audit }),
  ];
  const pipeline = new Pipeline({
    router: new Router(routes),
    sessions,
    audit: writer,
    logger,
    apiLimiter: ratelimit.api_per_minute === 0
      ? null
      : new RateLimiter({ burst: ratelimit.api_per_minute, window: minute }, clock),
    trustedProxies: server.trusted_proxies,
    publicOrigin: server.public_url === "" ? null : new URL(server.public_url).origin,
    sessionLifetime,
    clock,
    newRequestId: randomUUID,
    staticFile: () => null,
    errorPage: (problem) => problemResponse(problem),
  });
  const sweeper = setInterval(() => {
    sessions.sweep();
    lockout.sweep();
  }, minute);
  return {
    handle: pipeline.handle,
    accounts,
    hasUsers: () => hasUsers(database),
    close() {
      clearInterval(sweeper);
      writer.flush();
      sessions.sweep();
      database.close();
    },
  };
}

/** The static account, when the configuration uses it. */
function staticAccountOf({ auth }: Config): StaticAccount | null {
  const { username, password_hash: passwordHash } = auth.static;
  return passwordHash === undefined ? null : { username, passwordHash };
}

/** What seals secrets: `null` without a root key. `SERVICE_SECRET_KEY` goes before the file. */
async function openSealer({ root_key, server }: Config): Promise<Sealer | null> {
  if (root_key !== undefined) return new Sealer(root_key);
  return server.secret_key_file === "" ? null : new Sealer(await loadRootKeyFile(server.secret_key_file));
}
