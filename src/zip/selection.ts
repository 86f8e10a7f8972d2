import type { BucketScope } from "../backends/bucket_scope.ts";
import { requireKey, requirePrefix } from "../backends/names.ts";
import { listObjects } from "../objects/listing.ts";
import { badRequest, Problem } from "../problem.ts";

/** Most keys and most prefixes of one selection. */
export const maxSelected = 10_000;

/** Objects of a bucket: single ones, and all whose keys begin with a prefix. None is in it twice. */
export interface Selection {
  readonly keys: readonly string[];
  readonly prefixes: readonly string[];
  /** The folder that holds all of it, with a `/` at its end; empty for the bucket itself. */
  readonly folder: string;
}

/** An object of a selection. */
export interface SelectedObject {
  readonly key: string;
  /** Bytes, and when it was stored, as far as a listing told. */
  readonly listed?: { readonly size: number; readonly modifiedAt: Date };
}

/** A part of a selection that could not be listed, or not to its end. */
export interface UnlistedPart {
  readonly prefix: string;
  readonly error: unknown;
}

/**
 * Checks what is selected and takes out what would be in it twice. Throws 400 `bad_request` when it is empty, 400
 * `too_many_keys`, `invalid_key`, `invalid_prefix`.
 */
export function makeSelection(keys: readonly string[], prefixes: readonly string[]): Selection {
  if (keys.length + prefixes.length === 0) throw badRequest("keys: nothing is selected", { field: "keys" });
  if (keys.length > maxSelected || prefixes.length > maxSelected) {
    throw new Problem(
      400,
      "too_many_keys",
      `A selection has at most ${maxSelected} keys and as many prefixes: select their prefix.`,
    );
  }
  keys.forEach(requireKey);
  prefixes.forEach(requirePrefix);
  const widest = widestOf(prefixes);
  const single = outsideOf(widest, keys);
  return { keys: single, prefixes: widest, folder: commonFolder([...single, ...widest]) };
}

/** Lists a selection page by page, as it is asked for. What cannot be listed is told in the place where it would stand. */
export async function* listSelection(
  scope: BucketScope,
  { keys, prefixes }: Selection,
  signal: AbortSignal,
): AsyncGenerator<SelectedObject | UnlistedPart> {
  for (const key of keys) yield { key };
  for (const prefix of prefixes) {
    try {
      yield* listPrefix(scope, prefix, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      yield { prefix, error };
    }
  }
}

async function* listPrefix(
  scope: BucketScope,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<SelectedObject> {
  let token: string | undefined;
  while (true) {
    const page = await listObjects(scope, { prefix, delimiter: "", token, maxKeys: 1000 }, signal);
    for (const { key, size, last_modified } of page.objects) {
      yield { key, listed: { size, modifiedAt: new Date(last_modified) } };
    }
    if (!page.is_truncated) return;
    const next = page.next_continuation_token;
    if (!next || next === token) {
      throw new Problem(502, "backend_error", "The backend does not say how its listing goes on.");
    }
    token = next;
  }
}

/** The prefixes that begin with no other one. */
function widestOf(prefixes: readonly string[]): string[] {
  const widest: string[] = [];
  // Sorted by their UTF-16 units, all that begin with one follow it at once.
  for (const prefix of [...prefixes].sort()) {
    const last = widest.at(-1);
    if (last === undefined || !prefix.startsWith(last)) widest.push(prefix);
  }
  return widest;
}

/** The keys, each once and in order, that begin with none of the prefixes that {@link widestOf} gave. */
function outsideOf(widest: readonly string[], keys: readonly string[]): string[] {
  let next = 0;
  return [...new Set(keys)].sort().filter((key) => {
    while (next < widest.length && widest[next] <= key) next++;
    return next === 0 || !key.startsWith(widest[next - 1]);
  });
}

/** The longest folder that all of the selected are in; a prefix is in the folder above it, so that it keeps its own name. */
function commonFolder(selected: readonly string[]): string {
  let common: string | undefined;
  for (const path of selected) {
    const folder = path.slice(0, path.replace(/\/+$/, "").lastIndexOf("/") + 1);
    common = common === undefined ? folder : sharedFolder(common, folder);
  }
  return common ?? "";
}

function sharedFolder(first: string, second: string): string {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length++;
  return first.slice(0, first.slice(0, length).lastIndexOf("/") + 1);
}
