import { z } from "zod";
import type { BackendRegistry } from "../../backends/registry.ts";
import { previewKind } from "../../../static/lib/preview/kind.js";
import { isFolderShare, type Share } from "../share.ts";
import { scopeOf } from "./folder.ts";
import { fromStorage } from "./neutral_problem.ts";

/** What a recipient is told about a share. */
export const shareDescriptionSchema = z.strictObject({
  code: z.string(),
  name: z.string().meta({ description: "The last part of the key" }),
  kind: z.enum(["object", "folder"]),
  size: z.int().nullable().meta({ description: "Bytes; null for a folder" }),
  content_type: z.string().nullable(),
  last_modified: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
  has_password: z.boolean(),
  max_downloads: z.int().nullable(),
  downloads_left: z.int().nullable(),
  disposition: z.enum(["inline", "attachment"]),
  preview_kind: z.enum(["image", "video", "audio", "pdf", "text", "none"]),
  raw_url: z.string().nullable().meta({ description: "Path of the content; null for a folder" }),
});

/** What {@link shareDescriptionSchema} describes. */
export type ShareDescription = z.output<typeof shareDescriptionSchema>;

const folderContent = {
  kind: "folder",
  size: null,
  content_type: null,
  last_modified: null,
  preview_kind: "none",
  raw_url: null,
} as const;

/**
 * Describes a share to a recipient who may use it. Asks the storage, and throws what went wrong there in neutral words: 404
 * `not_found` when the object is gone, 502 `backend_error`, 504 `backend_timeout`.
 */
export async function describeShare(
  share: Share,
  registry: BackendRegistry,
  signal: AbortSignal,
): Promise<ShareDescription> {
  const { code, expiresAt, passwordHash, maxDownloads, downloadCount, disposition } = share;
  return {
    code,
    name: nameOf(share.key),
    ...(isFolderShare(share) ? folderContent : await describeObject(share, registry, signal)),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    has_password: passwordHash !== null,
    max_downloads: maxDownloads,
    downloads_left: maxDownloads === null ? null : Math.max(0, maxDownloads - downloadCount),
    disposition,
  };
}

/** The name under which recipients know an object or a folder: the last part of its key. */
export function nameOf(key: string): string {
  return key.replace(/\/+$/, "").split("/").at(-1) || "shared";
}

async function describeObject(share: Share, registry: BackendRegistry, signal: AbortSignal) {
  const { key, versionId, code } = share;
  const { connection, bucket } = scopeOf(share, registry);
  const { headers } = await fromStorage(() =>
    connection.send({
      method: "HEAD",
      bucket,
      key,
      query: { versionId: versionId ?? undefined },
      signal,
    })
  );
  const length = headers.get("content-length");
  const contentType = headers.get("content-type") ?? "";
  const lastModified = Date.parse(headers.get("last-modified") ?? "");
  return {
    kind: "object",
    size: length === null ? null : Number(length),
    content_type: contentType || null,
    last_modified: Number.isNaN(lastModified) ? null : new Date(lastModified).toISOString(),
    preview_kind: publicPreviewKind(key, contentType),
    raw_url: `/s/${code}/raw`,
  } as const;
}

/** The dashboard's kind of preview, of which recipients have fewer. */
function publicPreviewKind(key: string, contentType: string): ShareDescription["preview_kind"] {
  const kind = previewKind(key, contentType);
  if (kind === "csv" || kind === "json") return "text";
  return kind === "hex" ? "none" : kind;
}
