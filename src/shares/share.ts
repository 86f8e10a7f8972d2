import type { Disposition } from "../objects/object_headers.ts";

/** What a link is to: an object or its version, a folder, several of both, or a folder into which files may be sent. */
export const shareKinds = ["object", "folder", "selection", "upload"] as const;

/** One of {@link shareKinds}. */
export type ShareKind = typeof shareKinds[number];

/** What may be sent by a link of the kind `upload`, and what its page says. */
export interface UploadTerms {
  /** The heading of the page; empty for words that ask for files. */
  readonly title: string;
  /** Plain text for the senders. */
  readonly message: string;
  /** How many files may be sent. */
  readonly maxUploads: number;
  /** How many bytes they may have together. */
  readonly maxBytes: number;
  /** How many bytes each may have; `null` for as many as all. */
  readonly maxFileBytes: number | null;
  /** Whether files keep the folders that they are sent with; otherwise all go side by side into the share's folder. */
  readonly keepFolders: boolean;
}

/** {@link UploadTerms}, and what has been sent. */
export interface UploadRequest extends UploadTerms {
  readonly uploadCount: number;
  readonly uploadedBytes: number;
  readonly lastUploadAt: number | null;
}

/**
 * A link by which anyone who has it reaches what it is to, or sends files to there. Times are milliseconds since the epoch.
 */
export interface Share {
  readonly id: number;
  readonly kind: ShareKind;
  /** The secret part of the link: 22 letters and digits. */
  readonly code: string;
  readonly backendId: string;
  readonly bucket: string;
  /**
   * The object's key, or a folder's prefix: the one that is shared, the one that holds all of a selection, or the one that
   * takes files. The latter two may be empty, which is the bucket itself.
   */
  readonly key: string;
  /** The version of the object that is shared; `null` for whichever is the latest. */
  readonly versionId: string | null;
  readonly disposition: Disposition;
  /** What the creator noted; recipients never see it. */
  readonly note: string;
  /** PHC string of argon2id; `null` for a share without a password. */
  readonly passwordHash: string | null;
  /** How many downloads there may be; `null` for any number. */
  readonly maxDownloads: number | null;
  readonly downloadCount: number;
  /** Id of the user who made the share, who may be gone. */
  readonly createdBy: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastDownloadAt: number | null;
  /** How many keys and prefixes are selected, for a selection; 0 for others. */
  readonly keyCount: number;
  /** Of the kind `upload` alone. */
  readonly upload: UploadRequest | null;
}

/** What a share is good for: `suspended` while its creator may not do themselves what it lets others do. */
export type ShareState = "active" | "revoked" | "suspended" | "expired" | "exhausted";

/** Every {@link ShareState}. */
export const shareStates = ["active", "revoked", "suspended", "expired", "exhausted"] as const;

/** The state of a share at `now`; the reason that cannot be undone goes first. */
export function shareState(share: Share, creatorMay: boolean, now: number): ShareState {
  if (share.revokedAt !== null) return "revoked";
  if (!creatorMay) return "suspended";
  if (share.expiresAt !== null && share.expiresAt <= now) return "expired";
  if (share.maxDownloads !== null && share.downloadCount >= share.maxDownloads) return "exhausted";
  return share.upload !== null && isFull(share.upload) ? "exhausted" : "active";
}

/** Whether nothing more may be sent. */
function isFull({ maxUploads, maxBytes, uploadCount, uploadedBytes }: UploadRequest): boolean {
  return uploadCount >= maxUploads || uploadedBytes >= maxBytes;
}
