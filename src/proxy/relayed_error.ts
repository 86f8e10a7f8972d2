import type { HeaderList } from "../http1/header_list.ts";
import { parseXml, textOf, XmlError, type XmlNode } from "../xml/reader.ts";
import { type AnswerContext, type ErrorDetails, errorDocument, type LocalAnswer } from "./answer.ts";
import { answerHeaders } from "./response_headers.ts";
import { S3Error } from "./s3_error.ts";

/** Longest error document that is read, in bytes; real ones have a few hundred. */
export const maxErrorBytes = 64 * 1024;

/** An upstream's answer that is neither a success nor 304, its body read whole. */
export interface UpstreamError {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
  /** Host and port of the upstream, which no message may name. */
  readonly authority: string;
}

/**
 * Codes by which an upstream refuses the backend's own key, signature or address. Told to a client, they would seem to be about
 * its own. MinIO and versitygw have a few of their own making.
 */
const aboutBackend: ReadonlySet<string> = new Set([
  "AuthorizationHeaderMalformed",
  "AuthorizationQueryParametersError",
  "CredentialsNotSupported",
  "ExpiredToken",
  "InvalidAccessKeyId",
  "InvalidRegion",
  "InvalidSecurity",
  "InvalidToken",
  "MissingSecurityHeader",
  "NotSignedUp",
  "PermanentRedirect",
  "Redirect",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
  "TemporaryRedirect",
  "XAdminUserNotFound",
  "XAmzContentSHA256Mismatch",
]);

/** Elements besides code and message that tell of the request, not of the upstream. */
const passedElements: readonly string[] = [
  "ActualObjectSize",
  "ArgumentName",
  "ArgumentValue",
  "CalculatedDigest",
  "Condition",
  "ETag",
  "ExpectedDigest",
  "Key",
  "MaxSizeAllowed",
  "Method",
  "MinSizeAllowed",
  "PartNumber",
  "ProposedSize",
  "RangeRequested",
  "UploadId",
  "VersionId",
];

/** What an error says that comes without a document, by its status. */
const byStatus: Readonly<Record<number, string>> = {
  403: "AccessDenied",
  404: "NoSuchKey",
  405: "MethodNotAllowed",
  409: "OperationAborted",
  411: "MissingContentLength",
  412: "PreconditionFailed",
  413: "EntityTooLarge",
  416: "InvalidRange",
  501: "NotImplemented",
};

/**
 * The client's answer to an upstream's error: same status, code and message, but nothing of the upstream's identity. Throws
 * {@link S3Error} `ServiceUnavailable`, result `upstream_error`, where the fault lies between the endpoint and its upstream.
 */
export function relayedError(upstream: UpstreamError, context: AnswerContext): LocalAnswer {
  const details = errorDetails(upstream, context);
  if (details === undefined || aboutBackend.has(details.code)) {
    throw new S3Error("ServiceUnavailable", "The storage behind this endpoint cannot serve the request.", {
      status: 502,
      result: "upstream_error",
      reason: "refused",
      cause: new Error(`upstream answered ${upstream.status} ${details?.code ?? "without an S3 error"}`),
    });
  }
  const headers = [...answerHeaders(upstream.headers, context.requestId)]
    .filter(([name]) => !name.startsWith("content-"));
  if (context.method === "HEAD") return { status: upstream.status, headers, body: "" };
  headers.push(["content-type", "application/xml"]);
  return { status: upstream.status, headers, body: errorDocument(details, context) };
}

/** Reads the error document of an upstream; `undefined` when there is none. */
export function readErrorDocument(text: string, authority: string): ErrorDetails | undefined {
  let root: XmlNode;
  try {
    root = parseXml(text.trim());
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
  const code = textOf(root, "Code")?.trim() ?? "";
  if (root.name !== "Error" || !/^[A-Za-z][A-Za-z0-9.]{0,99}$/.test(code)) return undefined;
  const more = root.children
    .filter(({ name, text }) => passedElements.includes(name) && !namesUpstream(text, authority))
    .map(({ name, text }) => [name, text] as const);
  const message = textOf(root, "Message") ?? "";
  return { code, message: namesUpstream(message, authority) ? "The request was refused." : message, more };
}

function errorDetails(
  { status, body, authority }: UpstreamError,
  context: AnswerContext,
): ErrorDetails | undefined {
  const said = readErrorDocument(body, authority);
  if (said !== undefined) return said;
  // HEAD has no document, and some servers leave it out elsewhere.
  const isBare = context.method === "HEAD" || body.trim() === "";
  if (status < 400 || (status >= 500 && status !== 501) || !isBare) return undefined;
  return { code: byStatus[status] ?? "InvalidRequest", message: "The request was refused." };
}

function namesUpstream(text: string, authority: string): boolean {
  return text.includes("://") || text.includes(authority);
}
