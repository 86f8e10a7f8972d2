import { DeleteObjectsCommand } from "@aws-sdk/client-s3";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { mapPool } from "../backends/map_pool.ts";
import { refusalProblem } from "../backends/upstream_error.ts";
import { Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { type Deletion, type ObjectIdentifier, sendDelete } from "./delete_request.ts";
import { mayBeRenamed, requireOwnName } from "./own_name.ts";
import { LockInquiry } from "./version_lock.ts";

/** An object that could not be deleted, and why. */
export interface RemovalFailure extends ObjectIdentifier {
  readonly code: string;
  readonly message: string;
  /** Of a locked version, its lock. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Locks that are asked for at once. */
const concurrentLocks = 8;

/** An object that was deleted. */
export interface RemovedObject extends ObjectIdentifier {
  /** The version id of the delete marker that hides it, in a bucket that keeps versions. */
  readonly deleteMarkerId?: string;
}

/** What a bulk deletion did. */
export interface RemovalResult {
  readonly deleted: RemovedObject[];
  readonly failures: RemovalFailure[];
}

/**
 * Deletes one object or one of its versions. An object that is not there counts as deleted, as it does in S3. Throws 400
 * `invalid_key` where the backend would delete another one, and 409 `object_locked` for a locked version; `signal` ends
 * nothing but the question whether it is locked.
 */
export async function deleteObject(
  scope: BucketScope,
  object: Deletion,
  ledger: QuotaLedger,
  signal: AbortSignal,
): Promise<void> {
  await releasingQuota(scope, [object], ledger, async () => {
    await deleteOne(scope, object, new LockInquiry(scope, signal));
    return [object];
  });
}

/**
 * Deletes up to 1,000 objects. Each of them is in one of the lists of the result. Throws only when the request fails as a
 * whole, such as for an unknown bucket. `signal` ends nothing but the questions whether what is left is locked.
 */
export async function deleteObjects(
  scope: BucketScope,
  objects: readonly ObjectIdentifier[],
  ledger: QuotaLedger,
  signal: AbortSignal,
): Promise<RemovalResult> {
  const result: RemovalResult = { deleted: [], failures: [] };
  await releasingQuota(scope, objects, ledger, async () => {
    await deleteAll(scope, objects, result, new LockInquiry(scope, signal));
    return result.deleted;
  });
  return result;
}

async function deleteOne(
  scope: BucketScope,
  deletion: Deletion,
  locks: LockInquiry,
): Promise<string | undefined> {
  await requireOwnName(scope, deletion.key);
  try {
    return await sendDelete(scope, deletion);
  } catch (error) {
    throw error instanceof Problem ? await locks.explain(deletion, error) : error;
  }
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
  locks: LockInquiry,
): Promise<void> {
  const together = objects.filter(({ key }) => isXmlText(key) && !mayBeRenamed(key));
  const alone = objects.filter((object) => !together.includes(object));
  if (together.length > 0) alone.push(...await deleteTogether(scope, together, result, locks));
  for (const object of alone) await deleteAlone(scope, object, result, locks);
}

/** Returns the objects that the answer does not account for: some servers answer with other keys than those asked for. */
async function deleteTogether(
  scope: BucketScope,
  objects: readonly ObjectIdentifier[],
  result: RemovalResult,
  locks: LockInquiry,
): Promise<ObjectIdentifier[]> {
  const { connection, bucket } = scope;
  const Objects = objects.map(({ key: Key, versionId: VersionId }) => ({ Key, VersionId }));
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } });
  const { Deleted = [], Errors = [] } = await connection.call(
    (sdk, options) => sdk.send(command, options),
    { answer: "DeleteResult" },
  );
  const deleted = new Map(Deleted.map((removed) => [identity(removed), removed]));
  const errors = new Map(Errors.map((error) => [identity(error), error.Code ?? ""]));
  const refused: [ObjectIdentifier, Problem][] = [];
  const unanswered = objects.filter((object) => {
    const asked = identity({ Key: object.key, VersionId: object.versionId });
    const code = errors.get(asked);
    const removed = deleted.get(asked);
    if (removed !== undefined || code === "NoSuchKey") {
      // A marker that was itself deleted is named, too.
      const isMade = removed?.DeleteMarker && object.versionId === undefined;
      result.deleted.push(isMade ? { ...object, deleteMarkerId: removed.DeleteMarkerVersionId } : object);
    } else if (code !== undefined) {
      refused.push([object, refusalProblem({ status: 400, code })]);
    } else return true;
  });
  result.failures.push(
    ...await mapPool(
      refused,
      concurrentLocks,
      // What was deleted is told also when the client has gone.
      new AbortController().signal,
      async ([object, problem]) => failure(object, await locks.explain(object, problem)),
    ),
  );
  return unanswered;
}

/** What an answer and the request for it have in common. */
function identity({ Key = "", VersionId = "" }: { Key?: string; VersionId?: string }): string {
  return `${VersionId}\n${Key}`;
}

async function deleteAlone(
  scope: BucketScope,
  object: ObjectIdentifier,
  result: RemovalResult,
  locks: LockInquiry,
): Promise<void> {
  try {
    const deleteMarkerId = await deleteOne(scope, object, locks);
    result.deleted.push({ ...object, deleteMarkerId });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    result.failures.push(failure(object, error));
  }
}

function failure(object: ObjectIdentifier, { code, message, detail }: Problem): RemovalFailure {
  return { ...object, code, message, ...code === "object_locked" && { detail } };
}

/** Whether XML 1.0 (section 2.2) can hold a key unchanged; its parsers turn a carriage return into a line feed. */
function isXmlText(key: string): boolean {
  // deno-lint-ignore no-control-regex -- these are what is looked for
  return !/[\x00-\x08\x0b-\x1f\ufffe\uffff]/.test(key);
}
