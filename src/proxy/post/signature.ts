import { algorithm, type CredentialScope, signingKey } from "../../sigv4/canonical.ts";
import { equalInConstantTime, parseCredential, parseTime } from "../../sigv4/claim_texts.ts";
import { authFailure } from "../authenticate.ts";
import { S3Error } from "../s3_error.ts";

/** What a form says of its signature: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-authentication-HTTPPOST.html */
export interface PostSignature {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  /** The policy as it stands in the form, in base64: the text that is signed. */
  readonly policy: string;
  readonly signature: string;
}

/** How far a form may be dated ahead, in milliseconds. How old it may be, its policy says. */
const maxSkewMs = 15 * 60_000;

/**
 * Finds the signature of a form; nothing of it is verified yet.
 *
 * @param fields by their names in lower case
 * @param now milliseconds since the epoch
 * @throws S3Error `AccessDenied` for a form without one, `InvalidRequest` for one that cannot be right
 */
export function readPostSignature(fields: ReadonlyMap<string, string>, now: number): PostSignature {
  const policy = fields.get("policy");
  const signature = fields.get("x-amz-signature");
  if (signature === undefined && (fields.has("signature") || fields.has("awsaccesskeyid"))) {
    throw new S3Error("InvalidRequest", `Signature version 2 is not supported: use ${algorithm}.`);
  }
  if (policy === undefined || signature === undefined) {
    throw authFailure("AccessDenied", "The form has no policy, or no signature of it.", "missing");
  }
  if (fields.get("x-amz-algorithm") !== algorithm) throw malformed(`x-amz-algorithm must be ${algorithm}.`);
  const credential = parseCredential(fields.get("x-amz-credential") ?? "");
  if (credential === undefined) {
    throw malformed("x-amz-credential must be KEY/YYYYMMDD/REGION/s3/aws4_request.");
  }
  const date = fields.get("x-amz-date") ?? "";
  const signedAt = parseTime(date);
  if (signedAt === undefined) throw malformed("x-amz-date must be in the form 20261121T101500Z.");
  if (date.slice(0, 8) !== credential.scope.date) {
    throw malformed("The day of x-amz-credential is not that of x-amz-date.");
  }
  if (signedAt - now > maxSkewMs) throw authFailure("AccessDenied", "The form is not valid yet.", "skew");
  return { ...credential, policy, signature };
}

/** Whether a form's signature is that of a secret key. What is no base64 was never signed as a policy. */
export function isPostSignatureOf(secretKey: string, { scope, policy, signature }: PostSignature): boolean {
  if (!/^[A-Za-z0-9+/=_ \t\r\n-]*$/.test(policy)) return false;
  return equalInConstantTime(signingKey(secretKey, scope).hex(policy), signature.toLowerCase());
}

function malformed(message: string): S3Error {
  return new S3Error("InvalidRequest", message, { reason: "malformed" });
}
