import type { BucketScope } from "../backends/bucket_scope.ts";
import { serverKind } from "../backends/server_kind.ts";
import { Problem } from "../problem.ts";
import { sendDelete } from "./delete_request.ts";
import { listObjects } from "./listing.ts";

/**
 * Whether a backend may drop a part of this key: servers that keep objects as files leave empty segments out, so that
 * `/a` is the object `a` there, and `a//b` the object `a/b`. Others keep such keys as they are.
 */
export function mayBeRenamed(key: string): boolean {
  return key.startsWith("/") || key.includes("//");
}

/**
 * Throws 400 `invalid_key` when the backend takes the key for that of another object: it finds one, but lists none of this
 * name. Costs nothing for keys that are not {@link mayBeRenamed}.
 */
export async function requireOwnName(scope: BucketScope, key: string, signal?: AbortSignal): Promise<void> {
  if (!mayBeRenamed(key) || await isListed(scope, key, signal)) return;
  try {
    await scope.connection.send({ method: "HEAD", bucket: scope.bucket, key, signal });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return;
    throw error;
  }
  throw renamedKeyProblem();
}

/**
 * {@link requireOwnName} for what is stored later, when nobody can look at its name. Throws 400 `invalid_key` also where the
 * backend has no object of the other name yet.
 */
export async function requireKeptName(scope: BucketScope, key: string, signal?: AbortSignal): Promise<void> {
  await requireOwnName(scope, key, signal);
  if (mayBeRenamed(key) && await serverKind(scope, signal) === "versitygw") throw renamedKeyProblem();
}

/**
 * Runs `write`, which stores an object. Where the backend has stored it under another name, it is removed again, and 400
 * `invalid_key` is thrown; an object that had the other name before is left alone.
 */
export async function storeUnderOwnName<T>(
  scope: BucketScope,
  key: string,
  write: () => Promise<T>,
): Promise<T> {
  await requireOwnName(scope, key);
  const stored = await write();
  if (!mayBeRenamed(key) || await isListed(scope, key)) return stored;
  await sendDelete(scope, { key });
  throw renamedKeyProblem();
}

async function isListed(scope: BucketScope, key: string, signal?: AbortSignal): Promise<boolean> {
  // Asked for a single key, MinIO does not list but looks for the object, and finds the renamed one.
  const { objects } = await listObjects(scope, { prefix: key, delimiter: "", maxKeys: 2 }, signal);
  return objects[0]?.key === key;
}

/** The problem for a key that the backend takes for another one. */
function renamedKeyProblem(): Problem {
  return new Problem(
    400,
    "invalid_key",
    'This backend takes the key for another one: leave out "//" and a leading "/".',
  );
}
