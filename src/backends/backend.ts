/** The key pair that requests to a backend are signed with. */
export interface BackendCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** An upstream S3 server as it is registered. */
export interface Backend {
  readonly id: string;
  readonly name: string;
  readonly type: "s3v4";
  /** Scheme, host and port, such as `https://s3.example.com:9000`. */
  readonly endpoint: string;
  readonly region: string;
  /** Whether buckets are addressed in the path; otherwise in the host name. */
  readonly pathStyle: boolean;
  /** Whether presigned URLs, which show the endpoint, may be handed out. */
  readonly presign: boolean;
  readonly enabled: boolean;
  /** Where it is registered: in the configuration file, or by an administrator in the dashboard. */
  readonly source: "config" | "ui";
  /** The environment variables that the credentials are read from, where they are. */
  readonly credentialVariables?: BackendCredentials;
  /** Without credentials requests are not signed. */
  readonly credentials?: BackendCredentials;
}
