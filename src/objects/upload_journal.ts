import { type BucketScope, findBucket } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { errorMessage } from "../error_message.ts";
import type { Logger } from "../logging/logger.ts";
import { Problem } from "../problem.ts";
import type { Database } from "../store/database.ts";
import {
  deleteOwnUpload,
  listOwnUploads,
  type OwnUpload,
  putOwnUpload,
} from "../store/own_uploads_repository.ts";
import type { UploadId } from "../store/quotas_repository.ts";
import { sendAbort } from "./upload_request.ts";

/** What {@link UploadJournal} needs. */
export interface UploadJournalDeps {
  readonly database: Database;
  readonly registry: BackendRegistry;
  readonly logger: Logger;
}

/** Pause before uploads that could not be aborted are tried again, in milliseconds. */
const sweepIntervalMs = 10 * 60_000;

/**
 * Keeps in mind which multipart uploads the program makes by itself. Nobody else knows of them: what the end of the program
 * leaves unfinished would fill a backend for good, so the next run aborts it.
 */
export class UploadJournal {
  readonly #deps: UploadJournalDeps;
  /** Uploads of this run. */
  readonly #open = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(deps: UploadJournalDeps) {
    this.#deps = deps;
  }

  /** An upload was begun. It is on disk when this returns. */
  begun(scope: BucketScope, upload: UploadId): void {
    const own = ownUpload(scope, upload);
    putOwnUpload(this.#deps.database, own);
    this.#open.add(nameOf(own));
  }

  /** An upload was completed or aborted, or is given up: `isGone` says whether the backend no longer has it. */
  ended(scope: BucketScope, upload: UploadId, isGone: boolean): void {
    const own = ownUpload(scope, upload);
    this.#open.delete(nameOf(own));
    if (!isGone || this.#isClosed) return;
    try {
      deleteOwnUpload(this.#deps.database, own);
    } catch (error) {
      // What was stored stays stored; the next run will find that the upload is gone.
      this.#deps.logger.warn("an ended upload could not be forgotten", { reason: errorMessage(error) });
    }
  }

  /** Begins to abort what earlier runs have left, and goes on until nothing is. */
  start(): void {
    void this.#sweep();
  }

  /** To be called before the database is closed. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #sweep(): Promise<void> {
    const { database } = this.#deps;
    for (const upload of listOwnUploads(database)) {
      if (this.#isClosed) return;
      if (this.#open.has(nameOf(upload)) || !await this.#abort(upload)) continue;
      if (!this.#isClosed) deleteOwnUpload(database, upload);
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#sweep(), sweepIntervalMs);
  }

  /** Whether the upload is gone by now. */
  async #abort(upload: OwnUpload): Promise<boolean> {
    const { backend, bucket } = upload;
    const { registry, logger } = this.#deps;
    if (!registry.has(backend)) return true;
    try {
      await sendAbort(findBucket(registry, backend, bucket), upload);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.detail?.upstream_status === 404) return true;
      const reason = errorMessage(error);
      logger.warn("an unfinished multipart upload could not be aborted", { backend, bucket, reason });
      return false;
    }
  }
}

function ownUpload({ connection, bucket }: BucketScope, { key, uploadId }: UploadId): OwnUpload {
  return { backend: connection.backend.id, bucket, key, uploadId };
}

function nameOf({ backend, bucket, key, uploadId }: OwnUpload): string {
  return JSON.stringify([backend, bucket, key, uploadId]);
}
