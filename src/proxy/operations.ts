/** The operations that the specification names for audit actions, and `unknown` for every other. */
export type AuditOperation =
  | "getobject"
  | "putobject"
  | "headbucket"
  | "listbuckets"
  | "listobjects"
  | "deleteobject"
  | "deleteobjects"
  | "copyobject"
  | "createmultipartupload"
  | "uploadpart"
  | "completemultipartupload"
  | "abortmultipart"
  | "listmultipartuploads"
  | "listparts"
  | "headobject"
  | "unknown";

/** Why an operation is offered to nobody. */
export type Refusal = "denied" | "method_not_allowed" | "not_implemented";

/** What a request asks for. */
export interface Operation {
  /** S3's name of it. One of a fixed set, so it is fit for a label of metrics. */
  readonly name: string;
  /** How the audit calls it. */
  readonly audit: AuditOperation;
  readonly access: "read" | "write";
  readonly level: "service" | "bucket" | "object";
  /** `undefined` for what is offered. */
  readonly refusal: Refusal | undefined;
  /** The parameters it may have; any other could change what it means. */
  readonly parameters: ReadonlySet<string>;
}

type Level = Operation["level"];

function offered(
  level: Level,
  access: Operation["access"],
  name: string,
  audit: AuditOperation,
  parameters: readonly string[] = [],
): Operation {
  return { name, audit, access, level, refusal: undefined, parameters: new Set(parameters) };
}

function refused(level: Level, name: string, refusal: Refusal): Operation {
  return { name, audit: "unknown", access: "write", level, refusal, parameters: new Set() };
}

const listing = ["prefix", "delimiter", "encoding-type"];
const responseOverrides = [
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-type",
  "expires",
]
  .map((header) => `response-${header}`);
const reading = ["versionId", "partNumber", ...responseOverrides];

/**
 * Every operation that is told apart, by its name in
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 * or, for what is refused, by a word for the whole group. `metadata` is an extension that MinIO's clients use.
 */
export const operations = {
  ListBuckets: offered("service", "read", "ListBuckets", "listbuckets", [
    "prefix",
    "max-buckets",
    "continuation-token",
  ]),
  HeadBucket: offered("bucket", "read", "HeadBucket", "headbucket"),
  GetBucketLocation: offered("bucket", "read", "GetBucketLocation", "unknown", ["location"]),
  GetBucketVersioning: offered("bucket", "read", "GetBucketVersioning", "unknown", ["versioning"]),
  ListObjects: offered("bucket", "read", "ListObjects", "listobjects", [...listing, "marker", "max-keys"]),
  ListObjectsV2: offered("bucket", "read", "ListObjectsV2", "listobjects", [
    ...listing,
    "list-type",
    "max-keys",
    "continuation-token",
    "start-after",
    "fetch-owner",
    "metadata",
  ]),
  ListObjectVersions: offered("bucket", "read", "ListObjectVersions", "unknown", [
    ...listing,
    "versions",
    "max-keys",
    "key-marker",
    "version-id-marker",
    "metadata",
  ]),
  ListMultipartUploads: offered("bucket", "read", "ListMultipartUploads", "listmultipartuploads", [
    ...listing,
    "uploads",
    "max-uploads",
    "key-marker",
    "upload-id-marker",
  ]),
  DeleteObjects: offered("bucket", "write", "DeleteObjects", "deleteobjects", ["delete"]),
  PostObject: offered("bucket", "write", "PostObject", "putobject"),
  GetObject: offered("object", "read", "GetObject", "getobject", reading),
  HeadObject: offered("object", "read", "HeadObject", "headobject", reading),
  GetObjectAttributes: offered("object", "read", "GetObjectAttributes", "unknown", [
    "attributes",
    "versionId",
  ]),
  GetObjectTagging: offered("object", "read", "GetObjectTagging", "unknown", ["tagging", "versionId"]),
  PutObjectTagging: offered("object", "write", "PutObjectTagging", "unknown", ["tagging", "versionId"]),
  DeleteObjectTagging: offered("object", "write", "DeleteObjectTagging", "unknown", ["tagging", "versionId"]),
  PutObject: offered("object", "write", "PutObject", "putobject"),
  CopyObject: offered("object", "write", "CopyObject", "copyobject"),
  DeleteObject: offered("object", "write", "DeleteObject", "deleteobject", ["versionId"]),
  CreateMultipartUpload: offered("object", "write", "CreateMultipartUpload", "createmultipartupload", [
    "uploads",
  ]),
  UploadPart: offered("object", "write", "UploadPart", "uploadpart", ["partNumber", "uploadId"]),
  UploadPartCopy: offered("object", "write", "UploadPartCopy", "uploadpart", ["partNumber", "uploadId"]),
  CompleteMultipartUpload: offered("object", "write", "CompleteMultipartUpload", "completemultipartupload", [
    "uploadId",
  ]),
  AbortMultipartUpload: offered("object", "write", "AbortMultipartUpload", "abortmultipart", ["uploadId"]),
  ListParts: offered("object", "read", "ListParts", "listparts", [
    "uploadId",
    "max-parts",
    "part-number-marker",
    "encoding-type",
  ]),
  Preflight: offered("service", "read", "Preflight", "unknown"),
  CreateBucket: refused("bucket", "CreateBucket", "denied"),
  DeleteBucket: refused("bucket", "DeleteBucket", "denied"),
  BucketSettings: refused("bucket", "BucketSettings", "denied"),
  // Clients that look at settings on their own account, such as `s3cmd info`, survive 501 but not always 403.
  ReadBucketSettings: refused("bucket", "BucketSettings", "not_implemented"),
  WrongMethod: refused("service", "WrongMethod", "method_not_allowed"),
  UnknownOfBucket: refused("bucket", "Unknown", "not_implemented"),
  UnknownOfObject: refused("object", "Unknown", "not_implemented"),
  UnknownOfService: refused("service", "Unknown", "not_implemented"),
} as const satisfies Record<string, Operation>;
