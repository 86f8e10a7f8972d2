import { hash, verify } from "@node-rs/argon2";
import { randomBytes } from "node:crypto";
import { Turns } from "../turns.ts";

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
  readonly #decoyHash = decoyHash();
  readonly #turns = new Turns(2);

  /** As {@link hashPassword}, in its turn. */
  hash(password: string): Promise<string> {
    return this.#turns.run(() => hashPassword(password));
  }

  /**
   * Whether `password` belongs to `passwordHash`. Takes the same time when there is no hash, so that an answer's time
   * does not tell whether a user exists.
   */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const tried = password.slice(0, maxPasswordLength + 1);
    const matches = await this.#turns.run(() => verify(passwordHash ?? this.#decoyHash, tried));
    return matches && passwordHash !== null;
  }
}

/**
 * What the passwords of unknown users are checked against: a salt and a digest at random, which no password is known to
 * have. Checking one against it takes as long as against the hash of a user, and making it takes no time.
 */
function decoyHash(): string {
  const { memoryCost, timeCost, parallelism } = parameters;
  const [salt, digest] = [randomBytes(16), randomBytes(32)].map(phcBase64);
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}

/** Base64 as in PHC strings: without padding. */
function phcBase64(bytes: Uint8Array): string {
  return bytes.toBase64({ omitPadding: true });
}
