import { hash, verify } from "@node-rs/argon2";

/** The library declares its algorithms as a const enum, which modules compiled one by one cannot read. */
const argon2id = 2;

/** RFC 9106's second recommended option: 64 MiB of memory, three passes, one lane. */
const parameters = { algorithm: argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 1 };

/** Longest password that is taken, in characters: what it costs to hash must not depend on the sender's patience. */
export const maxPasswordLength = 1024;

/** Hashes a password with argon2id on a thread of the runtime's pool. Returns a PHC string `$argon2id$…`. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/**
 * Checks passwords, at most two at once: each check takes 64 MiB and a core, and a wave of logins must not take the
 * machine from the requests of those who are signed in.
 */
export class PasswordVerifier {
  readonly #decoyHash: string;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  private constructor(decoyHash: string) {
    this.#decoyHash = decoyHash;
  }

  /** Makes a verifier with a hash of its own, against which the passwords of unknown users are checked. */
  static async create(): Promise<PasswordVerifier> {
    return new PasswordVerifier(await hashPassword(crypto.randomUUID()));
  }

  /**
   * Whether `password` belongs to `passwordHash`. Takes the same time when there is no hash, so that an answer's time
   * does not tell whether a user exists.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    if (this.#running >= 2) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#running++;
    try {
      const matches = await verify(passwordHash ?? this.#decoyHash, password.slice(0, maxPasswordLength + 1));
      return matches && passwordHash !== null;
    } finally {
      this.#running--;
      this.#queue.shift()?.();
    }
  }
}
