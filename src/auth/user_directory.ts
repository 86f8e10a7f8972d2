import type { Database } from "../store/database.ts";
import { findUser, type StoredUser, updateUser, type UserChanges } from "../store/users_repository.ts";

/**
 * Users by id, from memory: every request asks for one. Every change to a user that exists goes through here, so that
 * it is in force at the very next request.
 */
export class UserDirectory {
  readonly #database: Database;
  readonly #cache = new Map<string, StoredUser>();
  readonly #listeners: ((id: string) => void)[] = [];

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

  /** Forgets a user that was removed. */
  forget(id: string): void {
    this.#cache.delete(id);
    for (const listener of this.#listeners) listener(id);
  }

  /** Calls `listener` with the id of each user that was removed. */
  onRemove(listener: (id: string) => void): void {
    this.#listeners.push(listener);
  }
}
