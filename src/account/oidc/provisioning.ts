import { randomUUID } from "node:crypto";
import { OidcFailure } from "../../auth/oidc/failure.ts";
import { decidesRoles, type RoleMapping, roleOfGroups } from "../../auth/oidc/roles.ts";
import type { Role, User } from "../../auth/principal.ts";
import type { SessionService } from "../../auth/sessions.ts";
import type { UserDirectory } from "../../auth/user_directory.ts";
import type { Database } from "../../store/database.ts";
import { findOidcUser, insertOidcIdentity } from "../../store/oidc_repository.ts";
import {
  countEnabledAdmins,
  findUserByEmail,
  findUserByName,
  insertUser,
  type StoredUser,
} from "../../store/users_repository.ts";
import type { ExternalIdentity } from "./external_identity.ts";

/** What {@link OidcProvisioning} works with. */
export interface OidcProvisioningDeps {
  readonly database: Database;
  readonly users: UserDirectory;
  readonly sessions: SessionService;
  readonly roleMapping: RoleMapping;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The user that a person from the identity provider is here. */
export interface ProvisionedUser {
  readonly user: User;
  /** Whether the person was here before, is new, or got a local account that was there. */
  readonly outcome: "known" | "created" | "linked";
  /** Whether the user stays an administrator only because there is no other. */
  readonly keptAsLastAdmin: boolean;
}

/**
 * Finds or makes the users of people who sign in at the identity provider, by issuer and subject. The provider's word
 * on roles, as far as they are mapped, and on the e-mail address is taken over at each sign-in; the user name stays.
 */
export class OidcProvisioning {
  readonly #deps: OidcProvisioningDeps;

  constructor(deps: OidcProvisioningDeps) {
    this.#deps = deps;
  }

  /**
   * The user of a person. Throws {@link OidcFailure} `user_disabled` or `no_role`, and has then changed nothing; but whoever
   * has lost their role is signed out everywhere.
   */
  provision(identity: ExternalIdentity): ProvisionedUser {
    const { database, users, sessions } = this.#deps;
    const knownId = findOidcUser(database, identity);
    const known = knownId === null ? null : users.find(knownId);
    try {
      return database.transaction(() => this.#provision(known, identity));
    } catch (error) {
      if (known !== null && error instanceof OidcFailure && error.reason === "no_role") {
        sessions.endAll(known.id);
      }
      throw error;
    }
  }

  #provision(known: StoredUser | null, identity: ExternalIdentity): ProvisionedUser {
    if (known !== null) return { ...this.#refresh(known, identity), outcome: "known" };
    const local = this.#linkable(identity);
    if (local !== null) return { ...this.#link(local, identity), outcome: "linked" };
    return { user: this.#create(identity), outcome: "created", keptAsLastAdmin: false };
  }

  /**
   * The local account with the person's address, if the provider vouches for it and an administrator gave it to the account.
   * Others are not linked: whoever registered with somebody else's address would leave what they made there, such as shares
   * and credentials, in the hands of its owner's account; and the static one is the configuration's.
   */
  #linkable({ email, emailVerified }: ExternalIdentity): StoredUser | null {
    if (email === null || !emailVerified) return null;
    const user = findUserByEmail(this.#deps.database, email);
    return user?.identitySource === "local" && user.emailVouched ? user : null;
  }

  /**
   * Makes a local account that of a person. Its password and its sessions end: nobody has checked that whoever made
   * the account owns the address, and they must not share it with its owner from now on.
   */
  #link(local: StoredUser, identity: ExternalIdentity) {
    const { database, users, sessions, clock } = this.#deps;
    const refreshed = this.#refresh(local, identity);
    insertOidcIdentity(database, identity, local.id, clock());
    users.update(local.id, { identitySource: "oidc", passwordHash: null, mustChangePassword: false });
    sessions.endAll(local.id);
    return { ...refreshed, user: this.#stored(local.id) };
  }

  #refresh(user: StoredUser, identity: ExternalIdentity) {
    const { users, clock } = this.#deps;
    if (!user.enabled) {
      throw new OidcFailure("user_disabled", "The user is disabled.", {
        userId: user.id,
        subject: identity.subject,
      });
    }
    const granted = this.#roleOf(identity, user.role, user.id);
    const keptAsLastAdmin = user.role === "admin" && granted !== "admin" &&
      countEnabledAdmins(this.#deps.database) === 1;
    users.update(user.id, {
      role: keptAsLastAdmin ? user.role : granted,
      ...this.#emailOf(identity, user),
      lastLoginAt: clock(),
    });
    return { user: this.#stored(user.id), keptAsLastAdmin };
  }

  #create(identity: ExternalIdentity): User {
    const { database, clock } = this.#deps;
    const now = clock();
    const user: StoredUser = {
      id: randomUUID(),
      username: this.#freeName(identity.username),
      email: this.#freeEmail(identity, ""),
      emailVouched: identity.emailVerified,
      role: this.#roleOf(identity, "readonly"),
      identitySource: "oidc",
      passwordHash: null,
      enabled: true,
      mustChangePassword: false,
      createdAt: now,
      lastLoginAt: now,
    };
    insertUser(database, user);
    insertOidcIdentity(database, identity, user.id, now);
    return user;
  }

  /** The role of the person's groups; `current`, which administrators may change here, where no group gives any. */
  #roleOf({ groups, subject }: ExternalIdentity, current: Role, userId?: string): Role {
    const { roleMapping } = this.#deps;
    if (!decidesRoles(roleMapping)) return current;
    const role = roleOfGroups(groups, roleMapping);
    if (role === null) {
      throw new OidcFailure("no_role", "None of the groups has a role.", { userId, subject });
    }
    return role;
  }

  /** `name`, or the first of `name-2`, `name-3` and so on that nobody has. */
  #freeName(name: string): string {
    const { database } = this.#deps;
    for (let number = 1;; number++) {
      const suffix = number === 1 ? "" : `-${number}`;
      const candidate = name.slice(0, 64 - suffix.length) + suffix;
      if (findUserByName(database, candidate) === null) return candidate;
    }
  }

  /** The address that a known user has from now on: the person's, or, where another user keeps that, the one they had. */
  #emailOf(identity: ExternalIdentity, user: StoredUser): Pick<StoredUser, "email" | "emailVouched"> {
    const email = this.#freeEmail(identity, user.id);
    return email === null
      ? { email: user.email, emailVouched: user.emailVouched }
      : { email, emailVouched: identity.emailVerified };
  }

  /**
   * The person's address, unless another user has it. When the provider vouches for it, it is taken from a user who came from
   * the provider too or gave it of themselves: they may have done so to be taken for its owner.
   */
  #freeEmail({ email, emailVerified }: ExternalIdentity, userId: string): string | null {
    if (email === null) return null;
    const holder = findUserByEmail(this.#deps.database, email);
    if (holder === null || holder.id === userId) return email;
    if (!emailVerified || (holder.identitySource !== "oidc" && holder.emailVouched)) return null;
    this.#deps.users.update(holder.id, { email: null, emailVouched: false });
    return email;
  }

  #stored(id: string): User {
    const user = this.#deps.users.find(id);
    if (user === null) throw new Error("a user is gone within the transaction that changed it");
    return user;
  }
}
