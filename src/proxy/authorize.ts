import type { VirtualCredential } from "./credentials/source.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import type { QueryList } from "./query.ts";
import type { Target } from "./request.ts";
import { S3Error } from "./s3_error.ts";
import { hasDotSegments, leavesBucket } from "./target.ts";

/** What a request that is allowed reaches. */
export interface Access {
  /** Id of the backend; empty for ListBuckets, which none answers. */
  readonly backend: string;
}

/** Listings whose `prefix` has to lie inside the credential's. */
const listings: ReadonlySet<Operation> = new Set<Operation>([
  operations.ListObjects,
  operations.ListObjectsV2,
  operations.ListObjectVersions,
  operations.ListMultipartUploads,
]);

/**
 * Checks that a credential may do what is asked. The keys in bodies and the sources of copies are for `parseDeleteObjects`,
 * {@link requireKeyInScope} and `parseCopySource`.
 *
 * Throws {@link S3Error}: `AccessDenied` for what is out of scope, the same whether or not it exists; `NotImplemented` and
 * `MethodNotAllowed` for what is not offered; `BucketAlreadyOwnedByYou` for the creation of a bucket in scope, on which clients
 * go on; `InvalidURI` for keys that the upstream could take for other ones.
 */
export function authorize(
  operation: Operation,
  target: Target,
  query: QueryList,
  credential: VirtualCredential,
): Access {
  if (target.bucket === "") {
    requireOffered(operation);
    return { backend: "" };
  }
  const backend = requireBucketInScope(target.bucket, credential);
  if (operation.access === "write" && credential.readOnly && operation.refusal !== "not_implemented") {
    throw scopeViolation("This access key may only read.", "read_only");
  }
  requireOffered(operation);
  requireKeyFor(operation, target.key, credential);
  if (listings.has(operation)) requirePrefixInScope(query.get("prefix") ?? "", credential);
  return { backend };
}

/** The backend of a bucket in scope. Throws {@link S3Error} `AccessDenied` for every other bucket. */
export function requireBucketInScope(bucket: string, credential: VirtualCredential): string {
  const backend = credential.buckets.get(bucket);
  if (backend === undefined) throw scopeViolation("This access key has no access to the bucket.", "bucket");
  return backend;
}

/**
 * Checks the key of an object that is written, deleted or copied: it lies in scope and has no dot segments. Throws
 * {@link S3Error} `AccessDenied` or `InvalidURI`.
 */
export function requireKeyInScope(key: string, credential: VirtualCredential): void {
  requireInsidePrefix(key, credential);
  if (hasDotSegments(key)) {
    throw new S3Error(
      "InvalidURI",
      'A key that is written, deleted or copied must not have a segment "." or "..".',
    );
  }
}

/** Throws {@link S3Error} `InvalidArgument` for the prefix of a listing that leads out of its bucket by `..`. */
export function requirePrefixInsideBucket(prefix: string): void {
  if (leavesBucket(prefix)) {
    throw new S3Error("InvalidArgument", 'A prefix must not lead out of its bucket by "..".');
  }
}

/** Checks what no credential may do, and what is answered in place of the upstream because of that. */
function requireOffered(operation: Operation): void {
  if (operation.refusal === undefined) return;
  if (operation === operations.CreateBucket) {
    throw new S3Error("BucketAlreadyOwnedByYou", "The bucket exists and this access key has access to it.");
  }
  switch (operation.refusal) {
    case "denied":
      throw scopeViolation("Buckets and their settings are not managed through this endpoint.", "operation");
    case "method_not_allowed":
      throw new S3Error("MethodNotAllowed", "The method is not allowed against this resource.");
    case "not_implemented":
      throw notImplemented("The request asks for something that this endpoint does not offer.");
  }
}

/** The error for what is out of a credential's scope. `reason` is a word of a fixed set. */
export function scopeViolation(message: string, reason: string): S3Error {
  return new S3Error("AccessDenied", message, { result: "scope_violation", reason });
}

/** The error for what the endpoint does not offer. */
export function notImplemented(message: string): S3Error {
  return new S3Error("NotImplemented", message, { result: "not_implemented" });
}

function requireKeyFor(operation: Operation, key: string, credential: VirtualCredential): void {
  if (operation.level !== "object") return;
  if (operation.access === "write") requireKeyInScope(key, credential);
  else requireInsidePrefix(key, credential);
}

function requireInsidePrefix(key: string, credential: VirtualCredential): void {
  if (credential.prefix === "") return;
  if (!key.startsWith(credential.prefix) || hasDotSegments(key)) {
    throw scopeViolation("This access key has no access to the object.", "prefix");
  }
}

function requirePrefixInScope(prefix: string, credential: VirtualCredential): void {
  if (credential.prefix !== "" && (!prefix.startsWith(credential.prefix) || hasDotSegments(prefix))) {
    throw scopeViolation("This access key may only list what begins with its own prefix.", "prefix");
  }
  requirePrefixInsideBucket(prefix);
}
