import type { BackendRegistry } from "../backends/registry.ts";
import type { JobRun, JobRunner } from "../jobs/run.ts";
import type { CopiedObject, CopyObject, CopyTarget } from "../objects/copy.ts";
import { storedObjectSchema } from "../objects/json.ts";
import { unquoted } from "../objects/listing.ts";
import { Problem } from "../problem.ts";
import { findMoved } from "./moved_object.ts";
import { findObject, readSource, type SourceObject } from "./source_object.ts";
import { type CopyRequest, copyResult, copySpecSchema, resolveCopy } from "./spec.ts";

/** Runs jobs that copy or transfer a single object. */
export function copyRunner(
  { registry, copy }: { readonly registry: BackendRegistry; readonly copy: CopyObject },
): JobRunner {
  return async (run) => {
    run.requirePermission();
    const spec = copySpecSchema.parse(run.job.spec);
    const request = resolveCopy(registry, spec);
    const item = { key: spec.src_key, versionId: spec.version_id };
    run.begin(item);
    const made = run.isRepeated ? await takeUp(run, request) : undefined;
    let shown = 0;
    const show = (bytes: number) => {
      shown += bytes;
      run.progress(bytes);
    };
    try {
      const copied = await makeCopy(run, request, { copy, made, show });
      run.setResult(copyResult(spec, copied));
    } finally {
      run.progress(-shown);
    }
    run.succeeded(item, shown);
    run.listed();
  };
}

/** What {@link makeCopy} works with. */
interface CopyMeans {
  readonly copy: CopyObject;
  /** The copy of an earlier run. */
  readonly made: CopiedObject | undefined;
  /** Shows how many bytes were copied. */
  readonly show: (bytes: number) => void;
}

async function makeCopy(
  run: JobRun,
  { source, target, options }: CopyRequest,
  { copy, made, show }: CopyMeans,
): Promise<CopiedObject> {
  // There is but one object, so to begin nothing more is to break it off.
  const signal = AbortSignal.any([run.stopping, run.signal]);
  let original: SourceObject;
  try {
    original = await readSource(source, signal);
  } catch (error) {
    const isGone = error instanceof Problem && error.status === 404;
    const moved = isGone && options.move && run.isRepeated
      ? made ?? await findMovedBy(run, target)
      : undefined;
    if (moved === undefined) throw error;
    return moved;
  }
  run.setTotal(1, original.size);
  return await copy(source, target, {
    ...options,
    // The copy of an earlier run is not in the way.
    ifAbsent: options.ifAbsent && made === undefined,
    signal,
    onProgress: show,
    onCopied: (copied) => advance(run, copied),
  });
}

/** Notes as the job's position that the copy was checked: what is left to do is to delete the source. */
function advance(run: JobRun, copied: CopiedObject): void {
  run.advance(JSON.stringify(copied));
  // Once the source is deleted, nothing else tells what became of it.
  run.save();
}

/** The copy that an earlier run has made. */
async function takeUp(run: JobRun, { target }: CopyRequest): Promise<CopiedObject | undefined> {
  if (run.job.position === undefined) return undefined;
  const copied = storedObjectSchema.parse(JSON.parse(run.job.position));
  return await findCopy(run, target, copied);
}

/** The copy that an earlier run has made and checked, if it is still there. */
async function findCopy(
  run: JobRun,
  target: CopyTarget,
  made: CopiedObject,
): Promise<CopiedObject | undefined> {
  const found = await findObject({ ...target, versionId: made.version_id }, run.stopping);
  return found?.size === made.size && unquoted(found.etag) === made.etag ? made : undefined;
}

/** The object that an earlier run has moved, where the program ended before that was on disk. */
function findMovedBy({ job, stopping }: JobRun, target: CopyTarget): Promise<CopiedObject | undefined> {
  return findMoved(target, { since: job.createdAt, size: job.totalBytes }, stopping);
}
