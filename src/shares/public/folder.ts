import { Buffer } from "node:buffer";
import { z } from "zod";
import { type BucketScope, findBucket } from "../../backends/bucket_scope.ts";
import { hasDotSegment, requirePrefix } from "../../backends/names.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { listObjects } from "../../objects/listing.ts";
import { badRequest, Problem } from "../../problem.ts";
import { type Sealer, SealError } from "../../secrets/seal.ts";
import type { Share } from "../share.ts";
import { fromStorage, nothingThere, storageUnavailable } from "./neutral_problem.ts";
import type { SelectedObjects } from "./selected_objects.ts";
import { listSelected } from "./selection.ts";

/** One level of a shared folder, or a selection. All names and paths are relative to the share. */
export const shareListingSchema = z.strictObject({
  path: z.string().meta({ description: "Empty, or with a slash at its end" }),
  folders: z.array(z.string()).meta({ description: "Names, without a slash at the end" }),
  files: z.array(z.strictObject({
    name: z.string(),
    path: z.string().meta({ description: "`path` of the request for its content" }),
    size: z.int(),
    last_modified: z.iso.datetime(),
  })),
  next_token: z.string().nullable().meta({ description: "`token` of the next page; null at the end" }),
});

/** What {@link shareListingSchema} describes. */
export type ShareListing = z.output<typeof shareListingSchema>;

/** Files and folders of a page. */
const pageSize = 1000;

/** Which page of a shared folder is asked for. */
export interface ShareListingQuery {
  /** Empty for the share itself. */
  readonly path: string;
  /** `next_token` of the page before. */
  readonly token?: string;
}

/** The keys and prefixes of a share of the kind `selection`. */
export type SelectedKeys = (share: Share) => readonly string[];

/**
 * The key of what is at a path in a shared folder or selection. Segments `.` and `..` are refused with 404 `not_found`: a
 * server that takes keys for file names would resolve them and leave the folder. All else is text that follows the folder's
 * prefix; of a selection it must be one of the keys, or below one of the prefixes.
 */
export function keyBelow(share: Share, path: string, keysOf: SelectedKeys): string {
  const key = share.key + path;
  if (hasDotSegment(path)) throw nothingThere();
  if (share.kind === "folder") return key;
  if (share.kind === "selection" && isSelected(keysOf(share), key)) return key;
  throw nothingThere();
}

function isSelected(selected: readonly string[], key: string): boolean {
  return selected.some((one) => one === key || (one.endsWith("/") && key.startsWith(one)));
}

/** {@link keyBelow} for a folder, whose key ends in a slash. */
export function folderBelow(share: Share, path: string, keysOf: SelectedKeys): string {
  return keyBelow(share, path === "" || path.endsWith("/") ? path : `${path}/`, keysOf);
}

/** The bucket of a share. Throws what recipients are told: 502 `backend_error`. */
export function scopeOf({ backendId, bucket }: Share, registry: BackendRegistry): BucketScope {
  try {
    return findBucket(registry, backendId, bucket);
  } catch (error) {
    // A backend that is gone has taken its shares along: this one is disabled, and may come back.
    throw error instanceof Problem ? storageUnavailable(error) : error;
  }
}

/** What {@link listFolder} works with. */
export interface FolderDeps {
  readonly registry: BackendRegistry;
  readonly keysOf: SelectedKeys;
  readonly selected: SelectedObjects;
  readonly sealer: Sealer;
  readonly signal: AbortSignal;
}

/**
 * Lists one page of one level of a shared folder, or of a selection. The backend's tokens may hold keys or the bucket, hence recipients get them
 * sealed, for this folder alone. Throws 400 `bad_request` for a token that is none, 404 `not_found` when nothing is there.
 */
export async function listFolder(
  share: Share,
  query: ShareListingQuery,
  { registry, keysOf, selected, sealer, signal }: FolderDeps,
): Promise<ShareListing> {
  const isSelection = share.kind === "selection" && query.path === "";
  const prefix = isSelection ? share.key : folderBelow(share, query.path, keysOf);
  const place = JSON.stringify([share.id, prefix]);
  const token = query.token === undefined ? undefined : openToken(sealer, query.token, place);
  const scope = scopeOf(share, registry);
  if (isSelection) {
    const { next, ...page } = await listSelected(selected, scope, share.key, keysOf(share), signal, token);
    return { path: "", ...page, next_token: next === null ? null : sealed(sealer, next, place) };
  }
  const page = await fromStorage(() => {
    requirePrefix(prefix);
    return listObjects(scope, { prefix, delimiter: "/", token, maxKeys: pageSize }, signal);
  });
  if (token === undefined && page.objects.length === 0 && page.common_prefixes.length === 0) {
    throw nothingThere();
  }
  const next = page.is_truncated ? page.next_continuation_token : undefined;
  return {
    path: prefix.slice(share.key.length),
    folders: page.common_prefixes.map((folder) => folder.slice(prefix.length, -1)),
    // What has the folder's own key is not in it but stands for it.
    files: page.objects.filter(({ key }) => key !== prefix).map(({ key, size, last_modified }) => ({
      name: key.slice(prefix.length),
      path: key.slice(share.key.length),
      size,
      last_modified,
    })),
    next_token: next === undefined ? null : sealed(sealer, next, place),
  };
}

function sealed(sealer: Sealer, next: string, place: string): string {
  return Buffer.from(sealer.seal(next, place)).toString("base64url");
}

function openToken(sealer: Sealer, token: string, place: string): string {
  try {
    return sealer.open(Buffer.from(token, "base64url"), place);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw badRequest("token: is not one of this folder: begin again without it", { field: "token" });
  }
}
