import type { PasswordHasher } from "../../auth/passwords.ts";
import { WindowLimiter } from "../../http/window_limiter.ts";
import { badRequest, Problem, tooMany } from "../../problem.ts";
import type { Share } from "../share.ts";
import type { ShareContext, ShareGate } from "./gate.ts";
import type { SharePasses } from "./passes.ts";

/** What {@link ShareUnlocking} works with. */
export interface ShareUnlockingDeps {
  readonly gate: ShareGate;
  readonly passes: SharePasses;
  readonly hasher: PasswordHasher;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Wrong passwords that one share takes from all addresses together. */
const guessLimit = { max: 20, window: 15 * 60_000 };

/** Checks the passwords of shares. */
export class ShareUnlocking {
  readonly #deps: ShareUnlockingDeps;
  readonly #guesses: WindowLimiter;

  constructor(deps: ShareUnlockingDeps) {
    this.#deps = deps;
    this.#guesses = new WindowLimiter(guessLimit, deps.clock);
  }

  /**
   * Checks a password and returns the `Set-Cookie` that unlocks the share, or `null` for a share that needs none. Throws 401
   * `password_mismatch` with how many tries are left for now, 429 `rate_limited`, and why the share cannot be used: 404, 410.
   */
  async unlock(context: ShareContext, password: string | undefined): Promise<string | null> {
    const { gate, passes, hasher } = this.#deps;
    const found = gate.find(context);
    gate.limit(context.client, "access");
    const share = gate.requireUsable(found);
    if (share.passwordHash === null) return null;
    if (password === undefined) throw badRequest("password: is missing", { field: "password" });
    const accept = this.#beginGuess(share);
    if (!await hasher.verify(share.passwordHash, password)) {
      const left = Math.min(this.#guesses.left(String(share.id)), gate.left(context.client, "access"));
      throw new Problem(401, "password_mismatch", "The password is not right.", {
        detail: { tries_left: left },
      });
    }
    accept();
    return passes.unlock(share, context.client.secure);
  }

  /**
   * Begins a guess, which counts as wrong until the function that is returned is called: parallel guesses get no more tries
   * than guesses in a row.
   */
  #beginGuess({ id }: Share): () => void {
    const wait = this.#guesses.take(String(id));
    if (wait > 0) {
      throw tooMany(wait / 1000, "Too many wrong passwords were given for this link. Try again later.");
    }
    return () => this.#guesses.giveBack(String(id));
  }
}
