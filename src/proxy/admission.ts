import { authorizeAnonymous } from "./anonymous.ts";
import { type Authenticator, authFailure, claimedKey } from "./authenticate.ts";
import { authorize, requireKeyInScope } from "./authorize.ts";
import type { RequestContext } from "./context.ts";
import type { CredentialSource, VirtualCredential } from "./credentials/source.ts";
import type { RequestLimits } from "./limits.ts";
import { operations } from "./operations.ts";
import type { PostSignature } from "./post/signature.ts";

/** What {@link Admission} works with. */
export interface AdmissionDeps {
  readonly source: CredentialSource;
  readonly authenticator: Authenticator;
  readonly limits: RequestLimits;
  /** Whether anything may be read without a signature. */
  readonly anonymousEnabled: boolean;
}

/** Decides who may do what they ask for: signature, limit of the caller, scope. */
export class Admission {
  readonly #deps: AdmissionDeps;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
  }

  /** Notes who a request says it comes from: what is refused before its signature was looked at is on record as theirs. */
  noteClaim(context: RequestContext): void {
    const accessKeyId = claimedKey(context.head);
    if (accessKeyId === undefined) return;
    context.authMode = "signed";
    context.accessKeyId = accessKeyId;
  }

  /**
   * Lets a request pass and notes in `context` who makes it and which backend it reaches. Throws an `S3Error` for one that may
   * not pass.
   */
  admit(context: RequestContext): void {
    const { authenticator } = this.#deps;
    const claim = authenticator.claim(context.head);
    if (claim === undefined) return this.#admitAnonymous(context);
    context.authMode = "signed";
    context.accessKeyId = claim.accessKeyId;
    const { credential, verified } = authenticator.verify(context.head, claim);
    context.verified = verified;
    this.#admitSigned(context, credential);
  }

  /** The same for a form, whose signature stands among its fields. Returns the credential that has signed it. */
  admitForm(context: RequestContext, signature: PostSignature): VirtualCredential {
    context.authMode = "signed";
    context.accessKeyId = signature.accessKeyId;
    const credential = this.#deps.authenticator.verifyForm(signature);
    this.#admitSigned(context, credential);
    return credential;
  }

  /**
   * Checks that the credential may still do what it was let pass for: a body may take hours, and a revocation counts at once.
   * Notes in `context` the credential as it is now. Throws an `S3Error`.
   */
  requireStillAdmitted(context: RequestContext): void {
    const { credential: admitted, operation, target, query } = context;
    if (admitted === undefined) return;
    const { authenticator, source } = this.#deps;
    const credential = source.find(admitted.accessKeyId);
    if (credential === undefined || credential.secretKey !== admitted.secretKey) {
      throw authFailure("AccessDenied", "The access key was revoked.", "revoked");
    }
    authenticator.requireValid(credential);
    if (credential === admitted) return;
    if (authorize(operation, target, query, credential).backend !== context.backend) {
      throw authFailure("AccessDenied", "The access key has another backend now.", "revoked");
    }
    context.credential = credential;
    // The key of a form stands in its body, so it is not part of what was authorized.
    if (operation === operations.PostObject) requireKeyInScope(target.key, credential);
  }

  #admitSigned(context: RequestContext, credential: VirtualCredential): void {
    const { authenticator, limits } = this.#deps;
    authenticator.requireValid(credential);
    context.credential = credential;
    limits.takeSigned(credential.accessKeyId);
    const { operation, target, query } = context;
    // Known to the audit even if the operation is refused.
    context.backend = credential.buckets.get(target.bucket) ?? "";
    context.backend = authorize(operation, target, query, credential).backend;
  }

  #admitAnonymous(context: RequestContext): void {
    context.authMode = "anonymous";
    context.accessKeyId = "";
    const { anonymousEnabled, source, limits } = this.#deps;
    if (!anonymousEnabled) {
      throw authFailure("AccessDenied", "Access is denied: the request is not signed.", "missing");
    }
    const { operation, query, target, ip } = context;
    const binding = source.findBinding(target.bucket);
    context.backend = authorizeAnonymous(operation, query, binding).backend;
    if (binding !== undefined) limits.takeAnonymous(ip, binding);
  }
}
