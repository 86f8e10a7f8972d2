/** A key pair that programs sign their requests to the S3 endpoint with, and what it may reach. */
export interface VirtualCredential {
  readonly accessKeyId: string;
  readonly secretKey: string;
  /** The buckets in scope, each with the id of its backend. */
  readonly buckets: ReadonlyMap<string, string>;
  /** Keys in scope begin with this; empty for every key. */
  readonly prefix: string;
  readonly readOnly: boolean;
  /** `false` while it, or the user it belongs to, is disabled. */
  readonly enabled: boolean;
  /** Milliseconds since the epoch; `undefined` for never. */
  readonly expiresAt: number | undefined;
  /** Whom it belongs to; empty for nobody. */
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly source: CredentialOrigin;
}

/** A bucket that anyone may read. */
export interface AnonymousBinding {
  readonly backend: string;
  readonly bucket: string;
  /** Requests a second for each client address; 0 for what `s3_proxy.anonymous_rps` says. */
  readonly perSourceIpRps: number;
  readonly source: CredentialOrigin;
}

/** Where credentials and bindings are kept. */
export type CredentialOrigin = "sqlite" | "kubernetes";

/** A quota that comes with a credential; it goes before the one set in the dashboard. 0 is no cap. */
export interface BucketQuota {
  readonly backend: string;
  readonly bucket: string;
  readonly softBytes: number;
  readonly hardBytes: number;
}

/** A place where credentials and anonymous bindings come from. Everything is answered from memory. */
export interface CredentialSource {
  /** The credential with this id, disabled or expired ones too, so that the reason of a refusal can be told. */
  find(accessKeyId: string): VirtualCredential | undefined;
  /** The binding of a bucket. */
  findBinding(bucket: string): AnonymousBinding | undefined;
  /** Every credential. */
  credentials(): Iterable<VirtualCredential>;
  /** Every binding. */
  bindings(): Iterable<AnonymousBinding>;
  /** How many credentials there are. */
  readonly size: number;
}
