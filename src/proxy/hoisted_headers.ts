import { checksumAlgorithms, checksumHeader } from "../checksums/checksum.ts";
import { HeaderList } from "../http1/header_list.ts";
import { isHeaderParameter, type QueryList } from "./query.ts";
import { S3Error } from "./s3_error.ts";

/**
 * What S3 and MinIO do not heed in a query. The AWS SDK for JavaScript puts the checksum of an empty body there when it presigns
 * an upload whose body it does not know (https://github.com/localstack/localstack/issues/12169): every upload would fail.
 */
const withoutMeaning: ReadonlySet<string> = new Set([
  "x-amz-sdk-checksum-algorithm",
  ...checksumAlgorithms.map(checksumHeader),
]);

/**
 * The headers that count: those of the request and those that an SDK has put into the query of a presigned URL, such as
 * `x-amz-acl` or `x-amz-meta-name`. Throws {@link S3Error} `InvalidArgument` where one comes both ways, or has a value
 * that no header can have.
 */
export function effectiveHeaders(headers: HeaderList, query: QueryList): HeaderList {
  if (!query.names.some(isHeaderParameter)) return headers;
  const all = HeaderList.of(headers);
  for (const [index, parameter] of query.names.entries()) {
    if (!isHeaderParameter(parameter)) continue;
    const name = parameter.toLowerCase();
    if (withoutMeaning.has(name)) continue;
    if (!isToken(name)) {
      throw new S3Error("InvalidArgument", "A parameter of the query is not a header's name.");
    }
    if (all.has(name)) throw new S3Error("InvalidArgument", `${name} is given more than once.`);
    all.append(name, headerValue(name, query.values[index]));
  }
  return all;
}

/** A value in the form of {@link HeaderList}: one character for each byte of its UTF-8. */
function headerValue(name: string, value: string): string {
  if (/\p{Cc}/u.test(value)) throw new S3Error("InvalidArgument", `${name} holds a control character.`);
  return Array.from(new TextEncoder().encode(value.trim()), (byte) => String.fromCharCode(byte)).join("");
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
function isToken(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name);
}
