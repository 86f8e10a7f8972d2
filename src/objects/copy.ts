import type { BucketScope } from "../backends/bucket_scope.ts";

/** The object, or the version of it, that is to be copied. */
export interface CopySource extends BucketScope {
  readonly key: string;
  readonly versionId?: string;
  /** As in the header `If-Match`: what the ETag has to be, else the copy fails with 412 `precondition_failed`. */
  readonly ifMatch?: string;
}

/** Where a copy is to be. */
export interface CopyTarget extends BucketScope {
  readonly key: string;
}

/** Metadata that the copy has in place of that of its source. */
export interface ReplacedMetadata {
  /** User metadata, as `encodeMetadata` makes it; that of the source stays where it is not given. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Content headers by their lower-case names, such as `content-type`; those that are not named stay, empty ones go. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a copy takes over from its source besides the content. */
export interface CopyAttributes {
  /** Whether that is user metadata and content headers; the type and the encoding always come along. */
  readonly keepsMetadata: boolean;
  readonly keepsTags: boolean;
  /** In place of the class of the source, or of the usual one on another backend. */
  readonly storageClass?: string;
}

/** How a copy is made. */
export interface CopyOptions {
  readonly replace?: ReplacedMetadata;
  /** Everything unless told. */
  readonly attributes?: CopyAttributes;
  /** Whether an object that is there already makes the copy fail. */
  readonly ifAbsent: boolean;
  /** Whether the source is deleted once the copy was checked. */
  readonly move: boolean;
  /**
   * Breaks the copy off; nothing is left of it then. What a backend does by one request is waited for, and the source of a move
   * stays.
   */
  readonly signal: AbortSignal;
  /** Told of bytes as they are copied. */
  readonly onProgress?: (bytes: number) => void;
  /** Told of the copy once it was checked, before the source of a move is deleted. */
  readonly onCopied?: (copied: CopiedObject) => void;
}

/** An object that was copied. */
export interface CopiedObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly content_type: string;
  readonly version_id?: string;
}

/** Copies one object, within a backend or from one to another. */
export type CopyObject = (
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions,
) => Promise<CopiedObject>;
