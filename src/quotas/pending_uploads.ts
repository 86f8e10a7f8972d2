import type { Database } from "../store/database.ts";
import { type BucketId, deleteParts, putPart, type StoredPart } from "../store/quotas_repository.ts";

/** One part of a multipart upload. */
export interface UploadPart {
  readonly key: string;
  readonly uploadId: string;
  readonly partNumber: number;
}

interface PendingUpload {
  readonly key: string;
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
  list(): { uploadId: string; key: string }[] {
    return [...this.#uploads].map(([uploadId, { key }]) => ({ uploadId, key }));
  }

  /** Size of a part; `undefined` when there is none of its number. */
  partBytes({ uploadId, partNumber }: UploadPart): number | undefined {
    return this.#uploads.get(uploadId)?.parts.get(partNumber);
  }

  /** Takes in a part that is in the database. */
  load({ uploadId, key, partNumber, bytes }: Omit<StoredPart, keyof BucketId>): void {
    let upload = this.#uploads.get(uploadId);
    if (upload === undefined) this.#uploads.set(uploadId, upload = { key, parts: new Map() });
    this.#bytes += bytes - (upload.parts.get(partNumber) ?? 0);
    upload.parts.set(partNumber, bytes);
  }

  /** Keeps a part of `bytes` bytes in place of an earlier one with its number. */
  put(part: UploadPart, bytes: number): void {
    if (this.partBytes(part) === bytes) return;
    putPart(this.#database, { ...this.#bucket, ...part, bytes });
    this.load({ ...part, bytes });
  }

  /** Forgets a part. */
  remove(part: UploadPart): void {
    const upload = this.#uploads.get(part.uploadId);
    deleteParts(this.#database, this.#bucket, part.uploadId, part.partNumber);
    this.#bytes -= upload?.parts.get(part.partNumber) ?? 0;
    upload?.parts.delete(part.partNumber);
    if (upload?.parts.size === 0) this.#uploads.delete(part.uploadId);
  }

  /** Forgets an upload. Returns the bytes of those of its parts that `partNumbers` names, all unless told. */
  end(uploadId: string, partNumbers?: readonly number[]): number {
    const parts = this.#uploads.get(uploadId)?.parts;
    if (parts === undefined) return 0;
    deleteParts(this.#database, this.#bucket, uploadId);
    this.#uploads.delete(uploadId);
    const all = sum(parts.values());
    this.#bytes -= all;
    return partNumbers === undefined ? all : sum(new Set(partNumbers), (number) => parts.get(number) ?? 0);
  }
}

function sum(numbers: Iterable<number>, valueOf = (number: number) => number): number {
  let total = 0;
  for (const number of numbers) total += valueOf(number);
  return total;
}
