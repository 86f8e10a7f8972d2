import { errorMessage } from "../../error_message.ts";
import type { Logger } from "../../logging/logger.ts";
import {
  deleteCredentialUses,
  listCredentialUses,
  storeCredentialUses,
} from "../../store/credential_uses_repository.ts";
import type { Database } from "../../store/database.ts";

/** What {@link CredentialUses} works with. */
export interface CredentialUsesDeps {
  readonly database: Database;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Milliseconds between two writes: a use is told at once, but after a crash the last of them may be forgotten. */
const storeInterval = 60_000;

/** A credential that was not used for so long, in milliseconds, is as good as one that never was. */
const forgottenAfter = 400 * 86_400_000;

/**
 * When each credential was last used: signed requests whose signature was right, also those that were refused for another
 * reason. Kept in memory, and written once a minute, since there may be thousands of requests a second.
 */
export class CredentialUses {
  readonly #deps: CredentialUsesDeps;
  readonly #lastUses: Map<string, number>;
  readonly #unstored = new Set<string>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(deps: CredentialUsesDeps) {
    this.#deps = deps;
    deleteCredentialUses(deps.database, deps.clock() - forgottenAfter);
    this.#lastUses = listCredentialUses(deps.database);
    this.#timer = setInterval(() => this.#store(), storeInterval);
  }

  /** A credential has been used. */
  note(accessKeyId: string): void {
    this.#lastUses.set(accessKeyId, this.#deps.clock());
    this.#unstored.add(accessKeyId);
  }

  /** When a credential was last used, in milliseconds since the epoch; `undefined` for never. */
  lastUse(accessKeyId: string): number | undefined {
    return this.#lastUses.get(accessKeyId);
  }

  /** Writes what is not written yet, and writes no more. */
  close(): void {
    clearInterval(this.#timer);
    this.#store();
  }

  #store(): void {
    if (this.#unstored.size === 0) return;
    const ids = [...this.#unstored];
    this.#unstored.clear();
    try {
      storeCredentialUses(this.#deps.database, ids.map((id) => [id, this.#lastUses.get(id) ?? 0]));
    } catch (error) {
      for (const id of ids) this.#unstored.add(id);
      this.#deps.logger.warn("when S3 credentials were last used could not be stored", {
        reason: errorMessage(error),
      });
    }
  }
}
