import type { Database } from "../store/database.ts";
import { findUser, type StoredUser, updateUser, type UserChanges } from "../store/users_repository.ts";

/** What users have in other parts of the program, and what goes with them. */
export const belongingKinds = ["shares", "s3_credentials", "jobs", "pins"] as const;

/** One of {@link belongingKinds}. */
export type BelongingKind = typeof belongingKinds[number];

/** How many of each kind a user has. */
export type BelongingCounts = Readonly<Record<BelongingKind, number>>;

/** A part of the program that keeps something for users. */
export interface Belongings {
  /** How many a user has that are still good for something. */
  count(userId: string): number;
  /** Called when the user was removed, and with them every row that refers to them by a foreign key. */
  remove?(userId: string): void;
}

/**
 * Users by id, from memory: every request asks for one. Every change to a user that exists goes through here, so that
 * it is in force at the very next request.
 */
export class UserDirectory {
  readonly #database: Database;
  readonly #cache = new Map<string, StoredUser>();
  readonly #belongings = new Map<BelongingKind, Belongings>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The user with this id, or `null`. */
  find(id: string): StoredUser | null {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const user = findUser(this.#database, id);
    if (user !== null) this.#cache.set(id, user);
    return user;
  }

  /** Changes fields of a user. */
  update(id: string, changes: UserChanges): void {
    updateUser(this.#database, id, changes);
    this.#cache.delete(id);
  }

  /** Forgets a user that was removed, and what belongs to them. */
  forget(id: string): void {
    this.#cache.delete(id);
    for (const { remove } of this.#belongings.values()) remove?.(id);
  }

  /** Makes known what users have somewhere else. */
  addBelongings(kind: BelongingKind, belongings: Belongings): void {
    this.#belongings.set(kind, belongings);
  }

  /** How much of each kind a user has. */
  belongings(id: string): BelongingCounts {
    const counts = belongingKinds.map((kind) => [kind, this.#belongings.get(kind)?.count(id) ?? 0]);
    return Object.fromEntries(counts) as Record<BelongingKind, number>;
  }
}
