import { z } from "zod";
import type { BackendRegistry } from "../../backends/registry.ts";
import { withBase } from "../../../static/lib/base.js";
import { type Share, shareKinds, type UploadRequest } from "../share.ts";
import { scopeOf } from "./folder.ts";
import { fromStorage } from "./neutral_problem.ts";
import { publicPreviewKind, publicPreviewKinds } from "./preview_kind.ts";
import { selectionName } from "./selection.ts";

/** What those who send files are told about a link for uploads. */
const requestedFilesSchema = z.strictObject({
  title: z.string(),
  message: z.string(),
  files_left: z.int().meta({ description: "How many files it still takes" }),
  bytes_left: z.int().meta({ description: "How many bytes it still takes" }),
  max_file_bytes: z.int().meta({ description: "How many bytes a file may have" }),
  keeps_folders: z.boolean().meta({ description: "Whether files keep the folders that they are sent with" }),
});

/** What a recipient is told about a share. */
export const shareDescriptionSchema = z.strictObject({
  code: z.string(),
  name: z.string().meta({ description: "The last part of the key; empty for a link for uploads" }),
  kind: z.enum(shareKinds),
  size: z.int().nullable().meta({ description: "Bytes; null for all but objects" }),
  content_type: z.string().nullable(),
  last_modified: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
  has_password: z.boolean(),
  max_downloads: z.int().nullable(),
  downloads_left: z.int().nullable(),
  disposition: z.enum(["inline", "attachment"]),
  preview_kind: z.enum(publicPreviewKinds),
  raw_url: z.string().nullable().meta({ description: "Path of the content; null for all but objects" }),
  upload: requestedFilesSchema.optional(),
});

/** What {@link shareDescriptionSchema} describes. */
export type ShareDescription = z.output<typeof shareDescriptionSchema>;

/** For what is more, or less, than one object. */
const noContent = {
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
  const { code, kind, upload, expiresAt, passwordHash, maxDownloads, downloadCount, disposition } = share;
  return {
    code,
    name: recipientsName(share),
    kind,
    ...(kind === "object" ? await describeObject(share, registry, signal) : noContent),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    has_password: passwordHash !== null,
    max_downloads: maxDownloads,
    downloads_left: maxDownloads === null ? null : Math.max(0, maxDownloads - downloadCount),
    disposition,
    upload: upload === null ? undefined : describeRequest(upload),
  };
}

function describeRequest(request: UploadRequest): z.output<typeof requestedFilesSchema> {
  const { title, message, maxUploads, maxBytes, maxFileBytes, uploadCount, uploadedBytes } = request;
  const bytesLeft = Math.max(0, maxBytes - uploadedBytes);
  return {
    title,
    message,
    files_left: Math.max(0, maxUploads - uploadCount),
    bytes_left: bytesLeft,
    max_file_bytes: Math.min(maxFileBytes ?? bytesLeft, bytesLeft),
    keeps_folders: request.keepFolders,
  };
}

/** The folder that holds a selection, or takes files, is not what is shared: its name is not told. */
function recipientsName({ kind, key }: Share): string {
  if (kind === "upload") return "";
  return kind === "selection" ? selectionName : nameOf(key);
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
    size: length === null ? null : Number(length),
    content_type: contentType || null,
    last_modified: Number.isNaN(lastModified) ? null : new Date(lastModified).toISOString(),
    preview_kind: publicPreviewKind(key, contentType),
    raw_url: withBase(`/s/${code}/raw`),
  } as const;
}
