import { element, xmlDocument } from "../../xml/writer.ts";
import type { LocalAnswer } from "../answer.ts";
import { S3Error } from "../s3_error.ts";

/** What a form has made. */
export interface PostedObject {
  readonly bucket: string;
  readonly key: string;
  /** Its URL, as the client addresses the endpoint. */
  readonly location: string;
  /** With its quotes. */
  readonly etag: string;
  readonly versionId: string | undefined;
}

/** Throws {@link S3Error} `InvalidArgument` for a form that wants an answer which cannot be given. */
export function requireAnswerable(fields: ReadonlyMap<string, string>): void {
  const redirect = redirectOf(fields);
  if (redirect === undefined || isWebUrl(redirect)) return;
  throw new S3Error("InvalidArgument", "success_action_redirect must be an http or https URL.");
}

/**
 * The answer to a form whose file was stored, as its fields want it:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTForms.html
 */
export function postAnswer(fields: ReadonlyMap<string, string>, object: PostedObject): LocalAnswer {
  const { bucket, key, location, etag, versionId } = object;
  const headers: [string, string][] = [["etag", etag]];
  if (versionId !== undefined) headers.push(["x-amz-version-id", versionId]);
  const redirect = redirectOf(fields);
  if (redirect !== undefined) {
    const url = new URL(redirect);
    for (const [name, value] of Object.entries({ bucket, key, etag })) url.searchParams.append(name, value);
    return { status: 303, headers: [...headers, ["location", url.href]], body: "" };
  }
  headers.push(["location", location]);
  switch (fields.get("success_action_status")) {
    case "200":
      return { status: 200, headers, body: "" };
    case "201": {
      const document = xmlDocument(element("PostResponse", [
        element("Location", location),
        element("Bucket", bucket),
        element("Key", key),
        element("ETag", etag),
      ]));
      return { status: 201, headers: [...headers, ["content-type", "application/xml"]], body: document };
    }
    default:
      return { status: 204, headers, body: "" };
  }
}

/** `redirect` is the older name of the field. */
function redirectOf(fields: ReadonlyMap<string, string>): string | undefined {
  return fields.get("success_action_redirect") || fields.get("redirect") || undefined;
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}
