import type { HeaderList } from "../http1/header_list.ts";

/** The head of a request to the S3 endpoint as it was on the wire: nothing decoded, nothing normalised. */
export interface RequestHead {
  readonly method: string;
  /** The raw path, still percent-encoded, without the query; begins with `/`. */
  readonly path: string;
  /** The raw query without its `?`; empty when there is none. */
  readonly query: string;
  readonly headers: HeaderList;
}

/** What a request is about. */
export interface Target {
  /** Decoded; empty for the service itself. */
  readonly bucket: string;
  /** Decoded; empty for the bucket itself. */
  readonly key: string;
  /** The key's bytes as they stand in the request's path: what is signed and sent on. */
  readonly rawKey: string;
  /** Whether the bucket came from the host name. */
  readonly virtualHosted: boolean;
}
