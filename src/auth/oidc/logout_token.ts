import { Buffer } from "node:buffer";
import { type Client, clockTolerance, expectNoState, validateJwtAuthResponse } from "oauth4webapi";
import { z } from "zod";
import { errorMessage } from "../../error_message.ts";
import { maxClockSkew } from "./client.ts";
import { type Discovery, requestOptions } from "./discovery.ts";
import { OidcFailure } from "./failure.ts";
import type { SigningKeys } from "./signing_keys.ts";

/** What {@link LogoutTokens} works with. */
export interface LogoutTokensDeps {
  readonly discovery: Discovery;
  readonly keys: SigningKeys;
  readonly clientId: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Whose sessions a logout token ends: those of one session at the provider, or all of a person. */
export interface LogoutRequest {
  readonly issuer: string;
  readonly subject?: string;
  readonly sid?: string;
}

/** The largest age of a logout token that is taken, in seconds; its id is remembered for as long. */
const maxTokenAge = 10 * 60;

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const logoutClaims = z.object({
  iss: z.string(),
  sub: z.string().optional(),
  sid: z.string().optional(),
  iat: z.number(),
  jti: z.string().min(1),
  events: z.object({ "http://schemas.openid.net/event/backchannel-logout": z.looseObject({}) }),
  // With a nonce it would be an ID token.
  nonce: z.undefined().optional(),
}).refine(
  ({ sub, sid }) => sub !== undefined || sid !== undefined,
  "it names neither a person nor a session",
);

/** Verifies logout tokens, each of which is good once. */
export class LogoutTokens {
  readonly #deps: LogoutTokensDeps;
  readonly #client: Client;
  /** Until when each token that was taken is remembered, by its id; in seconds. */
  readonly #taken = new Map<string, number>();

  constructor(deps: LogoutTokensDeps) {
    this.#deps = deps;
    this.#client = { client_id: deps.clientId, [clockTolerance]: maxClockSkew };
  }

  /** What `token` asks for. Throws {@link OidcFailure} for one that is not valid or was taken before. */
  async take(token: string): Promise<LogoutRequest> {
    try {
      return this.#request(await this.#verifiedClaims(token));
    } catch (cause) {
      if (cause instanceof OidcFailure) throw cause;
      throw new OidcFailure("token_invalid", errorMessage(cause), { cause });
    }
  }

  async #verifiedClaims(token: string): Promise<unknown> {
    const { discovery, keys } = this.#deps;
    const metadata = await discovery.metadata();
    const parameters = new URLSearchParams({ response: token });
    const options = requestOptions(metadata.issuer);
    // The library knows no logout tokens. The signed answers of JARM are verified in the same way: signature, algorithm,
    // issuer, audience and expiry.
    await keys.verify(
      metadata,
      (known) => validateJwtAuthResponse(known, this.#client, parameters, expectNoState, options),
    );
    return JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  }

  #request(claims: unknown): LogoutRequest {
    const { data, error } = logoutClaims.safeParse(claims);
    if (data === undefined) {
      const [{ path, message }] = error.issues;
      throw new Error(`the logout token is not as it should be: ${path.join(".")}: ${message}`);
    }
    const { iss: issuer, sub: subject, sid, iat, jti } = data;
    const now = this.#deps.clock() / 1000;
    if (iat > now + maxClockSkew || iat < now - maxTokenAge) {
      throw new Error("the logout token is not of now");
    }
    for (const [id, until] of this.#taken) if (until <= now) this.#taken.delete(id);
    if (this.#taken.has(jti)) throw new Error("the logout token was taken before");
    this.#taken.set(jti, iat + maxTokenAge + 1);
    return { issuer, subject, sid };
  }
}
