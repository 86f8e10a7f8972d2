/** What became of a request: `detail.result` of its audit record, and a label of the metrics. */
export type RequestResult =
  | "ok"
  | "auth_failure"
  | "scope_violation"
  | "cors_denied"
  | "anonymous_denied"
  | "quota_exceeded"
  | "rate_limited"
  | "bad_request"
  | "not_implemented"
  | "upstream_error"
  | "client_gone"
  | "internal_error"
  | `upstream_${number}`;

/** Answers 400 unless said otherwise here: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const statuses = {
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BadRequest: 400,
  BucketAlreadyOwnedByYou: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidPolicyDocument: 400,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedPOSTRequest: 400,
  MalformedXML: 400,
  MaxMessageLengthExceeded: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NotImplemented: 501,
  QuotaExceeded: 507,
  RequestHeaderSectionTooLarge: 400,
  RequestTimeTooSkewed: 403,
  RequestTimeout: 400,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
} as const;

/** Codes of S3 errors that the endpoint itself answers. */
export type S3ErrorCode = keyof typeof statuses;

/** What an {@link S3Error} may say besides its code and message. */
export interface S3ErrorOptions {
  /** What the audit and the metrics tell; `bad_request` unless given. */
  readonly result?: RequestResult;
  /** Finer reason, for `detail.reason` of the audit and for metrics: a short word of a fixed set. */
  readonly reason?: string;
  /** HTTP status, where it is not the one that usually goes with the code. */
  readonly status?: number;
  /** Headers of the answer, such as `retry-after`; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What led to it; only the log sees that. */
  readonly cause?: unknown;
}

/** An error answered to the client of the S3 endpoint, as S3's XML. The message must not name the upstream. */
export class S3Error extends Error {
  override readonly name = "S3Error";
  readonly status: number;
  readonly result: RequestResult;
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(readonly code: S3ErrorCode, message: string, options: S3ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? statuses[code];
    this.result = options.result ?? "bad_request";
    this.reason = options.reason;
    this.headers = options.headers ?? {};
  }
}
