import type { CopySource } from "../objects/copy.ts";
import { deleteObject } from "../objects/removal.ts";
import { clientGoneProblem } from "../backends/upstream_error.ts";
import { conflict, Problem } from "../problem.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { findObject, isSameObject, type SourceObject } from "./source_object.ts";

/** The source of a move whose copy was checked. */
interface MovedSource {
  readonly source: CopySource;
  readonly original: SourceObject;
  readonly signal: AbortSignal;
}

/**
 * Deletes the source of a move, if it still is what was copied; else throws 409 `conflict`. One that somebody else has
 * deleted is no failure.
 */
export async function removeSource(moved: MovedSource, ledger: QuotaLedger): Promise<void> {
  const { source: { key, versionId, ...scope }, original, signal } = moved;
  // A version never changes; of what is current, the backend makes sure at the very moment, if it can.
  const ifMatch = versionId === undefined ? original.etag : undefined;
  try {
    if (signal.aborted) throw clientGoneProblem();
    if (await isGone(moved)) return;
    await deleteObject(scope, { key, versionId, ifMatch }, ledger, signal);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message, detail } = error.status === 412 ? changed() : error;
    const said = `The object was copied, but its source was not deleted. ${message}`;
    throw new Problem(status, code, said, { detail, cause: error });
  }
}

async function isGone({ source, original, signal }: MovedSource): Promise<boolean> {
  const now = await findObject(source, signal);
  if (now === undefined) return true;
  if (!isSameObject(now, original)) throw changed();
  return false;
}

function changed(): Problem {
  return conflict("It has changed meanwhile.");
}
