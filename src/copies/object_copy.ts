import type { Logger } from "../logging/logger.ts";
import type { CopyOptions, CopySource } from "../objects/copy.ts";
import type { StoredObject, UploadTarget } from "../objects/stored_object.ts";
import type { UploadJournal } from "../objects/upload_journal.ts";
import type { MemoryBudget } from "./memory_budget.ts";
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
  readonly journal: UploadJournal;
  /** What objects that are held in memory share. */
  readonly memory: MemoryBudget;
}

/** A copy that was made. */
export interface MadeCopy {
  readonly stored: StoredObject;
  /** How its parts are cut; `undefined` without any. */
  readonly layout?: PartLayout;
}
