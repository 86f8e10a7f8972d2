import type { CredentialScope } from "./canonical.ts";
import type { HmacKey } from "./hmac_key.ts";

interface Entry {
  readonly secretKey: string;
  readonly key: HmacKey;
}

/**
 * Derived signing keys of those who signed before: deriving one costs four HMACs. An entry is bound to its secret key, so
 * that a rotated one counts at once, and only so many are kept, the latest made.
 */
export class SigningKeyCache {
  readonly #capacity: number;
  /** In order of insertion. */
  readonly #entries = new Map<string, Entry>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The kept key, or `undefined`. */
  find(accessKeyId: string, scope: CredentialScope, secretKey: string): HmacKey | undefined {
    const entry = this.#entries.get(cacheKey(accessKeyId, scope));
    return entry?.secretKey === secretKey ? entry.key : undefined;
  }

  /** Keeps a key, in place of the oldest one when there are too many. */
  keep(accessKeyId: string, scope: CredentialScope, secretKey: string, key: HmacKey): void {
    if (this.#entries.size >= this.#capacity) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    this.#entries.set(cacheKey(accessKeyId, scope), { secretKey, key });
  }
}

function cacheKey(accessKeyId: string, { date, region }: CredentialScope): string {
  return `${accessKeyId}/${date}/${region}`;
}
