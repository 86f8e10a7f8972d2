import { type BucketScope, findBucket } from "../backends/bucket_scope.ts";
import { requireWritableKey } from "../backends/names.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { copyAttributes } from "../copies/attributes.ts";
import { findMoved } from "../copies/moved_object.ts";
import { hasSource, isSamePlace } from "../copies/place.ts";
import { findObject, isStoredSince, readSource } from "../copies/source_object.ts";
import { hasExpectedEtag } from "../copies/verification.ts";
import type { JobItem } from "../jobs/job.ts";
import type { JobRun } from "../jobs/run.ts";
import type { CopiedObject, CopyObject, CopySource, CopyTarget } from "../objects/copy.ts";
import { conflict, Problem } from "../problem.ts";
import { freeNames } from "./free_names.ts";
import { isSelected } from "./selection.ts";
import type { CopySpec } from "./spec.ts";

/** An object under the source prefix; `size` in bytes, if it was listed. */
export interface PrefixedObject extends JobItem {
  readonly size?: number;
}

/** Whether two buckets are one, by whatever ids their backends are registered. */
export function isSameBucket(source: BucketScope, target: BucketScope): boolean {
  return isSamePlace({ ...source, key: "" }, { ...target, key: "" });
}

/** Copies single objects from one prefix to another. */
export class PrefixCopy {
  readonly #registry: BackendRegistry;
  readonly #copy: CopyObject;
  readonly #spec: CopySpec;
  readonly #run: Pick<JobRun, "signal" | "job">;
  /** Target keys that a copy is being made under. */
  readonly #claimed = new Set<string>();

  constructor(
    { registry, copy }: { readonly registry: BackendRegistry; readonly copy: CopyObject },
    spec: CopySpec,
    run: Pick<JobRun, "signal" | "job">,
  ) {
    this.#registry = registry;
    this.#copy = copy;
    this.#spec = spec;
    this.#run = run;
  }

  /**
   * Copies an object, or moves it; returns `undefined` when it was skipped. With `mayBeDone`, a copy that this job has made
   * already is not taken for an object that is in the way. Throws what `CopyObject` throws, 400 `invalid_key` for a target
   * key that is none, and 409 `conflict` for a target among what is still to be copied.
   */
  async copy(
    { key, size }: PrefixedObject,
    mayBeDone: boolean,
    onProgress: (bytes: number) => void,
  ): Promise<CopiedObject | undefined> {
    const { backend, bucket, src_prefix, dst_prefix, on_conflict } = this.#spec;
    const source = { ...findBucket(this.#registry, backend, bucket), key };
    const isEmptyFolder = key.endsWith("/") && size === 0;
    // Two folders without content are the same; what is in them keeps its own names.
    const isRenamed = on_conflict === "keep_both" && !isEmptyFolder;
    const targetKey = dst_prefix + key.slice(src_prefix.length);
    // The folder itself has no name in a bucket's root.
    if (targetKey === "" && isEmptyFolder) return undefined;
    for (const name of isRenamed ? freeNames(targetKey) : [targetKey]) {
      if (this.#claimed.has(name)) continue;
      this.#claimed.add(name);
      try {
        const copied = await this.#copyTo(source, name, mayBeDone, onProgress);
        if (copied !== undefined) return copied;
      } finally {
        this.#claimed.delete(name);
      }
    }
    if (isRenamed) throw conflict("There are too many objects of this name.", "object_exists");
  }

  /** Copies an object unless another one is in the way, and that is to be respected. */
  async #copyTo(
    source: CopySource,
    key: string,
    mayBeDone: boolean,
    onProgress: (bytes: number) => void,
  ): Promise<CopiedObject | undefined> {
    const { dst_backend, dst_bucket, src_prefix, move, on_conflict } = this.#spec;
    const { signal, job } = this.#run;
    requireWritableKey(key);
    const target = { ...findBucket(this.#registry, dst_backend, dst_bucket), key };
    if (isSelected(src_prefix, this.#spec, key) && await isInSameBucket(source, target, signal)) {
      throw conflict("The target is among what is to be copied.");
    }
    const ifAbsent = on_conflict !== "replace";
    const options = { move, attributes: copyAttributes(this.#spec), signal, onProgress };
    try {
      return await this.#copy(source, target, { ...options, ifAbsent });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.status === 404 && move && mayBeDone) return await this.#findMoved(target, error);
      if (error.code !== "object_exists") throw error;
      if (!mayBeDone || !await isCopyOf(source, target, job.createdAt, signal)) return undefined;
      return await this.#copy(source, target, { ...options, ifAbsent: false });
    }
  }

  /** What this job has moved to a target where the answer to that was lost. Throws `missing` when it did not. */
  async #findMoved(target: CopyTarget, missing: Problem): Promise<CopiedObject | undefined> {
    const { signal, job } = this.#run;
    const moved = await findMoved(target, { since: job.createdAt }, signal);
    if (moved !== undefined) return moved;
    // Where an older object was in the way, the moved one has got the next name.
    const isTaken = this.#spec.on_conflict === "keep_both" && await findObject(target, signal) !== undefined;
    if (!isTaken) throw missing;
  }
}

/** Whether a copy under another key would be in the bucket of its source, also where the server has two addresses. */
async function isInSameBucket(source: CopySource, target: CopyTarget, signal: AbortSignal): Promise<boolean> {
  if (isSameBucket(source, target)) return true;
  if (source.bucket !== target.bucket || source.key === target.key) return false;
  return await hasSource(source, await readSource(source, signal), target, signal);
}

/** Whether an object was made since a time (milliseconds since the epoch) and looks like a copy of another. */
async function isCopyOf(
  source: CopySource,
  target: CopyTarget,
  since: number,
  signal: AbortSignal,
): Promise<boolean> {
  const [original, found] = await Promise.all([readSource(source, signal), readSource(target, signal)]);
  return isStoredSince(found, since) && found.size === original.size && hasExpectedEtag(original, found);
}
