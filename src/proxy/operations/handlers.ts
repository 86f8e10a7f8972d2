import { xmlAnswer } from "../answer.ts";
import { bucketLocationDocument } from "./bucket_location.ts";
import type { RequestContext } from "../context.ts";
import { copyObject, uploadPartCopy } from "./copies.ts";
import { deleteObject, deleteObjects } from "./deletions.ts";
import { putTagging } from "./documents.ts";
import { passThrough } from "../forward.ts";
import { listBucketsDocument } from "./list_buckets.ts";
import { abortUpload, completeUpload, listParts } from "./multipart.ts";
import { type Operation, operations } from "../operations.ts";
import { passListing } from "./listings.ts";
import { answerLocally } from "../relay.ts";
import { type OperationHandler, type OperationServices, upstreamOf } from "../services.ts";
import { putObject, uploadPart } from "./uploads.ts";
import { notImplemented } from "../authorize.ts";

/** What is done for each operation once a request for it was let pass. */
const handlers: ReadonlyMap<Operation, OperationHandler> = new Map<Operation, OperationHandler>([
  [operations.ListBuckets, listBuckets],
  [operations.GetBucketLocation, getBucketLocation],
  [operations.PutObject, putObject],
  [operations.UploadPart, uploadPart],
  [operations.CopyObject, copyObject],
  [operations.UploadPartCopy, uploadPartCopy],
  [operations.CompleteMultipartUpload, completeUpload],
  [operations.AbortMultipartUpload, abortUpload],
  [operations.ListParts, listParts],
  [operations.DeleteObject, deleteObject],
  [operations.DeleteObjects, deleteObjects],
  [operations.PutObjectTagging, putTagging],
  ...[
    operations.HeadBucket,
    operations.GetBucketVersioning,
    operations.GetObject,
    operations.HeadObject,
    operations.GetObjectAttributes,
    operations.GetObjectTagging,
    operations.DeleteObjectTagging,
    operations.CreateMultipartUpload,
  ].map((operation) => [operation, passThrough] as const),
  ...[
    operations.ListObjects,
    operations.ListObjectsV2,
    operations.ListObjectVersions,
    operations.ListMultipartUploads,
  ].map((operation) => [operation, passListing] as const),
]);

/** The handler of an operation that is offered. */
export function handlerOf(operation: Operation): OperationHandler {
  const handler = handlers.get(operation);
  if (handler === undefined) throw notImplemented(`${operation.name} is not offered here.`);
  return handler;
}

/** The buckets in scope, of which the upstream knows nothing. */
async function listBuckets(context: RequestContext): Promise<void> {
  const { credential, query } = context;
  if (credential === undefined) throw notImplemented("ListBuckets has to be signed.");
  await answerLocally(context, xmlAnswer(listBucketsDocument(credential, query), context.answerContext));
}

async function getBucketLocation(context: RequestContext, services: OperationServices): Promise<void> {
  const { region } = upstreamOf(context, services).backend;
  await answerLocally(context, xmlAnswer(bucketLocationDocument(region), context.answerContext));
}
