import { Problem } from "../../problem.ts";
import { S3Error, type S3ErrorCode } from "../s3_error.ts";

/** Codes for what the capabilities that the dashboard shares refuse, by the status of their problems. */
const codes: Readonly<Record<number, S3ErrorCode>> = {
  400: "InvalidRequest",
  403: "AccessDenied",
  404: "NoSuchBucket",
  413: "EntityTooLarge",
  507: "QuotaExceeded",
};

/** The error for an upload that went the way of the dashboard's ones. */
export function asUploadError(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  const { status, message } = error;
  if (status === 504) {
    return new S3Error("RequestTimeout", message, { result: "upstream_error", status, cause: error });
  }
  const code = codes[status];
  if (code === undefined) {
    return new S3Error("ServiceUnavailable", message, {
      result: "upstream_error",
      status: 502,
      cause: error,
    });
  }
  const upstreamStatus = error.detail?.upstream_status;
  const result = code === "QuotaExceeded"
    ? "quota_exceeded"
    : typeof upstreamStatus === "number"
    ? `upstream_${upstreamStatus}` as const
    : "bad_request";
  return new S3Error(code, message, { result, cause: error });
}
