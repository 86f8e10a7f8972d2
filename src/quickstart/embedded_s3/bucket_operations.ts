import { receiveText } from "./body.ts";
import {
  allBuckets,
  hasBucket,
  holdsObjects,
  insertBucket,
  removeBucket,
  requireBucket,
} from "./bucket_table.ts";
import { S3Error } from "./s3_error.ts";
import { isoTime, type Operation, xmlResponse } from "./storage.ts";
import { removeUpload, uploadsAfter } from "./upload_table.ts";
import { element } from "../../xml/writer.ts";

/** Who owns everything here, as listings name them. */
export const owner = element("Owner", [element("ID", "quickstart"), element("DisplayName", "quickstart")]);

export const listBuckets: Operation = ({ database }) => {
  const buckets = allBuckets(database).map(({ name, createdAt }) =>
    element("Bucket", [element("Name", name), element("CreationDate", isoTime(createdAt))])
  );
  return xmlResponse(element("ListAllMyBucketsResult", [owner, element("Buckets", buckets)]));
};

/** Regions are not told apart, so a location constraint is read and not kept. */
export const createBucket: Operation = async ({ database, clock }, request) => {
  if (request.headers.has("content-length")) await receiveText(request);
  requireBucketName(request.bucket);
  if (hasBucket(database, request.bucket)) throw new S3Error("BucketAlreadyOwnedByYou");
  insertBucket(database, { name: request.bucket, createdAt: clock() });
  return new Response(null, { headers: { location: `/${request.bucket}` } });
};

export const headBucket: Operation = ({ database }, { bucket }) => {
  requireBucket(database, bucket);
  return new Response(null, { headers: { "x-amz-bucket-region": "us-east-1" } });
};

/** Also aborts the multipart uploads that are under way in the bucket, as S3 does. */
export const deleteBucket: Operation = async ({ database, blobs }, { bucket }) => {
  database.transaction(() => {
    requireBucket(database, bucket);
    if (holdsObjects(database, bucket)) throw new S3Error("BucketNotEmpty");
    for (const { id } of uploadsAfter(database, bucket, { key: "", id: "" }, -1)) {
      removeUpload(database, blobs, id);
    }
    removeBucket(database, bucket);
  });
  await blobs.sweep();
  return new Response(null, { status: 204 });
};

/** The empty location is us-east-1. */
export const getBucketLocation: Operation = ({ database }, { bucket }) => {
  requireBucket(database, bucket);
  return xmlResponse(element("LocationConstraint", ""));
};

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
function requireBucketName(name: string): void {
  const isValid = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes("..") &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name);
  if (!isValid) throw new S3Error("InvalidBucketName");
}
