import type { HeaderList } from "../http1/header_list.ts";
import { type Operation, operations } from "./operations.ts";
import { isHeaderParameter, isSignatureParameter, type QueryList } from "./query.ts";
import type { Target } from "./request.ts";

export type { AuditOperation, Operation, Refusal } from "./operations.ts";

/**
 * Sub-resources by which the settings of a bucket are read and written:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html. What is neither of these
 * nor offered is unknown.
 */
const bucketSettings: readonly string[] = [
  "abac",
  "accelerate",
  "acl",
  "analytics",
  "cors",
  "encryption",
  "intelligent-tiering",
  "inventory",
  "lifecycle",
  "location",
  "logging",
  "metadataConfiguration",
  "metadataTable",
  "metrics",
  "notification",
  "object-lock",
  "ownershipControls",
  "policy",
  "policyStatus",
  "publicAccessBlock",
  "replication",
  "requestPayment",
  "tagging",
  "versioning",
  "website",
];

/**
 * Tells what a request asks for. Never throws: what is not offered comes back with a {@link Operation.refusal}, so that it can
 * be answered and recorded after the client has shown who it is.
 *
 * @param headers with those that stand in the query, see `effectiveHeaders`
 */
export function classify(method: string, target: Target, query: QueryList, headers: HeaderList): Operation {
  if (method === "OPTIONS") return operations.Preflight;
  const operation = target.bucket === ""
    ? serviceOperation(method)
    : target.key === ""
    ? bucketOperation(method, query, headers)
    : objectOperation(method, query, headers);
  if (operation.refusal !== undefined) return operation;
  for (const name of query.names) {
    if (!isAllowed(name, operation)) return unknownOperation(operation.level);
  }
  return operation;
}

function isAllowed(name: string, operation: Operation): boolean {
  return operation.parameters.has(name) || isSignatureParameter(name) || isHeaderParameter(name) ||
    name === "x-id";
}

function unknownOperation(level: Operation["level"]): Operation {
  if (level === "object") return operations.UnknownOfObject;
  return level === "bucket" ? operations.UnknownOfBucket : operations.UnknownOfService;
}

function serviceOperation(method: string): Operation {
  return method === "GET" ? operations.ListBuckets : operations.WrongMethod;
}

function bucketOperation(method: string, query: QueryList, headers: HeaderList): Operation {
  switch (method) {
    case "GET":
      return bucketReading(query);
    case "HEAD":
      return operations.HeadBucket;
    case "PUT":
      return isSettings(query) ? operations.BucketSettings : operations.CreateBucket;
    case "DELETE":
      return isSettings(query) ? operations.BucketSettings : operations.DeleteBucket;
    case "POST":
      if (query.has("delete")) return operations.DeleteObjects;
      if (isForm(headers)) return operations.PostObject;
      return isSettings(query) ? operations.BucketSettings : operations.UnknownOfBucket;
    default:
      return operations.WrongMethod;
  }
}

function bucketReading(query: QueryList): Operation {
  if (query.get("list-type") === "2") return operations.ListObjectsV2;
  if (query.names.length === 0) return operations.ListObjects;
  if (query.has("location")) return operations.GetBucketLocation;
  if (query.has("uploads")) return operations.ListMultipartUploads;
  if (query.has("versions")) return operations.ListObjectVersions;
  if (query.has("versioning")) return operations.GetBucketVersioning;
  return isSettings(query) ? operations.ReadBucketSettings : operations.ListObjects;
}

function isSettings(query: QueryList): boolean {
  return query.names.some((name) => bucketSettings.includes(name));
}

/** Whether the body is the form of a POST policy upload. */
function isForm(headers: HeaderList): boolean {
  const type = headers.get("content-type");
  return type !== null && type.slice(0, 19).toLowerCase() === "multipart/form-data";
}

function objectOperation(method: string, query: QueryList, headers: HeaderList): Operation {
  switch (method) {
    case "GET":
      if (query.names.length === 0) return operations.GetObject;
      if (query.has("uploadId")) return operations.ListParts;
      if (query.has("tagging")) return operations.GetObjectTagging;
      return query.has("attributes") ? operations.GetObjectAttributes : operations.GetObject;
    case "HEAD":
      return operations.HeadObject;
    case "PUT":
      return objectWriting(query, headers.has("x-amz-copy-source"));
    case "POST":
      if (query.has("uploads")) return operations.CreateMultipartUpload;
      return query.has("uploadId") ? operations.CompleteMultipartUpload : operations.UnknownOfObject;
    case "DELETE":
      if (query.has("uploadId")) return operations.AbortMultipartUpload;
      return query.has("tagging") ? operations.DeleteObjectTagging : operations.DeleteObject;
    default:
      return operations.WrongMethod;
  }
}

function objectWriting(query: QueryList, isCopy: boolean): Operation {
  if (query.has("partNumber") && query.has("uploadId")) {
    return isCopy ? operations.UploadPartCopy : operations.UploadPart;
  }
  if (query.has("tagging")) return operations.PutObjectTagging;
  return isCopy ? operations.CopyObject : operations.PutObject;
}
