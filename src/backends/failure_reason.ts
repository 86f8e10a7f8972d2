import { Problem } from "../problem.ts";

/** Why a backend refuses a signature, by its error code. */
const signatureReasons: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: "access_key_unknown",
  XAdminUserNotFound: "access_key_unknown",
  SignatureDoesNotMatch: "signature",
  AuthorizationHeaderMalformed: "region",
  ExpiredToken: "expired",
  RequestTimeTooSkewed: "clock",
};

/** Why a backend refuses its key, as a code; `undefined` for an error that is not about the key. */
export function signatureReason(error: unknown): string | undefined {
  return error instanceof Problem ? signatureReasons[String(error.detail?.upstream_code)] : undefined;
}

/** Why a request to a backend failed, as a code, such as `connection_refused` or `clock`. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Problem)) return "internal";
  if (error.code === "secret_key_unset") return "secret_key";
  if (error.code === "backend_timeout") return "timeout";
  const ofKey = signatureReason(error);
  if (ofKey !== undefined) return ofKey;
  const { reason, upstream_status: status } = error.detail ?? {};
  if (typeof reason === "string") return reason;
  if (status === 403) return "access_denied";
  return typeof status === "number" && status >= 300 && status < 400 ? "redirect" : "refused";
}
