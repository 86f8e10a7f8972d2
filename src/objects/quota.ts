import type { BucketScope } from "../backends/bucket_scope.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import type { Reservation } from "../quotas/reservation.ts";
import { storeUnderOwnName } from "./own_name.ts";
import type { StoredObject } from "./stored_object.ts";

/** The place of an object that is to be stored, and where room for it is reserved. */
export interface QuotaTarget extends BucketScope {
  readonly key: string;
  readonly ledger: QuotaLedger;
}

/**
 * Stores an object as `storeUnderOwnName` does, within the quota of its bucket: `bytes` are reserved before `write` is
 * called, which may reserve more as they come. Throws 507 `quota_exceeded` when they do not fit.
 */
export async function storeWithinQuota(
  { connection, bucket, key, ledger }: QuotaTarget,
  bytes: number,
  write: (reservation: Reservation) => Promise<StoredObject>,
): Promise<StoredObject> {
  const reservation = await ledger.reserve(connection.backend.id, bucket, key, bytes);
  try {
    const stored = await storeUnderOwnName({ connection, bucket }, key, () => write(reservation));
    reservation.commit(stored.size);
    return stored;
  } finally {
    // Changes nothing once it was committed or kept.
    reservation.release();
  }
}

/** Passes content on and reserves room for each piece before that. */
export async function* reserveAsItComes(
  content: AsyncIterable<Uint8Array>,
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    reservation.grow(piece.length);
    yield piece;
  }
}
