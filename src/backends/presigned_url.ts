import { Problem } from "../problem.ts";
import { encodeRfc3986 } from "../sigv4/canonical.ts";
import { Signer } from "../sigv4/sign.ts";
import { bucketAddress } from "./address.ts";
import type { Backend } from "./backend.ts";

/** A request for an object that whoever has its URL may send. */
export interface PresignedRequest {
  readonly method: "GET" | "PUT";
  readonly bucket: string;
  readonly key: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Headers by lower-case name that the request has to carry. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long it may be sent, in seconds: 1 to 604,800. */
  readonly expiresSeconds: number;
}

/**
 * The URL of a request to a backend that needs no further signature. Throws 400 `not_supported` for a backend without
 * credentials.
 *
 * @param now milliseconds since the epoch
 */
export function presignedUrl(backend: Backend, request: PresignedRequest, now: number): string {
  const { credentials, region } = backend;
  if (credentials === undefined) {
    throw new Problem(
      400,
      "not_supported",
      "Requests to this backend are not signed, so there are no presigned URLs.",
    );
  }
  const signer = new Signer({
    accessKeyId: credentials.accessKey,
    secretKey: credentials.secretKey,
    region,
  });
  const { origin, host, pathPrefix } = bucketAddress(backend, request.bucket);
  const path = `${pathPrefix}/${request.key.split("/").map(encodeRfc3986).join("/")}`;
  const query = Object.entries(request.query)
    .flatMap(([name, value]) => value === undefined ? [] : [`${encodeRfc3986(name)}=${encodeRfc3986(value)}`])
    .join("&");
  const headers = new Headers({ ...request.headers, host });
  const { method, expiresSeconds } = request;
  return `${origin}${path}?${signer.presign({ method, path, query, headers }, expiresSeconds, now)}`;
}
