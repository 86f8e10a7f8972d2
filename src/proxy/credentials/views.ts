import { z } from "zod";
import type { BindingRecord } from "../../store/anonymous_bindings_repository.ts";
import type { CredentialRecord } from "../../store/virtual_credentials_repository.ts";
import type { AnonymousBinding, VirtualCredential } from "./source.ts";

const statusField = z.enum(["active", "disabled", "expired", "unusable"]);
const originField = z.enum(["sqlite", "kubernetes"]);

/** A stored credential as the API shows it. */
export const credentialSchema = z.strictObject({
  access_key: z.string(),
  backend_id: z.string(),
  buckets: z.array(z.string()),
  prefix: z.string(),
  read_only: z.boolean(),
  description: z.string(),
  enabled: z.boolean(),
  status: statusField,
  expires_at: z.iso.datetime().optional(),
  user_id: z.string().optional(),
  username: z.string().optional(),
  created_at: z.iso.datetime().optional(),
  created_by: z.string(),
  updated_at: z.iso.datetime().optional(),
  rotated_at: z.iso.datetime().optional(),
  last_used_at: z.iso.datetime().optional(),
  source: originField,
});

/** Where a credential is good for. */
const addressFields = { endpoint_url: z.string(), bucket_urls: z.record(z.string(), z.string()) };

/** A stored credential and where it is good for. */
export const addressedCredentialSchema = credentialSchema.extend(addressFields);

/** The same with its secret, which is shown once. */
export const mintedCredentialSchema = addressedCredentialSchema.extend({ secret_key: z.string() });

/** A credential of any source as the API shows it. */
export const mergedCredentialSchema = z.strictObject({
  access_key: z.string(),
  scopes: z.array(z.strictObject({ backend_id: z.string(), bucket: z.string() })),
  prefix: z.string(),
  read_only: z.boolean(),
  status: statusField,
  expires_at: z.iso.datetime().optional(),
  user_id: z.string().optional(),
  username: z.string().optional(),
  created_at: z.iso.datetime().optional(),
  last_used_at: z.iso.datetime().optional(),
  source: originField,
});

/** A stored binding as the API shows it. */
export const bindingSchema = z.strictObject({
  backend_id: z.string(),
  bucket: z.string(),
  mode: z.enum(["ReadOnly", "None"]),
  per_source_ip_rps: z.number(),
  created_at: z.iso.datetime().optional(),
  created_by: z.string(),
  source: originField,
});

/** A binding of any source as the API shows it. */
export const mergedBindingSchema = z.strictObject({
  backend_id: z.string(),
  bucket: z.string(),
  mode: z.literal("ReadOnly"),
  per_source_ip_rps: z.number(),
  source: originField,
});

/** What is known about a stored credential besides its record. */
export interface CredentialState {
  /** As the S3 endpoint sees it; `undefined` when its secret cannot be opened. */
  readonly effective: VirtualCredential | undefined;
  /** Name of the user it belongs to. */
  readonly username: string | undefined;
  /** When it was last used; `undefined` for never. Milliseconds since the epoch. */
  readonly lastUse: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A stored credential as the API shows it. `read_only` is as it counts, with the owner's role; `enabled` is its own. */
export function credentialJson(
  record: CredentialRecord,
  { effective, username, lastUse, now }: CredentialState,
): z.output<typeof credentialSchema> {
  return {
    access_key: record.accessKeyId,
    backend_id: record.backendId,
    buckets: [...record.buckets],
    prefix: record.prefix,
    read_only: effective?.readOnly ?? record.readOnly,
    description: record.description,
    enabled: record.enabled,
    status: statusOf(effective, now),
    expires_at: timestamp(record.expiresAt),
    user_id: record.userId ?? undefined,
    username,
    created_at: timestamp(record.createdAt),
    created_by: record.createdBy,
    updated_at: timestamp(record.updatedAt),
    rotated_at: timestamp(record.rotatedAt),
    last_used_at: timestamp(lastUse),
    source: "sqlite",
  };
}

/** A credential of any source as the API shows it. */
export function mergedCredentialJson(
  credential: VirtualCredential,
  { username, lastUse, now }: Omit<CredentialState, "effective">,
): z.output<typeof mergedCredentialSchema> {
  return {
    access_key: credential.accessKeyId,
    scopes: [...credential.buckets].map(([bucket, backend]) => ({ backend_id: backend, bucket })),
    prefix: credential.prefix,
    read_only: credential.readOnly,
    status: statusOf(credential, now),
    expires_at: timestamp(credential.expiresAt),
    user_id: credential.userId || undefined,
    username,
    created_at: timestamp(credential.createdAt),
    last_used_at: timestamp(lastUse),
    source: credential.source,
  };
}

/** A stored binding as the API shows it. */
export function bindingJson(binding: BindingRecord): z.output<typeof bindingSchema> {
  return {
    backend_id: binding.backendId,
    bucket: binding.bucket,
    mode: binding.mode,
    per_source_ip_rps: binding.perSourceIpRps,
    created_at: timestamp(binding.createdAt),
    created_by: binding.createdBy,
    source: "sqlite",
  };
}

/** A binding of any source as the API shows it. */
export function mergedBindingJson(
  { backend, bucket, perSourceIpRps, source }: AnonymousBinding,
): z.output<typeof mergedBindingSchema> {
  return { backend_id: backend, bucket, mode: "ReadOnly", per_source_ip_rps: perSourceIpRps, source };
}

/** `unusable`: its secret was sealed with another root key, so that it has to be rotated. */
function statusOf(credential: VirtualCredential | undefined, now: number) {
  if (credential === undefined) return "unusable";
  if (!credential.enabled) return "disabled";
  return credential.expiresAt !== undefined && credential.expiresAt <= now ? "expired" : "active";
}

function timestamp(milliseconds: number | null | undefined): string | undefined {
  return typeof milliseconds === "number" ? new Date(milliseconds).toISOString() : undefined;
}
