import { HeaderList } from "../http1/header_list.ts";
import { notImplemented, scopeViolation } from "./authorize.ts";
import { type Operation, operations } from "./operations.ts";
import { S3Error } from "./s3_error.ts";

/** Most bytes of names and values of user metadata: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const maxMetadataBytes = 2048;

type Fate = "pass" | "drop" | "copy_source" | "content_encoding" | "acl" | "governance" | "refuse";

/**
 * What becomes of headers by their name. Headers of HTTP that are not named here do not pass: S3 has no use for them, and some
 * servers give them a meaning of their own.
 */
const fates: ReadonlyMap<string, Fate> = new Map<string, Fate>([
  ...fate("pass", [
    "cache-control",
    "content-disposition",
    "content-language",
    "content-md5",
    "content-type",
    "expires",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "range",
    "x-amz-if-match-initiated-time",
    "x-amz-if-match-last-modified-time",
    "x-amz-if-match-size",
    "x-amz-max-parts",
    "x-amz-metadata-directive",
    "x-amz-mp-object-size",
    "x-amz-object-annotation-directive",
    "x-amz-object-attributes",
    "x-amz-object-lock-legal-hold",
    "x-amz-object-lock-mode",
    "x-amz-object-lock-retain-until-date",
    "x-amz-optional-object-attributes",
    "x-amz-part-number-marker",
    "x-amz-request-payer",
    "x-amz-sdk-checksum-algorithm",
    "x-amz-storage-class",
    "x-amz-tagging",
    "x-amz-tagging-directive",
    "x-amz-website-redirect-location",
  ]),
  // Spent by the endpoint: they authenticate or frame the client's own request. Without x-amz-mfa the upstream may only refuse.
  ...fate("drop", [
    "x-amz-content-sha256",
    "x-amz-date",
    "x-amz-decoded-content-length",
    "x-amz-mfa",
    "x-amz-security-token",
    "x-amz-trailer",
    "x-amz-user-agent",
  ]),
  ["content-encoding", "content_encoding"],
  ["x-amz-acl", "acl"],
  ["x-amz-bypass-governance-retention", "governance"],
  ["x-amz-copy-source", "copy_source"],
  ["x-amz-copy-source-if-match", "copy_source"],
  ["x-amz-copy-source-if-modified-since", "copy_source"],
  ["x-amz-copy-source-if-none-match", "copy_source"],
  ["x-amz-copy-source-if-unmodified-since", "copy_source"],
  ["x-amz-copy-source-range", "copy_source"],
]);

/** Families of headers, for names that are not in {@link fates}; the first that fits counts. */
const families: readonly (readonly [prefix: string, fate: Fate])[] = [
  // With these MinIO unpacks an archive into objects anywhere in the bucket.
  ["x-amz-meta-snowball-", "refuse"],
  ["x-amz-meta-minio-snowball-", "refuse"],
  ["x-amz-meta-", "pass"],
  ["x-amz-checksum-", "pass"],
  ["x-amz-server-side-encryption", "pass"],
  ["x-amz-copy-source-server-side-encryption-customer-", "copy_source"],
  ["x-amz-", "refuse"],
  // MinIO's own switches: deletion of whole folders, writes as if by replication, reading inside archives.
  ["x-minio-", "refuse"],
];

/** Values of `x-amz-acl` that let nobody in but the owner, as is the case without it. */
const privateAcls: readonly string[] = ["private", "bucket-owner-read", "bucket-owner-full-control"];

/**
 * The client's headers that go on to the upstream. `Host`, `Content-Length`, `Accept-Encoding` and what signs the request are for
 * the caller to add.
 *
 * @param headers with those that stand in the query, see `effectiveHeaders`
 * @param copySource of a copy: the value of `x-amz-copy-source` to send, see `formatCopySource`
 * @throws S3Error `NotImplemented` for a header that would change the meaning of the request or make an object public,
 *   `MetadataTooLarge`, `AccessDenied` for the bypass of a governance lock
 */
export function forwardedHeaders(headers: HeaderList, operation: Operation, copySource?: string): HeaderList {
  const forwarded = new HeaderList();
  const connection = connectionOptions(headers.get("connection"));
  const isCopy = operation === operations.CopyObject || operation === operations.UploadPartCopy;
  let metadataBytes = 0;
  for (const [name, value] of headers) {
    if (connection.includes(name)) continue;
    switch (fates.get(name) ?? familyOf(name)) {
      case "pass":
        if (name.startsWith("x-amz-meta-")) {
          metadataBytes += name.length - "x-amz-meta-".length + value.length;
        }
        forwarded.append(name, value);
        break;
      case "copy_source":
        if (!isCopy) throw unknownHeader(name);
        if (name !== "x-amz-copy-source") forwarded.append(name, value);
        break;
      case "content_encoding":
        appendContentEncoding(forwarded, value);
        break;
      case "acl":
        requirePrivate(value);
        break;
      case "governance":
        requireNoBypass(value);
        break;
      case "refuse":
        throw unknownHeader(name);
    }
  }
  if (metadataBytes > maxMetadataBytes) {
    throw new S3Error("MetadataTooLarge", `User metadata has at most ${maxMetadataBytes} bytes.`);
  }
  if (copySource !== undefined) forwarded.append("x-amz-copy-source", copySource);
  return forwarded;
}

function fate(fate: Fate, names: readonly string[]): (readonly [string, Fate])[] {
  return names.map((name) => [name, fate]);
}

function familyOf(name: string): Fate {
  if (!name.startsWith("x-")) return "drop";
  return families.find(([prefix]) => name.startsWith(prefix))?.[1] ?? "drop";
}

/** The headers that are for this connection only: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
function connectionOptions(value: string | null): readonly string[] {
  return value === null ? [] : value.toLowerCase().split(",").map((option) => option.trim());
}

/** Leaves out `aws-chunked`, which is undone here. */
function appendContentEncoding(forwarded: HeaderList, value: string): void {
  const left = value.split(",").map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding.toLowerCase() !== "aws-chunked");
  if (left.length > 0) forwarded.append("content-encoding", left.join(","));
}

function requirePrivate(acl: string): void {
  if (!privateAcls.includes(acl)) {
    throw notImplemented("Objects cannot be published through their ACL at this endpoint.");
  }
}

function requireNoBypass(value: string): void {
  if (value.toLowerCase() !== "false") {
    throw scopeViolation("This endpoint does not bypass governance retention.", "operation");
  }
}

function unknownHeader(name: string): S3Error {
  return notImplemented(`The header ${name} is not supported here.`);
}
