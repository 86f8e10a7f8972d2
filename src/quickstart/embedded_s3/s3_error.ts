import { element, xmlDocument } from "../../xml/writer.ts";

/** Status and usual message of each error code, as https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html lists them. */
const errors = {
  AccessDenied: [403, "Access Denied."],
  BadDigest: [400, "The digest you specified did not match what was received."],
  BucketAlreadyOwnedByYou: [409, "The bucket exists already and you own it."],
  BucketNotEmpty: [409, "The bucket you tried to delete is not empty."],
  EntityTooLarge: [400, "The upload exceeds the largest size allowed for one request, 5 GiB."],
  EntityTooSmall: [400, "Every part but the last has to be at least 5 MiB."],
  IncompleteBody: [400, "The body has fewer bytes than its Content-Length says."],
  InternalError: [500, "An internal error occurred. Try again."],
  InvalidArgument: [400, "Invalid argument."],
  InvalidBucketName: [400, "The bucket name is not valid."],
  InvalidDigest: [400, "The Content-MD5 you specified is not valid."],
  InvalidPart: [400, "A part could not be found, or its ETag or checksum is not that of the uploaded part."],
  InvalidPartOrder: [400, "The list of parts was not in ascending order."],
  InvalidRange: [416, "The requested range cannot be satisfied."],
  InvalidRequest: [400, "Invalid request."],
  InvalidStorageClass: [400, "Objects here have no storage class but STANDARD."],
  InvalidTag: [400, "The tag set is not valid."],
  InvalidURI: [400, "The URI could not be parsed."],
  KeyTooLongError: [400, "The key is longer than 1024 bytes."],
  MalformedXML: [400, "The XML is not well-formed, or not what this request takes."],
  MaxMessageLengthExceeded: [400, "The request body is too large."],
  MethodNotAllowed: [405, "The method is not allowed against this resource."],
  MissingContentLength: [411, "A Content-Length header is needed."],
  NoSuchBucket: [404, "The bucket does not exist."],
  NoSuchKey: [404, "The key does not exist."],
  NoSuchUpload: [404, "The multipart upload does not exist. It may have been completed or aborted."],
  NoSuchVersion: [404, "The version does not exist: objects here have no versions."],
  NotImplemented: [501, "This server does not implement what the request asks for."],
  PreconditionFailed: [412, "At least one of the preconditions did not hold."],
  SignatureDoesNotMatch: [403, "The signature does not match."],
  XAmzContentSHA256Mismatch: [400, "The body is not what x-amz-content-sha256 says."],
} satisfies Record<string, [number, string]>;

/** The S3 error codes of this server; those of a refused signature come from the verifier. */
export type S3ErrorCode = keyof typeof errors;

/** An error that is answered in S3's form. */
export class S3Error extends Error {
  override readonly name = "S3Error";
  readonly status: number;

  constructor(readonly code: S3ErrorCode, message: string = errors[code][1]) {
    super(message);
    this.status = errors[code][0];
  }
}

/** The answer for an error; the one to a HEAD request has no body. */
export function errorResponse(
  error: { status: number; code: string; message: string },
  request: { method: string; resource: string; requestId: string },
): Response {
  if (request.method === "HEAD") return new Response(null, { status: error.status });
  const body = xmlDocument(element("Error", [
    element("Code", error.code),
    element("Message", error.message),
    element("Resource", request.resource),
    element("RequestId", request.requestId),
  ]));
  return new Response(body, { status: error.status, headers: { "content-type": "application/xml" } });
}
