import { z } from "zod";
import type { BucketScope } from "../backends/bucket_scope.ts";
import { conflict, Problem } from "../problem.ts";
import type { ObjectIdentifier } from "./delete_request.ts";

/** What keeps a version from being deleted: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html */
export const versionLockSchema = z.strictObject({
  /** `GOVERNANCE`, which whoever may bypass it can lift, or `COMPLIANCE`, which nobody can. */
  mode: z.string().optional(),
  retain_until: z.iso.datetime().optional(),
  legal_hold: z.boolean().optional(),
});

/** See {@link versionLockSchema}. */
export type VersionLock = z.output<typeof versionLockSchema>;

/** Reads a lock from the headers of a version; `undefined` where it has none. */
export function lockOf(headers: Headers): VersionLock | undefined {
  const mode = headers.get("x-amz-object-lock-mode") ?? undefined;
  const until = Date.parse(headers.get("x-amz-object-lock-retain-until-date") ?? "");
  const held = headers.get("x-amz-object-lock-legal-hold") === "ON";
  if (mode === undefined && !held) return undefined;
  return {
    mode,
    retain_until: Number.isNaN(until) ? undefined : new Date(until).toISOString(),
    legal_hold: held || undefined,
  };
}

/** How backends refuse to delete a locked version: AWS by the first, MinIO by the second. */
const refusals = ["AccessDenied", "InvalidRequest", "ObjectLocked"];

/** Versions of one request that are asked for their locks, and of them those that turn out to have none. */
const maxAsked = 100;
const maxUnlocked = 8;

/**
 * Finds out why versions that one request was to delete could not be: each costs a request of its own, so only the first of
 * many are asked for, and no more once it seems that something else is why.
 */
export class LockInquiry {
  readonly #scope: BucketScope;
  readonly #signal: AbortSignal;
  #asked = 0;
  #unlocked = 0;

  /** `signal` ends what is asked: then refusals stay as they are. */
  constructor(scope: BucketScope, signal: AbortSignal) {
    this.#scope = scope;
    this.#signal = signal;
  }

  /**
   * Says of a version that could not be deleted that it is locked, if that is why: 409 `object_locked`, with the lock as its
   * detail. Everything else is returned as it was.
   */
  async explain({ key, versionId }: ObjectIdentifier, problem: Problem): Promise<Problem> {
    const isRefusal = refusals.includes(String(problem.detail?.upstream_code));
    if (versionId === undefined || !isRefusal || !this.#mayAsk()) return problem;
    this.#asked++;
    const lock = await this.#lockOf(key, versionId);
    if (lock !== undefined) return conflict(lockMessage(lock), "object_locked", lock);
    this.#unlocked++;
    return problem;
  }

  #mayAsk(): boolean {
    return !this.#signal.aborted && this.#asked < maxAsked && this.#unlocked < maxUnlocked;
  }

  /** The lock that is in force, if there is one and the backend tells. */
  async #lockOf(key: string, versionId: string): Promise<VersionLock | undefined> {
    const { connection, bucket } = this.#scope;
    try {
      const query = { versionId };
      const { headers } = await connection.send({ method: "HEAD", bucket, key, query, signal: this.#signal });
      const lock = lockOf(headers);
      return lock && isInForce(lock) ? lock : undefined;
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  }
}

/** A retention that is over stays with its version, and locks nothing. Clocks may differ. */
function isInForce({ retain_until: until = "", legal_hold: isHeld }: VersionLock): boolean {
  return isHeld === true || Date.parse(until) > Date.now() - 60_000;
}

function lockMessage({ mode = "", retain_until: until, legal_hold: isHeld }: VersionLock): string {
  const reasons = [
    until === undefined ? "" : `locked until ${until} (${mode.toLowerCase()})`,
    isHeld ? "under a legal hold" : "",
  ];
  return `This version is ${reasons.filter(Boolean).join(" and ")}.`;
}
