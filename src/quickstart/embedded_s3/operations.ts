import {
  createBucket,
  deleteBucket,
  getBucketLocation,
  headBucket,
  listBuckets,
} from "./bucket_operations.ts";
import { copyObject } from "./copy_operations.ts";
import { listObjects } from "./list_operations.ts";
import { listMultipartUploads, listParts } from "./multipart_listings.ts";
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  uploadPart,
  uploadPartCopy,
} from "./multipart_operations.ts";
import {
  deleteObject,
  deleteObjects,
  deleteObjectTagging,
  getObject,
  getObjectTagging,
  putObject,
  putObjectTagging,
} from "./object_operations.ts";
import { S3Error } from "./s3_error.ts";
import type { S3Request } from "./s3_request.ts";
import type { Operation } from "./storage.ts";

/** Operations by method and sub-resource (`copy` stands for the header `x-amz-copy-source`). */
const accountOperations: Record<string, Operation> = { "GET": listBuckets };

const bucketOperations: Record<string, Operation> = {
  "GET": listObjects,
  "HEAD": headBucket,
  "PUT": createBucket,
  "DELETE": deleteBucket,
  "GET location": getBucketLocation,
  "GET uploads": listMultipartUploads,
  "POST delete": deleteObjects,
};

const objectOperations: Record<string, Operation> = {
  "GET": getObject,
  "HEAD": getObject,
  "PUT": putObject,
  "DELETE": deleteObject,
  "PUT copy": copyObject,
  "GET tagging": getObjectTagging,
  "PUT tagging": putObjectTagging,
  "DELETE tagging": deleteObjectTagging,
  "POST uploads": createMultipartUpload,
  "PUT uploadId": uploadPart,
  "PUT uploadId copy": uploadPartCopy,
  "GET uploadId": listParts,
  "POST uploadId": completeMultipartUpload,
  "DELETE uploadId": abortMultipartUpload,
};

/** Parameters that only refine a request; any other names a sub-resource, and so another operation. */
const refiningParameters = new Set([
  "continuation-token",
  "delimiter",
  "encoding-type",
  "fetch-owner",
  "key-marker",
  "list-type",
  "marker",
  "max-keys",
  "max-parts",
  "max-uploads",
  "part-number-marker",
  "partNumber",
  "prefix",
  "start-after",
  "upload-id-marker",
  "versionId",
  "x-id",
]);

/** The operation that a request asks for. Throws `NotImplemented` or `MethodNotAllowed`. */
export function operationOf(request: S3Request): Operation {
  const table = request.bucket === ""
    ? accountOperations
    : request.key === ""
    ? bucketOperations
    : objectOperations;
  const words = [request.method];
  for (const name of request.parameters.keys()) {
    const isRefining = refiningParameters.has(name) || name.startsWith("response-") || /^x-amz-/i.test(name);
    if (!isRefining) words.push(name);
  }
  if (request.method === "PUT" && request.headers.has("x-amz-copy-source")) words.push("copy");
  const operation = table[words.join(" ")];
  if (operation !== undefined) return operation;
  throw new S3Error(words.length > 1 || request.method === "POST" ? "NotImplemented" : "MethodNotAllowed");
}
