import type { BucketScope } from "../backends/bucket_scope.ts";
import { requireWritableKey } from "../backends/names.ts";
import { conflict, Problem } from "../problem.ts";
import { listObjects } from "./listing.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { storeWithinQuota } from "./quota.ts";
import { putObject, type StoredObject } from "./stored_object.ts";

/**
 * Creates a folder: an empty object whose key ends in `/`. Throws 400 `invalid_key` for another key, 409 `object_exists`
 * when it is there, or keys below it are.
 */
export async function createFolder(
  scope: BucketScope,
  key: string,
  ledger: QuotaLedger,
  signal: AbortSignal,
): Promise<StoredObject> {
  requireWritableKey(key);
  if (!key.endsWith("/")) throw new Problem(400, "invalid_key", 'The key of a folder ends in "/".');
  const { objects } = await listObjects(scope, { prefix: key, delimiter: "", maxKeys: 1 }, signal);
  if (objects.length > 0) throw conflict("There already is a folder of this name.", "object_exists");
  const draft = { ...scope, key, contentType: "application/x-directory", metadata: {}, ifAbsent: true };
  return await storeWithinQuota(
    { ...scope, key, ledger },
    0,
    (reservation) => putObject({ ...draft, reservation }, new Uint8Array(0), signal),
  );
}
