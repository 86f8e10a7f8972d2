import { z } from "zod";
import { withBase } from "../../static/lib/base.js";
import { type Share, shareKinds, type ShareState, shareStates, type UploadRequest } from "./share.ts";

const uploadSchema = z.strictObject({
  title: z.string(),
  message: z.string(),
  max_uploads: z.int(),
  max_bytes: z.int(),
  max_file_bytes: z.int().nullable(),
  keep_folders: z.boolean(),
  upload_count: z.int(),
  uploaded_bytes: z.int(),
  last_upload_at: z.iso.datetime().nullable(),
});

/** A share as the API shows it to its creator and to administrators. */
export const shareSchema = z.strictObject({
  id: z.int(),
  code: z.string(),
  url: z.string().meta({ description: "What to give to the recipient" }),
  backend_id: z.string(),
  bucket: z.string(),
  kind: z.enum(shareKinds),
  key: z.string(),
  version_id: z.string().nullable(),
  disposition: z.enum(["inline", "attachment"]),
  note: z.string(),
  has_password: z.boolean(),
  max_downloads: z.int().nullable(),
  download_count: z.int(),
  last_download_at: z.iso.datetime().nullable(),
  created_by: z.string(),
  created_by_name: z.string().nullable().meta({ description: "null once the user is gone" }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  revoked: z.boolean(),
  revoked_at: z.iso.datetime().nullable(),
  state: z.enum(shareStates),
  key_count: z.int().optional().meta({ description: "Of a selection: how many objects and folders it has" }),
  upload: uploadSchema.optional().meta({
    description: "Of a link for uploads: what may be, and has been, sent",
  }),
});

/** A share as {@link shareSchema} has it. */
export type ShareJson = z.output<typeof shareSchema>;

/** What the JSON of a share says beyond the share itself. */
export interface ShareContext {
  readonly state: ShareState;
  readonly creatorName: string | null;
  /** Scheme, host and port under which recipients reach the program. */
  readonly origin: string;
}

/** A share in the form of the API. */
export function shareJson(share: Share, { state, creatorName, origin }: ShareContext): ShareJson {
  return {
    id: share.id,
    code: share.code,
    url: origin + withBase(`/s/${share.code}`),
    backend_id: share.backendId,
    bucket: share.bucket,
    kind: share.kind,
    key: share.key,
    version_id: share.versionId,
    disposition: share.disposition,
    note: share.note,
    has_password: share.passwordHash !== null,
    max_downloads: share.maxDownloads,
    download_count: share.downloadCount,
    last_download_at: timestamp(share.lastDownloadAt),
    created_by: share.createdBy,
    created_by_name: creatorName,
    created_at: new Date(share.createdAt).toISOString(),
    expires_at: timestamp(share.expiresAt),
    revoked: share.revokedAt !== null,
    revoked_at: timestamp(share.revokedAt),
    state,
    key_count: share.kind === "selection" ? share.keyCount : undefined,
    upload: share.upload === null ? undefined : uploadJson(share.upload),
  };
}

function uploadJson(upload: UploadRequest): z.output<typeof uploadSchema> {
  return {
    title: upload.title,
    message: upload.message,
    max_uploads: upload.maxUploads,
    max_bytes: upload.maxBytes,
    max_file_bytes: upload.maxFileBytes,
    keep_folders: upload.keepFolders,
    upload_count: upload.uploadCount,
    uploaded_bytes: upload.uploadedBytes,
    last_upload_at: timestamp(upload.lastUploadAt),
  };
}

function timestamp(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
