import { Buffer } from "node:buffer";
import { z } from "zod";
import { type BucketScope, findBucket } from "../../backends/bucket_scope.ts";
import { hasDotSegment, requirePrefix } from "../../backends/names.ts";
import type { BackendRegistry } from "../../backends/registry.ts";
import { listObjects } from "../../objects/listing.ts";
import { badRequest, Problem } from "../../problem.ts";
import { type Sealer, SealError } from "../../secrets/seal.ts";
import { isFolderShare, type Share } from "../share.ts";
import { fromStorage, nothingThere, storageUnavailable } from "./neutral_problem.ts";

/** One level of a shared folder. All names and paths are relative to the share. */
export const shareListingSchema = z.strictObject({
  path: z.string().meta({ description: "Empty, or with a slash at its end" }),
  folders: z.array(z.string()).meta({ description: "Names, without a slash" }),
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

/**
 * The key of what is at a path in a shared folder. Segments `.` and `..` are refused with 404 `not_found`: a server that
 * takes keys for file names would resolve them and leave the folder. All else is text that follows the folder's prefix.
 */
export function keyBelow(share: Share, path: string): string {
  if (!isFolderShare(share) || hasDotSegment(path)) throw nothingThere();
  return share.key + path;
}

/** {@link keyBelow} for a folder, whose key ends in a slash. */
export function folderBelow(share: Share, path: string): string {
  return keyBelow(share, path === "" || path.endsWith("/") ? path : `${path}/`);
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

/**
 * Lists one page of one level of a shared folder. The backend's tokens may hold keys or the bucket, hence recipients get them
 * sealed, for this folder alone. Throws 400 `bad_request` for a token that is none, 404 `not_found` when nothing is there.
 */
export async function listFolder(
  share: Share,
  query: ShareListingQuery,
  deps: { readonly registry: BackendRegistry; readonly sealer: Sealer; readonly signal: AbortSignal },
): Promise<ShareListing> {
  const { registry, sealer, signal } = deps;
  const prefix = folderBelow(share, query.path);
  const place = JSON.stringify([share.id, prefix]);
  const token = query.token === undefined ? undefined : openToken(sealer, query.token, place);
  const scope = scopeOf(share, registry);
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
    next_token: next === undefined ? null : Buffer.from(sealer.seal(next, place)).toString("base64url"),
  };
}

function openToken(sealer: Sealer, token: string, place: string): string {
  try {
    return sealer.open(Buffer.from(token, "base64url"), place);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw badRequest("token: is not one of this folder: begin again without it", { field: "token" });
  }
}
