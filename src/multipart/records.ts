import type { Database } from "../store/database.ts";
import {
  deleteUpload,
  deleteUploadsOf,
  listUploads,
  putUpload,
  type StoredUpload,
  type StoredUploadQuery,
} from "../store/multipart_uploads_repository.ts";
import type { UploadId } from "../store/quotas_repository.ts";

/** The uploads that were begun over the API and have not ended, as far as is known. */
export class UploadRecords {
  readonly #database: Database;
  readonly #clock: () => number;

  /** `clock` is in milliseconds since the epoch. */
  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Notes an upload that has begun. */
  begin(backend: string, bucket: string, { key, uploadId }: UploadId): void {
    putUpload(this.#database, { backend, bucket, key, uploadId, initiatedAt: this.#clock() });
  }

  /** Forgets an upload that has ended. */
  end(backend: string, bucket: string, { key, uploadId }: UploadId): void {
    deleteUpload(this.#database, { backend, bucket, key, uploadId });
  }

  /** The uploads that a query asks for, by key and id. */
  list(query: StoredUploadQuery): StoredUpload[] {
    return listUploads(this.#database, query);
  }

  /** Forgets the uploads of a bucket that is no more. */
  forget(backend: string, bucket: string): void {
    deleteUploadsOf(this.#database, { backend, bucket });
  }
}
