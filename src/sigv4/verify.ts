import { timingSafeEqual } from "node:crypto";
import {
  algorithm,
  canonicalRequest,
  type CredentialScope,
  encodeRfc3986,
  hmacHex,
  scopeText,
  signingKey,
  stringToSign,
  type WireRequest,
} from "./canonical.ts";
import type { ChunkSigning } from "./chunked.ts";

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

interface Claim {
  readonly accessKeyId: string;
  readonly scope: CredentialScope;
  readonly time: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly payload: string;
  /** The query parameter that holds the signature, in presigned URLs. */
  readonly signatureParameter?: string;
}

const maximumSkewMs = 15 * 60_000;
const maximumExpirySeconds = 7 * 24 * 3600;

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
  requireSignedHeaders(request.headers, claim.signedHeaders);
  const secretKey = secretKeyOf(claim.accessKeyId);
  if (secretKey === undefined) {
    throw new SignatureError(403, "InvalidAccessKeyId", "The access key id does not exist.");
  }
  const key = signingKey(secretKey, claim.scope);
  const matches = pathForms(request.path).some((path) => {
    const canonical = canonicalRequest(
      { ...request, path },
      claim.signedHeaders,
      claim.payload,
      claim.signatureParameter,
    );
    return equalInConstantTime(
      hmacHex(key, stringToSign(claim.time, claim.scope, canonical)),
      claim.signature,
    );
  });
  if (!matches) {
    throw new SignatureError(
      403,
      "SignatureDoesNotMatch",
      "The calculated signature does not match the one in the request. Check the secret key and the signing method.",
    );
  }
  return {
    accessKeyId: claim.accessKeyId,
    payload: claim.payload,
    chunkSigning: { key, time: claim.time, scope: scopeText(claim.scope), seedSignature: claim.signature },
  };
}

function readClaim(request: WireRequest, now: number): Claim | undefined {
  const parameters = new URLSearchParams(request.query);
  if (parameters.has("X-Amz-Signature")) return readPresignedClaim(request, parameters, now);
  const authorization = request.headers.get("authorization");
  return authorization === null ? undefined : readHeaderClaim(request.headers, authorization, now);
}

function readHeaderClaim(headers: Headers, authorization: string, now: number): Claim {
  const malformed = (reason: string) =>
    new SignatureError(
      400,
      "AuthorizationHeaderMalformed",
      `The authorization header is malformed; ${reason}.`,
    );
  const [scheme, ...rest] = authorization.split(" ");
  if (scheme !== algorithm) throw malformed(`the only signing algorithm supported is ${algorithm}`);
  const fields = new Map(
    rest.join("").split(",").map((field) => {
      const [name, ...value] = field.split("=");
      return [name, value.join("=")];
    }),
  );
  const credential = parseCredential(fields.get("Credential") ?? "");
  const signedHeaders = fields.get("SignedHeaders");
  const signature = fields.get("Signature");
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
  const payload = headers.get("x-amz-content-sha256");
  if (payload === null) {
    throw new SignatureError(400, "InvalidRequest", "Missing required header: x-amz-content-sha256.");
  }
  return { ...credential, time, signedHeaders: sortedNames(signedHeaders), signature, payload };
}

function readPresignedClaim(request: WireRequest, parameters: URLSearchParams, now: number): Claim {
  const malformed = (reason: string) => new SignatureError(400, "AuthorizationQueryParametersError", reason);
  if (parameters.get("X-Amz-Algorithm") !== algorithm) {
    throw malformed(`X-Amz-Algorithm only supports ${algorithm}.`);
  }
  const credential = parseCredential(parameters.get("X-Amz-Credential") ?? "");
  if (!credential) throw malformed("X-Amz-Credential must be KEY/YYYYMMDD/REGION/s3/aws4_request.");
  const time = parameters.get("X-Amz-Date") ?? "";
  const signedAt = parseTime(time);
  if (signedAt === undefined) throw malformed("X-Amz-Date must be in the form 20261121T101500Z.");
  const expiry = parameters.get("X-Amz-Expires") ?? "";
  const seconds = Number(expiry);
  if (!/^\d+$/.test(expiry) || seconds < 1 || seconds > maximumExpirySeconds) {
    throw malformed(`X-Amz-Expires must be a number of seconds from 1 to ${maximumExpirySeconds}.`);
  }
  if (signedAt - now > maximumSkewMs) {
    throw new SignatureError(403, "AccessDenied", "Request is not valid yet");
  }
  if (now > signedAt + seconds * 1000) throw new SignatureError(403, "AccessDenied", "Request has expired");
  return {
    ...credential,
    time,
    signedHeaders: sortedNames(parameters.get("X-Amz-SignedHeaders") ?? ""),
    signature: parameters.get("X-Amz-Signature") ?? "",
    payload: request.headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD",
    signatureParameter: "X-Amz-Signature",
  };
}

/** S3 refuses a request whose `host` or any of whose `x-amz-*` headers could be changed on the way. */
function requireSignedHeaders(headers: Headers, signed: readonly string[]): void {
  const unsigned = [...headers.keys()].filter((name) => name.startsWith("x-amz-") && !signed.includes(name));
  if (!signed.includes("host")) unsigned.push("host");
  if (unsigned.length > 0) {
    throw new SignatureError(
      403,
      "AccessDenied",
      `There were headers present in the request which were not signed: ${unsigned.join(", ")}`,
    );
  }
}

/** Clients sign the path as sent or, when something on the way encoded it otherwise, in the form S3 documents. */
function pathForms(path: string): string[] {
  try {
    const encoded = path.split("/").map((segment) => encodeRfc3986(decodeURIComponent(segment))).join("/");
    return encoded === path ? [path] : [path, encoded];
  } catch {
    return [path];
  }
}

function parseCredential(text: string): { accessKeyId: string; scope: CredentialScope } | undefined {
  const [accessKeyId, date, region, service, end, ...rest] = text.split("/");
  if (!accessKeyId || !/^\d{8}$/.test(date ?? "") || !region) return undefined;
  if (service !== "s3" || end !== "aws4_request" || rest.length > 0) return undefined;
  return { accessKeyId, scope: { date, region, service } };
}

function parseTime(text: string): number | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function sortedNames(list: string): string[] {
  return list.toLowerCase().split(";").filter((name) => name !== "").sort();
}

function equalInConstantTime(expected: string, given: string): boolean {
  const [a, b] = [expected, given.toLowerCase()].map((text) => new TextEncoder().encode(text));
  return a.length === b.length && timingSafeEqual(a, b);
}
