/** Why a sign-in at the identity provider came to nothing, as the sign-in page and the audit log tell it. */
export type OidcFailureReason =
  /** What comes back does not belong to a sign-in that this browser began here, or comes too late or twice. */
  | "state_invalid"
  /** The person or the provider said no. */
  | "access_denied"
  /** The provider answered with an error. */
  | "provider_error"
  /** The provider cannot be reached, answers too late, or does not describe itself as it should. */
  | "provider_unavailable"
  /** The provider's answer is not one that can be trusted. */
  | "token_invalid"
  /** The user here is disabled. */
  | "user_disabled"
  /** None of the person's groups has a role here. */
  | "no_role";

/** What else is known of an {@link OidcFailure}. */
export interface OidcFailureOptions extends ErrorOptions {
  /** The provider's own code, such as `invalid_grant` (RFC 6749, sections 4.1.2.1 and 5.2). */
  readonly providerError?: string;
  /** The user it is about, when it is known who that is. */
  readonly userId?: string;
  /** The person it is about as the provider knows them. */
  readonly subject?: string;
}

/** A sign-in or logout by way of the identity provider that is refused. The message holds no token and no secret. */
export class OidcFailure extends Error {
  override readonly name = "OidcFailure";
  readonly reason: OidcFailureReason;
  readonly providerError?: string;
  readonly userId?: string;
  readonly subject?: string;

  constructor(reason: OidcFailureReason, message: string, options: OidcFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.providerError = options.providerError;
    this.userId = options.userId;
    this.subject = options.subject;
  }
}
