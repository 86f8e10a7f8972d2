import { DeleteObjectsCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { refusalProblem } from "../backends/upstream_error.ts";
import { Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { type Deletion, type ObjectIdentifier, sendDelete } from "./delete_request.ts";
import { mayBeRenamed, requireOwnName } from "./own_name.ts";

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

/**
 * Deletes one object or one of its versions. An object that is not there counts as deleted, as it does in S3. Throws 400
 * `invalid_key` where the backend would delete another one.
 */
export async function deleteObject(
  scope: BucketScope,
  object: Deletion,
  ledger: QuotaLedger,
): Promise<void> {
  await releasingQuota(scope, [object], ledger, async () => {
    await deleteOne(scope, object);
    return [object];
  });
}

/**
 * Deletes up to 1,000 objects. Each of them is in one of the lists of the result. Throws only when the request fails as a
 * whole, such as for an unknown bucket.
 */
export async function deleteObjects(
  scope: BucketScope,
  objects: readonly ObjectIdentifier[],
  ledger: QuotaLedger,
): Promise<RemovalResult> {
  const result: RemovalResult = { deleted: [], failures: [] };
  await releasingQuota(scope, objects, ledger, async () => {
    await deleteAll(scope, objects, result);
    return result.deleted;
  });
  return result;
}

async function deleteOne(scope: BucketScope, deletion: Deletion): Promise<void> {
  await requireOwnName(scope, deletion.key);
  await sendDelete(scope, deletion);
}

/** Runs `remove` and counts what it has done: the room of deleted objects is free, and older versions may be current again. */
async function releasingQuota(
  { connection, bucket }: BucketScope,
  objects: readonly ObjectIdentifier[],
  ledger: QuotaLedger,
  remove: () => Promise<readonly ObjectIdentifier[]>,
): Promise<void> {
  const currentKeys = (list: readonly ObjectIdentifier[]) =>
    list.filter(({ versionId }) => versionId === undefined).map(({ key }) => key);
  const keysOfVersions = objects.filter(({ versionId }) => versionId !== undefined).map(({ key }) => key);
  const { id } = connection.backend;
  const deletion = await ledger.reserveDeletion(id, bucket, currentKeys(objects));
  const versionDeletion = await ledger.reserveVersionDeletion(id, bucket, keysOfVersions);
  let deleted: readonly ObjectIdentifier[] = [];
  try {
    deleted = await remove();
  } finally {
    deletion.end(currentKeys(deleted));
    await versionDeletion.end();
  }
}

async function deleteAll(
  scope: BucketScope,
  objects: readonly ObjectIdentifier[],
  result: RemovalResult,
): Promise<void> {
  const together = objects.filter(({ key }) => isXmlText(key) && !mayBeRenamed(key));
  const alone = objects.filter((object) => !together.includes(object));
  if (together.length > 0) alone.push(...await deleteTogether(scope, together, result));
  for (const object of alone) await deleteAlone(scope, object, result);
}

/** Returns the objects that the answer does not account for: some servers answer with other keys than those asked for. */
async function deleteTogether(
  { connection, bucket }: BucketScope,
  objects: readonly ObjectIdentifier[],
  result: RemovalResult,
): Promise<ObjectIdentifier[]> {
  const Objects = objects.map(({ key: Key, versionId: VersionId }) => ({ Key, VersionId }));
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
  const { Deleted = [], Errors = [] } = await connection.call(
    (sdk, options) => sdk.send(command, options),
    { answer: "DeleteResult" },
  );
  const deleted = new Set(Deleted.map(identity));
  const errors = new Map(Errors.map((error) => [identity(error), error.Code ?? ""]));
  return objects.filter((object) => {
    const asked = identity({ Key: object.key, VersionId: object.versionId });
    const code = errors.get(asked);
    if (deleted.has(asked) || code === "NoSuchKey") result.deleted.push(object);
    else if (code !== undefined) result.failures.push(failure(object, refusalProblem({ status: 400, code })));
    else return true;
  });
}

/** What an answer and the request for it have in common. */
function identity({ Key = "", VersionId = "" }: { Key?: string; VersionId?: string }): string {
  return `${VersionId}\n${Key}`;
}

async function deleteAlone(
  scope: BucketScope,
  object: ObjectIdentifier,
  result: RemovalResult,
): Promise<void> {
  try {
    await deleteOne(scope, object);
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
