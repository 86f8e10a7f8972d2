import { bareXmlDocument, element } from "../xml/writer.ts";
import type { S3Error } from "./s3_error.ts";

/** An answer that the endpoint gives by itself. */
export interface LocalAnswer {
  readonly status: number;
  /** Names are lower-case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Empty for none. */
  readonly body: string;
}

/** What an answer has to know of its request. */
export interface AnswerContext {
  readonly method: string;
  /** The raw path of the request. */
  readonly path: string;
  /** Empty when the request has none. */
  readonly bucket: string;
  readonly requestId: string;
}

/** Parts of an S3 error document that are given besides the request's own. */
export interface ErrorDetails {
  readonly code: string;
  readonly message: string;
  /** Further elements, such as `Key`. */
  readonly more?: readonly (readonly [name: string, text: string])[];
}

/**
 * The answer for an error: S3's XML (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html), but no body to HEAD.
 */
export function errorAnswer(error: S3Error, context: AnswerContext): LocalAnswer {
  const headers: [string, string][] = [
    ["x-amz-request-id", context.requestId],
    ...Object.entries(error.headers),
  ];
  if (context.method === "HEAD") return { status: error.status, headers, body: "" };
  headers.push(["content-type", "application/xml"]);
  return { status: error.status, headers, body: errorDocument(error, context) };
}

/** The XML of an S3 error. */
export function errorDocument({ code, message, more = [] }: ErrorDetails, context: AnswerContext): string {
  return bareXmlDocument(element("Error", [
    element("Code", code),
    element("Message", message),
    element("Resource", context.path),
    context.bucket === "" ? undefined : element("BucketName", context.bucket),
    ...more.map(([name, text]) => element(name, text)),
    element("RequestId", context.requestId),
    element("HostId", context.requestId),
  ]));
}

/** A successful answer with a document. */
export function xmlAnswer(body: string, context: AnswerContext): LocalAnswer {
  const headers = [["x-amz-request-id", context.requestId], ["content-type", "application/xml"]] as const;
  return { status: 200, headers, body };
}
