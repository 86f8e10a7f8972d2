import { z } from "zod";
import { versionLockSchema } from "./version_lock.ts";

/** An object as an upload answers it. */
export const storedObjectSchema = z.strictObject({
  key: z.string(),
  size: z.int(),
  etag: z.string(),
  content_type: z.string(),
  version_id: z.string().optional(),
});

/** A page of a bucket's objects. */
export const objectPageSchema = z.strictObject({
  prefix: z.string(),
  delimiter: z.string(),
  common_prefixes: z.array(z.string()),
  objects: z.array(z.strictObject({
    key: z.string(),
    size: z.int(),
    etag: z.string().optional(),
    storage_class: z.string(),
    last_modified: z.iso.datetime(),
    /** Their name, or their id where they have none. */
    owner: z.string().optional(),
  })),
  is_truncated: z.boolean(),
  next_continuation_token: z.string().optional(),
});

/** Everything about an object but its content. */
export const objectInfoSchema = z.strictObject({
  key: z.string(),
  size: z.int(),
  etag: z.string(),
  content_type: z.string(),
  content_encoding: z.string().optional(),
  content_language: z.string().optional(),
  content_disposition: z.string().optional(),
  cache_control: z.string().optional(),
  expires: z.string().optional(),
  storage_class: z.string(),
  last_modified: z.iso.datetime().optional(),
  version_id: z.string().optional(),
  metadata: z.record(z.string(), z.string()),
  tag_count: z.int().optional(),
  checksums: z.record(z.string(), z.string()).optional().meta({
    description: "By algorithm, such as SHA256, as S3 writes them: in Base64",
  }),
  encryption: z.strictObject({ algorithm: z.string(), key_id: z.string().optional() }).optional(),
  lock: versionLockSchema.optional(),
});

/** A page of the versions of a key, or of the keys with a prefix. */
export const versionPageSchema = z.strictObject({
  versions: z.array(z.strictObject({
    key: z.string(),
    version_id: z.string(),
    is_latest: z.boolean(),
    is_delete_marker: z.boolean(),
    size: z.int(),
    etag: z.string(),
    last_modified: z.iso.datetime(),
    storage_class: z.string().optional(),
  })),
  is_truncated: z.boolean(),
  next_continuation_token: z.string().optional(),
});

/** The tags of an object. */
export const tagsSchema = z.strictObject({ tags: z.record(z.string(), z.string()) });

/** What a bulk deletion did. */
export const bulkDeletionSchema = z.strictObject({
  deleted: z.array(z.strictObject({
    key: z.string(),
    version_id: z.string().optional(),
    /** The delete marker that hides the object, in a bucket that keeps versions: without it, the object is back. */
    delete_marker_version_id: z.string().optional(),
  })),
  errors: z.array(z.strictObject({
    key: z.string(),
    version_id: z.string().optional(),
    code: z.string(),
    message: z.string(),
    /** Of a locked version, its lock. */
    detail: z.record(z.string(), z.unknown()).optional(),
  })),
});

/** The form of an upload; further fields are user metadata, as `metadata[name]`, and tags, as `tags[name]`. */
export const uploadFormSchema = z.object({
  key: z.string().optional(),
  content_type: z.string().optional(),
  if_absent: z.enum(["true", "false"]).optional(),
  storage_class: z.string().optional(),
  file: z.string().meta({ format: "binary", description: "The content; the last field" }),
}).catchall(z.string());
