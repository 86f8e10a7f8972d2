import { DeleteObjectCommand, DeleteObjectsCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { refusalProblem } from "../backends/upstream_error.ts";
import { Problem } from "../problem.ts";

/** An object, or one of its versions. */
export interface ObjectIdentifier {
  readonly key: string;
  readonly versionId?: string;
}

/** An object that could not be deleted, and why. */
export interface RemovalFailure extends ObjectIdentifier {
  readonly code: string;
  readonly message: string;
}

/** What a bulk deletion did. */
export interface RemovalResult {
  readonly deleted: ObjectIdentifier[];
  readonly failures: RemovalFailure[];
}

/** Deletes one object or one of its versions. An object that is not there counts as deleted, as it does in S3. */
export async function deleteObject(
  { connection, bucket }: BucketScope,
  { key, versionId }: ObjectIdentifier,
): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId });
  try {
    await connection.call((sdk, options) => sdk.send(command, options));
  } catch (error) {
    if (!(error instanceof Problem && error.detail?.upstream_code === "NoSuchKey")) throw error;
  }
}

/** Deletes up to 1,000 objects. Throws only when the request fails as a whole, such as for an unknown bucket. */
export async function deleteObjects(
  scope: BucketScope,
  objects: readonly ObjectIdentifier[],
): Promise<RemovalResult> {
  const result: RemovalResult = { deleted: [], failures: [] };
  const inXml = objects.filter(({ key }) => isXmlText(key));
  if (inXml.length > 0) await deleteTogether(scope, inXml, result);
  for (const object of objects.filter(({ key }) => !isXmlText(key))) await deleteAlone(scope, object, result);
  return result;
}

async function deleteTogether(
  { connection, bucket }: BucketScope,
  objects: readonly ObjectIdentifier[],
  result: RemovalResult,
): Promise<void> {
  const Objects = objects.map(({ key: Key, versionId: VersionId }) => ({ Key, VersionId }));
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
  const { Deleted = [], Errors = [] } = await connection.call((sdk, options) => sdk.send(command, options));
  for (const { Key: key = "", VersionId: versionId } of Deleted) result.deleted.push({ key, versionId });
  for (const { Key: key = "", VersionId: versionId, Code = "" } of Errors) {
    if (Code === "NoSuchKey") result.deleted.push({ key, versionId });
    else result.failures.push(failure({ key, versionId }, refusalProblem({ status: 400, code: Code })));
  }
}

async function deleteAlone(
  scope: BucketScope,
  object: ObjectIdentifier,
  result: RemovalResult,
): Promise<void> {
  try {
    await deleteObject(scope, object);
    result.deleted.push(object);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    result.failures.push(failure(object, error));
  }
}

function failure(object: ObjectIdentifier, { code, message }: Problem): RemovalFailure {
  return { ...object, code, message };
}

/** Whether XML 1.0 (section 2.2) can hold a key unchanged; its parsers turn a carriage return into a line feed. */
function isXmlText(key: string): boolean {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  return !/[\x00-\x08\x0b-\x1f\ufffe\uffff]/.test(key);
}
