import {
  algorithm,
  canonicalRequest,
  type CredentialScope,
  encodeRfc3986,
  type HeaderSource,
  scopeText,
  signingKey,
  stringToSign,
  type WireRequest,
} from "./canonical.ts";
import type { ChunkSigning } from "./chunked.ts";
import { equalInConstantTime, parseCredential, parseTime } from "./claim_texts.ts";
import type { HmacKey } from "./hmac_key.ts";
import { SigningKeyCache } from "./signing_key_cache.ts";

/** Why a request's signature was refused, with the status and code that S3 answers in that case. */
export class SignatureError extends Error {
  override readonly name = "SignatureError";
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

/** A request whose signature is right. Its body is not verified yet: that is for who reads it. */
export interface VerifiedRequest {
  readonly accessKeyId: string;
  /** The declared `x-amz-content-sha256`; `UNSIGNED-PAYLOAD` for a presigned URL that declares none. */
  readonly payload: string;
  /** What signatures of chunks continue from, should the body be sent in signed chunks. */
  readonly chunkSigning: ChunkSigning;
}

/** What a request says of its signature. Nothing of it is verified. */
export interface SignatureClaim {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  readonly time: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payload: string;
  /** The query parameter that holds the signature, in presigned URLs. */
  readonly signatureParameter?: string;
}

/** What a client is told whose signature is wrong. */
export const signatureMismatch =
  "The calculated signature does not match the one in the request. Check the secret key and the signing method.";

const maximumSkewMs = 15 * 60_000;
const maximumExpirySeconds = 7 * 24 * 3600;
const maximumSignedHeaders = 200;

/** What a presigned URL says of itself; each may stand there once. */
const presignedParameters = [
  "X-Amz-Algorithm",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-SignedHeaders",
  "X-Amz-Signature",
  "X-Amz-Content-Sha256",
];

/**
 * Verifies the SigV4 signature of a request, in its `Authorization` header or, presigned, in its query.
 *
 * @param secretKeyOf the secret key of an access key id, or `undefined` when there is no such key
 * @param now milliseconds since the epoch
 * @returns `undefined` for a request without any signature
 * @throws SignatureError
 */
export function verifyRequest(
  request: WireRequest,
  secretKeyOf: (accessKeyId: string) => string | undefined,
  now: number,
): VerifiedRequest | undefined {
  const claim = readClaim(request, now);
  if (claim === undefined) return undefined;
  const secretKey = secretKeyOf(claim.accessKeyId);
  if (secretKey === undefined) {
    throw new SignatureError(403, "InvalidAccessKeyId", "The access key id does not exist.");
  }
  const verified = verifyClaim(request, claim, secretKey, new SigningKeyCache(1));
  if (verified === undefined) throw new SignatureError(403, "SignatureDoesNotMatch", signatureMismatch);
  return verified;
}

/**
 * Reads what a request says of its signature, and refuses what cannot be right whatever the secret key: its form, its time,
 * headers that had to be signed.
 *
 * @param now milliseconds since the epoch
 * @returns `undefined` for a request without any signature
 * @throws SignatureError
 */
export function readClaim(request: WireRequest, now: number): SignatureClaim | undefined {
  const authorization = request.headers.get("authorization");
  const isPresigned = request.query.includes("X-Amz-");
  const parameters = isPresigned ? new URLSearchParams(request.query) : undefined;
  if (parameters?.has("X-Amz-Signature") || parameters?.has("X-Amz-Algorithm")) {
    if (authorization !== null) {
      throw new SignatureError(400, "InvalidArgument", "Only one signature is allowed: header or query.");
    }
    return requireSignedHeaders(request.headers, readPresignedClaim(request, parameters, now));
  }
  if (authorization !== null) {
    return requireSignedHeaders(request.headers, readHeaderClaim(request.headers, authorization, now));
  }
  if (/(?:^|&)AWSAccessKeyId=/.test(request.query)) {
    throw new SignatureError(
      400,
      "InvalidRequest",
      `Signature version 2 is not supported: use ${algorithm}.`,
    );
  }
  return undefined;
}

/**
 * Verifies the signature that a request claims; `undefined` when it is not right.
 *
 * @param keys derived signing keys of former requests
 */
export function verifyClaim(
  request: WireRequest,
  claim: SignatureClaim,
  secretKey: string,
  keys: SigningKeyCache,
): VerifiedRequest | undefined {
  const cached = keys.find(claim.accessKeyId, claim.scope, secretKey);
  const key = cached ?? signingKey(secretKey, claim.scope);
  const isRight = (path: string) =>
    equalInConstantTime(signatureOf({ ...request, path }, claim, key), claim.signature);
  if (!isRight(request.path)) {
    const documented = documentedPath(request.path);
    if (documented === request.path || !isRight(documented)) return undefined;
  }
  // Only now: region and date of a wrong signature are whatever an attacker likes.
  if (cached === undefined) keys.keep(claim.accessKeyId, claim.scope, secretKey, key);
  const { accessKeyId, payload, time, signature } = claim;
  return {
    accessKeyId,
    payload,
    chunkSigning: { key, time, scope: scopeText(claim.scope), seedSignature: signature },
  };
}

function signatureOf(request: WireRequest, claim: SignatureClaim, key: HmacKey): string {
  const { signedHeaders, payload, signatureParameter, time, scope } = claim;
  const canonical = canonicalRequest(request, signedHeaders, payload, signatureParameter);
  return key.hex(stringToSign(time, scope, canonical));
}

function readHeaderClaim(headers: HeaderSource, authorization: string, now: number): SignatureClaim {
  const malformed = (reason: string) =>
    new SignatureError(
      400,
      "AuthorizationHeaderMalformed",
      `The authorization header is malformed; ${reason}.`,
    );
  if (!authorization.startsWith(`${algorithm} `)) {
    throw malformed(`the only signing algorithm supported is ${algorithm}`);
  }
  let [credentialText, signedHeaders, signature]: (string | undefined)[] = [];
  for (const field of authorization.slice(algorithm.length + 1).split(",")) {
    const text = field.trim();
    if (text.startsWith("Credential=")) credentialText = once(credentialText, text.slice(11));
    else if (text.startsWith("SignedHeaders=")) signedHeaders = once(signedHeaders, text.slice(14));
    else if (text.startsWith("Signature=")) signature = once(signature, text.slice(10));
    else throw malformed("it holds more than Credential, SignedHeaders and Signature");
  }
  const credential = parseCredential(credentialText ?? "");
  if (!credential) throw malformed("Credential must be KEY/YYYYMMDD/REGION/s3/aws4_request");
  if (!signedHeaders || !signature) throw malformed("SignedHeaders and Signature are needed");
  const time = headers.get("x-amz-date") ?? "";
  const signedAt = parseTime(time);
  if (signedAt === undefined) {
    throw new SignatureError(
      403,
      "AccessDenied",
      "A valid x-amz-date header is needed, such as 20261121T101500Z.",
    );
  }
  if (Math.abs(now - signedAt) > maximumSkewMs) {
    throw new SignatureError(
      403,
      "RequestTimeTooSkewed",
      "The difference between the request time and the server's time is more than 15 minutes.",
    );
  }
  if (credential.scope.date !== time.slice(0, 8)) {
    throw malformed("the day of Credential is not that of x-amz-date");
  }
  // Clients that send none sign as if they had said so.
  const payload = headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
  return { ...credential, time, signedHeaders: sortedNames(signedHeaders), signature, payload };

  function once(before: string | undefined, value: string): string {
    if (before !== undefined) throw malformed("a field of it stands twice");
    return value;
  }
}

function readPresignedClaim(
  request: WireRequest,
  parameters: URLSearchParams,
  now: number,
): SignatureClaim {
  const malformed = (reason: string) => new SignatureError(400, "AuthorizationQueryParametersError", reason);
  const repeated = presignedParameters.find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) throw malformed(`${repeated} must not stand there more than once.`);
  if (parameters.get("X-Amz-Algorithm") !== algorithm) {
    throw malformed(`X-Amz-Algorithm only supports ${algorithm}.`);
  }
  if (!parameters.get("X-Amz-Signature")) throw malformed("X-Amz-Signature is needed.");
  const credential = parseCredential(parameters.get("X-Amz-Credential") ?? "");
  if (!credential) throw malformed("X-Amz-Credential must be KEY/YYYYMMDD/REGION/s3/aws4_request.");
  const time = parameters.get("X-Amz-Date") ?? "";
  const signedAt = parseTime(time);
  if (signedAt === undefined) throw malformed("X-Amz-Date must be in the form 20261121T101500Z.");
  if (credential.scope.date !== time.slice(0, 8)) {
    throw malformed("The day of X-Amz-Credential is not that of X-Amz-Date.");
  }
  const expiry = parameters.get("X-Amz-Expires") ?? "";
  const seconds = Number(expiry);
  if (!/^\d+$/.test(expiry) || seconds < 1 || seconds > maximumExpirySeconds) {
    throw malformed(`X-Amz-Expires must be a number of seconds from 1 to ${maximumExpirySeconds}.`);
  }
  if (signedAt - now > maximumSkewMs) {
    throw new SignatureError(403, "AccessDenied", "Request is not valid yet");
  }
  if (now > signedAt + seconds * 1000) throw new SignatureError(403, "AccessDenied", "Request has expired");
  const payload = request.headers.get("x-amz-content-sha256") ?? parameters.get("X-Amz-Content-Sha256");
  return {
    ...credential,
    time,
    signedHeaders: sortedNames(parameters.get("X-Amz-SignedHeaders") ?? ""),
    signature: parameters.get("X-Amz-Signature") ?? "",
    payload: payload ?? "UNSIGNED-PAYLOAD",
    signatureParameter: "X-Amz-Signature",
  };
}

/** S3 refuses a request whose `host` or any of whose `x-amz-*` headers could be changed on the way. */
function requireSignedHeaders(headers: HeaderSource, claim: SignatureClaim): SignatureClaim {
  const { signedHeaders } = claim;
  const isRepeated = signedHeaders.some((name, index) => name === signedHeaders[index + 1]);
  // A long header that is named again and again would make a canonical request of hundreds of megabytes.
  if (isRepeated || signedHeaders.length > maximumSignedHeaders) {
    throw new SignatureError(
      400,
      "InvalidRequest",
      `SignedHeaders must name each header once, and ${maximumSignedHeaders} at most.`,
    );
  }
  const unsigned = signedHeaders.includes("host") ? [] : ["host"];
  for (const name of headers.keys()) {
    if (name.startsWith("x-amz-") && !signedHeaders.includes(name)) unsigned.push(name);
  }
  if (unsigned.length === 0) return claim;
  throw new SignatureError(
    403,
    "AccessDenied",
    `There were headers present in the request which were not signed: ${unsigned.join(", ")}`,
  );
}

/** The form of a path that S3 documents; clients sign it even where something on the way encoded the path otherwise. */
function documentedPath(path: string): string {
  try {
    return path.split("/").map((segment) => encodeRfc3986(decodeURIComponent(segment))).join("/");
  } catch {
    return path;
  }
}

function sortedNames(list: string): string[] {
  return list.toLowerCase().split(";").filter((name) => name !== "").sort();
}
