import type { Database } from "../store/database.ts";
import {
  type BucketId,
  deleteParts,
  putPart,
  type StoredPart,
  type UploadId,
} from "../store/quotas_repository.ts";

/** One part of a multipart upload. */
export interface UploadPart extends UploadId {
  readonly partNumber: number;
}

interface PendingUpload {
  readonly id: UploadId;
  /** Bytes by part number. */
  readonly parts: Map<number, number>;
}

/**
 * The parts of a bucket's unfinished multipart uploads. They fill the backend although no listing shows them, so they are
 * kept in the database until their upload has ended.
 */
export class PendingUploads {
  readonly #database: Database;
  readonly #bucket: BucketId;
  readonly #uploads = new Map<string, PendingUpload>();
  #bytes = 0;

  constructor(database: Database, bucket: BucketId) {
    this.#database = database;
    this.#bucket = bucket;
  }

  /** Bytes of all parts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Every upload that has parts. */
  list(): UploadId[] {
    return [...this.#uploads.values()].map(({ id }) => id);
  }

  /** Size of a part; `undefined` when there is none of its number. */
  partBytes(part: UploadPart): number | undefined {
    return this.#parts(part)?.get(part.partNumber);
  }

  /** Takes in a part that is in the database. */
  load({ key, uploadId, partNumber, bytes }: Omit<StoredPart, keyof BucketId>): void {
    const id = { key, uploadId };
    let parts = this.#parts(id);
    if (parts === undefined) this.#uploads.set(uploadName(id), { id, parts: parts = new Map() });
    this.#bytes += bytes - (parts.get(partNumber) ?? 0);
    parts.set(partNumber, bytes);
  }

  /** Keeps a part of `bytes` bytes in place of an earlier one with its number. */
  put(part: UploadPart, bytes: number): void {
    if (this.partBytes(part) === bytes) return;
    putPart(this.#database, { ...this.#bucket, ...part, bytes });
    this.load({ ...part, bytes });
  }

  /** Forgets a part. */
  remove(part: UploadPart): void {
    const parts = this.#parts(part);
    if (parts === undefined) return;
    deleteParts(this.#database, this.#bucket, part, part.partNumber);
    this.#bytes -= parts.get(part.partNumber) ?? 0;
    parts.delete(part.partNumber);
    if (parts.size === 0) this.#uploads.delete(uploadName(part));
  }

  /** Forgets an upload. Returns the bytes of those of its parts that `partNumbers` names, all unless told. */
  end(upload: UploadId, partNumbers?: readonly number[]): number {
    const parts = this.#parts(upload);
    if (parts === undefined) return 0;
    deleteParts(this.#database, this.#bucket, upload);
    this.#uploads.delete(uploadName(upload));
    const all = sum(parts.values());
    this.#bytes -= all;
    return partNumbers === undefined ? all : sum(new Set(partNumbers), (number) => parts.get(number) ?? 0);
  }

  #parts(upload: UploadId): Map<number, number> | undefined {
    return this.#uploads.get(uploadName(upload))?.parts;
  }
}

/** An upload is known by its key too: a request with the right id and another key is refused, and must change nothing. */
export function uploadName({ key, uploadId }: UploadId): string {
  return JSON.stringify([uploadId, key]);
}

function sum(numbers: Iterable<number>, valueOf = (number: number) => number): number {
  let total = 0;
  for (const number of numbers) total += valueOf(number);
  return total;
}
