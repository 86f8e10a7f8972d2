import {
  type AuthorizationServer,
  INVALID_RESPONSE,
  KEY_SELECTION,
  OperationProcessingError,
} from "oauth4webapi";
import type { ProviderMetadata } from "./discovery.ts";

/** Keys are not fetched out of turn more often than this, in milliseconds: tokens of strangers must not cause a flood. */
const coolDown = 10_000;

/**
 * The provider's keys. The library keeps them for five minutes by the identity of the metadata object that it is given;
 * a new object makes it fetch them anew.
 */
export class SigningKeys {
  readonly #clock: () => number;
  #source: ProviderMetadata | null = null;
  #metadata: AuthorizationServer | null = null;
  #refetchedAt = -Infinity;

  /** `clock` tells milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * Runs `verify`, which checks signatures with the keys of the metadata it is given. When it knows no key that fits, as
   * after the provider has changed them, it is run once more with keys fetched anew. Throws what `verify` throws.
   */
  async verify<T>(
    source: ProviderMetadata,
    verify: (metadata: AuthorizationServer) => Promise<T>,
  ): Promise<T> {
    if (this.#metadata === null || this.#source !== source) {
      this.#source = source;
      this.#metadata = { ...source };
    }
    try {
      return await verify(this.#metadata);
    } catch (error) {
      const now = this.#clock();
      if (!mayBeOutdated(error) || now - this.#refetchedAt < coolDown) throw error;
      this.#refetchedAt = now;
      this.#metadata = { ...source };
      return await verify(this.#metadata);
    }
  }
}

/** Whether other keys may be what is missing: none fits, or one without a name fits and the signature is another's. */
function mayBeOutdated(error: unknown): boolean {
  return error instanceof OperationProcessingError &&
    (error.code === KEY_SELECTION || error.code === INVALID_RESPONSE);
}
