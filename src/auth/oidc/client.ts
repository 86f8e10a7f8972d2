import {
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  clockTolerance,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  ResponseBodyError,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from "oauth4webapi";
import { errorMessage } from "../../error_message.ts";
import { type Discovery, type ProviderMetadata, requestOptions } from "./discovery.ts";
import { OidcFailure } from "./failure.ts";
import type { PendingLogin } from "./pending_logins.ts";
import type { SigningKeys } from "./signing_keys.ts";

/** Claims of a token, by name (OpenID Connect Core 1.0, section 5.1). */
export type Claims = Readonly<Record<string, unknown>>;

/** How far the provider's clock may be from ours, in seconds. */
export const maxClockSkew = 60;

/** How long ago a provider must have been seen for people to be sent there, in milliseconds. */
const maxMetadataAge = 10_000;

/** What {@link OidcClient} works with. */
export interface OidcClientDeps {
  readonly discovery: Discovery;
  readonly keys: SigningKeys;
  readonly clientId: string;
  /** Without one, this is a public client. */
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** What a sign-in at the provider brought, all of it verified. */
export interface SignedInPerson {
  readonly issuer: string;
  readonly subject: string;
  /** The provider's name of its session, when it tells one. */
  readonly sid: string | null;
  readonly idToken: string;
  readonly claims: Claims;
  /** What the userinfo endpoint says of the person; nothing where there is none. Throws {@link OidcFailure}. */
  userinfo(): Promise<Claims>;
}

/** Signs people in at one identity provider: authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1). */
export class OidcClient {
  readonly #deps: OidcClientDeps;
  readonly #client: Client;

  constructor(deps: OidcClientDeps) {
    this.#deps = deps;
    this.#client = { client_id: deps.clientId, [clockTolerance]: maxClockSkew };
  }

  /** Begins a sign-in: where to send the browser, and what to remember. Throws {@link OidcFailure}. */
  async begin(redirectUri: string, next: string): Promise<{ url: URL; login: PendingLogin }> {
    // Rather an error here than a browser that is sent to a provider that is down.
    const { authorization_endpoint: endpoint } = await this.#deps.discovery.metadata(maxMetadataAge);
    const login: PendingLogin = {
      state: generateRandomState(),
      nonce: generateRandomNonce(),
      verifier: generateRandomCodeVerifier(),
      redirectUri,
      next,
    };
    const url = new URL(endpoint);
    const parameters = {
      client_id: this.#deps.clientId,
      response_type: "code",
      redirect_uri: redirectUri,
      scope: this.#deps.scopes.join(" "),
      state: login.state,
      nonce: login.nonce,
      code_challenge: await calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url, login };
  }

  /**
   * Ends a sign-in with what came back in the callback's query. The provider's name in it (RFC 9207), the ID token's
   * signature, issuer, audience, times and nonce are checked. Throws {@link OidcFailure}.
   */
  async finish(callback: URLSearchParams, login: PendingLogin): Promise<SignedInPerson> {
    const metadata = await this.#deps.discovery.metadata();
    const options = requestOptions(metadata.issuer);
    return await translated(async () => {
      const parameters = validateAuthResponse(metadata, this.#client, callback, login.state);
      const authentication = this.#authentication(metadata);
      const response = await authorizationCodeGrantRequest(
        metadata,
        this.#client,
        authentication,
        parameters,
        login.redirectUri,
        login.verifier,
        options,
      );
      const tokens = await processAuthorizationCodeResponse(metadata, this.#client, response, {
        expectedNonce: login.nonce,
        requireIdToken: true,
      });
      const { keys } = this.#deps;
      await keys.verify(metadata, (known) => validateApplicationLevelSignature(known, response, options));
      const claims = getValidatedIdTokenClaims(tokens);
      if (claims === undefined || tokens.id_token === undefined) throw new Error("there is no ID token");
      this.#checkParty(claims.azp);
      this.#checkIssuedAt(claims.iat);
      return {
        issuer: claims.iss,
        subject: claims.sub,
        sid: typeof claims.sid === "string" ? claims.sid : null,
        idToken: tokens.id_token,
        claims,
        userinfo: () => this.#userinfo(metadata, tokens.access_token, claims.sub),
      };
    });
  }

  async #userinfo(metadata: ProviderMetadata, accessToken: string, subject: string): Promise<Claims> {
    if (metadata.userinfo_endpoint === undefined) return {};
    const options = requestOptions(metadata.issuer);
    return await translated(async () => {
      const response = await userInfoRequest(metadata, this.#client, accessToken, options);
      const isSigned = response.headers.get("content-type")?.startsWith("application/jwt") ?? false;
      const claims = await processUserInfoResponse(metadata, this.#client, subject, response);
      if (isSigned) {
        await this.#deps.keys.verify(
          metadata,
          (known) => validateApplicationLevelSignature(known, response, options),
        );
      }
      return claims;
    });
  }

  /** By HTTP Basic unless the provider takes the secret in the body only (OpenID Connect Core 1.0, section 9). */
  #authentication({ token_endpoint_auth_methods_supported: methods = [] }: ProviderMetadata): ClientAuth {
    const { clientId, clientSecret } = this.#deps;
    if (clientSecret === undefined) return None();
    if (methods.includes("client_secret_post") && !methods.includes("client_secret_basic")) {
      return ClientSecretPost(clientSecret);
    }
    // The library escapes hyphens and dots too, which providers that do not decode the form encoding then compare.
    const credentials = btoa(`${formEncode(clientId)}:${formEncode(clientSecret)}`);
    return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${credentials}`);
  }

  /** The library checks it only when there are several audiences. */
  #checkParty(azp: unknown): void {
    if (azp === undefined || azp === this.#deps.clientId) return;
    throw new Error('unexpected ID Token "azp" (authorized party) claim value');
  }

  /** The library leaves it to its callers how far from now this may be. */
  #checkIssuedAt(iat: number): void {
    if (iat <= this.#deps.clock() / 1000 + maxClockSkew) return;
    throw new Error('unexpected ID Token "iat" (issued at) claim value');
  }
}

/** The form encoding of RFC 6749, appendix B. */
function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}

/** Runs `work` and turns what it throws into an {@link OidcFailure}. The library's messages hold no values. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw asFailure(cause);
  }
}

function asFailure(cause: unknown): OidcFailure {
  if (cause instanceof OidcFailure) return cause;
  const message = errorMessage(cause);
  if (cause instanceof AuthorizationResponseError) {
    const reason = cause.error === "access_denied" ? "access_denied" : "provider_error";
    return new OidcFailure(reason, message, { cause, providerError: knownError(cause.error) });
  }
  if (cause instanceof ResponseBodyError) {
    return new OidcFailure("provider_error", message, { cause, providerError: knownError(cause.error) });
  }
  return new OidcFailure("token_invalid", message, { cause });
}

/** Codes of RFC 6749 (sections 4.1.2.1 and 5.2) and of OpenID Connect Core 1.0 (section 3.1.2.6). */
const knownErrors = new Set([
  "access_denied",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "invalid_client",
  "invalid_grant",
  "invalid_request",
  "invalid_scope",
  "login_required",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_grant_type",
  "unsupported_response_type",
]);

/** `code` when it is one; nothing else that a provider or an address says is passed on. */
function knownError(code: string): string {
  return knownErrors.has(code) ? code : "unknown";
}
