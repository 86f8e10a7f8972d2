import { createHash } from "node:crypto";
import type { Database } from "../store/database.ts";
import {
  deleteLoginFailures,
  deleteOldLoginFailures,
  insertLoginFailure,
  recentLoginFailures,
} from "../store/login_failures_repository.ts";

/** When a name is locked out. */
export interface LockoutLimits {
  /** Failed logins within the window that lock a name out. */
  readonly maxAttempts: number;
  /** Milliseconds. */
  readonly window: number;
}

/**
 * Counts failed logins by user name, whether or not the user exists: a lockout must not tell. Names are kept as digests,
 * for people type passwords into the wrong field.
 */
export class Lockout {
  readonly #database: Database;
  readonly #limits: LockoutLimits;
  readonly #clock: () => number;

  constructor(database: Database, limits: LockoutLimits, clock: () => number) {
    this.#database = database;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Begins an attempt and returns 0, or returns the milliseconds until the name may try again. The attempt counts as
   * failed from the start and until {@link clear}, so that parallel guesses get no more tries than guesses in a row.
   */
  begin(username: string): number {
    const { maxAttempts, window } = this.#limits;
    const nameHash = digest(username);
    const now = this.#clock();
    const failures = recentLoginFailures(this.#database, nameHash, now - window, maxAttempts);
    if (failures.length >= maxAttempts) return failures[maxAttempts - 1] + window - now;
    insertLoginFailure(this.#database, nameHash, now);
    return 0;
  }

  /** Forgets a name's failures: after a login that succeeded, or when an administrator unlocks the account. */
  clear(username: string): void {
    deleteLoginFailures(this.#database, digest(username));
  }

  /** Milliseconds until a locked name may try again; 0 for one that is not locked. */
  lockedFor(username: string): number {
    const { maxAttempts, window } = this.#limits;
    const now = this.#clock();
    const failures = recentLoginFailures(this.#database, digest(username), now - window, maxAttempts);
    return failures.length < maxAttempts ? 0 : failures[maxAttempts - 1] + window - now;
  }

  /** Removes failures that no longer count. */
  sweep(): void {
    deleteOldLoginFailures(this.#database, this.#clock() - this.#limits.window);
  }
}

function digest(username: string): Uint8Array {
  return createHash("sha256").update(username.toLowerCase()).digest();
}
