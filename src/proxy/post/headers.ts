import { HeaderList } from "../../http1/header_list.ts";
import { isMediaType } from "../../objects/media_type.ts";
import { notImplemented } from "../authorize.ts";
import { operations } from "../operations.ts";
import { forwardedHeaders } from "../request_headers.ts";
import { S3Error } from "../s3_error.ts";

/** What S3 takes a file for that is sent without a type. */
const defaultContentType = "binary/octet-stream";

/** Fields that are headers of the object, besides those that begin with `x-amz-`. */
const plainHeaders: ReadonlySet<string> = new Set([
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
]);

/** Fields that begin with `x-amz-` but say nothing of the object. */
const signatureFields: ReadonlySet<string> = new Set([
  "x-amz-algorithm",
  "x-amz-credential",
  "x-amz-date",
  "x-amz-security-token",
  "x-amz-signature",
]);

/** Headers of an object that a file of unknown size can be stored with, whether in one request or in parts. */
const objectHeaders = [
  "x-amz-acl",
  "x-amz-meta-",
  "x-amz-server-side-encryption",
  "x-amz-storage-class",
  "x-amz-tagging",
  "x-amz-website-redirect-location",
];

/** How a file is to be stored. */
export interface PostedHeaders {
  readonly contentType: string;
  /** Others than the type; names are lower-case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes headers of a form's fields.
 *
 * @param fields by their names in lower case
 * @throws S3Error `NotImplemented` for what would change the meaning of the upload or publish it, `InvalidArgument` for values that
 * a header cannot hold, `MetadataTooLarge`
 */
export function postedHeaders(fields: ReadonlyMap<string, string>): PostedHeaders {
  if (fields.get("tagging")) throw notImplemented("The field tagging is not supported: use x-amz-tagging.");
  const list = new HeaderList();
  for (const [field, value] of fields) {
    const name = field === "acl" ? "x-amz-acl" : field;
    const isLeftOut = value === "" && !name.startsWith("x-amz-meta-");
    if (!isHeader(name) || isLeftOut) continue;
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || /[^\x20-\x7e\t]/.test(value)) {
      throw new S3Error("InvalidArgument", `The field ${name} must hold plain ASCII text.`);
    }
    list.append(name, value.trim());
  }
  const { "content-type": contentType = defaultContentType, ...headers } = Object.fromEntries(
    forwardedHeaders(list, operations.PutObject),
  );
  if (!isMediaType(contentType)) {
    throw new S3Error("InvalidArgument", "Content-Type must be a type such as text/plain.");
  }
  return { contentType, headers };
}

function isHeader(name: string): boolean {
  if (!name.startsWith("x-amz-")) return plainHeaders.has(name);
  if (signatureFields.has(name)) return false;
  const isCustomerKey = name.startsWith("x-amz-server-side-encryption-customer-");
  if (isCustomerKey || !objectHeaders.some((prefix) => name.startsWith(prefix))) {
    throw notImplemented(`The field ${name} is not supported here.`);
  }
  return true;
}
