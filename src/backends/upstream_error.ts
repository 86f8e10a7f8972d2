import { badRequest, notFound, Problem } from "../problem.ts";
import { parseXml, textOf } from "../xml/reader.ts";

/** What an upstream said when it refused a request. */
export interface UpstreamRefusal {
  readonly status: number;
  /** The S3 error code, such as `NoSuchKey`; empty when the answer had none. */
  readonly code: string;
}

/** Status and code of our answer to a refusal, and what it says. */
type Translation = readonly [status: number, code: string, message: string];

const missingBucket: Translation = [404, "not_found", "There is no such bucket."];
const missingObject: Translation = [404, "not_found", "There is no such object."];
const missingVersion: Translation = [404, "not_found", "There is no such version of the object."];
const notSupported: Translation = [400, "not_supported", "This backend does not support that."];
const badKey: Translation = [400, "invalid_key", "This backend does not accept such a key."];
const badRegion: Translation = [400, "bad_request", "The backend does not accept this region."];
const badValue: Translation = [400, "bad_request", "The backend does not accept a value of this request."];
const denied: Translation = [403, "forbidden", "The backend does not let its key do this."];
const parentIsObject: Translation = [409, "conflict", "A part of the key's path is an object itself."];
const bucketExists: Translation = [409, "conflict", "A bucket of this name already exists."];
const badCredentials = (
  what: string,
): Translation => [502, "backend_error", `The backend refuses its key: ${what}.`];

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, and codes of MinIO's and versitygw's own. */
const byCode: Readonly<Record<string, Translation>> = {
  NoSuchBucket: missingBucket,
  NoSuchKey: missingObject,
  NoSuchVersion: missingVersion,
  NoSuchUpload: [404, "not_found", "There is no such multipart upload."],
  MethodNotAllowed: notSupported,
  NotImplemented: notSupported,
  AccessDenied: denied,
  AllAccessDisabled: denied,
  InvalidAccessKeyId: badCredentials("the access key is unknown"),
  XAdminUserNotFound: badCredentials("the access key is unknown"),
  SignatureDoesNotMatch: badCredentials("the secret key or the region is wrong"),
  AuthorizationHeaderMalformed: badCredentials("the region is probably wrong"),
  ExpiredToken: badCredentials("it has expired"),
  RequestTimeTooSkewed: badCredentials("the clocks differ by too much"),
  BucketAlreadyExists: bucketExists,
  BucketAlreadyOwnedByYou: bucketExists,
  BucketNotEmpty: [409, "bucket_not_empty", "The bucket is not empty."],
  InvalidBucketState: [409, "conflict", "The bucket's object lock does not allow that."],
  VersioningNotConfigured: notSupported,
  OperationAborted: [409, "conflict", "Another change to the same thing is under way."],
  ConditionalRequestConflict: [409, "conflict", "Another change to the same thing is under way."],
  InvalidLocationConstraint: badRegion,
  IllegalLocationConstraintException: badRegion,
  InvalidRegion: badRegion,
  InvalidArgument: badValue,
  InvalidRequest: badValue,
  BadRequest: badValue,
  MalformedXML: badValue,
  InvalidVersionId: missingVersion,
  InvalidPart: [400, "bad_request", "The backend does not have one of these parts."],
  InvalidPartOrder: [400, "bad_request", "The parts are not in ascending order."],
  EntityTooSmall: [400, "bad_request", "A part other than the last is smaller than the backend allows."],
  BadDigest: [400, "bad_request", "The content does not match its Content-MD5."],
  InvalidDigest: [400, "bad_request", "The Content-MD5 is not one."],
  InvalidTag: [400, "invalid_tag", "The backend does not accept these tags."],
  InvalidStorageClass: [400, "invalid_storage_class", "This backend has no such storage class."],
  MetadataTooLarge: [400, "invalid_metadata", "The backend does not accept that much metadata."],
  InvalidObjectState: [
    409,
    "conflict",
    "The object is archived: it has to be restored before it can be read.",
  ],
  InvalidBucketName: [400, "invalid_bucket_name", "The backend does not accept this bucket name."],
  KeyTooLongError: badKey,
  InvalidURI: badKey,
  XMinioInvalidObjectName: badKey,
  XMinioInvalidResourceName: badKey,
  DirectoryObjectContainsData: [
    400,
    "invalid_key",
    'This backend stores no content under a key that ends in "/".',
  ],
  XMinioParentIsObject: parentIsObject,
  ObjectParentIsFile: parentIsObject,
  ExistingObjectIsDirectory: [409, "conflict", "There are objects below this key, as if in a folder."],
  EntityTooLarge: [413, "too_large", "The object is larger than the backend allows."],
  PreconditionFailed: [412, "precondition_failed", "The object is not in the state that was asked for."],
};

const byStatus: Readonly<Record<number, Translation>> = {
  403: denied,
  404: [404, "not_found", "The backend has no such bucket or object."],
  405: notSupported,
  409: [409, "conflict", "The backend reports a conflict."],
  412: byCode.PreconditionFailed,
  413: byCode.EntityTooLarge,
  501: notSupported,
};

/** The problem a client is told when an upstream refused a request. Holds no address and no key of the upstream. */
export function refusalProblem({ status, code: said }: UpstreamRefusal, cause?: unknown): Problem {
  const code = errorCode(said);
  return translated(byCode[code] ?? byStatus[status] ?? otherRefusal(status, code), { status, code }, cause);
}

function translated(
  [ourStatus, ourCode, message]: Translation,
  refusal: UpstreamRefusal,
  cause?: unknown,
): Problem {
  const detail = { upstream_status: refusal.status, upstream_code: refusal.code || undefined };
  return new Problem(ourStatus, ourCode, message, { detail, cause });
}

/** What an upstream gave as its error code, if that looks like one: it goes into messages and logs. */
function errorCode(said: string): string {
  return /^[A-Za-z][A-Za-z0-9.]{0,99}$/.test(said) ? said : "";
}

function otherRefusal(status: number, code: string): Translation {
  if (status >= 300 && status < 400) {
    return [502, "backend_error", "The backend redirects elsewhere: its endpoint or region is wrong."];
  }
  return [502, "backend_error", `The backend failed with ${code === "" ? `status ${status}` : code}.`];
}

/** The problem for an answer that no S3 server gives, such as the HTML page of a proxy or a web server. */
export function foreignAnswerProblem(status: number): Problem {
  return new Problem(502, "backend_error", "The backend's answer is not that of an S3 server.", {
    detail: { upstream_status: status, reason: "not_s3" },
  });
}

/** What failed at an upstream as a {@link Problem}; whatever is none yet, the connection is to blame for. */
export function upstreamProblem(error: unknown): Problem {
  return error instanceof Problem ? error : transportProblem(error);
}

/** The problem for an upstream that took too long. */
export function timeoutProblem(): Problem {
  return new Problem(504, "backend_timeout", "The backend did not answer in time.");
}

/** The problem for a client that went away before its request was done; only the log and the audit see it. */
export function clientGoneProblem(): Problem {
  return new Problem(400, "bad_request", "The client closed the connection before the request was complete.");
}

/** The problem for a client that no longer sends the body it has announced. */
export function clientStalledProblem(): Problem {
  return badRequest("The body did not arrive in time.");
}

/** Reasons of transport errors, by what the runtime's messages say; the messages themselves hold the endpoint. */
const transportReasons: readonly (readonly [RegExp, reason: string, message: string])[] = [
  [/connection refused|ECONNREFUSED/i, "connection_refused", "The backend refuses connections."],
  [
    /dns error|failed to lookup|name resolution|ENOTFOUND|EAI_AGAIN/i,
    "name_not_resolved",
    "The backend's host name cannot be resolved.",
  ],
  [
    /certificate|unknownissuer|invalid peer|tls|handshake|corrupt message/i,
    "tls",
    "No trusted TLS connection to the backend can be made.",
  ],
  [
    /unreachable|no route|EHOSTUNREACH|ENETUNREACH/i,
    "unreachable",
    "There is no network route to the backend.",
  ],
  [/timed out|timeout|ETIMEDOUT/i, "connect_timeout", "The backend cannot be reached in time."],
];

/**
 * The problem for a connection to an upstream that could not be made, or ended before the answer was there; also for a
 * body that broke off while it was passed through.
 */
export function transportProblem(error: unknown): Problem {
  // The address could hold any of the words that are looked for.
  const text = errorTexts(error).join(" ").replaceAll(/\S+:\/\/\S+/g, "");
  const known = transportReasons.find(([pattern]) => pattern.test(text));
  const [, reason, message] = known ??
    [null, "connection_lost", "The backend closed the connection before its answer was complete."];
  return new Problem(502, "backend_error", message, { detail: { reason }, cause: error });
}

/**
 * Whether a backend may have done what it was asked for although this error came of it: it had the request, but neither
 * accepted nor refused it.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof Problem)) return true;
  const { upstream_status: status, reason } = error.detail ?? {};
  if (typeof status === "number") return status < 400;
  return reason === undefined || reason === "connection_lost";
}

/** What an error says, and what the errors behind it say. */
export function errorTexts(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.message, ...(error.cause === undefined ? [] : errorTexts(error.cause))];
}

/** Reads why an upstream refused from the XML of its answer; {@link foreignAnswerProblem} when that is a web page. */
export async function readRefusal(response: Response): Promise<Problem> {
  const { status } = response;
  const text = await readStart(response);
  if (response.headers.get("x-amz-delete-marker") === "true") return deleteMarkerProblem(status);
  const code = errorCode(/<Code>\s*([^<\s]*)\s*<\/Code>/.exec(text)?.[1] ?? "");
  if (code === "" && isWebPage(response.headers.get("content-type"), text)) {
    return foreignAnswerProblem(status);
  }
  // No others than requests for objects are sent without the SDK. The answer to a HEAD has no XML.
  if (code === "" && status === 404) return notFound(missingObject[2]);
  // versitygw refuses some keys without saying more.
  if (code === "" && status === 400) return translated(badKey, { status, code });
  return refusalProblem({ status, code });
}

/**
 * The problem for a request for the content of a delete marker, which S3 refuses with 405 where the marker itself was asked
 * for, and with 404 where it is the latest version: it stands for an object that is not there.
 */
function deleteMarkerProblem(status: number): Problem {
  return new Problem(404, "not_found", "The object was deleted.", {
    detail: { upstream_status: status, delete_marker: true },
  });
}

/** Whether an error is that of a request for the content of a delete marker. */
export function isDeleteMarker(error: unknown): boolean {
  return error instanceof Problem && error.detail?.delete_marker === true;
}

/** Code and message of the XML with which S3 refuses; both are empty for any other text. */
export function parseRefusal(text: string): { readonly code: string; readonly message: string } {
  try {
    const node = parseXml(text);
    return { code: textOf(node, "Code")?.trim() ?? "", message: textOf(node, "Message")?.trim() ?? "" };
  } catch {
    return { code: "", message: "" };
  }
}

/** Whether an answer is a web page by its type or by how it begins. */
export function isWebPage(contentType: string | null, text: string): boolean {
  return /^text\/html/i.test(contentType ?? "") || /^\s*<(?:!doctype html|html)/i.test(text);
}

/** The first 16 KiB of an answer as text; what follows is not waited for. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= 16_384) break;
    }
  } catch {
    // An error answer that breaks off is judged by what came of it.
  }
  return text;
}
