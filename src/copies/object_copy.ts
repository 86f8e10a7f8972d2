import type { Logger } from "../logging/logger.ts";
import type { StoredObject, UploadTarget } from "../objects/stored_object.ts";
import type { CopyOptions, CopySource } from "./copy.ts";
import type { PartLayout } from "./part_layout.ts";
import type { SourceObject } from "./source_object.ts";

/** A copy that is to be made. */
export interface ObjectCopy {
  readonly source: CopySource;
  readonly original: SourceObject;
  /** With the content headers and metadata of the copy. */
  readonly target: UploadTarget;
  readonly options: CopyOptions;
  readonly logger: Logger;
}

/** A copy that was made. */
export interface MadeCopy {
  readonly stored: StoredObject;
  /** How its parts are cut; `undefined` without any. */
  readonly layout?: PartLayout;
}
