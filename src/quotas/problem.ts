import { Problem } from "../problem.ts";

/** What a {@link QuotaExceededError} tells; sizes are bytes. */
export interface QuotaExcess {
  readonly bucket: string;
  readonly hardBytes: number;
  /** What the bucket holds, with all that is being stored right now. */
  readonly usageBytes: number;
  readonly requestedBytes: number;
}

/** 507 `quota_exceeded`: what was to be stored does not fit under the hard cap of its bucket. */
export class QuotaExceededError extends Problem {
  constructor(readonly excess: QuotaExcess) {
    const { bucket, hardBytes, usageBytes, requestedBytes } = excess;
    super(
      507,
      "quota_exceeded",
      `The bucket ${bucket} may hold ${hardBytes} bytes and holds ${usageBytes}: ${requestedBytes} more do not fit.`,
      {
        detail: {
          bucket,
          hard_bytes: hardBytes,
          usage_bytes: usageBytes,
          requested_bytes: requestedBytes,
        },
      },
    );
  }
}

/** 503 `backend_error`: a bucket has a hard cap, but what it holds could not be counted, so nothing more may be stored. */
export class UsageUnknownError extends Problem {
  constructor(bucket: string, cause: unknown) {
    super(
      503,
      "backend_error",
      `The bucket ${bucket} has a quota, but its backend does not let it be counted: nothing can be stored for now.`,
      { cause },
    );
  }
}
