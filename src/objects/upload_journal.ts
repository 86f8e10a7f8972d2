import { type BucketScope, findBucket } from "../backends/bucket_scope.ts";
import type { BackendRegistry } from "../backends/registry.ts";
import { isPassing } from "../backends/retries.ts";
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
const retryMs = 10 * 60_000;

/** Pause before an upload that has failed is aborted once more, in milliseconds. */
const secondLookMs = 5_000;

/**
 * Keeps in mind which multipart uploads the program makes by itself. Nobody else knows of them: what the end of the program
 * leaves unfinished would fill a backend for good, so the next run aborts it.
 */
export class UploadJournal {
  readonly #deps: UploadJournalDeps;
  /** Uploads that are to be aborted, by their names, and when, as `performance.now()` tells time. */
  readonly #due = new Map<string, { readonly upload: OwnUpload; readonly at: number }>();
  /** Backends that uploads are being aborted on, by their ids. One that does not answer delays no other. */
  readonly #busy = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(deps: UploadJournalDeps) {
    this.#deps = deps;
  }

  /** An upload was begun. It is on disk when this returns. */
  begun(scope: BucketScope, upload: UploadId): void {
    putOwnUpload(this.#deps.database, ownUpload(scope, upload));
  }

  /** An upload was completed. */
  completed(scope: BucketScope, upload: UploadId): void {
    this.#forget(ownUpload(scope, upload));
  }

  /**
   * An upload has failed; whether it could be aborted or not, it is aborted once more in a while. A backend that is late may
   * store the part that broke off, and with it the upload that it had removed already (versitygw does).
   */
  failed(scope: BucketScope, upload: UploadId): void {
    this.#plan(ownUpload(scope, upload), secondLookMs);
    this.#schedule();
  }

  /** Begins to abort what earlier runs have left, and goes on until nothing is. */
  start(): void {
    for (const upload of listOwnUploads(this.#deps.database)) this.#plan(upload, 0);
    this.#schedule();
  }

  /** To be called before the database is closed. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #plan(upload: OwnUpload, pauseMs: number): void {
    this.#due.set(nameOf(upload), { upload, at: performance.now() + pauseMs });
  }

  #forget(upload: OwnUpload): void {
    this.#due.delete(nameOf(upload));
    if (this.#isClosed) return;
    try {
      deleteOwnUpload(this.#deps.database, upload);
    } catch (error) {
      // What was stored stays stored; the next run will find that the upload is gone.
      this.#deps.logger.warn("an ended upload could not be forgotten", { reason: errorMessage(error) });
    }
  }

  /** Wakes up when the next upload is due on a backend that is not busy. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    let next = Infinity;
    for (const { upload, at } of this.#due.values()) {
      if (at < next && !this.#busy.has(upload.backend)) next = at;
    }
    if (next === Infinity) return;
    this.#timer = setTimeout(() => this.#sweep(), Math.max(0, next - performance.now()));
  }

  #sweep(): void {
    const backends = Map.groupBy(this.#listDue(), ({ backend }) => backend);
    for (const [backend, uploads] of backends) {
      if (!this.#busy.has(backend)) void this.#abortAll(backend, uploads);
    }
    this.#schedule();
  }

  #listDue(): OwnUpload[] {
    const now = performance.now();
    return [...this.#due.values()].filter(({ at }) => at <= now).map(({ upload }) => upload);
  }

  async #abortAll(backend: string, uploads: readonly OwnUpload[]): Promise<void> {
    this.#busy.add(backend);
    let isAway = false;
    for (const upload of uploads) {
      if (this.#isClosed) return;
      const failure = isAway ? "skipped" : await this.#abort(upload);
      if (failure === undefined) this.#forget(upload);
      else this.#plan(upload, retryMs);
      isAway ||= isPassing(failure);
    }
    this.#busy.delete(backend);
    this.#schedule();
  }

  /** What kept an upload from being removed; `undefined` when it is gone by now. */
  async #abort(upload: OwnUpload): Promise<unknown> {
    const { backend, bucket } = upload;
    const { registry, logger } = this.#deps;
    if (!registry.has(backend)) return undefined;
    try {
      await sendAbort(findBucket(registry, backend, bucket), upload);
      return undefined;
    } catch (error) {
      if (error instanceof Problem && error.detail?.upstream_status === 404) return undefined;
      const reason = errorMessage(error);
      logger.warn("an unfinished multipart upload could not be aborted", { backend, bucket, reason });
      return error;
    }
  }
}

function ownUpload({ connection, bucket }: BucketScope, { key, uploadId }: UploadId): OwnUpload {
  return { backend: connection.backend.id, bucket, key, uploadId };
}

function nameOf({ backend, bucket, key, uploadId }: OwnUpload): string {
  return JSON.stringify([backend, bucket, key, uploadId]);
}
