import { isIP } from "node:net";
import type { Backend } from "./backend.ts";

/** Where the requests about a bucket go. */
export interface BucketAddress {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Value of the `Host` header. */
  readonly host: string;
  /** What comes before the key's slash in the path: empty when the bucket is in the host name. */
  readonly pathPrefix: string;
}

/** Where a bucket is addressed, in the path or in the host name: by the rules of the AWS SDK. */
export function bucketAddress({ endpoint, pathStyle }: Backend, bucket: string): BucketAddress {
  const { protocol, host, hostname, origin } = new URL(endpoint);
  const labels = protocol === "https:" ? /^[a-z0-9-]{3,63}$/ : /^[a-z0-9.-]{3,63}$/;
  const isInPath = pathStyle || isIP(hostname.replace(/^\[(.*)\]$/, "$1")) !== 0 || !labels.test(bucket);
  return isInPath
    ? { origin, host, pathPrefix: `/${bucket}` }
    : { origin: `${protocol}//${bucket}.${host}`, host: `${bucket}.${host}`, pathPrefix: "" };
}
