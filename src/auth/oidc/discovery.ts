import { isDeepStrictEqual } from "node:util";
import {
  allowInsecureRequests,
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import { z } from "zod";
import { errorMessage } from "../../error_message.ts";
import type { Logger } from "../../logging/logger.ts";
import { OidcFailure } from "./failure.ts";
import { providerFetch } from "./provider_fetch.ts";

/**
 * Signatures that are believed (RFC 7518, section 3.1; RFC 8037; RFC 9864): those with a public key. With a secret one
 * (`HS256`) or with none, whoever knows the client could sign.
 */
const signingAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
];

/** The wait after a first failure and the longest one, in milliseconds; each failure doubles it. */
const firstWait = 1_000;
const longestWait = 15_000;

/** What is known of an identity provider, and the options for requests to it. */
export interface ProviderMetadata extends AuthorizationServer {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly id_token_signing_alg_values_supported: string[];
}

/** What {@link Discovery} works with. */
export interface DiscoveryDeps {
  readonly issuer: string;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Options of every request to the provider. Plain HTTP only when its own address has it. */
export function requestOptions(issuer: string) {
  return { [customFetch]: providerFetch, [allowInsecureRequests]: new URL(issuer).protocol === "http:" };
}

/**
 * Finds out where an identity provider's endpoints are (OpenID Connect Discovery 1.0), when that is first needed: the
 * program starts and runs without the provider. A failure is remembered for a while, so that nobody waits for a
 * provider that is down, and it is not flooded when it comes back.
 */
export class Discovery {
  readonly #deps: DiscoveryDeps;
  #found: { readonly metadata: ProviderMetadata; readonly at: number } | null = null;
  #pending: Promise<ProviderMetadata> | null = null;
  #failure: { readonly error: OidcFailure; readonly retryAt: number; readonly wait: number } | null = null;

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  /**
   * The provider's metadata, of any age unless told, else asked for less than `maxAge` milliseconds ago. Throws
   * {@link OidcFailure} `provider_unavailable`.
   */
  async metadata(maxAge = Infinity): Promise<ProviderMetadata> {
    const now = this.#deps.clock();
    if (this.#found !== null && now - this.#found.at < maxAge) return this.#found.metadata;
    if (this.#failure !== null && now < this.#failure.retryAt) throw this.#failure.error;
    this.#pending ??= this.#discover().finally(() => this.#pending = null);
    return await this.#pending;
  }

  async #discover(): Promise<ProviderMetadata> {
    const { issuer, logger, clock } = this.#deps;
    try {
      const url = new URL(issuer);
      const response = await discoveryRequest(url, requestOptions(issuer));
      const document = await processDiscoveryResponse(url, response);
      const metadata = this.#unlessSame(usableMetadata(document, url.protocol));
      this.#found = { metadata, at: clock() };
      this.#failure = null;
      return metadata;
    } catch (cause) {
      const message = errorMessage(cause);
      logger.warn("the identity provider cannot be used", { issuer, error: message });
      const error = new OidcFailure("provider_unavailable", message, { cause });
      const wait = Math.min(longestWait, (this.#failure?.wait ?? firstWait / 2) * 2);
      this.#failure = { error, wait, retryAt: clock() + wait };
      throw error;
    }
  }

  /** The object that stands for `metadata` already, if there is one: keys are kept by its identity. */
  #unlessSame(metadata: ProviderMetadata): ProviderMetadata {
    const known = this.#found?.metadata;
    return known !== undefined && isDeepStrictEqual(known, metadata) ? known : metadata;
  }
}

/** What is used of the provider's description, checked. `protocol` is that of the issuer. */
function usableMetadata(document: AuthorizationServer, protocol: string): ProviderMetadata {
  const endpoint = z.string().refine((text) => {
    const url = URL.parse(text);
    return url?.protocol === "https:" || (protocol === "http:" && url?.protocol === "http:");
  }, "is not an https URL");
  const schema = z.object({
    issuer: z.string(),
    authorization_endpoint: endpoint,
    token_endpoint: endpoint,
    jwks_uri: endpoint,
    userinfo_endpoint: endpoint.optional(),
    end_session_endpoint: endpoint.optional(),
    authorization_response_iss_parameter_supported: z.boolean().optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
    id_token_signing_alg_values_supported: z.array(z.string()).default(["RS256"]),
    userinfo_signing_alg_values_supported: z.array(z.string()).optional(),
  });
  const { data, error } = schema.safeParse(document);
  if (data === undefined) {
    const [{ path, message }] = error.issues;
    throw new Error(`its metadata cannot be used: ${path.join(".")}: ${message}`);
  }
  const algorithms = signingAlgorithms.filter((name) =>
    data.id_token_signing_alg_values_supported.includes(name)
  );
  if (algorithms.length === 0) throw new Error("it signs ID tokens with no algorithm that can be believed");
  return {
    ...data,
    id_token_signing_alg_values_supported: algorithms,
    // For logout tokens, which are verified as what this is about.
    authorization_signing_alg_values_supported: algorithms,
  };
}
