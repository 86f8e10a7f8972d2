import { withLinkedSignal } from "../backends/linked_signal.ts";
import type { Logger } from "../logging/logger.ts";
import type { CopyObject, CopyOptions, CopySource, CopyTarget } from "../objects/copy.ts";
import { sendDelete } from "../objects/delete_request.ts";
import { requireOwnName } from "../objects/own_name.ts";
import { storeWithinQuota } from "../objects/quota.ts";
import { requireAbsence, type StoredObject } from "../objects/stored_object.ts";
import { badRequest, conflict, notFound, Problem } from "../problem.ts";
import type { UploadJournal } from "../objects/upload_journal.ts";
import type { QuotaLedger } from "../quotas/ledger.ts";
import { MemoryBudget } from "./memory_budget.ts";
import { MoveClaims } from "./move_claims.ts";
import type { MadeCopy, ObjectCopy } from "./object_copy.ts";
import { isSamePlace, requireOtherObject, requireOtherPlace } from "./place.ts";
import { removeSource } from "./source_removal.ts";
import { copyInParts, copyWhole, fitsOneRequest } from "./server_side_copy.ts";
import { copiedHeaders, readSource, storageHeaders } from "./source_object.ts";
import { readTagging } from "./tags.ts";
import { transferObject } from "./transfer.ts";
import { isFaithful, isProven } from "./verification.ts";

/** How many bytes of small objects all transfers hold at once. */
const maxHeldBytes = 128 << 20;

/** What copies work with. */
export interface CopyDeps {
  readonly ledger: QuotaLedger;
  readonly logger: Logger;
  readonly journal: UploadJournal;
}

/** Makes the function that copies single objects. */
export function makeCopyObject(deps: CopyDeps): CopyObject {
  const memory = new MemoryBudget(maxHeldBytes);
  const moves = new MoveClaims();
  return (source, target, options) => {
    const copy = () =>
      withLinkedSignal(
        options.signal,
        (signal) => copyObject(source, target, { ...options, signal }, { ...deps, memory }),
      );
    return options.move ? moves.claim(source, target, copy) : copy();
  };
}

async function copyObject(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions,
  { ledger, logger, journal, memory }: CopyDeps & Pick<ObjectCopy, "memory">,
): Promise<StoredObject> {
  const { signal, ifAbsent } = options;
  requireOtherPlace(source, target, options);
  await requireOwnName(source, source.key, signal);
  const original = await readSource(source, signal);
  await requireOtherObject(source, original, target, signal);
  const { "content-type": contentType = "application/octet-stream", ...headers } = copiedHeaders(
    original,
    options,
  );
  const draft = { ...target, contentType, metadata: {}, headers, ifAbsent };
  await requireAbsence(draft, signal);
  // What changes only its metadata has its room already.
  const isSelfCopy = isSamePlace(source, target) && source.versionId === undefined;
  const room = isSelfCopy ? 0 : original.size;
  const copied = await storeWithinQuota({ ...target, ledger }, room, (reservation) => {
    return makeChecked({
      source,
      original,
      target: { ...draft, reservation },
      options,
      logger,
      journal,
      memory,
    });
  });
  options.onCopied?.(copied);
  if (options.move) await removeSource({ source, original, signal }, ledger);
  return copied;
}

/** Makes a copy and looks at it. A bad one is removed again. */
async function makeChecked(copy: ObjectCopy): Promise<StoredObject> {
  const { source, original, target, options } = copy;
  const made = await make(copy).catch(async (error) => {
    throw await explain(copy, error);
  });
  // Before a source is deleted, its copy is looked at.
  if (!options.move && isProven(original, made)) return made.stored;
  try {
    if (await isFaithful(original, target, made)) return made.stored;
    // Whatever it is, the only copy is never deleted.
    if (!isSamePlace(source, target)) {
      await sendDelete(target, { key: target.key, versionId: made.stored.version_id });
    }
  } catch (error) {
    target.reservation.keep();
    throw error;
  }
  throw new Problem(
    502,
    "backend_error",
    "The backend has stored a copy that is not the same as its source.",
  );
}

async function make(copy: ObjectCopy): Promise<MadeCopy> {
  const { source, original, target, options } = copy;
  const isByServer = mayCopyByItself(copy);
  if (isByServer && fitsOneRequest(original)) return await copyWhole(copy);
  const { attributes, signal } = options;
  const tagging = attributes?.keepsTags === false ? "" : await readTagging(source, signal);
  const headers = {
    ...target.headers,
    // Another backend may not have the class of the source.
    ...storageHeaders(isByServer ? original : {}, attributes),
    ...tagging !== "" && { "x-amz-tagging": tagging },
  };
  const described = { ...copy, target: { ...target, headers } };
  return isByServer ? await copyInParts(described) : await transferObject(described);
}

/** versitygw copies no folders, and takes a key for one with a version when it reads like that. */
function mayCopyByItself({ source, original, target }: ObjectCopy): boolean {
  const isFolder = original.size === 0 && (source.key.endsWith("/") || target.key.endsWith("/"));
  return source.connection.backend.id === target.connection.backend.id && !isFolder &&
    !source.key.includes("?versionId=");
}

/** Says more about a refusal than the backend does. */
async function explain({ source, target, options }: ObjectCopy, error: unknown): Promise<unknown> {
  if (!(error instanceof Problem)) return error;
  const code = error.detail?.upstream_code;
  if (code === "NoSuchBucket") return notFound("There is no such target bucket.");
  if (code === "InvalidRequest" && isSamePlace(source, target)) {
    return badRequest("The object is like that already: it cannot be copied onto itself.");
  }
  if (error.status !== 412) return error;
  try {
    // The same answer is given where the target must be absent, and is not.
    await requireAbsence(target, options.signal);
  } catch (reason) {
    return reason;
  }
  return conflict("The source has changed while it was copied.");
}
