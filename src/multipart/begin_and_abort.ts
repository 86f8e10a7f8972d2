import { requireKeptName } from "../objects/own_name.ts";
import { type ObjectDraft, requireAbsence } from "../objects/stored_object.ts";
import { createUpload } from "../objects/stream_upload.ts";
import { sendAbort } from "../objects/upload_request.ts";
import { requireUpload } from "./part_listing.ts";
import type { UploadRecords } from "./records.ts";
import { endUpload, type UploadScope, withUpload } from "./upload.ts";

/**
 * Begins an upload and returns its id. Throws 409 `object_exists` where the object must be absent but is not, 400
 * `invalid_key` for a key under which the backend would store another object, and 404 `not_found` for an unknown bucket.
 */
export async function beginUpload(
  draft: ObjectDraft,
  records: UploadRecords,
  signal: AbortSignal,
): Promise<string> {
  const { connection, bucket, key } = draft;
  await requireAbsence(draft, signal);
  // An upload is kept under the name that it was given; only the object gets another one, when it is complete.
  await requireKeptName(draft, key, signal);
  // A client that goes away does not end it: an upload that nobody has heard of could not be aborted.
  const uploadId = await createUpload(draft);
  records.begin(connection.backend.id, bucket, { key, uploadId });
  return uploadId;
}

/** Aborts an upload: its parts are gone. Throws 404 `not_found` for an upload that is not there. */
export async function abortUpload(upload: UploadScope): Promise<void> {
  // MinIO takes the abortion of an upload that it does not know for a success.
  await requireUpload(upload);
  await withUpload(upload, () => sendAbort(upload, upload));
  endUpload(upload);
}
