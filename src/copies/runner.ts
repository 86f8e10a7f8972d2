import { AbortMultipartUploadCommand } from "@aws-sdk/client-s3";
import { z } from "zod";
import type { BackendRegistry } from "../backends/registry.ts";
import type { JobRun, JobRunner } from "../jobs/run.ts";
import type { CopiedObject, CopyObject, CopyTarget } from "../objects/copy.ts";
import { storedObjectSchema } from "../objects/json.ts";
import { unquoted } from "../objects/listing.ts";
import { Problem } from "../problem.ts";
import { findMoved } from "./moved_object.ts";
import { findObject, readSource, type SourceObject } from "./source_object.ts";
import { type CopyRequest, copyResult, copySpecSchema, resolveCopy } from "./spec.ts";

/**
 * How far a job has come, as its position: a multipart upload was begun, or the copy was checked and what is left to do is to
 * delete the source.
 */
const positionSchema = z.object({ upload_id: z.string().optional(), copied: storedObjectSchema.optional() });

type Position = z.output<typeof positionSchema>;

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
    // What an earlier run has copied is copied again.
    if (run.isRepeated) run.progress(-run.job.bytes);
    const made = run.isRepeated ? await takeUp(run, request) : undefined;
    const copied = await makeCopy(run, request, copy, made);
    run.setResult(copyResult(spec, copied));
    run.succeeded(item, 0);
    run.listed();
  };
}

async function makeCopy(
  run: JobRun,
  { source, target, options }: CopyRequest,
  copy: CopyObject,
  made: CopiedObject | undefined,
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
    onProgress: (bytes) => run.progress(bytes),
    onUpload: (upload_id) => advance(run, { upload_id }),
    onCopied: (copied) => advance(run, { copied }),
  });
}

function advance(run: JobRun, position: Position): void {
  run.advance(JSON.stringify(position));
  // An upload that is not on disk when the program is killed would be left unfinished for good.
  run.save();
}

/** Removes the upload that an earlier run has left unfinished, or finds the copy that it has made. */
async function takeUp(run: JobRun, { target }: CopyRequest): Promise<CopiedObject | undefined> {
  if (run.job.position === undefined) return undefined;
  const { upload_id, copied } = positionSchema.parse(JSON.parse(run.job.position));
  if (upload_id !== undefined) await abortUpload(target, upload_id);
  return copied && await findCopy(run, target, copied);
}

async function abortUpload({ connection, bucket, key }: CopyTarget, uploadId: string): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId });
  try {
    await connection.call((sdk, options) => sdk.send(command, options));
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
  }
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
