import { randomBytes } from "node:crypto";
import {
  readClaim,
  type SignatureClaim,
  SignatureError,
  signatureMismatch,
  type VerifiedRequest,
  verifyClaim,
} from "../sigv4/verify.ts";
import { SigningKeyCache } from "../sigv4/signing_key_cache.ts";
import type { CredentialSource, VirtualCredential } from "./credentials/source.ts";
import { isPostSignatureOf, type PostSignature } from "./post/signature.ts";
import type { RequestHead } from "./request.ts";
import { S3Error, type S3ErrorCode } from "./s3_error.ts";

/** Derived signing keys that are kept. */
const maxSigningKeys = 4096;

/** Who has signed a request. */
export interface SignedCaller {
  readonly credential: VirtualCredential;
  readonly verified: VerifiedRequest;
}

/** Finds out who has signed a request, and whether they really have. */
export class Authenticator {
  readonly #source: CredentialSource;
  readonly #clock: () => number;
  readonly #keys = new SigningKeyCache(maxSigningKeys);
  /** Stands in for the secret of a key that does not exist, so that it costs the same path. */
  readonly #noSecret = randomBytes(20).toString("hex");

  /** `clock` is in milliseconds since the epoch. */
  constructor(source: CredentialSource, clock: () => number) {
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * Reads what a request says of its signature; `undefined` when it has none. Throws {@link S3Error} for what cannot be right
   * whatever the secret.
   */
  claim(head: RequestHead): SignatureClaim | undefined {
    try {
      return readClaim(head, this.#clock());
    } catch (error) {
      throw asS3Error(error);
    }
  }

  /**
   * Verifies a claim. The credential may be disabled or have expired. Throws {@link S3Error} `InvalidAccessKeyId` and
   * `SignatureDoesNotMatch`.
   */
  verify(head: RequestHead, claim: SignatureClaim): SignedCaller {
    const credential = this.#source.find(claim.accessKeyId);
    const verified = verifyClaim(head, claim, credential?.secretKey ?? this.#noSecret, this.#keys);
    if (credential === undefined) throw unknownKey();
    if (verified === undefined) {
      throw authFailure("SignatureDoesNotMatch", signatureMismatch, "bad_signature");
    }
    return { credential, verified };
  }

  /** {@link verify} for a form, which is signed by its policy; its credential, too, may be disabled or have expired. */
  verifyForm(signature: PostSignature): VirtualCredential {
    const credential = this.#source.find(signature.accessKeyId);
    const isRight = isPostSignatureOf(credential?.secretKey ?? this.#noSecret, signature);
    if (credential === undefined) throw unknownKey();
    if (!isRight) {
      throw authFailure(
        "SignatureDoesNotMatch",
        "The calculated signature does not match the one in the form. Check the secret key and the signing method.",
        "bad_signature",
      );
    }
    return credential;
  }

  /** Throws {@link S3Error} `AccessDenied` for a credential that is disabled or has expired. */
  requireValid(credential: VirtualCredential): void {
    if (!credential.enabled) throw authFailure("AccessDenied", "The access key is disabled.", "disabled");
    if (credential.expiresAt !== undefined && credential.expiresAt <= this.#clock()) {
      throw authFailure("AccessDenied", "The access key has expired.", "expired");
    }
  }
}

/**
 * The access key id that a request says it is signed with, for the record of its refusal; empty when it names none that could be
 * one, and `undefined` for a request that is not signed at all. Nothing of it is verified.
 */
export function claimedKey({ headers, query }: RequestHead): string | undefined {
  const text = headers.get("authorization") ?? (query.includes("X-Amz-") ? query : null);
  if (text === null) return undefined;
  return /\bCredential=([\w.+-]{1,128})(?:\/|%2F)/i.exec(text)?.[1] ?? "";
}

/** The error for who could not be shown to be who they say they are. `reason` is a word of a fixed set. */
export function authFailure(code: S3ErrorCode, message: string, reason: string): S3Error {
  return new S3Error(code, message, { result: "auth_failure", reason });
}

function unknownKey(): S3Error {
  return authFailure("InvalidAccessKeyId", "The access key id does not exist.", "unknown_key");
}

/** Codes of {@link SignatureError}, each with the reason that metrics and audit tell. */
const reasons: Readonly<Record<string, readonly [S3ErrorCode, reason: string]>> = {
  AccessDenied: ["AccessDenied", "denied"],
  AuthorizationHeaderMalformed: ["AuthorizationHeaderMalformed", "malformed"],
  AuthorizationQueryParametersError: ["AuthorizationQueryParametersError", "malformed"],
  InvalidArgument: ["InvalidArgument", "malformed"],
  InvalidRequest: ["InvalidRequest", "malformed"],
  RequestTimeTooSkewed: ["RequestTimeTooSkewed", "skew"],
};

function asS3Error(error: unknown): unknown {
  if (!(error instanceof SignatureError)) return error;
  const [code, reason] = reasons[error.code] ?? reasons.AccessDenied;
  const isExpired = error.message === "Request has expired";
  // What is malformed was never an attempt with a key.
  const result = error.status === 400 ? "bad_request" : "auth_failure";
  return new S3Error(code, error.message, { result, reason: isExpired ? "expired" : reason });
}
