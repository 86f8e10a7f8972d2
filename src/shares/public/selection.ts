import type { BucketScope } from "../../backends/bucket_scope.ts";
import { mapPool } from "../../backends/map_pool.ts";
import type { ShareListing } from "./folder.ts";
import { fromStorage } from "./neutral_problem.ts";
import type { SelectedObjects } from "./selected_objects.ts";

/** What a selection is called: the folder that holds it is not shared, and its name is not told. */
export const selectionName = "selection";

/** Objects and folders of a page; the storage is asked for each object. */
const pageSize = 100;

/** Objects of a page that are asked for at once: what one recipient has waiting at most, also when they go away. */
const concurrentLookups = 20;

/** A page of a selection; `next` is where the next one begins, `null` at the end. */
export interface SelectionPage extends Pick<ShareListing, "folders" | "files"> {
  readonly next: string | null;
}

/**
 * Lists one page of what is selected below `folder`, from the place `from` that the page before named. What is gone from the
 * storage is left out. Throws what recipients are told: 502 `backend_error`, 504 `backend_timeout`.
 */
export async function listSelected(
  objects: SelectedObjects,
  scope: BucketScope,
  folder: string,
  selected: readonly string[],
  signal: AbortSignal,
  from = "0",
): Promise<SelectionPage> {
  const start = Number(from);
  const page = selected.slice(start, start + pageSize);
  const nameOf = (key: string) => key.slice(folder.length);
  const files = await fromStorage(() =>
    mapPool(page.filter((key) => !key.endsWith("/")), concurrentLookups, signal, async (key) => {
      const found = await objects.find(scope, key);
      const name = nameOf(key);
      return found && { name, path: name, size: found.size, last_modified: found.modified };
    })
  );
  const end = start + page.length;
  return {
    folders: page.filter((key) => key.endsWith("/")).map((key) => nameOf(key).slice(0, -1)),
    files: files.filter((file) => file !== null),
    next: end < selected.length ? String(end) : null,
  };
}
