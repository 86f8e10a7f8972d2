import {
  algorithm,
  canonicalRequest,
  type CredentialScope,
  encodeRfc3986,
  scopeText,
  signingKey,
  stringToSign,
  type WireRequest,
} from "./canonical.ts";
import type { HmacKey } from "./hmac_key.ts";

/** Who signs, and for which region of the service `s3`. */
export interface SigningIdentity {
  readonly accessKeyId: string;
  readonly secretKey: string;
  readonly region: string;
}

/** Declares that the signature says nothing about the body. */
export const unsignedPayload = "UNSIGNED-PAYLOAD";

/**
 * Signs requests with SigV4, by {@link sign} in the `Authorization` header:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export class Signer {
  readonly #identity: SigningIdentity;
  /** The derived key is the same for a whole day: deriving it costs four HMACs. */
  #day: { readonly scope: CredentialScope; readonly key: HmacKey } | undefined;

  constructor(identity: SigningIdentity) {
    this.#identity = identity;
  }

  /**
   * Adds `x-amz-date`, `x-amz-content-sha256` and `authorization` to the headers of `request`, which must hold `host`
   * already. Signed are `host`, `content-md5`, `content-type` and every `x-amz-*` header; what a transport may add or
   * change on its way is not.
   *
   * @param payloadHash SHA-256 of the body in hexadecimal, or {@link unsignedPayload}
   * @param now milliseconds since the epoch
   */
  sign(request: WireRequest<Headers>, payloadHash: string, now: number): void {
    const { headers } = request;
    headers.set("x-amz-date", signingTime(now));
    headers.set("x-amz-content-sha256", payloadHash);
    headers.set("authorization", this.authorization(request));
  }

  /**
   * The value of `authorization` for a request that is complete otherwise: `host`, `x-amz-date` as {@link signingTime} gives
   * it and `x-amz-content-sha256` are among its headers. The same headers are signed as by {@link sign}.
   */
  authorization(request: WireRequest): string {
    const { headers } = request;
    const time = headers.get("x-amz-date") ?? "";
    const payloadHash = headers.get("x-amz-content-sha256") ?? unsignedPayload;
    const { scope, key } = this.#keyOf(time.slice(0, 8));
    const signed: string[] = [];
    for (const name of headers.keys()) if (isSigned(name) && !signed.includes(name)) signed.push(name);
    signed.sort();
    const signature = key.hex(stringToSign(time, scope, canonicalRequest(request, signed, payloadHash)));
    return `${algorithm} Credential=${this.#identity.accessKeyId}/${scopeText(scope)}, ` +
      `SignedHeaders=${signed.join(";")}, Signature=${signature}`;
  }

  /**
   * Signs a request that another client is to send, in its query:
   * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html. `host` and all other headers of `request`
   * are signed, and must be sent as they are.
   *
   * @param expiresSeconds how long it is valid, 1 to 604,800
   * @param now milliseconds since the epoch
   * @returns the query of the request with its signature, without a `?`
   */
  presign(request: WireRequest, expiresSeconds: number, now: number): string {
    const time = signingTime(now);
    const { scope, key } = this.#keyOf(time.slice(0, 8));
    const signed = [...request.headers.keys()].sort();
    const parameters = {
      "X-Amz-Algorithm": algorithm,
      "X-Amz-Credential": `${this.#identity.accessKeyId}/${scopeText(scope)}`,
      "X-Amz-Date": time,
      "X-Amz-Expires": String(expiresSeconds),
      "X-Amz-SignedHeaders": signed.join(";"),
    };
    const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeRfc3986(value)}`);
    const query = [...(request.query === "" ? [] : [request.query]), ...added].join("&");
    const canonical = canonicalRequest({ ...request, query }, signed, unsignedPayload);
    return `${query}&X-Amz-Signature=${key.hex(stringToSign(time, scope, canonical))}`;
  }

  #keyOf(date: string) {
    if (this.#day?.scope.date !== date) {
      const scope = { date, region: this.#identity.region, service: "s3" };
      this.#day = { scope, key: signingKey(this.#identity.secretKey, scope) };
    }
    return this.#day;
  }
}

let second = { at: NaN, text: "" };

/** A time, in milliseconds since the epoch, as `YYYYMMDD'T'HHMMSS'Z'`. */
export function signingTime(now: number): string {
  const at = Math.floor(now / 1000);
  if (second.at !== at) {
    second = { at, text: new Date(at * 1000).toISOString().replaceAll(/[-:]|\.\d{3}/g, "") };
  }
  return second.text;
}

function isSigned(name: string): boolean {
  return name === "host" || name === "content-md5" || name === "content-type" || name.startsWith("x-amz-");
}
