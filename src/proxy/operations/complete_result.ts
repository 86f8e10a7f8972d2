import { escapeXml } from "../../xml/writer.ts";
import { type AnswerContext, errorDocument } from "../answer.ts";
import { readErrorDocument } from "../relayed_error.ts";
import { S3Error } from "../s3_error.ts";

/** Longest result that is taken, in bytes; real ones have a few hundred. */
const maxResultBytes = 64 * 1024;

/** What a rewritten result of CompleteMultipartUpload says instead of the upstream's own address. */
export interface CompleteResultOptions {
  /** URL of the object at this endpoint. */
  readonly location: string;
  /** Host and port of the upstream. */
  readonly authority: string;
  readonly context: AnswerContext;
}

/**
 * Passes on the answer of CompleteMultipartUpload with the endpoint's own URL as `Location`. An upstream may send the XML
 * declaration and white space for minutes while it joins the parts, and an error after that with status 200
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html): these bytes pass at once, the document
 * after them when it is complete. Its length differs from the upstream's.
 *
 * Throws {@link S3Error} `ServiceUnavailable` for a document that is too long.
 */
export async function* rewriteCompleteResult(
  body: AsyncIterable<Uint8Array>,
  options: CompleteResultOptions,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = "";
  for await (const bytes of body) {
    held += decoder.decode(bytes, { stream: true });
    const start = held.search(documentStart);
    const prolog = start < 0 ? prologLength(held) : start;
    if (prolog > 0) yield encoder.encode(held.slice(0, prolog));
    held = held.slice(prolog);
    if (held.length > maxResultBytes) {
      throw new S3Error("ServiceUnavailable", "The storage behind this endpoint cannot serve the request.", {
        status: 502,
        result: "upstream_error",
        reason: "result_too_long",
      });
    }
  }
  if (held !== "") yield encoder.encode(rewriteCompleteDocument(held, options));
}

/** The same for a document that is there as a whole, with or without its declaration. */
export function rewriteCompleteDocument(document: string, options: CompleteResultOptions): string {
  const { location, authority, context } = options;
  const error = readErrorDocument(document, authority);
  if (error !== undefined) {
    const rewritten = errorDocument(error, context);
    return document.trimStart().startsWith("<?")
      ? rewritten
      : rewritten.slice(rewritten.search(documentStart));
  }
  return document.replace(
    locationElement,
    (_, open: string, close: string) => `${open}${escapeXml(location)}${close}`,
  );
}

const locationElement = /(<(?:\w+:)?Location\b[^>]*>)[^]*?(<\/(?:\w+:)?Location\s*>)/;

/** Where the root element begins, behind declaration and white space. */
const documentStart = /<[^?!]/;

/** How much of an unfinished prolog can pass: all but what may be the begin of a tag. */
function prologLength(text: string): number {
  const open = text.lastIndexOf("<");
  return open < 0 || text.includes(">", open) ? text.length : open;
}
