import type { Disposition } from "../objects/object_headers.ts";

/** A link by which anyone who has it reaches one object, or all objects of a folder. Times are milliseconds since the epoch. */
export interface Share {
  readonly id: number;
  /** The secret part of the link: 22 letters and digits. */
  readonly code: string;
  readonly backendId: string;
  readonly bucket: string;
  /** The object's key; one that ends in `/` stands for the folder of that prefix. */
  readonly key: string;
  /** The version that is shared; `null` for whichever is the latest. Always `null` for a folder. */
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
}

/** What a share is good for: `suspended` while the account of its creator is disabled. */
export type ShareState = "active" | "revoked" | "suspended" | "expired" | "exhausted";

/** Every {@link ShareState}. */
export const shareStates = ["active", "revoked", "suspended", "expired", "exhausted"] as const;

/** Whether a share is one of a folder. */
export function isFolderShare({ key }: Share): boolean {
  return key.endsWith("/");
}

/** The state of a share at `now`; the reason that cannot be undone goes first. */
export function shareState(share: Share, creatorEnabled: boolean, now: number): ShareState {
  if (share.revokedAt !== null) return "revoked";
  if (!creatorEnabled) return "suspended";
  if (share.expiresAt !== null && share.expiresAt <= now) return "expired";
  if (share.maxDownloads !== null && share.downloadCount >= share.maxDownloads) return "exhausted";
  return "active";
}
