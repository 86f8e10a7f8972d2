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
 * Makes and checks hashes, at most two at once: each takes 64 MiB and a core, and a wave of sign-ins or registrations must
 * not take the machine from those who are signed in.
 */
export class PasswordHasher {
  readonly #decoyHash: string;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  private constructor(decoyHash: string) {
    this.#decoyHash = decoyHash;
  }

  /** Makes a hasher with a hash of its own, against which the passwords of unknown users are checked. */
  static async create(): Promise<PasswordHasher> {
    return new PasswordHasher(await hashPassword(crypto.randomUUID()));
  }

  /** As {@link hashPassword}, in its turn. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password));
  }

  /**
   * Whether `password` belongs to `passwordHash`. Takes the same time when there is no hash, so that an answer's time
   * does not tell whether a user exists.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const tried = password.slice(0, maxPasswordLength + 1);
    const matches = await this.#inTurn(() => verify(passwordHash ?? this.#decoyHash, tried));
    return matches && passwordHash !== null;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < 2) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place is handed on, not freed, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
