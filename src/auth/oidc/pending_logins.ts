import { Buffer } from "node:buffer";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { OidcFailure } from "./failure.ts";

/** A sign-in that was begun here and goes on at the identity provider. */
export interface PendingLogin {
  /** Comes back with the browser; ties what comes back to the cookie. */
  readonly state: string;
  /** Comes back in the ID token; ties the token to this sign-in. */
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636). */
  readonly verifier: string;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  /** Where the person wants to go, a path of this site. */
  readonly next: string;
}

/** How long a sign-in at the provider may take, in milliseconds. */
export const pendingLoginLifetime = 10 * 60_000;

/** A longer path does not fit in a cookie, of which browsers keep 4096 bytes (RFC 6265, section 6.1). */
const maxNextLength = 2048;

/**
 * Sign-ins under way. What is known of one is in a cookie of the browser that began it, signed with a key that only this
 * process has; here is only which ones have come back, so that none can come back twice.
 */
export class PendingLogins {
  readonly #key = randomBytes(32);
  readonly #clock: () => number;
  /** When the cookie of each used state expires. */
  readonly #used = new Map<string, number>();

  /** `clock` tells milliseconds since the epoch. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The cookie's value for a sign-in that begins now. */
  seal(login: PendingLogin): string {
    const next = login.next.length > maxNextLength ? "/" : login.next;
    const expiresAt = this.#clock() + pendingLoginLifetime;
    const content = Buffer.from(JSON.stringify({ ...login, next, expiresAt })).toString("base64url");
    return `${content}.${this.#sign(content).toString("base64url")}`;
  }

  /**
   * The sign-in with `state` behind the cookie's value, once. Throws {@link OidcFailure} `state_invalid` for one that is
   * not there, was not made here, belongs to another state, is too old, or was taken before.
   */
  take(state: string, sealed: string | null): PendingLogin {
    if (sealed === null) throw stateInvalid("there is no such sign-in under way in this browser");
    const [content, signature = ""] = sealed.split(".");
    const expected = this.#sign(content);
    const given = Buffer.from(signature, "base64url");
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw stateInvalid("the cookie was not made by this process");
    }
    const { expiresAt, ...login }: PendingLogin & { expiresAt: number } = JSON.parse(
      Buffer.from(content, "base64url").toString(),
    );
    if (login.state !== state) throw stateInvalid("the state is of another sign-in");
    const now = this.#clock();
    if (expiresAt <= now) throw stateInvalid("the sign-in took too long");
    for (const [used, until] of this.#used) if (until <= now) this.#used.delete(used);
    if (this.#used.has(state)) throw stateInvalid("the state was used before");
    this.#used.set(state, expiresAt);
    return login;
  }

  #sign(content: string) {
    return createHmac("sha256", this.#key).update(content).digest();
  }
}

function stateInvalid(why: string): OidcFailure {
  return new OidcFailure("state_invalid", `The answer cannot be used: ${why}.`);
}
