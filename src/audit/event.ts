/** Actions of the dashboard's audit records; the specification's "Events" part lists them, the last block is ours. */
export const auditActions = [
  "auth.login",
  "auth.logout",
  "backend.create",
  "backend.update",
  "backend.delete",
  "backend.test",
  "bucket.versioning.set",
  "bucket.cors.set",
  "bucket.policy.set",
  "bucket.policy.delete",
  "bucket.lifecycle.set",
  "bucket.size_tracking.set",
  "quota.set",
  "quota.delete",
  "object.upload",
  "object.delete",
  "object.bulk_delete",
  "object.delete_prefix",
  "object.copy",
  "object.transfer",
  "object.copy_prefix",
  "object.transfer_prefix",
  "share.create",
  "share.revoke",
  "share.access",

  "auth.register",
  "auth.password.change",
  "session.end",
  "share.update",
  "share.upload",
  "bucket.create",
  "bucket.delete",
  "bucket.proxy_cors.set",
  "object.folder",
  "object.restore",
  "object.presign",
  "multipart.create",
  "multipart.abort",
  "job.stop",
  "job.retry",
  "job.end",
  "user.create",
  "user.update",
  "user.delete",
  "user.password.reset",
  "user.unlock",
  "user.sessions.end",
  "quota.recompute",
  "quota.soft_exceeded",
  "s3_credential.create",
  "s3_credential.update",
  "s3_credential.rotate",
  "s3_credential.delete",
  "s3_credential.test",
  "s3_anonymous.upsert",
  "s3_anonymous.delete",
] as const;

/** One of {@link auditActions}. */
export type AuditAction = typeof auditActions[number];

/** One row of the audit table, before it has an id. */
export interface AuditEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly action: string;
  /** Empty for nobody: a failed login of an unknown user, an anonymous request. */
  readonly userId: string;
  readonly backend: string;
  readonly bucket: string;
  readonly key: string;
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  /** `ok`, `error`, or a vendor-specific status string. */
  readonly status: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What a handler adds to the audit record that the request pipeline writes for it. */
export interface AuditNote {
  /** In place of the route's action, where the body decides which one it is. */
  action?: AuditAction;
  userId?: string;
  backend?: string;
  bucket?: string;
  key?: string;
  /** Overrides the `ok` or `error` that the answer's status stands for. */
  status?: string;
  detail: Record<string, unknown>;
}
